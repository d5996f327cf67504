//! Counters of the memory hierarchy.

use serde::Serialize;

use crate::instruction_cache::InstructionStatistics;
use crate::{outcome, space};

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
    /// Requests to global memory.
    pub global: SpaceStatistics,
    /// Requests to local memory.
    pub local: SpaceStatistics,
    /// Requests to shared memory.
    pub shared: SpaceStatistics,
    /// What only the Rust L1 shows; a design that holds the L1 has events of its own for it.
    #[serde(flatten)]
    pub arrays: Option<L1Arrays>,
}

/// What became of the requests to one memory space at the first level. The hit rate of a space is `read_hits` by the
/// sum of the four kinds of reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SpaceStatistics {
    /// Reads that found what they need; in shared memory on chip every read.
    pub read_hits: u64,
    /// Reads that fetched.
    pub read_misses: u64,
    /// Reads that waited for what was on its way already.
    pub read_merged: u64,
    /// Reads that went past the first level. Atomics are reads.
    pub bypassed: u64,
    /// Writes.
    pub stores: u64,
}

impl SpaceStatistics {
    /// Counts a read with the outcome of its response.
    pub(crate) fn read(&mut self, outcome: u8) {
        *match outcome {
            outcome::HIT => &mut self.read_hits,
            outcome::MISS => &mut self.read_misses,
            outcome::MERGED => &mut self.read_merged,
            _ => &mut self.bypassed,
        } += 1;
    }

    /// Both together.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            read_hits: self.read_hits + other.read_hits,
            read_misses: self.read_misses + other.read_misses,
            read_merged: self.read_merged + other.read_merged,
            bypassed: self.bypassed + other.bypassed,
            stores: self.stores + other.stores,
        }
    }
}

impl L1Statistics {
    /// The counters of a space.
    pub(crate) fn of_space(&mut self, space: u8) -> &mut SpaceStatistics {
        match space {
            space::SHARED => &mut self.shared,
            space::LOCAL => &mut self.local,
            _ => &mut self.global,
        }
    }
}

/// What happens in the arrays of the Rust L1. Its names stand beside those of [`L1Statistics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct L1Arrays {
    /// Local write requests that stayed in the L1.
    pub write_hits: u64,
    /// Dirty lines evicted.
    pub write_backs: u64,
    /// Global writes that dropped the line that they found.
    pub write_evictions: u64,
    /// Clock edges at which fences dropped all lines of global memory.
    pub invalidations: u64,
    /// Cycles in which a request waited for an MSHR, a merge slot, a place in its set or the queue to L2.
    pub stall_cycles: u64,
    /// Lines held, those included whose place is taken with their miss, summed over the cycles.
    pub valid_line_cycles: u64,
    /// Look-ups of the tags: one for each request that was carried out and for each line that came from L2. A
    /// request that waits is not looked up again.
    pub tag_lookups: u64,
    /// Accesses that read the data array: reads that hit, and dirty lines on their way out.
    pub line_reads: u64,
    /// Accesses that write the data array: lines that are kept, and writes that find their line or keep it.
    pub line_writes: u64,
    /// Of the read misses, those whose line was there without the sectors.
    pub sector_misses: u64,
    /// Sectors of 32 bytes asked of L2.
    pub sectors_fetched: u64,
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
    /// Of the reads that went to DRAM, those whose line was there without the sectors.
    pub sector_misses: u64,
    /// Writes.
    pub writes: u64,
    /// Dirty lines evicted to DRAM.
    pub write_backs: u64,
    /// Atomics carried out; each is a read too.
    pub atomics: u64,
    /// Cycles that operations of an atomic waited for one before them on the same word.
    pub atomic_serial_cycles: u64,
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
    /// Reads of a line or of some of its sectors.
    pub reads: u64,
    /// Writes, likewise.
    pub writes: u64,
    /// Sectors of 32 bytes read.
    pub sectors_read: u64,
    /// Sectors of 32 bytes written.
    pub sectors_written: u64,
    /// Transactions of global memory.
    pub global: Transactions,
    /// Transactions of local memory.
    pub local: Transactions,
    /// Transactions of off-chip shared memory.
    pub shared: Transactions,
    /// Accesses to an open row.
    pub row_hits: u64,
    /// Accesses to a bank without an open row.
    pub row_empty: u64,
    /// Accesses that closed another row first.
    pub row_conflicts: u64,
}

/// Off-chip transactions of one memory space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Transactions {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
}

impl Transactions {
    fn since(&self, before: &Self) -> Self {
        Self { reads: self.reads - before.reads, writes: self.writes - before.writes }
    }
}

impl OffChipStatistics {
    /// What was counted after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            fetches: self.fetches - before.fetches,
            write_backs: self.write_backs - before.write_backs,
            bytes_written: self.bytes_written - before.bytes_written,
        }
    }
}

impl L2Statistics {
    /// What was counted after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            read_hits: self.read_hits - before.read_hits,
            read_misses: self.read_misses - before.read_misses,
            read_merged: self.read_merged - before.read_merged,
            sector_misses: self.sector_misses - before.sector_misses,
            writes: self.writes - before.writes,
            write_backs: self.write_backs - before.write_backs,
            atomics: self.atomics - before.atomics,
            atomic_serial_cycles: self.atomic_serial_cycles - before.atomic_serial_cycles,
        }
    }
}

impl DramStatistics {
    /// Counts an access to some sectors of a line in a space.
    pub(crate) fn count(&mut self, of_space: u8, sectors: u32, write: bool) {
        let space = match of_space {
            space::SHARED => &mut self.shared,
            space::LOCAL => &mut self.local,
            _ => &mut self.global,
        };
        let (accesses, of_space, moved) = if write {
            (&mut self.writes, &mut space.writes, &mut self.sectors_written)
        } else {
            (&mut self.reads, &mut space.reads, &mut self.sectors_read)
        };
        *accesses += 1;
        *of_space += 1;
        *moved += u64::from(sectors);
    }

    /// What was counted after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            reads: self.reads - before.reads,
            writes: self.writes - before.writes,
            sectors_read: self.sectors_read - before.sectors_read,
            sectors_written: self.sectors_written - before.sectors_written,
            global: self.global.since(&before.global),
            local: self.local.since(&before.local),
            shared: self.shared.since(&before.shared),
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
    /// Instruction cache; nothing where every fetch hits.
    pub instructions: InstructionStatistics,
}

impl MemoryStatistics {
    /// What L2, the ways past it and DRAM counted after `before`; nothing of the L1.
    #[must_use]
    pub fn lower_since(&self, before: &Self) -> Self {
        Self {
            l1: L1Statistics::default(),
            l2: self.l2.since(&before.l2),
            off_chip: self.off_chip.since(&before.off_chip),
            dram: self.dram.since(&before.dram),
            instructions: InstructionStatistics::default(),
        }
    }
}
