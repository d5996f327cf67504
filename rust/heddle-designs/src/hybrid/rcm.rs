//! The register control module: which registers of the active warp lie in the write buffer, and where.

use super::NUM_NUMBERS;

/// By register number: a valid bit and the entry of the write buffer.
#[derive(Debug, Clone)]
pub struct Rcm {
    valid: u64,
    slot: [u8; NUM_NUMBERS],
}

impl Default for Rcm {
    fn default() -> Self {
        Self { valid: 0, slot: [0; NUM_NUMBERS] }
    }
}

impl Rcm {
    /// The entry of a register that lies in the write buffer.
    #[inline]
    #[must_use]
    pub fn find(&self, number: u8) -> Option<u8> {
        let valid = self.valid >> (number % NUM_NUMBERS as u8) & 1 != 0;
        valid.then(|| self.slot[usize::from(number) % NUM_NUMBERS])
    }

    /// A register enters the write buffer.
    #[inline]
    pub fn set(&mut self, number: u8, slot: u8) {
        self.valid |= 1 << (number % NUM_NUMBERS as u8);
        self.slot[usize::from(number) % NUM_NUMBERS] = slot;
    }

    /// Another warp becomes active.
    #[inline]
    pub fn clear(&mut self) {
        self.valid = 0;
    }
}
