//! The ways of the fetches to the main banks, as in `fetch_path.sv`.

use super::NUM_MAIN_BANKS;
use super::main_file::Outbound;
use heddle_port::members;
use std::collections::VecDeque;

/// Fetches on their way to one bank, at most: `PathDepth` of the RTL.
pub const PATH_DEPTH: usize = 4;

/// A register on its way from the allocator to its bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fetch {
    /// Row in the bank.
    pub row: u16,
    /// What goes with its word to the cache.
    pub meta: Outbound,
}

/// One way for each main bank, first in, first out; none where banks are busy until the word is there.
#[derive(Debug, Clone)]
pub struct FetchPaths {
    /// Cycles of the way.
    delay: u8,
    /// Fetches under way, the oldest first, with the cycles until they are at the bank.
    ways: [VecDeque<(Fetch, u8)>; NUM_MAIN_BANKS],
    /// Banks with a fetch under way.
    used: u16,
}

impl FetchPaths {
    /// Empty ways of `delay` cycles.
    #[must_use]
    pub fn new(delay: u8) -> Self {
        Self { delay, ways: Default::default(), used: 0 }
    }

    /// Whether a fetch starts at its bank in the cycle in which it is asked for.
    #[inline]
    #[must_use]
    pub fn direct(&self) -> bool {
        self.delay == 0
    }

    /// Banks whose way takes a fetch; of no use where they are [direct](Self::direct).
    #[must_use]
    pub fn ready(&self) -> u16 {
        let full = members(self.used).filter(|&bank| self.ways[bank].len() == PATH_DEPTH);
        full.fold(u16::MAX, |ready, bank| ready & !(1 << bank))
    }

    /// Banks at which a fetch has arrived.
    #[must_use]
    pub fn arrived(&self) -> u16 {
        let arrived = members(self.used).filter(|&bank| self.ways[bank].front().is_some_and(|f| f.1 == 0));
        arrived.fold(0, |banks, bank| banks | 1 << bank)
    }

    /// Whether the register of row `row` is on its way to bank `bank`.
    #[inline]
    #[must_use]
    pub fn holds(&self, bank: usize, row: u16) -> bool {
        self.used >> bank & 1 != 0 && self.ways[bank].iter().any(|(fetch, _)| fetch.row == row)
    }

    /// The clock edge: the fetches at the banks `taken`, which have arrived, leave their ways, in the order of the
    /// banks. What enters in the same cycle comes after this.
    pub fn tick(&mut self, taken: u16) -> Vec<(usize, Fetch)> {
        let left = members(taken);
        let left =
            left.filter_map(|bank| self.ways[bank].pop_front().map(|(fetch, _)| (bank, fetch))).collect();
        for bank in members(self.used) {
            self.ways[bank].iter_mut().for_each(|(_, left)| *left = left.saturating_sub(1));
            if self.ways[bank].is_empty() {
                self.used &= !(1 << bank);
            }
        }
        left
    }

    /// A fetch enters the way to `bank`.
    pub fn enter(&mut self, bank: usize, fetch: Fetch) {
        debug_assert!(self.ways[bank].len() < PATH_DEPTH, "the way to bank {bank} is full");
        self.ways[bank].push_back((fetch, self.delay - 1));
        self.used |= 1 << bank;
    }
}

#[cfg(test)]
mod tests {
    use super::{Fetch, FetchPaths, Outbound, PATH_DEPTH};

    const fn fetch(row: u16) -> Fetch {
        Fetch { row, meta: Outbound { slot: 0, register: 0, cache_bank: 0 } }
    }

    #[test]
    fn a_fetch_arrives_after_the_delay() {
        let mut paths = FetchPaths::new(3);
        let mut arrived = vec![paths.arrived()];
        paths.tick(0);
        paths.enter(5, fetch(9));
        for _ in 0..3 {
            arrived.push(paths.arrived());
            paths.tick(0);
        }
        assert_eq!(arrived, [0, 0, 0, 1 << 5]);
        assert!(paths.holds(5, 9) && !paths.holds(5, 8) && !paths.holds(4, 9));
        assert_eq!(paths.tick(1 << 5), [(5, fetch(9))]);
        assert!(!paths.holds(5, 9));
    }

    #[test]
    fn fetches_keep_their_order_and_a_full_way_takes_none() {
        let mut paths = FetchPaths::new(1);
        for row in 0..PATH_DEPTH as u16 {
            assert_eq!(paths.ready(), u16::MAX);
            paths.tick(0);
            paths.enter(0, fetch(row));
        }
        assert_eq!(paths.ready(), !1);
        let rows: Vec<u16> =
            (0..PATH_DEPTH).flat_map(|_| paths.tick(1)).map(|(_, fetch)| fetch.row).collect();
        assert_eq!(rows, [0, 1, 2, 3]);
    }
}
