//! A run with the RTL that counts what it covers.

use std::path::Path;

use heddle_rtl::covered::CoveredLibrary;

use super::Session;
use crate::control::Control;
use crate::error::RunError;
use crate::library::RtlLibrary;
use crate::report::RunReport;

impl Session {
    /// Runs all launches of a co-simulation as [`Self::run`] does, on an instance of `library`, and writes what
    /// it covered to `data`. A mismatch is neither run once more nor written to the results folder.
    ///
    /// # Errors
    /// Why the run did not pass.
    pub fn run_covered(
        &mut self,
        library: &CoveredLibrary,
        data: &Path,
        control: &mut dyn Control,
    ) -> Result<RunReport, RunError> {
        self.profile_mappings(control)?;
        self.find_lifetimes(control)?;
        let known = self.replay_from.is_some();
        let shipped = self.library.replace(RtlLibrary::of_covered(&self.spec, library.clone(), data));
        let mut outcome = self.attempt(control, None, (0, 0));
        if outcome.is_err() && self.replay_from.is_some() && !known {
            outcome = self.attempt(control, None, (0, 0));
        }
        self.library = shipped;
        outcome.map(|(report, _)| report)
    }
}
