//! The memory hierarchy behind the memory port: L1 data cache and shared memory of one SM, and L2 and DRAM behind one or many
//! SMs.
//!
//! Only timing lives here. No component holds data: the SM reads and writes its functional memory
//! when the port says that an access is *performed*, which is when it leaves the input register of
//! the L1 or of shared memory. Accesses are taken in order, so this order is the memory order of the SM.
//!
//! [`FirstLevel`] is that L1, or [`DesignPort`]: shared memory beside the memory port of a design that holds the L1, or
//! [`CachePort`]: the memory port of a design that holds shared memory, with the L1 beside it.
//! [`MemorySystem`] joins any implementer of [`heddle_port::MemoryPort`] with [`Lower`].

mod atomics;
mod audit;
mod banks;
mod cache_port;
mod design_port;
mod division;
mod dram;
mod first_level;
mod gate;
mod instruction_cache;
mod known_lifetimes;
mod l1;
mod l2;
mod lifetimes;
mod lower;
mod mshr;
mod network;
mod off_chip;
mod paced;
mod reply;
mod rows;
mod sectors;
mod share;
mod shared;
mod statistics;
mod system;
mod tags;
#[cfg(test)]
mod testing;
mod times;
mod warm;
mod windows;

pub use atomics::{Offer, serial_operations};
pub use banks::shared_cycles;
pub use cache_port::CachePort;
pub use design_port::DesignPort;
pub use division::{Division, Residents};
pub use dram::{Dram, DramRequest, Source};
pub use first_level::{FirstLevel, FirstLevelPort};
pub use instruction_cache::{Fetched, InstructionCache, InstructionStatistics};
pub use known_lifetimes::{KnownReads, LiveChange, Liveness};
pub use l1::{BYPASS_OPERATORS, L1};
pub use l2::L2;
pub use lifetimes::{LaneOffsets, LifetimeStatistics, Lifetimes, MOST_READS};
pub use lower::Lower;
pub use off_chip::OffChip;
pub use sectors::{SECTOR_BYTES, Sectors};
pub use share::{Part, Share};
pub use statistics::{
    DramStatistics, L1Arrays, L1Statistics, L2Statistics, MemoryStatistics, OffChipStatistics,
    SpaceStatistics, Transactions,
};
pub use system::MemorySystem;
pub use tags::{Evicted, Found, TagArray};
pub use times::{LowerTimes, PathTimes};
pub use windows::{
    CODE_SPACE, LOCAL_SPACE, MOST_SMS, SHARED_BLOCK_BYTES, SHARED_SPACE, is_off_chip_shared, shared_slot,
    space_of,
};

/// The numbers of [`heddle_port::MemSpace`].
pub mod space {
    use heddle_port::MemSpace;
    /// Global memory.
    pub const GLOBAL: u8 = MemSpace::Global as u8;
    /// Local memory of a thread.
    pub const LOCAL: u8 = MemSpace::Local as u8;
    /// Shared memory of a CTA.
    pub const SHARED: u8 = MemSpace::Shared as u8;
}

/// The numbers of [`heddle_port::MemKind`].
pub mod kind {
    use heddle_port::MemKind;
    /// Load.
    pub const READ: u8 = MemKind::Read as u8;
    /// Store.
    pub const WRITE: u8 = MemKind::Write as u8;
    /// Atomic read-modify-write.
    pub const ATOMIC: u8 = MemKind::Atomic as u8;
    /// Fence.
    pub const FENCE: u8 = MemKind::Fence as u8;
}

/// The numbers of [`heddle_port::MemOutcome`].
pub mod outcome {
    use heddle_port::MemOutcome;
    /// Found in the L1, or shared memory.
    pub const HIT: u8 = MemOutcome::Hit as u8;
    /// Fetched.
    pub const MISS: u8 = MemOutcome::Miss as u8;
    /// Waited for a line that was already on its way.
    pub const MERGED: u8 = MemOutcome::Merged as u8;
    /// Went past the L1.
    pub const BYPASSED: u8 = MemOutcome::Bypassed as u8;
}
