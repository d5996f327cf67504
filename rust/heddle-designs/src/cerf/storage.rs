//! Storage of the integrated memory, from its parameters (section III-E).

use super::{ENTRIES_PER_BANK, NUM_TAG_BANKS};

/// Bits of each part for sets of `ways` ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    /// Data banks.
    pub data: u64,
    /// Tags.
    pub tags: u64,
    /// States, two bits an entry.
    pub states: u64,
    /// LRU order, which the paper does not count.
    pub order: u64,
    /// Which registers are spilled or on their way back, under LRU-fair; the paper does not count it.
    pub away: u64,
}

impl Storage {
    /// Of the integrated memory with the given ways (2, 4 or 8), 32-bit addresses and lines of 128 bytes.
    #[must_use]
    pub fn new(ways: usize) -> Self {
        let entries = (NUM_TAG_BANKS * ENTRIES_PER_BANK) as u64;
        let sets = entries / ways as u64;
        let tag_bits = 32 - 7 - u64::from(sets.ilog2());
        Self {
            data: entries * 128 * 8,
            tags: entries * tag_bits,
            states: entries * 2,
            order: entries * u64::from(ways.ilog2()),
            away: entries * 2,
        }
    }

    /// Data, tags and states, as the paper counts them, in bits.
    #[must_use]
    pub fn as_published(&self) -> u64 {
        self.data + self.tags + self.states
    }
}

#[cfg(test)]
mod tests {
    use super::Storage;

    #[test]
    fn four_ways_take_the_published_storage() {
        let storage = Storage::new(4);
        let kilobytes = |bits: u64| bits as f64 / 8.0 / 1024.0;
        assert_eq!(kilobytes(storage.tags), 2.125);
        assert_eq!(kilobytes(storage.as_published()), 130.375);
    }
}
