//! LTRF: a latency-tolerant register file with a software-prefetched register cache (ACM TOCS, section 5
//! and figures 11 to 13).
//!
//! Cycle model of `rtl/ltrf`, without data. The parts are those of the RTL: [`control_block`]
//! (warp_control_block), [`addresses`] (address_allocation_unit), [`engine`] (prefetch_engine,
//! transfer_allocator), [`lanes`] (crossbar_lane), [`main_file`] (main_register_file), [`fetch_paths`] (fetch_path), [`fills`]
//! (fill_arbiter), [`results`] (result_router), [`collectors`] (collector_array, operand_lookup,
//! cache_reader) and [`commands`] (ltrf_command_unit), inside the shared [`front`](crate::front).

pub mod addresses;
pub mod collectors;
pub mod commands;
pub mod control_block;
pub mod engine;
mod events;
pub mod fetch_paths;
pub mod fills;
pub mod lanes;
mod machine;
pub mod main_file;
pub mod results;
mod shape;
pub mod vector;

#[cfg(test)]
mod liveness_tests;
#[cfg(test)]
mod tests;

pub use machine::{Cached, Ltrf};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "ltrf";
/// Warps that can be active at most, each with a warp offset in the cache banks. The RTL has 8 (`slots` in its manifest).
pub const NUM_SLOTS: usize = 32;
/// Banks of the register cache: registers of one warp in the cache.
pub const NUM_CACHE_BANKS: usize = 16;
/// Lanes of the main register file, each with one bank or several: warp register i lies at lane i mod 16, in row i div 16
/// of its banks, of which the row modulo their number says which.
pub const NUM_MAIN_BANKS: usize = 16;
/// Read ports of a warp's address table.
pub const TABLE_PORTS: usize = 2;
/// Beats of one register through a crossbar lane.
pub const NUM_BEATS: u16 = 4;

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Ltrf::new(instance)?)) };

inventory::submit! { ENTRY }
