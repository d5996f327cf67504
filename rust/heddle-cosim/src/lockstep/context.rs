//! What a launch is run with, and when it ends before its time.

use heddle_sm::Sm;

use crate::control::{Control, Pacer, Progress};
use crate::counters::Counters;
use crate::error::RunError;
use crate::mismatch::Place;

/// What a launch is run with, whatever the engine.
pub struct LaunchContext<'a> {
    /// Launch number.
    pub launch: u32,
    /// Cycle of the run at which it begins.
    pub base_cycle: u64,
    /// CTAs that the SM runs.
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

    /// Ends the run when it has had its cycles or the user says so.
    #[inline]
    pub(super) fn pace(&mut self, sm: &Sm) -> Result<(), RunError> {
        let cycles = self.base_cycle + sm.cycle().0;
        if self.pacer.due(cycles) || self.max_cycles.is_some_and(|limit| cycles >= limit) {
            return self.pace_closely(sm, cycles);
        }
        Ok(())
    }

    #[cold]
    fn pace_closely(&mut self, sm: &Sm, cycles: u64) -> Result<(), RunError> {
        if let Some(limit) = self.max_cycles.filter(|limit| cycles >= *limit) {
            let waits: Vec<String> = sm.waits().iter().map(|w| format!("  {w}")).collect();
            return Err(self.out_of_cycles(limit, waits.join("\n")));
        }
        self.report(sm, cycles)
    }

    /// As [`Self::pace`], in cycle `flushed` of the flush after the launch.
    pub(super) fn pace_flush(&mut self, sm: &Sm, flushed: u64) -> Result<(), RunError> {
        let cycles = self.base_cycle + sm.cycle().0 + flushed;
        if let Some(limit) = self.max_cycles.filter(|limit| cycles >= *limit) {
            let ended = cycles - flushed;
            let waits =
                format!("  all CTAs ended in cycle {ended}; the design still writes its dirty lines back");
            return Err(self.out_of_cycles(limit, waits));
        }
        self.report(sm, cycles)
    }

    fn out_of_cycles(&self, limit: u64, waits: String) -> RunError {
        RunError::OutOfCycles { kernel: self.kernel.to_owned(), limit, waits }
    }

    /// Shows progress when it is time, and ends the run when the user says so.
    #[inline]
    pub(super) fn report(&mut self, sm: &Sm, cycles: u64) -> Result<(), RunError> {
        if self.pacer.due(cycles) {
            let progress = Progress {
                launch: self.launch,
                cycles,
                ctas_done: sm.statistics().ctas,
                ctas_total: self.ctas,
                cycles_per_second: 0.0,
            };
            if !self.pacer.report(self.control, progress) {
                return Err(RunError::Interrupted { cycles });
            }
        }
        Ok(())
    }
}
