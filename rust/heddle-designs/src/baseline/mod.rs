//! The conventional register file of a GPU: single-ported banks, an arbiter, a full crossbar and
//! operand collectors (LTRF, section 2 and figure 1).
//!
//! Cycle model of `rtl/baseline`, without data. The parts are those of the RTL: [`collectors`]
//! (collector_array), [`banks`] (bank_arbiter, register_bank), [`writes`] (write_buffer),
//! [`dispatch`] (operand_dispatch) and [`layout`] (the event bits of design.toml).

pub mod banks;
pub mod collectors;
pub mod dispatch;
pub mod layout;
mod machine;
pub mod writes;

#[cfg(test)]
mod tests;

pub use machine::Baseline;

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "baseline";
/// Banks of the register file; register index i lies in bank i mod 16, row i div 16.
pub const NUM_BANKS: usize = 16;
/// Operand collectors.
pub const NUM_COLLECTORS: usize = 16;

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Baseline::new(instance.widths))) };

inventory::submit! { ENTRY }
