//! Which lanes the 32 banks serve in one cycle.

use heddle_port::{NUM_LANES, members};

/// The lanes of one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Lanes served.
    pub lanes: u32,
    /// Banks that work for them.
    pub banks: u32,
}

/// Lanes that one pass may serve together with `lane`: all for up to 4 bytes a lane, a half-warp for 8, a
/// quarter-warp for 16.
#[inline]
fn group(lane: u32, size_log2: u8) -> u32 {
    match size_log2 {
        0..=2 => u32::MAX,
        3 => 0xFFFF << (lane & 16),
        _ => 0xFF << (lane & 24),
    }
}

/// Chooses lanes of `ready`, which is not empty.
///
/// In each bank the lowest lane decides the word. With it go all lanes of the same word; of an atomic
/// access only that lane. Lanes of other words of the bank wait for a later pass.
#[must_use]
pub fn select(ready: u32, address: &[u32; NUM_LANES], size_log2: u8, atomic: bool) -> Pass {
    let candidates = ready & group(ready.trailing_zeros(), size_log2);
    let words = (1u32 << size_log2).div_ceil(4);
    let all_words = (1u32 << words) - 1;
    let mut leader = [u32::MAX; 32];
    let (mut lanes, mut banks) = (0u32, 0u32);
    for lane in members(candidates) {
        let word = address[lane] >> 2;
        let bank = (word % 32) as usize;
        if leader[bank] == u32::MAX {
            leader[bank] = word;
            banks |= all_words << bank;
            lanes |= 1 << lane;
        } else if leader[bank] == word && !atomic {
            lanes |= 1 << lane;
        }
    }
    Pass { lanes, banks }
}

/// All of `lanes`, which lie in one line and so are in no conflict.
#[must_use]
pub fn one_line(lanes: u32, address: &[u32; NUM_LANES], size_log2: u8) -> Pass {
    let words = (1u32 << size_log2).div_ceil(4);
    let mut banks = 0u32;
    for lane in members(lanes) {
        banks |= ((1u32 << words) - 1) << ((address[lane] >> 2) % 32);
    }
    Pass { lanes, banks }
}

#[cfg(test)]
mod tests {
    use super::{Pass, select};

    fn lanes(f: impl Fn(u32) -> u32) -> [u32; 32] {
        std::array::from_fn(|i| f(i as u32))
    }

    /// Passes until all lanes are served.
    fn passes(address: &[u32; 32], mask: u32, size_log2: u8, atomic: bool) -> u32 {
        let (mut ready, mut count) = (mask, 0);
        while ready != 0 {
            let pass = select(ready, address, size_log2, atomic);
            assert_eq!(pass.lanes & !ready, 0);
            assert_ne!(pass.lanes, 0);
            ready &= !pass.lanes;
            count += 1;
        }
        count
    }

    #[test]
    fn conflicts_take_as_many_passes_as_in_a_scratch_pad() {
        assert_eq!(passes(&lanes(|i| 4 * i), u32::MAX, 2, false), 1);
        assert_eq!(passes(&lanes(|_| 64), u32::MAX, 2, false), 1, "broadcast");
        assert_eq!(passes(&lanes(|i| 132 * i), u32::MAX, 2, false), 1, "a padded column");
        assert_eq!(passes(&lanes(|i| 8 * i), u32::MAX, 2, false), 2);
        assert_eq!(passes(&lanes(|i| 128 * i), u32::MAX, 2, false), 32);
        assert_eq!(passes(&lanes(|i| 128 * i), 0xFF, 2, false), 8);
        assert_eq!(passes(&lanes(|i| 128 * (i / 4)), u32::MAX, 2, false), 8);
        assert_eq!(passes(&lanes(|i| i), u32::MAX, 0, false), 1);
        assert_eq!(passes(&lanes(|i| 8 * i), u32::MAX, 3, false), 2);
        assert_eq!(passes(&lanes(|i| 8 * i), 0xFFFF, 3, false), 1);
        assert_eq!(passes(&lanes(|i| 16 * i), u32::MAX, 4, false), 4);
    }

    #[test]
    fn atomic_lanes_of_a_word_go_one_by_one() {
        assert_eq!(passes(&lanes(|_| 0), u32::MAX, 2, true), 32);
        assert_eq!(passes(&lanes(|i| 4 * i), u32::MAX, 2, true), 1);
        assert_eq!(passes(&lanes(|i| 4 * (i / 2)), u32::MAX, 2, true), 2);
    }

    #[test]
    fn the_lowest_lane_of_a_bank_decides_the_word() {
        let mut address = lanes(|i| 4 * i);
        address[5] = 0x200;
        address[6] = 0;
        let pass = select(0b110_0001, &address, 2, false);
        assert_eq!(pass, Pass { lanes: 0b100_0001, banks: 1 });
    }

    #[test]
    fn wide_lanes_use_neighbouring_banks() {
        assert_eq!(select(0b10, &lanes(|i| 8 * i), 3, false).banks, 0b1100);
        assert_eq!(select(1 << 31, &lanes(|i| 16 * i), 4, false).banks, 0xF000_0000);
    }
}
