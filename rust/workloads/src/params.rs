//! Parameter blocks: arguments at natural alignment, in order, as PTX lays out `.param` of an entry.

/// Builds a parameter block argument by argument.
#[derive(Debug, Clone, Default)]
pub struct ParamBlock {
    bytes: Vec<u8>,
}

impl ParamBlock {
    /// A block without arguments.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn push<const N: usize>(mut self, value: [u8; N]) -> Self {
        self.bytes.resize(self.bytes.len().next_multiple_of(N), 0);
        self.bytes.extend(value);
        self
    }

    /// A pointer: 64 bits, as `.address_size 64` has them.
    #[must_use]
    pub fn pointer(self, address: u32) -> Self {
        self.push(u64::from(address).to_le_bytes())
    }

    /// A 32-bit integer.
    #[must_use]
    pub fn u32(self, value: u32) -> Self {
        self.push(value.to_le_bytes())
    }

    /// A 64-bit integer.
    #[must_use]
    pub fn u64(self, value: u64) -> Self {
        self.push(value.to_le_bytes())
    }

    /// A double.
    #[must_use]
    pub fn f64(self, value: f64) -> Self {
        self.push(value.to_le_bytes())
    }

    /// A float.
    #[must_use]
    pub fn f32(self, value: f32) -> Self {
        self.push(value.to_le_bytes())
    }

    /// The bytes of the block.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// `n` as a kernel argument.
///
/// Sizes of workloads are fixed and far below 2^31, so this does not saturate.
#[must_use]
pub fn arg(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_aligned_to_their_size() {
        let block = ParamBlock::new().u32(7).pointer(0x1000_0000).f32(1.0).finish();
        assert_eq!(block.len(), 20);
        assert_eq!(block[..8], [7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(block[8..16], [0, 0, 0, 0x10, 0, 0, 0, 0]);
        assert_eq!(block[16..], [0, 0, 0x80, 0x3f]);
    }
}
