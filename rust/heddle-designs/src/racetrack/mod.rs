//! Register file of racetrack memory: banks whose registers shift to access ports (Liang and Wang,
//! JCST 2016).
//!
//! Cycle model of `rtl/racetrack`, without data. The parts are those of the RTL: [`mapping`]
//! (mapping_table), [`queues`] (read_queue, bank_write_buffer), [`bank`] (racetrack_bank), [`service`]
//! (service_arbiter) and [`banks`] (racetrack_banks), inside the shared [`front`](crate::front).

pub mod bank;
pub mod banks;
mod machine;
pub mod mapping;
pub mod queues;
pub mod service;

#[cfg(test)]
mod tests;

pub use machine::{Racetrack, Racetracks};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "racetrack";
/// Banks of the register file; register index i lies in bank i mod 16, row i div 16.
pub const NUM_BANKS: usize = 16;
/// Access ports of a bank.
pub const NUM_PORTS: usize = 8;
/// Offsets of a port's region.
pub const NUM_OFFSETS: usize = 16;
/// Rows of a bank.
pub const NUM_ROWS: usize = NUM_PORTS * NUM_OFFSETS;
/// Banks served at once.
pub const BANKS_SERVED: u32 = 4;

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Racetrack::new(instance)?)) };

inventory::submit! { ENTRY }
