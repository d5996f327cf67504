//! What accesses do to tags and rows, without time: between the cycles of a run that executes some of its instructions
//! functionally.
//!
//! The look-ups are those of the cycles, so that a line takes and leaves its place by the same rules; the answer comes at once.
//! A design that holds the L1 or shared memory is not reached.

use heddle_port::memory::{MemLowerRequest, MemRequest};

use crate::first_level::FirstLevel;
use crate::system::MemorySystem;

impl FirstLevel {
    /// Warms the L1, if it is the one in Rust; `below` gets what goes to L2.
    fn warm(&mut self, request: &MemRequest, below: impl FnMut(&MemLowerRequest)) {
        match self {
            Self::Rust(l1) => l1.warm(request, below),
            Self::Cache(port) => {
                if let Some(l1) = port.l1_mut() {
                    l1.warm(request, below);
                }
            }
            Self::Design(_) => {}
        }
    }
}

impl MemorySystem<FirstLevel> {
    /// Does to the tags of L1 and L2 and the open rows of DRAM what the request of [`MemorySystem::request_mut`] does, without
    /// time, and takes it away; the memory side is idle.
    pub fn warm(&mut self) {
        let Self { port, lower, input, .. } = self;
        input.request.valid = false;
        port.warm(&input.request, |request| {
            if let Some(lower) = lower {
                lower.warm(0, request);
            }
        });
    }
}
