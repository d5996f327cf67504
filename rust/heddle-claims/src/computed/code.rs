//! Bytes that prefetches add to the code of a kernel (LTRF, section 5.3).

use heddle_config::InstructionCache;

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
        let sum = |keys: &InstructionCache, with: bool| -> f64 {
            let bytes = |&(instructions, intervals): &(u64, u64)| {
                bytes(keys, instructions, if with { intervals } else { 0 })
            };
            entries.iter().map(bytes).sum::<u64>() as f64
        };
        let alone = InstructionCache { prefetch_instruction: false, ..*keys };
        let whole = InstructionCache { prefetch_instruction: true, ..*keys };
        let plain = sum(&alone, false).max(1.0);
        self.vectors.push(sum(&alone, true) / plain - 1.0);
        self.instructions.push(sum(&whole, true) / plain - 1.0);
    }

    /// Means over the kernels, with bit-vectors alone and with instructions.
    pub fn means(&self) -> (f64, f64) {
        (super::compiler::mean(&self.vectors), super::compiler::mean(&self.instructions))
    }
}

/// Bytes of so many instructions with so many prefetches, control words included.
fn bytes(keys: &InstructionCache, instructions: u64, prefetches: u64) -> u64 {
    let last = instructions.checked_sub(1).and_then(|last| u32::try_from(last).ok());
    let prefetches = u32::try_from(prefetches).unwrap_or(u32::MAX);
    last.map_or(0, |last| u64::from(keys.offset(last, prefetches) + keys.instruction_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On Maxwell six instructions have two control words: 64 bytes. One more begins a third: 80.
    #[test]
    fn a_prefetch_adds_a_vector_or_an_instruction_as_well() {
        let keys = heddle_config::load("maxwell").expect("ships").instruction_cache;
        assert_eq!([0, 1, 3, 6, 7].map(|n| bytes(&keys, n, 0)), [0, 16, 32, 64, 80]);
        let mut sizes = CodeSizes::default();
        sizes.add(&keys, &[(6, 1), (6, 0)]);
        let (vectors, instructions) = sizes.means();
        assert!((vectors - 32.0 / 128.0).abs() < 1e-12, "{vectors}");
        assert!((instructions - 48.0 / 128.0).abs() < 1e-12, "{instructions}");
    }
}
