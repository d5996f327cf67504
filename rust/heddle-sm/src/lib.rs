//! The timing machine of one SM: the machine under test, together with a register-file design behind
//! the register port and an L1 behind the memory port.
//!
//! [`Sm::tick`] is one clock cycle. It takes the design's outputs of the cycle and fills the design's
//! inputs of the same cycle; the caller then steps the design. Every handshake is decided within the
//! tick, because all ready signals are registered outputs of the design.
//!
//! The stages of a cycle, in this order: done events; operands out, execution and dispatch; completions;
//! CTA launch, fetch and issue; results; memory; commands. A register written in a cycle can be read by
//! an instruction that issues in the next one.
//!
//! Where a warp goes and what its instructions compute is either executed, or replayed from a trace: then
//! the program consists of [`heddle_isa::Traced`] instructions, the caller supplies the record of each
//! CTA ([`Sm::supply`]), results are tags, and memory has no contents.

mod barrier;
mod coalescer;
mod code;
mod collectors;
mod contents;
mod counters;
mod data_use;
mod decode;
mod dependences;
mod error;
mod fetch;
mod flow;
mod gpu;
mod inflight;
mod interval_use;
mod kernel;
mod lane_data;
mod launch;
mod lsu;
mod mapping;
mod mix;
mod observer;
mod off_chip;
mod progress;
mod registers;
mod residency;
mod scheduler;
mod scoreboard;
mod shared_use;
mod sm;
mod stalls;
mod statistics;
mod units;
mod warp;
mod warp_sets;
mod watchdog;
mod wheel;
mod writeback;

pub use coalescer::{Transaction, coalesce};
pub use contents::Below;
pub use data_use::{DataUseStatistics, Reuse, Times};
pub use error::{LaunchError, Place, SmError, Wait, WarpWait};
pub use gpu::{Behind, Gpu, GpuError, Threads, ThreadsError};
pub use interval_use::{Deactivations, IntervalStatistics, PrefetchConflicts, PrefetchCycles};
pub use launch::{CtaChoice, Occupancy, OccupancyLimit};
pub use mapping::{MAP_BLOCK_ENTRIES, MapBlock};
pub use observer::{
    AnsweredEvent, BarrierEvent, BranchEvent, CtaEvent, CycleEvent, IssueEvent, Observer, OperandsEvent,
    PerformedEvent, PredicateEvent, ResultEvent, Stop,
};
pub use registers::{ArchitecturalRegisters, OperandSource};
pub use sm::{Advanced, DesignMemory, Sm, Stand};
pub use stalls::{Stall, StallStatistics, WarpStatistics};
pub use statistics::{FlushStatistics, Statistics};
pub use units::UnitStatistics;
pub use warp_sets::WarpSets;
