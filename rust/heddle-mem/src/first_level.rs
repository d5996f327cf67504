//! What stands behind the memory port of an SM.

use heddle_config::Preset;
use heddle_port::{DesignError, MemIn, MemOut, MemoryPort};

use crate::design_port::DesignPort;
use crate::l1::L1;
use crate::statistics::L1Statistics;

/// The L1 of an SM: in Rust, or in the design.
#[derive(Debug, Clone)]
pub enum FirstLevel {
    /// Beside a register-file design.
    Rust(Box<L1>),
    /// In a design with both ports.
    Design(Box<DesignPort>),
}

impl FirstLevel {
    /// The Rust L1 and shared memory of `preset`.
    #[must_use]
    pub fn rust(preset: &Preset) -> Self {
        Self::Rust(Box::new(L1::new(&preset.l1d, &preset.shared_memory)))
    }

    /// A design's L1 beside the shared memory of `preset`.
    #[must_use]
    pub fn design(preset: &Preset) -> Self {
        Self::Design(Box::new(DesignPort::new(&preset.l1d, &preset.shared_memory)))
    }

    /// Counters.
    #[must_use]
    pub fn statistics(&self) -> &L1Statistics {
        match self {
            Self::Rust(l1) => l1.statistics(),
            Self::Design(port) => port.statistics(),
        }
    }
}

impl MemoryPort for FirstLevel {
    fn reset(&mut self) -> MemOut {
        match self {
            Self::Rust(l1) => l1.reset(),
            Self::Design(port) => port.reset(),
        }
    }

    #[inline]
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        match self {
            Self::Rust(l1) => l1.step(input, out),
            Self::Design(port) => port.step(input, out),
        }
    }
}
