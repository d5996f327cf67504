//! Random contents of mapping tables.

use std::collections::VecDeque;

use heddle_port::{Command, CommandOp};
use heddle_rtl::MappingTables;

use crate::rng::Rng;

/// The map commands after a kernel start.
#[derive(Debug, Default)]
pub(crate) struct Loading {
    /// Commands that are still to be offered.
    commands: VecDeque<Command>,
    /// When those that wait for their done events were accepted, oldest first.
    accepted: VecDeque<u64>,
}

impl Loading {
    /// Draws what is loaded: for some of the banks a permutation of all rows, for the others nothing.
    pub(crate) fn draw(&mut self, tables: MappingTables, banks: usize, rng: &mut Rng) {
        self.commands.clear();
        let most = [0, 64, 256][rng.below(3)];
        for bank in 0..banks {
            if rng.chance(most) {
                self.load(bank, tables.rows(), rng);
            }
        }
    }

    fn load(&mut self, bank: usize, rows: usize, rng: &mut Rng) {
        let mut places: Vec<usize> = (0..rows).collect();
        for row in (1..rows).rev() {
            places.swap(row, rng.below(row + 1));
        }
        let blocks = rows / MappingTables::ROWS_PER_COMMAND;
        for (block, places) in places.chunks(MappingTables::ROWS_PER_COMMAND).enumerate() {
            let mut command = Command {
                valid: true,
                op: CommandOp::MapEntry as u8,
                index: (bank * blocks + block) as u16,
                ..Command::default()
            };
            for (i, &place) in places.iter().enumerate() {
                command.vector[i / 4] |= (place as u32) << (i % 4 * 8);
            }
            self.commands.push_back(command);
        }
    }

    /// The next command to offer.
    pub(crate) fn next(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    /// A map command was accepted.
    pub(crate) fn accepted(&mut self, cycle: u64) {
        self.accepted.push_back(cycle);
    }

    /// A done event came; since when it was awaited, if it was.
    pub(crate) fn done(&mut self) -> Option<u64> {
        self.accepted.pop_front()
    }

    /// Since when the oldest done event is awaited.
    pub(crate) fn waits_since(&self) -> Option<u64> {
        self.accepted.front().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Loading;
    use crate::rng::Rng;
    use heddle_rtl::MappingTables;

    #[test]
    fn a_bank_is_loaded_with_each_place_once() {
        let tables = MappingTables { ports: 8, offsets: 16, interleaved: false };
        let mut loading = Loading::default();
        loading.load(3, tables.rows(), &mut Rng::new(1));
        let mut entries = Vec::new();
        for index in 12..16 {
            let command = loading.next().expect("four commands");
            assert_eq!(command.index, index);
            entries.extend(command.vector.iter().flat_map(|word| word.to_le_bytes()));
        }
        assert!(loading.next().is_none());
        assert_ne!(entries, (0..128).collect::<Vec<u8>>(), "not in order");
        entries.sort_unstable();
        assert_eq!(entries, (0..128).collect::<Vec<u8>>());
    }
}
