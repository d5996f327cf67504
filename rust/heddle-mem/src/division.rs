//! How the on-chip memory of an SM is divided before a launch.

use heddle_config::{L1d, Preset, SPLIT_STEPS, Split};
use heddle_port::LINE_BYTES;
use serde::Serialize;

/// What the warps and CTAs of a launch take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Residents {
    /// Warp registers of the resident warps.
    pub registers: u32,
    /// Bytes of shared memory of the resident CTAs.
    pub shared_bytes: u32,
    /// Bytes of shared memory of the CTAs that all limits but shared memory admit.
    pub shared_wanted: u32,
}

/// What a launch has of the on-chip memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Division {
    /// Bytes of the L1D.
    pub l1d_bytes: u32,
    /// Bytes of shared memory.
    pub shared_memory_bytes: u32,
}

impl Division {
    /// The division for a launch, by `l1d.unified_bytes` (registers and L1D: Gebhart and others, MICRO 2012) or
    /// `shared_memory.split`. The L1D has a whole number of sets, one at least.
    #[must_use]
    pub fn new(preset: &Preset, residents: &Residents) -> Self {
        let (cache, shared) = (&preset.l1d, &preset.shared_memory);
        let set = preset.l1d_set_bytes();
        let sets = |left: u32| (left / set).max(1) * set;
        if cache.unified_bytes != 0 {
            let registers = residents.registers.saturating_mul(LINE_BYTES as u32);
            let l1d_bytes = sets(cache.unified_bytes.saturating_sub(registers));
            return Self { l1d_bytes, shared_memory_bytes: shared.bytes };
        }
        let shared_memory_bytes = match shared.split {
            Split::Fixed => return Self { l1d_bytes: cache.bytes, shared_memory_bytes: shared.bytes },
            Split::Auto => {
                let largest = SPLIT_STEPS[SPLIT_STEPS.len() - 1];
                SPLIT_STEPS.into_iter().find(|step| *step >= residents.shared_wanted).unwrap_or(largest)
            }
            Split::Exact => residents.shared_bytes,
        };
        let l1d_bytes = sets(shared.unified_bytes.saturating_sub(shared_memory_bytes));
        Self { l1d_bytes, shared_memory_bytes }
    }

    /// The L1D of `preset` with its bytes.
    #[must_use]
    pub fn l1d(&self, preset: &Preset) -> L1d {
        L1d { bytes: self.l1d_bytes, ..preset.l1d.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Division, Residents};
    use heddle_config::{Preset, Split};

    fn load(name: &str) -> Preset {
        heddle_config::load(name).expect("the preset ships")
    }

    fn l1d(preset: &Preset, registers: u32) -> u32 {
        Division::new(preset, &Residents { registers, ..Residents::default() }).l1d_bytes
    }

    #[test]
    fn the_cache_gets_what_the_registers_leave() {
        let mut preset = load("fermi");
        assert_eq!(l1d(&preset, 512), preset.l1d.bytes, "separate memories");
        preset.l1d.unified_bytes = 131_072;
        let left = [0, 512, 1_000, 1_023, 1_024, 5_000].map(|registers| l1d(&preset, registers));
        assert_eq!(left, [131_072, 65_536, 3_072, 512, 512, 512]);
    }

    #[test]
    fn shared_memory_gets_the_smallest_step_that_holds_what_is_wanted() {
        let preset = load("volta");
        let kb = |wanted: u32| {
            let residents = Residents { shared_wanted: wanted, shared_bytes: 1, ..Residents::default() };
            let Division { l1d_bytes, shared_memory_bytes } = Division::new(&preset, &residents);
            (shared_memory_bytes >> 10, l1d_bytes >> 10)
        };
        assert_eq!([0, 1, 8 << 10].map(kb), [(0, 128), (8, 120), (8, 120)]);
        assert_eq!([8193, 16 << 10, 20_000, 40_000].map(kb), [(16, 112), (16, 112), (32, 96), (64, 64)]);
        assert_eq!([65_537, 98_304, 98_305, u32::MAX].map(kb), [(96, 32); 4]);
    }

    #[test]
    fn an_exact_split_gives_the_cache_whole_sets_of_the_rest() {
        let mut preset = load("volta");
        preset.shared_memory.split = Split::Exact;
        preset.shared_memory.bytes = 131_072;
        assert_eq!(preset.on_chip_shared_bytes(), 122_880, "a set of the L1D stays");
        let of = |shared_bytes| {
            Division::new(
                &preset,
                &Residents { shared_bytes, shared_wanted: u32::MAX, ..Residents::default() },
            )
        };
        let bytes = [0, 100, 8_193, 122_880].map(|b| of(b).l1d_bytes);
        assert_eq!(bytes, [131_072, 122_880, 114_688, 8_192]);
        assert_eq!(of(100).shared_memory_bytes, 100);
    }
}
