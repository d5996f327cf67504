//! What a launch is run with, and when it ends before its time.

use crate::control::{Control, Pacer, Progress};
use crate::counters::Counters;
use crate::error::RunError;
use crate::machine::Machine;
use crate::mismatch::Place;

/// What a launch is run with, whatever the engine.
pub struct LaunchContext<'a> {
    /// Launch number.
    pub launch: u32,
    /// Cycle of the run at which it begins.
    pub base_cycle: u64,
    /// CTAs that run.
    pub ctas: u64,
    /// Kernel name for messages.
    pub kernel: &'a str,
    /// Cycle of the run at which it must have ended.
    pub max_cycles: Option<u64>,
    /// Event sums.
    pub counters: &'a mut Counters,
    /// Progress and interruption.
    pub control: &'a mut dyn Control,
    pub(crate) pacer: &'a mut Pacer,
}

impl LaunchContext<'_> {
    pub(super) fn place(&self, cycle: u64) -> Place {
        Place { launch: self.launch, cycle: self.base_cycle + cycle, ..Place::default() }
    }

    /// The cycle of the launch in which [`Self::pace`] is to be called next.
    pub(super) fn next_look(&self, machine: &impl Machine) -> u64 {
        let beyond = self.max_cycles.map_or(u64::MAX, |limit| limit.saturating_add(1));
        let next = beyond.min(self.pacer.next());
        next.saturating_sub(self.base_cycle).max(machine.cycles() + 1)
    }

    /// Ends the run when it had more than its cycles or the user says so.
    #[inline]
    pub(super) fn pace(&mut self, machine: &impl Machine) -> Result<(), RunError> {
        let cycles = self.base_cycle + machine.cycles();
        if self.pacer.due(cycles) || self.max_cycles.is_some_and(|limit| cycles > limit) {
            return self.pace_closely(machine, cycles);
        }
        Ok(())
    }

    #[cold]
    fn pace_closely(&mut self, machine: &impl Machine, cycles: u64) -> Result<(), RunError> {
        if let Some(limit) = self.max_cycles.filter(|limit| cycles > *limit) {
            let waits: Vec<String> = machine.waits().iter().map(|w| format!("  {w}")).collect();
            return Err(self.out_of_cycles(limit, waits.join("\n")));
        }
        self.report(machine, cycles)
    }

    /// As [`Self::pace`], in cycle `flushed` of the flush after the launch.
    pub(super) fn pace_flush(&mut self, machine: &impl Machine, flushed: u64) -> Result<(), RunError> {
        let cycles = self.base_cycle + machine.cycles() + flushed;
        if let Some(limit) = self.max_cycles.filter(|limit| cycles > *limit) {
            let ended = cycles - flushed;
            let waits =
                format!("  all CTAs ended in cycle {ended}; the design still writes its dirty lines back");
            return Err(self.out_of_cycles(limit, waits));
        }
        self.report(machine, cycles)
    }

    fn out_of_cycles(&self, limit: u64, waits: String) -> RunError {
        RunError::OutOfCycles { kernel: self.kernel.to_owned(), limit, waits }
    }

    /// Shows progress when it is time, and ends the run when the user says so.
    #[inline]
    pub(super) fn report(&mut self, machine: &impl Machine, cycles: u64) -> Result<(), RunError> {
        if self.pacer.due(cycles) { self.report_now(machine, cycles) } else { Ok(()) }
    }

    /// As [`Self::report`], whether it is time or not: where much is done in no cycle.
    pub(super) fn report_now(&mut self, machine: &impl Machine, cycles: u64) -> Result<(), RunError> {
        let progress = Progress {
            launch: self.launch,
            cycles,
            ctas_done: machine.ctas_done(),
            ctas_total: self.ctas,
            cycles_per_second: 0.0,
        };
        if self.pacer.report(self.control, progress) { Ok(()) } else { Err(RunError::Interrupted { cycles }) }
    }
}
