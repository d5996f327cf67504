//! Where the lines lie in the rows and banks of a DRAM channel.
//!
//! Rows go round the banks. In off-chip shared memory the blocks of the CTA slots are a whole number of rounds apart, and the
//! CTAs of a kernel tend to be at equal offsets at a time, all of them then in one bank. So the rows of each block
//! lie one further than those of the block before: equal offsets of neighbouring slots are in neighbouring banks. The
//! last block thereby reaches beyond the rows of the space, where no global or local memory is.

use heddle_port::LINE_BYTES;

use crate::windows::shared_slot;

/// How a channel divides addresses.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// At least 1.
    pub lines_per_row: u32,
    /// At least 1.
    pub banks: u32,
}

impl Rows {
    /// Bank of a line that has number `within` among those of the channel, and its row there.
    pub fn place(self, line: u32, within: u32) -> (usize, u32) {
        let slot = shared_slot(line.wrapping_mul(LINE_BYTES as u32)).unwrap_or(0);
        let row = within / self.lines_per_row + slot;
        ((row % self.banks) as usize, row / self.banks)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::Rows;
    use crate::windows::{LOCAL_SPACE, SHARED_BLOCK_BYTES, SHARED_SPACE};

    const ROWS: Rows = Rows { lines_per_row: 16, banks: 16 };

    #[test]
    fn equal_offsets_of_neighbouring_slots_lie_in_neighbouring_banks() {
        let bank = |slot: u32, line: u32| {
            let line = (SHARED_SPACE.start + slot * SHARED_BLOCK_BYTES) / 128 + line;
            ROWS.place(line, line).0
        };
        for line in [0, 15, 16, 1023] {
            for slot in 0..31 {
                assert_eq!(bank(slot + 1, line), (bank(slot, line) + 1) % 16, "line {line} of slot {slot}");
            }
        }
    }

    #[test]
    fn no_two_rows_of_the_space_fall_together_whatever_the_banks() {
        for (lines_per_row, banks) in [(16, 16), (8, 16), (16, 6), (2048, 16), (1024, 7)] {
            let mut places = HashMap::new();
            for line in SHARED_SPACE.start / 128..SHARED_SPACE.end / 128 {
                let block = line / (SHARED_BLOCK_BYTES / 128);
                let of = (line / lines_per_row, block);
                let before = places.insert(Rows { lines_per_row, banks }.place(line, line), of);
                assert!(before.is_none_or(|b| b == of), "{lines_per_row} lines, {banks} banks: {line:#x}");
            }
        }
    }

    #[test]
    fn global_and_local_rows_go_round_the_banks_from_address_0() {
        for address in
            [0x1000_0000u32, 0x1000_0800, 0x1234_5680, SHARED_SPACE.start - 128, LOCAL_SPACE + 0x2_0800]
        {
            let row = address / 2048;
            assert_eq!(
                ROWS.place(address / 128, address / 128),
                ((row % 16) as usize, row / 16),
                "{address:#x}"
            );
        }
    }
}
