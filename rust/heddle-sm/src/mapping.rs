//! The register mapping that the SM loads into the design when a kernel starts.

use heddle_port::{Command, CommandOp};

/// Entries of a mapping table that one command carries.
pub const MAP_BLOCK_ENTRIES: usize = 32;

/// One command's share of a mapping table; what the entries mean is the design's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapBlock {
    /// Number of the block.
    pub index: u16,
    /// Its entries.
    pub entries: [u8; MAP_BLOCK_ENTRIES],
}

impl MapBlock {
    /// The command that loads it.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command =
            Command { valid: true, op: CommandOp::MapEntry as u8, index: self.index, ..Command::default() };
        for (i, &entry) in self.entries.iter().enumerate() {
            command.vector[i / 4] |= u32::from(entry) << (i % 4 * 8);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::{MAP_BLOCK_ENTRIES, MapBlock};

    #[test]
    fn entries_fill_the_vector_from_below() {
        let block = MapBlock { index: 5, entries: std::array::from_fn(|i| i as u8) };
        let command = block.command();
        assert_eq!((command.index, command.vector[0], command.vector[7]), (5, 0x0302_0100, 0x1f1e_1d1c));
        assert_eq!(MAP_BLOCK_ENTRIES, 4 * command.vector.len());
    }
}
