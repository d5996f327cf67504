//! What is asked and told of an SM from outside, between its cycles.

use std::sync::Arc;

use heddle_isa::DeviceMemory;
use heddle_mem::{Division, FirstLevel, FirstLevelPort, KnownReads, LifetimeStatistics, Lower};
use heddle_port::{Cycle, MemData, MemIn, MemOut};

use super::Sm;
use crate::error::SmError;
use crate::launch::Occupancy;
use crate::mapping::MapBlock;
use crate::statistics::Statistics;

impl<P: FirstLevelPort> Sm<P> {
    /// Sets the number of cycles without movement after which [`SmError::Hang`] ends the run.
    pub fn set_hang_limit(&mut self, cycles: u64) {
        self.hang.set_limit(cycles);
    }

    /// Has the blocks loaded, one a cycle, after the kernel start and before the first warp.
    #[must_use]
    pub fn with_mapping(mut self, blocks: &[MapBlock]) -> Self {
        self.residency.load_mapping(blocks);
        self
    }

    /// All CTAs have finished, all commands are answered and the memory system is empty.
    #[inline]
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.residency.is_finished()
            && self.residency.resident() == 0
            && self.releases.is_empty()
            && self.memory.is_idle()
    }

    /// The current cycle.
    #[must_use]
    pub fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
    }

    /// Global memory.
    #[must_use]
    pub fn memory(&self) -> &DeviceMemory {
        self.contents.global()
    }

    /// L2 and DRAM as an earlier launch left them, in place of fresh ones; before the first cycle.
    #[must_use]
    pub fn with_lower(mut self, lower: Option<Lower>) -> Self {
        if let Some(lower) = lower {
            self.memory.set_lower(lower);
        }
        self
    }

    /// Global memory, when the run is over: of a design that holds the L1's data, what L2 holds. And L2 and DRAM for
    /// the next launch, of an SM that is alone.
    #[must_use]
    pub fn into_parts(self) -> (DeviceMemory, Option<Lower>) {
        (self.contents.into_global(), self.memory.into_lower())
    }

    /// As [`Sm::into_parts`], where no launch follows.
    #[must_use]
    pub fn into_memory(self) -> DeviceMemory {
        self.into_parts().0
    }

    /// How the on-chip memory is divided for this launch; `None` where the design holds the L1. Where the design holds
    /// shared memory alone, none of it lies on chip, and the L1D has what it would have if it did.
    #[must_use]
    pub fn division(&self) -> Option<Division> {
        let held = self.contents.held();
        let shared_memory_bytes = if held.shared { 0 } else { self.division.shared_memory_bytes };
        (!held.cached).then_some(Division { shared_memory_bytes, ..self.division })
    }

    /// How long the addresses of shared memory live, of the CTAs that have ended.
    #[must_use]
    pub fn lifetimes(&self) -> &LifetimeStatistics {
        self.counters.lifetimes()
    }

    /// The reads of each lifetime are known: [`Sm::live_changes`] tells which lines live.
    #[must_use]
    pub fn with_known_lifetimes(mut self, known: Arc<KnownReads>) -> Self {
        self.counters.know_lifetimes(known);
        self
    }

    /// A line has left the design's cache of shared memory for another one.
    pub fn line_left(&mut self, number: u32) {
        self.counters.shared_line_left(number, self.cycle);
    }

    /// Numbers of the lines of shared memory that have begun to live (true) or are over since the last call, in
    /// order; none where lifetimes are not known.
    pub fn live_changes(&mut self) -> impl Iterator<Item = (u32, bool)> {
        self.counters.live_changes()
    }

    /// How many CTAs are resident at once, and why not more.
    #[must_use]
    pub fn occupancy(&self) -> &Occupancy {
        self.kernel.occupancy()
    }
}

impl Sm<FirstLevel> {
    /// What the design's memory port is driven with in the cycle of the last [`Sm::tick`], if the design holds
    /// the L1.
    #[inline]
    #[must_use]
    pub fn to_design_memory(&self) -> Option<&MemIn> {
        self.memory.to_design()
    }

    /// After the end of the launch: asks a design that holds the L1 to write its dirty lines back. False for other
    /// designs. Then [`Sm::flush_tick`] stands for [`Sm::tick`] until [`Sm::is_done`] again.
    pub fn begin_flush(&mut self) -> bool {
        let design = self.to_design_memory().is_some();
        if design {
            self.counters.flush_begins(self.memory.statistics());
            self.memory.flush();
        }
        design
    }

    /// One cycle of a flush: only L2 moves. It counts as [`Statistics::flush`] and is no cycle of the launch.
    ///
    /// # Errors
    /// As [`Sm::tick`].
    pub fn flush_tick(&mut self) -> Result<(), SmError> {
        self.counters.flush_cycle();
        self.follow_lines(&mut ())?;
        self.step_memory()
    }

    /// The outputs of the design's memory port after the clock edge.
    pub fn from_design_memory(&mut self, out: &MemOut, data: Option<&MemData>) {
        self.memory.from_design(out, data);
    }

    /// CTAs that have ended.
    #[must_use]
    pub fn ctas_done(&self) -> u64 {
        self.counters.ctas()
    }

    /// Counters up to now.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.counters.statistics(self.memory.statistics())
    }
}
