//! What happened in a run, each event counted once, where it happens.

use heddle_mem::{DramStatistics, L2Statistics, MemoryStatistics};
use serde::Serialize;

use crate::data_use::DataUseStatistics;
use crate::interval_use::IntervalStatistics;
use crate::stalls::{StallStatistics, WarpStatistics};
use crate::units::UnitStatistics;

/// Counters of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Statistics {
    /// Cycles.
    pub cycles: u64,
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Lanes in which they executed.
    pub thread_instructions: u64,
    /// Warp instructions that passed through the register port.
    pub port_instructions: u64,
    /// 32-bit source registers read by warps through the port.
    pub operands_read: u64,
    /// 32-bit registers written by warps through the port.
    pub results_written: u64,
    /// By unit.
    pub units: UnitStatistics,
    /// Scheduler-cycles without an instruction.
    pub stalls: StallStatistics,
    /// Divergent branches.
    pub divergent_branches: u64,
    /// Barriers opened.
    pub barriers: u64,
    /// Prefetch commands.
    pub prefetches: u64,
    /// Activate commands.
    pub activations: u64,
    /// Deactivate commands.
    pub deactivations: u64,
    /// Prefetches by time and conflicts, deactivations by cause.
    pub intervals: IntervalStatistics,
    /// Cycles in which a warp could have become active and waited for one of the other part of the register
    /// file.
    pub bank_rule_cycles: u64,
    /// Activations of warps that had been active before.
    pub returns: u64,
    /// Cycles between two active periods of a warp, summed over the returns.
    pub inactive_cycles: u64,
    /// CTAs finished.
    pub ctas: u64,
    /// Warp-slot cycles by what the slot's warp does.
    pub warps: WarpStatistics,
    /// Sum over the cycles of resident warps.
    pub resident_warp_cycles: u64,
    /// Sum over the cycles of warps that are active in the design.
    pub active_warp_cycles: u64,
    /// Global and local memory requests after the coalescer.
    pub memory_transactions: u64,
    /// Holes of the register file and reuse of registers and lines.
    pub data_use: DataUseStatistics,
    /// Memory hierarchy.
    pub memory: MemoryStatistics,
    /// The flush after the end, of a design that holds the L1.
    pub flush: FlushStatistics,
}

/// What a design that holds the L1 does after the end of a launch to have its dirty lines in L2. None of it is in
/// the counters of the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FlushStatistics {
    /// Cycles.
    pub cycles: u64,
    /// L2.
    pub l2: L2Statistics,
    /// DRAM.
    pub dram: DramStatistics,
}

impl Statistics {
    /// Warp instructions a cycle.
    #[must_use]
    pub fn ipc(&self) -> f64 {
        if self.cycles == 0 { 0.0 } else { self.warp_instructions as f64 / self.cycles as f64 }
    }
}
