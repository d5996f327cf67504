//! The shared-memory cache of off-chip shared memory (OSM, sections 3 and 4).
//!
//! Shared memory lies off chip, one block a CTA slot; a small cache of 128-byte lines stands in front of
//! it. A write locks its line, a number of reads unlocks it again, and the least recently used unlocked
//! line is the first to leave. The unified cache (UCM) holds lines of global and local memory
//! too, which do not lock. docs/designs/osm.md gives the policies and the timing.
//!
//! Cycle model of `rtl/osm`, without data. The parts are those of the RTL: [`requests`]
//! (request_buffer), [`pass`] (pass_selector), [`lines`] (line_table), [`locks`] (lock_table),
//! [`recency`] (recency_order), [`fills`] (fill_table) and [`layout`] (the event bits).

mod additions;
mod cache;
pub mod config;
mod design;
pub mod fills;
pub mod layout;
pub mod lines;
pub mod locks;
mod lookup;
pub mod pass;
pub mod recency;
pub mod requests;
pub mod sectors;

#[cfg(test)]
mod bench;
#[cfg(test)]
mod corner_cases;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unified;
#[cfg(test)]
mod write_backs;

pub use cache::{CacheEvents, OsmCache};
pub use config::{CacheShape, OsmConfig};
pub use design::Osm;

use crate::Entry;

/// Name of the design in messages.
pub const NAME: &str = "osm";
/// Ways of a set, as those of the L1 data cache (table 2).
pub const WAYS: usize = 64;
/// Sets of the largest elaboration.
pub const MOST_SETS: usize = 16;
/// Requests that the cache works on at once.
pub const REQUESTS: usize = 64;
/// Fills on their way at once.
pub const FILLS: usize = 64;
/// Requests to the off-chip memory that wait to be taken.
pub const LOWER_QUEUE: usize = 8;
/// log2 of the bytes that a CTA slot has in the off-chip shared space.
pub const BLOCK_BITS: u32 = 17;
/// First address of the off-chip shared space; it ends 4 MiB later.
pub const SHARED_SPACE: u32 = 0xE000_0000;

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Osm::new(instance, false)?)) };
/// The line of the unified cache.
pub const UNIFIED_ENTRY: Entry =
    Entry { name: "ucm", make: |instance| Ok(Box::new(Osm::new(instance, true)?)) };

inventory::submit! { ENTRY }
inventory::submit! { UNIFIED_ENTRY }
