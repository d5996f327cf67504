//! An implementer of the memory port together with L2 and DRAM.

use heddle_config::Preset;
use heddle_port::memory::MemRequest;
use heddle_port::{DesignError, MemIn, MemOut, MemoryPort};

use crate::l1::L1;
use crate::lower::Lower;
use crate::statistics::MemoryStatistics;

/// The whole memory side of one SM.
#[derive(Debug, Clone)]
pub struct MemorySystem<P = L1> {
    port: P,
    lower: Lower,
    input: MemIn,
    out: MemOut,
}

impl MemorySystem<L1> {
    /// Rust L1 and shared memory, L2 and DRAM of `preset`.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        Self::with_port(L1::new(&preset.l1d, &preset.shared_memory), preset)
    }

    /// Counters of all levels.
    #[must_use]
    pub fn statistics(&self) -> MemoryStatistics {
        MemoryStatistics {
            l1: *self.port.statistics(),
            l2: *self.lower.l2().statistics(),
            dram: *self.lower.dram().statistics(),
        }
    }
}

impl<P: MemoryPort> MemorySystem<P> {
    /// Another implementer of the memory port before L2 and DRAM of `preset`.
    #[must_use]
    pub fn with_port(mut port: P, preset: &Preset) -> Self {
        let out = port.reset();
        Self { port, lower: Lower::new(preset), input: MemIn::default(), out }
    }

    /// Outputs of the current cycle.
    #[must_use]
    pub fn out(&self) -> &MemOut {
        &self.out
    }

    /// The request of the current cycle; its `valid` is cleared by every step.
    pub fn request_mut(&mut self) -> &mut MemRequest {
        &mut self.input.request
    }

    /// Everything sent has been answered and written.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.out.idle && self.lower.is_idle()
    }

    /// One clock edge.
    ///
    /// # Errors
    /// What the implementer of the port reports.
    pub fn step(&mut self) -> Result<(), DesignError> {
        self.input.lower_ready = self.lower.ready();
        self.input.lower_response = *self.lower.response();
        let lower_request = self.out.lower_request;
        self.port.step(&self.input, &mut self.out)?;
        self.lower.step(&lower_request);
        self.input.request.valid = false;
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use heddle_config::Preset;

    /// The Maxwell preset.
    pub fn preset() -> Preset {
        heddle_config::load("maxwell").expect("the maxwell preset exists")
    }
}
