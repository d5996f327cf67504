//! Register file of STT-RAM alone: the hybrid register file without its write buffers, so that every
//! write stalls the pipeline (Li et al., DAC 2015, section 6.2).
//!
//! Cycle model of `rtl/sttram`, without data. Reader, result queue and banks are those of [`crate::hybrid`],
//! inside the shared [`front`](crate::front).

mod machine;

#[cfg(test)]
mod tests;

pub use machine::{StallingWrites, Sttram};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "sttram";

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Sttram::new(instance)?)) };

inventory::submit! { ENTRY }
