//! Counters of the memory hierarchy.

use serde::Serialize;

/// Events of the L1 data cache and shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct L1Statistics {
    /// Read requests that found their line.
    pub read_hits: u64,
    /// Read requests that allocated an MSHR.
    pub read_misses: u64,
    /// Read requests that joined an MSHR.
    pub read_merged: u64,
    /// Read and atomic requests that went past the L1.
    pub bypassed: u64,
    /// Global write requests, all written through.
    pub write_through: u64,
    /// Local write requests that stayed in the L1.
    pub write_hits: u64,
    /// Atomic requests to global memory.
    pub atomics: u64,
    /// Dirty lines evicted.
    pub write_backs: u64,
    /// Cycles in which a request waited for an MSHR, a merge slot or the queue to L2.
    pub stall_cycles: u64,
    /// Lines held by a Rust L1, summed over the cycles.
    pub valid_line_cycles: u64,
    /// Shared-memory requests.
    pub shared_accesses: u64,
    /// Cycles that bank conflicts added to shared-memory requests.
    pub shared_conflict_cycles: u64,
}

/// Events of this SM's share of L2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct L2Statistics {
    /// Reads that found their line.
    pub read_hits: u64,
    /// Reads that went to DRAM.
    pub read_misses: u64,
    /// Reads that joined a miss on its way.
    pub read_merged: u64,
    /// Writes.
    pub writes: u64,
    /// Dirty lines evicted to DRAM.
    pub write_backs: u64,
}

/// Events of this SM's share of DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DramStatistics {
    /// Line reads.
    pub reads: u64,
    /// Line writes.
    pub writes: u64,
    /// Accesses to an open row.
    pub row_hits: u64,
    /// Accesses to a bank without an open row.
    pub row_empty: u64,
    /// Accesses that closed another row first.
    pub row_conflicts: u64,
}

/// All of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MemoryStatistics {
    /// L1 data cache and shared memory.
    pub l1: L1Statistics,
    /// L2.
    pub l2: L2Statistics,
    /// DRAM.
    pub dram: DramStatistics,
}
