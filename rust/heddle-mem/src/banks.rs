//! Bank conflicts of shared memory: 32 banks of 4 bytes.

use heddle_port::{NUM_LANES, members};

/// Words of the widest access of a lane.
const MOST_WORDS: usize = 4;

/// Cycles that shared memory works on one warp's access.
///
/// Lanes that read or write the same word are served together (broadcast); different words of a bank are served one after the
/// other, those of accesses of 8 and 16 bytes too: 32 different pairs take two cycles, one pair for all lanes takes one. Atomics
/// are never served together: each lane takes its own cycle of its bank.
#[must_use]
pub fn shared_cycles(address: &[u32; NUM_LANES], mask: u32, size_log2: u8, atomic: bool) -> u32 {
    if mask == 0 {
        return 1;
    }
    let words = 1usize << size_log2.saturating_sub(2);
    if words == 1 && !atomic && in_one_row(address, mask) {
        return 1;
    }
    let words = words.min(MOST_WORDS);
    let (mut depth, mut worst) = ([0u32; NUM_LANES], 1);
    // The distinct words of each bank as a linked list through `next`.
    let mut head = [u8::MAX; NUM_LANES];
    let mut next = [0u8; NUM_LANES * MOST_WORDS];
    let mut word_of = [0u32; NUM_LANES * MOST_WORDS];
    let mut used = 0usize;
    for lane in members(mask) {
        for w in 0..words as u32 {
            let word = (address[lane] >> 2).wrapping_add(w);
            let bank = (word % 32) as usize;
            let mut at = head[bank];
            while !atomic && at != u8::MAX && word_of[usize::from(at)] != word {
                at = next[usize::from(at)];
            }
            if atomic || at == u8::MAX {
                word_of[used] = word;
                next[used] = head[bank];
                head[bank] = used as u8;
                used += 1;
                depth[bank] += 1;
                worst = worst.max(depth[bank]);
            }
        }
    }
    worst
}

/// Whether all words lie in one row of the 32 banks, and so cannot be in conflict.
fn in_one_row(address: &[u32; NUM_LANES], mask: u32) -> bool {
    let reference = address[mask.trailing_zeros() as usize] >> 7;
    let mut differ = 0;
    for (lane, a) in address.iter().enumerate() {
        let active = 0u32.wrapping_sub(mask >> lane & 1);
        differ |= ((a >> 7) ^ reference) & active;
    }
    differ == 0
}

#[cfg(test)]
mod tests {
    use super::shared_cycles;

    fn lanes(f: impl Fn(u32) -> u32) -> [u32; 32] {
        std::array::from_fn(|i| f(i as u32))
    }

    #[test]
    fn consecutive_words_and_broadcast_have_no_conflict() {
        assert_eq!(shared_cycles(&lanes(|i| 4 * i), u32::MAX, 2, false), 1);
        assert_eq!(shared_cycles(&lanes(|_| 64), u32::MAX, 2, false), 1);
        assert_eq!(shared_cycles(&lanes(|i| 64 + 4 * i), u32::MAX, 2, false), 1);
        assert_eq!(shared_cycles(&lanes(|i| 132 * i), u32::MAX, 2, false), 1);
    }

    #[test]
    fn a_stride_of_n_words_serialises() {
        assert_eq!(shared_cycles(&lanes(|i| 8 * i), u32::MAX, 2, false), 2);
        assert_eq!(shared_cycles(&lanes(|i| 128 * i), u32::MAX, 2, false), 32);
        assert_eq!(shared_cycles(&lanes(|i| 128 * i), 0xFF, 2, false), 8);
        assert_eq!(shared_cycles(&lanes(|i| 128 * (i / 4)), u32::MAX, 2, false), 8);
    }

    #[test]
    fn bytes_of_one_word_are_served_together() {
        assert_eq!(shared_cycles(&lanes(|i| i), u32::MAX, 0, false), 1);
        assert_eq!(shared_cycles(&lanes(|i| i * 2), u32::MAX, 1, false), 1);
    }

    #[test]
    fn wide_accesses_take_as_long_as_their_different_words() {
        assert_eq!(shared_cycles(&lanes(|_| 64), u32::MAX, 4, false), 1);
        assert_eq!(shared_cycles(&lanes(|i| 16 * (i % 8)), u32::MAX, 4, false), 1);
        assert_eq!(shared_cycles(&lanes(|i| 16 * (i / 2)), u32::MAX, 4, false), 2);
        assert_eq!(shared_cycles(&lanes(|i| 128 * i), u32::MAX, 4, false), 32);
        assert_eq!(shared_cycles(&lanes(|i| 8 * i), u32::MAX, 3, false), 2);
        assert_eq!(shared_cycles(&lanes(|i| 8 * i), 0xFFFF, 3, false), 1);
        assert_eq!(shared_cycles(&lanes(|i| 16 * i), u32::MAX, 4, false), 4);
        assert_eq!(shared_cycles(&lanes(|i| 16 * i), 0x1, 4, false), 1);
    }

    #[test]
    fn atomics_to_one_word_are_served_lane_by_lane() {
        assert_eq!(shared_cycles(&lanes(|_| 0), u32::MAX, 2, true), 32);
        assert_eq!(shared_cycles(&lanes(|i| 4 * i), u32::MAX, 2, true), 1);
        assert_eq!(shared_cycles(&lanes(|i| 4 * (i / 2)), u32::MAX, 2, true), 2);
    }
}
