//! The software-managed register hierarchy of Gebhart and others (MICRO 2011), with which LTRF (ACM TOCS, section 7.6)
//! compares as SHRF.
//!
//! A cycle model without RTL. Before the main register file of [`baseline`](crate::baseline) stand, for each active
//! warp, an operand register file of a few entries a thread and a last result file of one. Each instruction says
//! where its sources are read and where its results go ([`heddle_port::SourceLevel`], [`heddle_port::ResultLevel`]);
//! the hardware decides nothing and moves nothing by itself. A warp that the two-level scheduler takes out loses both
//! levels. Every copy of a register has a version, and what is read must be there and be the newest one
//! ([`Versions`](crate::common::Versions)). What was chosen, and why: docs/designs/comparators.md.

mod events;
mod machine;
mod placements;
mod upper;

#[cfg(test)]
mod tests;

pub use machine::{Managed, Shrf, Wanted};
pub use placements::Placements;
pub use upper::{Found, Upper};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "shrf";

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Shrf::new(instance)?)) };

inventory::submit! { ENTRY }
