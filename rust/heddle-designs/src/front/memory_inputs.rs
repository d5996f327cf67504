//! The inputs of a memory port between two clock edges.

use heddle_port::MemIn;

/// What the SM's coalescer and L2 drive, without data. Idle again after each clock edge.
#[derive(Debug, Clone, Default)]
pub struct MemoryInputs(MemIn);

impl MemoryInputs {
    /// Drives the inputs of the current cycle.
    pub fn drive(&mut self, input: &MemIn) {
        if input.request.valid {
            self.0.request = input.request;
        }
        self.0.flush = input.flush;
        self.0.lower_ready = input.lower_ready;
        self.0.lower_response = input.lower_response;
    }

    /// The inputs of the current cycle; what is not valid means nothing.
    #[inline]
    #[must_use]
    pub fn get(&self) -> &MemIn {
        &self.0
    }

    /// The clock edge.
    #[inline]
    pub fn clear(&mut self) {
        self.0.request.valid = false;
        self.0.flush = false;
        self.0.lower_ready = false;
        self.0.lower_response.valid = false;
    }
}
