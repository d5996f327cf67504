//! The register file cache of Gebhart and others (ISCA 2011), as LTRF (ACM TOCS, section 6) compares with it.
//!
//! A cycle model without RTL. A cache of a few registers for each active warp stands before the main register
//! file of [`baseline`](crate::baseline): results allocate in it, the oldest register of the warp gives way
//! (FIFO), operands that are not there come from the main file and do not allocate. Live registers are
//! written back when they give way, and all of them when the two-level scheduler makes the warp inactive;
//! dead ones are dropped. Every copy of a register has a version, and what is read must be the newest one
//! ([`Versions`](crate::common::Versions)). What was chosen, and why: docs/designs/comparators.md.

mod cache;
mod machine;

#[cfg(test)]
mod tests;

pub use cache::{Cache, Entry, Kept};
pub use machine::{CachedByWrite, Rfc, Wanted};

use crate::Entry as Registered;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "rfc";
/// Most registers that the cache has for a warp.
pub const MOST_ENTRIES: usize = 32;

/// The design's line in the registry.
pub const ENTRY: Registered = Registered { name: NAME, make: |instance| Ok(Box::new(Rfc::new(instance)?)) };

inventory::submit! { ENTRY }
