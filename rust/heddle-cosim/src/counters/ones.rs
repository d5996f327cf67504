//! How often each bit of the event vector was 1.

use heddle_port::{EVENT_BITS, Events};

/// Digits of a count.
const DIGITS: usize = 5;
/// Cycles that are counted together.
const MOST_CYCLES: u32 = (1 << DIGITS) - 1;
/// Words of the event vector that are counted at once.
const WORDS: usize = 4;

/// Counts of the bits of some words: binary numbers, one a bit, of which each digit has words of its own.
type Digits = [[u32; WORDS]; DIGITS];

/// For each bit of the event vector, in how many of the last cycles it was 1. The numbers of all bits of a word are raised
/// together, whatever number of events they belong to.
#[derive(Debug, Clone, Default)]
pub(super) struct Ones {
    digits: [Digits; EVENT_BITS / 32 / WORDS],
    /// Words up to the last one that has a counted bit, in pieces of [`WORDS`].
    pieces: usize,
    cycles: u32,
}

impl Ones {
    const WHOLE: () =
        assert!(EVENT_BITS.is_multiple_of(32 * WORDS), "the words of the event vector in pieces");

    /// No cycle yet; nobody asks for words behind word `last`.
    pub fn new(last: usize) -> Self {
        let () = Self::WHOLE;
        Self { pieces: last / WORDS + 1, ..Self::default() }
    }

    /// No cycle yet, for the same words.
    pub fn fresh(&self) -> Self {
        Self { pieces: self.pieces, ..Self::default() }
    }

    /// No further cycle can be counted.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.cycles == MOST_CYCLES
    }

    /// Counts a cycle; the caller sees to it that there is room.
    #[inline]
    pub fn add(&mut self, events: &Events) {
        debug_assert!(!self.is_full(), "cycles that are not added to the sums");
        let (pieces, _) = events.as_chunks::<WORDS>();
        for (digits, &words) in self.digits[..self.pieces].iter_mut().zip(pieces) {
            let mut carry = words;
            for digit in digits {
                for (digit, carry) in digit.iter_mut().zip(&mut carry) {
                    (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
                }
            }
        }
        self.cycles += 1;
    }

    /// The digits of the counts of the bits of a word, each with its weight.
    pub fn digits(&self, word: usize) -> impl Iterator<Item = (u64, u32)> {
        let digits = &self.digits[word / WORDS];
        digits.iter().enumerate().map(move |(place, digit)| (1 << place, digit[word % WORDS]))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_CYCLES, Ones};
    use heddle_port::{EVENT_BITS, Events};

    #[test]
    fn every_bit_has_a_count_of_its_own() {
        const LEN: usize = EVENT_BITS / 32;
        let last = LEN - 1;
        let mut ones = Ones::new(last);
        // Bit b of a word is 1 in the first b cycles, the last one in all.
        for cycle in 0..MOST_CYCLES {
            assert!(!ones.is_full(), "cycle {cycle}");
            let word = (0..32).filter(|bit| *bit > cycle).fold(0, |word, bit| word | 1 << bit);
            let events: Events = [word; LEN];
            ones.add(&events);
        }
        assert!(ones.is_full());
        for word in [0, 3, 4, last] {
            for bit in 0..32 {
                let count: u64 =
                    ones.digits(word).map(|(weight, digit)| weight * u64::from(digit >> bit & 1)).sum();
                assert_eq!(count, bit, "bit {bit} of word {word}");
            }
        }
        assert_eq!(ones.fresh().digits(0).map(|(_, digit)| digit).max(), Some(0));
    }
}
