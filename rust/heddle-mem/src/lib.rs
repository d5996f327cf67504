//! The memory hierarchy behind the memory port: L1 data cache and shared memory of one SM, and the
//! SM's share of L2 and DRAM.
//!
//! Only timing lives here. No component holds data: the SM reads and writes its functional memory
//! when the port says that an access is *performed*, which is when it leaves the input register of
//! the L1 or of shared memory. Accesses are taken in order, so this order is the memory order of the SM.
//!
//! [`FirstLevel`] is that L1, or [`DesignPort`]: shared memory beside the memory port of a design that holds the L1, or
//! [`CachePort`]: the memory port of a design that holds shared memory, with the L1 beside it.
//! [`MemorySystem`] joins any implementer of [`heddle_port::MemoryPort`] with [`Lower`].

mod banks;
mod cache_port;
mod design_port;
mod dram;
mod first_level;
mod l1;
mod l2;
mod lifetimes;
mod lower;
mod mshr;
mod off_chip;
mod shared;
mod statistics;
mod system;
mod tags;

pub use banks::shared_cycles;
pub use cache_port::CachePort;
pub use design_port::DesignPort;
pub use dram::Dram;
pub use first_level::FirstLevel;
pub use l1::L1;
pub use l2::L2;
pub use lifetimes::{LifetimeStatistics, Lifetimes, MOST_READS};
pub use lower::Lower;
pub use off_chip::{OffChip, SHARED_SPACE, is_off_chip_shared};
pub use statistics::{
    DramStatistics, L1Arrays, L1Statistics, L2Statistics, MemoryStatistics, OffChipStatistics,
};
pub use system::MemorySystem;
pub use tags::{Evicted, TagArray};

/// Memory spaces, as [`heddle_port::memory::MemRequest::space`] numbers them.
pub mod space {
    /// Global memory.
    pub const GLOBAL: u8 = 0;
    /// Local memory of a thread.
    pub const LOCAL: u8 = 1;
    /// Shared memory of a CTA.
    pub const SHARED: u8 = 2;
}

/// Access kinds, as [`heddle_port::memory::MemRequest::kind`] numbers them.
pub mod kind {
    /// Load.
    pub const READ: u8 = 0;
    /// Store.
    pub const WRITE: u8 = 1;
    /// Atomic read-modify-write.
    pub const ATOMIC: u8 = 2;
    /// Fence.
    pub const FENCE: u8 = 3;
}

/// What a response says about its request, as [`heddle_port::memory::MemResponse::outcome`] numbers it.
pub mod outcome {
    /// Found in the L1, or shared memory.
    pub const HIT: u8 = 0;
    /// Fetched.
    pub const MISS: u8 = 1;
    /// Waited for a line that was already on its way.
    pub const MERGED: u8 = 2;
    /// Went past the L1.
    pub const BYPASSED: u8 = 3;
}
