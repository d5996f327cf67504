//! The conventional register file of a GPU: single-ported banks, an arbiter, a full crossbar and
//! operand collectors (LTRF, section 2 and figure 1).
//!
//! Cycle model of `rtl/baseline`, without data: the shared [`front`](crate::front) around [`banks`]
//! (bank_arbiter and register_bank).
//! [`main_file`] has the banks for designs that put small levels before them.

pub mod banks;
mod machine;
pub mod main_file;

#[cfg(test)]
mod tests;

pub use machine::{Baseline, Conventional};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "baseline";

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Baseline::new(instance)?)) };

inventory::submit! { ENTRY }
