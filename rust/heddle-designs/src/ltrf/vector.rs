//! Sets of the 256 architectural registers of a warp.

/// One bit a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegVector([u64; 4]);

impl RegVector {
    /// All registers.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// The vector of a prefetch command.
    #[must_use]
    pub fn from_words(words: &[u32; 8]) -> Self {
        Self(std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32))
    }

    /// Whether no register is in the set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Registers in the set.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The set in words of 64 registers, the lowest first.
    #[inline]
    #[must_use]
    pub fn words(&self) -> &[u64; 4] {
        &self.0
    }

    /// Whether `register` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, register: u8) -> bool {
        self.0[usize::from(register / 64)] >> (register % 64) & 1 != 0
    }

    /// Adds `register`.
    #[inline]
    pub fn insert(&mut self, register: u8) {
        self.0[usize::from(register / 64)] |= 1 << (register % 64);
    }

    /// Takes `register` out.
    #[inline]
    pub fn remove(&mut self, register: u8) {
        self.0[usize::from(register / 64)] &= !(1 << (register % 64));
    }

    /// The registers of `self` that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}
