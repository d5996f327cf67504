//! The instruction cache of an SM, and the bytes of its code.

use serde::{Deserialize, Serialize};

/// Bytes of a control word.
const CONTROL_BYTES: u32 = 8;
/// Bytes of the bit-vector of a prefetch: one bit for each of 256 registers (LTRF, section 3.2).
const VECTOR_BYTES: u32 = 32;

/// Whose code has prefetches: a bit-vector before the first instruction of each register-interval (LTRF, section 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrefetchCode {
    /// That of designs which prefetch.
    Design,
    /// All code. Other designs pass them over in no time, so that only their place costs something.
    All,
}

/// Instruction cache that the schedulers of an SM share; its lines have 128 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstructionCache {
    /// Capacity in bytes; 0: every fetch hits, and the other keys mean nothing.
    pub bytes: u32,
    /// Associativity.
    pub ways: u32,
    /// Lines that may be on their way from L2 at once.
    pub mshrs: u32,
    /// Bytes of an instruction.
    pub instruction_bytes: u32,
    /// Instructions that follow a control word of 8 bytes; 0: there are none.
    pub control_every: u32,
    /// Whose code has prefetches.
    pub prefetch_code: PrefetchCode,
    /// Whether an instruction lies before each bit-vector.
    pub prefetch_instruction: bool,
}

impl InstructionCache {
    /// Whether every fetch hits.
    #[must_use]
    pub fn is_perfect(&self) -> bool {
        self.bytes == 0
    }

    /// Byte at which instruction `index` lies, from the start of the code, behind so many prefetches.
    #[must_use]
    pub fn offset(&self, index: u32, prefetches: u32) -> u32 {
        let index = if self.prefetch_instruction { index.wrapping_add(prefetches) } else { index };
        let words = index.checked_div(self.control_every).map_or(0, |whole| whole + 1);
        let vectors = prefetches.wrapping_mul(VECTOR_BYTES);
        index.wrapping_mul(self.instruction_bytes).wrapping_add(words * CONTROL_BYTES).wrapping_add(vectors)
    }

    /// Whether the values are in range: the key that is not, its value and what is allowed.
    pub(crate) fn validate(&self) -> Result<(), (&'static str, u64, &'static str)> {
        if ![8, 16].contains(&self.instruction_bytes) {
            return Err(("instruction_cache.instruction_bytes", self.instruction_bytes.into(), "8 or 16"));
        }
        for (key, value, least, most, allowed) in [
            ("instruction_cache.ways", self.ways, 1, 128, "1 to 128"),
            ("instruction_cache.mshrs", self.mshrs, 1, 64, "1 to 64"),
            ("instruction_cache.control_every", self.control_every, 0, 7, "0 to 7"),
            ("instruction_cache.bytes", self.bytes, 0, 1 << 24, "0 to 16777216"),
        ] {
            if !(least..=most).contains(&value) {
                return Err((key, value.into(), allowed));
            }
        }
        if !self.bytes.is_multiple_of(self.ways * 128) {
            let allowed = "0, or a multiple of instruction_cache.ways x 128";
            return Err(("instruction_cache.bytes", self.bytes.into(), allowed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_has_the_bytes_of_its_generation() {
        let offsets = |name| {
            let keys = crate::load(name).expect("ships").instruction_cache;
            [0, 1, 2, 3, 6].map(|index| keys.offset(index, 0))
        };
        assert_eq!(offsets("fermi"), [0, 8, 16, 24, 48]);
        assert_eq!(offsets("maxwell"), [8, 16, 24, 40, 72], "a control word before each three");
        assert_eq!(offsets("volta"), [0, 16, 32, 48, 96]);
    }

    #[test]
    fn a_prefetch_takes_the_place_of_its_vector_and_of_its_instruction() {
        let vectors = crate::load("maxwell").expect("ships").instruction_cache;
        assert_eq!([0, 2, 3].map(|index| vectors.offset(index, 2)), [72, 88, 104]);
        let whole = super::InstructionCache { prefetch_instruction: true, ..vectors };
        // Two instructions more: the first is the third behind a control word, the second the third's successor.
        assert_eq!([0, 1, 2].map(|index| whole.offset(index, 2)), [88, 104, 112]);
    }
}
