//! Bytes that prefetches add to the code of a kernel (LTRF, section 5.3).

use heddle_config::InstructionCache;

/// Bytes of a bit-vector: one bit for each of 256 registers (LTRF, section 3.2).
const VECTOR_BYTES: u64 = 32;

/// Bytes of the code of some kernels, as they are and with prefetches.
#[derive(Default)]
pub struct CodeSizes {
    /// Of each kernel, what bit-vectors before the first instruction of each interval add, as a share.
    vectors: Vec<f64>,
    /// The same with a prefetch instruction before each bit-vector.
    instructions: Vec<f64>,
}

/// Instructions and register-intervals of the entries of a kernel.
pub type Entries = [(u64, u64)];

impl CodeSizes {
    /// Takes a kernel.
    pub fn add(&mut self, keys: &InstructionCache, entries: &Entries) {
        let sum = |of: fn(&InstructionCache, u64, u64) -> u64| -> f64 {
            entries.iter().map(|(instructions, intervals)| of(keys, *instructions, *intervals)).sum::<u64>()
                as f64
        };
        let plain = sum(|keys, instructions, _| bytes(keys, instructions)).max(1.0);
        let vectors =
            sum(|keys, instructions, intervals| bytes(keys, instructions) + intervals * VECTOR_BYTES);
        let whole = sum(|keys, instructions, intervals| {
            bytes(keys, instructions + intervals) + intervals * VECTOR_BYTES
        });
        self.vectors.push(vectors / plain - 1.0);
        self.instructions.push(whole / plain - 1.0);
    }

    /// Means over the kernels, with bit-vectors alone and with instructions.
    pub fn means(&self) -> (f64, f64) {
        (super::compiler::mean(&self.vectors), super::compiler::mean(&self.instructions))
    }
}

/// Bytes of so many instructions, control words included.
fn bytes(keys: &InstructionCache, instructions: u64) -> u64 {
    let last = instructions.checked_sub(1).and_then(|last| u32::try_from(last).ok());
    last.map_or(0, |last| u64::from(keys.offset(last) + keys.instruction_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On Maxwell six instructions have two control words: 64 bytes. One more begins a third: 80.
    #[test]
    fn a_prefetch_adds_a_vector_or_an_instruction_as_well() {
        let keys = heddle_config::load("maxwell").expect("ships").instruction_cache;
        assert_eq!([0, 1, 3, 6, 7].map(|n| bytes(&keys, n)), [0, 16, 32, 64, 80]);
        let mut sizes = CodeSizes::default();
        sizes.add(&keys, &[(6, 1), (6, 0)]);
        let (vectors, instructions) = sizes.means();
        assert!((vectors - 32.0 / 128.0).abs() < 1e-12, "{vectors}");
        assert!((instructions - 48.0 / 128.0).abs() < 1e-12, "{instructions}");
    }
}
