//! A run with the RTL of a design's mutants.

use heddle_rtl::mutants::{MutantCounts, MutantLibrary};

use super::Session;
use crate::control::Control;
use crate::error::RunError;
use crate::library::RtlLibrary;
use crate::report::RunReport;

/// A run with one mutant, or with none.
#[derive(Debug)]
pub struct MutantRun {
    /// How it ended.
    pub outcome: Result<RunReport, RunError>,
    /// How often the expression of each mutant was evaluated.
    pub counts: Vec<MutantCounts>,
}

impl Session {
    /// Runs all launches of a co-simulation as [`Self::run`] does, on an instance of `library` that is the mutant at place `mutant`, or
    /// the design itself. It fails after `max_cycles` cycles, where given. A mismatch is neither run once more nor
    /// written to the results folder, and the session is left as it was.
    ///
    /// # Errors
    /// Why the run could not begin.
    pub fn run_mutant(
        &mut self,
        library: &MutantLibrary,
        mutant: Option<usize>,
        max_cycles: Option<u64>,
        control: &mut dyn Control,
    ) -> Result<MutantRun, RunError> {
        self.profile_mappings(control)?;
        self.find_lifetimes(control)?;
        let (before, limit) = (self.replay_from, self.spec.max_cycles);
        let shipped = self.library.replace(RtlLibrary::of_mutant(&self.spec, library.clone(), mutant));
        self.spec.max_cycles = max_cycles.or(limit);
        // What is evaluated after a failure would be counted too.
        let queue = self.spec.check_queue.take();
        let mut outcome = self.attempt(control, None, (0, 0));
        if outcome.is_err() && self.replay_from.is_some() && before.is_none() {
            outcome = self.attempt(control, None, (0, 0));
        }
        if mutant.is_some() {
            self.replay_from = before;
        }
        (self.spec.max_cycles, self.spec.check_queue) = (limit, queue);
        let used = std::mem::replace(&mut self.library, shipped);
        let counts = used.map(RtlLibrary::into_mutant_counts).unwrap_or_default();
        Ok(MutantRun { outcome: outcome.map(|(report, _)| report), counts })
    }
}
