//! What a preset says of shared memory.

use serde::{Deserialize, Serialize};

use crate::preset::Preset;

/// Shared memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedMemory {
    /// Most that the CTAs of an SM take, in bytes.
    pub bytes: u32,
    /// How the on-chip memory of L1D and shared memory is divided.
    pub split: Split,
    /// Bytes of the one memory that L1D and shared memory divide before each launch; 0 where the split is fixed.
    pub unified_bytes: u32,
    /// Banks of 4 bytes.
    pub banks: u32,
    /// Core cycles from the look-up of an access without conflicts to its response; of off-chip shared memory those of a
    /// hit in its cache.
    pub latency: u32,
    /// Bytes of the cache of off-chip shared memory, or of the unified cache.
    pub cache_bytes: u32,
    /// Reads that unlock a line of that cache after a write; 0: writes do not lock.
    pub reads_to_unlock: u32,
    /// The cache keeps a line until the lifetimes of its addresses are over, which a run before has found out (OSM,
    /// section 6.4); in the cycle model alone.
    pub known_lifetimes: bool,
}

/// How the on-chip memory of L1D and shared memory is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Two memories, of `l1d.bytes` and `shared_memory.bytes`.
    Fixed,
    /// One memory. Before each launch shared memory gets the smallest of [`SPLIT_STEPS`] that holds the CTAs which
    /// all other limits admit, or else the largest; the L1D gets the rest (OSM, section 2.2).
    Auto,
    /// One memory. Shared memory gets what the resident CTAs take, and the L1D the whole sets that are left.
    Exact,
}

/// Bytes of shared memory among which [`Split::Auto`] chooses.
pub const SPLIT_STEPS: [u32; 6] = [0, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 96 << 10];

impl Preset {
    /// Most bytes of shared memory that lie on chip.
    #[must_use]
    pub fn on_chip_shared_bytes(&self) -> u32 {
        let SharedMemory { bytes, split, unified_bytes, .. } = self.shared_memory;
        match split {
            Split::Fixed => bytes,
            Split::Auto => bytes.min(SPLIT_STEPS[SPLIT_STEPS.len() - 1]),
            Split::Exact => bytes.min(unified_bytes.saturating_sub(self.l1d_set_bytes())),
        }
    }
}
