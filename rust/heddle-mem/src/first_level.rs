//! What stands behind the memory port of an SM.

use heddle_config::{L1d, Preset};
use heddle_port::{DesignError, HeldSpaces, LINE_BYTES, MemIn, MemOut, MemoryPort};

use crate::cache_port::CachePort;
use crate::design_port::DesignPort;
use crate::l1::L1;
use crate::statistics::L1Statistics;

/// The L1 of an SM: in Rust, or in the design.
#[derive(Debug, Clone)]
pub enum FirstLevel {
    /// Beside a register-file design.
    Rust(Box<L1>),
    /// In a design with both ports, which does not hold shared memory.
    Design(Box<DesignPort>),
    /// Beside, or in, a design with both ports that holds shared memory.
    Cache(Box<CachePort>),
}

impl FirstLevel {
    /// The Rust L1 and shared memory of `preset`, for a launch whose resident warps have `registers` warp registers.
    #[must_use]
    pub fn rust(preset: &Preset, registers: u32) -> Self {
        Self::Rust(Box::new(L1::new(&divided(&preset.l1d, registers), &preset.shared_memory)))
    }

    /// What a design holds behind its memory port, beside what it does not hold.
    #[must_use]
    pub fn design(preset: &Preset, held: HeldSpaces) -> Self {
        if held.shared {
            Self::Cache(Box::new(CachePort::new(preset, held)))
        } else {
            Self::Design(Box::new(DesignPort::new(&preset.l1d, &preset.shared_memory)))
        }
    }

    /// Counters.
    #[must_use]
    pub fn statistics(&self) -> L1Statistics {
        match self {
            Self::Rust(l1) => l1.statistics(),
            Self::Design(port) => *port.statistics(),
            Self::Cache(port) => port.statistics(),
        }
    }
}

/// The L1D, which in a memory that it shares gets what `registers` warp registers leave (Gebhart and others, MICRO
/// 2012): a whole number of sets, one at least.
fn divided(cache: &L1d, registers: u32) -> L1d {
    if cache.unified_bytes == 0 {
        return cache.clone();
    }
    let set = cache.ways.saturating_mul(cache.line_bytes).max(1);
    let left = cache.unified_bytes.saturating_sub(registers.saturating_mul(LINE_BYTES as u32));
    L1d { bytes: (left / set).max(1) * set, ..cache.clone() }
}

impl MemoryPort for FirstLevel {
    fn reset(&mut self) -> MemOut {
        match self {
            Self::Rust(l1) => l1.reset(),
            Self::Design(port) => port.reset(),
            Self::Cache(port) => port.reset(),
        }
    }

    #[inline]
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        match self {
            Self::Rust(l1) => l1.step(input, out),
            Self::Design(port) => port.step(input, out),
            Self::Cache(port) => port.step(input, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::divided;

    #[test]
    fn the_cache_gets_what_the_registers_leave() {
        let mut cache = heddle_config::load("fermi").expect("the preset ships").l1d;
        assert_eq!(divided(&cache, 512).bytes, cache.bytes, "separate memories");
        cache.unified_bytes = 131_072;
        let left = [0, 512, 1_000, 1_023, 1_024, 5_000].map(|registers| divided(&cache, registers).bytes);
        assert_eq!(left, [131_072, 65_536, 3_072, 512, 512, 512]);
    }
}
