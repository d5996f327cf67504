//! The L1 data cache.

use serde::{Deserialize, Serialize};

/// L1 data cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1d {
    /// Capacity in bytes.
    pub bytes: u32,
    /// Bytes of one memory that is divided between registers and L1D before each launch: the L1D gets what the
    /// registers of the warps that fit leave, and `bytes` means nothing. So it has room for all of `sm.registers`.
    /// 0: separate memories.
    pub unified_bytes: u32,
    /// Associativity.
    pub ways: u32,
    /// Line in bytes.
    pub line_bytes: u32,
    /// Bytes of a line that are there or not as one: a miss fetches the sectors that it needs and the line lacks.
    pub sector_bytes: u32,
    /// Which set a line belongs to.
    pub sets: SetIndex,
    /// When a line that is fetched takes its place.
    pub allocation: Allocation,
    /// What a write to global memory does with a line that is there.
    pub write_hit: WriteHit,
    /// What a write to global memory writes whole is in the cache afterwards, whether its line was or not.
    pub write_allocate: bool,
    /// A fence of GPU or system scope drops everything of global memory, and a strong load (volatile, relaxed, acquire) its line, so
    /// that what other SMs have stored is seen after it.
    /// Where it does not, only accesses that go past the L1 see that: `.cg`, `.cv`, volatile, and atomics.
    pub fence_invalidates: bool,
    /// Miss-status holding registers.
    pub mshrs: u32,
    /// Requests that one MSHR merges.
    pub mshr_merges: u32,
    /// Core cycles from the look-up of a load that hits to its response.
    pub hit_latency: u32,
    /// Loads that go to the L1 hit, whatever it holds: a profile without cache contention.
    pub always_hit: bool,
}

/// Which set of a cache a line belongs to, by its number (byte address / 128).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetIndex {
    /// Number mod sets.
    Linear,
    /// The same of the number with its bits 4 to 0 XORed with bits 12, 10, 8, 7 and 6: bits 11 to 7 of the address with bits 19,
    /// 17, 15, 14 and 13, as found on a GTX 480 (Nugteren and others, HPCA 2014).
    Hashed,
}

impl SetIndex {
    /// The set of a line among `sets`, at least 1.
    #[must_use]
    pub fn of(self, line: u32, sets: u32) -> u32 {
        let line = match self {
            Self::Linear => line,
            Self::Hashed => line ^ (line >> 6 & 7 | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4),
        };
        line % sets.max(1)
    }
}

/// When a line that is fetched takes its place in a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// With its miss: the line in its place leaves then, and a miss waits while all of its set are on their way.
    OnMiss,
    /// When it comes.
    OnFill,
}

/// What a write to global memory, which goes to L2 in any case, does with a line that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteHit {
    /// Writes it.
    Through,
    /// Drops it.
    Evict,
}

#[cfg(test)]
mod tests {
    use super::SetIndex::{Hashed, Linear};

    #[test]
    fn bits_of_the_address_choose_the_set() {
        let of = |address: u32, sets| Hashed.of(address / 128, sets);
        // Each of bits 13, 14, 15, 17 and 19 turns a bit of the set; 12, 16, 18 and those above 19 do not.
        let turned =
            [(13, 1), (14, 2), (15, 4), (17, 8), (19, 16), (12, 0), (16, 0), (18, 0), (20, 0), (31, 0)];
        for (bit, turns) in turned {
            assert_eq!(of(5 << 7 | 1 << bit, 32), 5 ^ turns, "bit {bit}");
            assert_eq!(Linear.of((5 << 7 | 1 << bit) / 128, 32), 5, "bit {bit}");
        }
        assert_eq!(of(1 << 12 | 3 << 7, 64), 32 | 3, "bit 12 goes before the others");
        assert_eq!(of(1 << 13 | 1 << 7, 64), 0);
        assert_eq!((of(129 << 7, 48), Linear.of(129, 48)), ((129 ^ 2) % 48, 129 % 48));
    }

    #[test]
    fn lines_in_a_row_are_in_all_sets_and_a_stride_of_the_sets_is_spread() {
        let sets = |lines: &dyn Fn(u32) -> u32| {
            let mut sets: Vec<u32> = (0..32).map(|i| Hashed.of(lines(i), 32)).collect();
            sets.sort_unstable();
            sets.dedup();
            sets.len()
        };
        assert_eq!((sets(&|i| 96 + i), sets(&|i| 64 * i), sets(&|i| 1 << 13 | i)), (32, 16, 32));
    }
}
