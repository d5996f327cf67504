//! Counters of the memory hierarchy.

use serde::Serialize;

/// Events of the L1 data cache and shared memory, as the memory port shows them: of the Rust L1 and of one in a
/// design alike.
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
    /// Write requests that went through to L2.
    pub write_through: u64,
    /// Atomic requests to global memory.
    pub atomics: u64,
    /// Shared-memory requests.
    pub shared_accesses: u64,
    /// Cycles that bank conflicts added to shared-memory requests.
    pub shared_conflict_cycles: u64,
    /// What only the Rust L1 shows; a design that holds the L1 has events of its own for it.
    #[serde(flatten)]
    pub arrays: Option<L1Arrays>,
}

/// What happens in the arrays of the Rust L1. Its names stand beside those of [`L1Statistics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct L1Arrays {
    /// Local write requests that stayed in the L1.
    pub write_hits: u64,
    /// Dirty lines evicted.
    pub write_backs: u64,
    /// Cycles in which a request waited for an MSHR, a merge slot or the queue to L2.
    pub stall_cycles: u64,
    /// Lines held, summed over the cycles.
    pub valid_line_cycles: u64,
    /// Look-ups of the tags: one for each request that was carried out and for each line that came from L2. A
    /// request that waits is not looked up again.
    pub tag_lookups: u64,
    /// Accesses that read the data array: reads that hit, and dirty lines on their way out.
    pub line_reads: u64,
    /// Accesses that write the data array: lines that are kept, and writes that find their line or keep it.
    pub line_writes: u64,
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

/// Off-chip transactions of shared memory, past L2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct OffChipStatistics {
    /// Lines fetched.
    pub fetches: u64,
    /// Lines written back, whole or in part.
    pub write_backs: u64,
    /// Bytes written back.
    pub bytes_written: u64,
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

impl L2Statistics {
    /// What was counted after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            read_hits: self.read_hits - before.read_hits,
            read_misses: self.read_misses - before.read_misses,
            read_merged: self.read_merged - before.read_merged,
            writes: self.writes - before.writes,
            write_backs: self.write_backs - before.write_backs,
        }
    }
}

impl DramStatistics {
    /// What was counted after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            reads: self.reads - before.reads,
            writes: self.writes - before.writes,
            row_hits: self.row_hits - before.row_hits,
            row_empty: self.row_empty - before.row_empty,
            row_conflicts: self.row_conflicts - before.row_conflicts,
        }
    }
}

/// All of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MemoryStatistics {
    /// L1 data cache and shared memory.
    pub l1: L1Statistics,
    /// L2.
    pub l2: L2Statistics,
    /// Off-chip shared memory.
    pub off_chip: OffChipStatistics,
    /// DRAM.
    pub dram: DramStatistics,
}
