//! Registers that an instruction reads and writes.

use heddle_port::{Issue, NUM_DESTINATIONS, NUM_SOURCES};

/// Registers that it reads, with their slots.
pub(crate) fn sources(issue: &Issue) -> impl Iterator<Item = (usize, u8)> {
    (0..NUM_SOURCES).filter(|s| issue.source_valid >> s & 1 != 0).map(|s| (s, issue.source[s]))
}

/// Registers that it writes, with their slots.
pub(crate) fn destinations(issue: &Issue) -> impl Iterator<Item = (usize, u8)> {
    (0..NUM_DESTINATIONS).filter(|s| issue.destination_valid >> s & 1 != 0).map(|s| (s, issue.destination[s]))
}
