//! What a run writes, and under which names.

use std::path::{Path, PathBuf};

use heddle_files::Claim;

use super::{Session, Work};
use crate::error::RunError;
use crate::mismatch::Mismatch;

impl Session {
    /// Whether `file`, which `option` says to write, is none that the run reads or writes itself.
    ///
    /// # Errors
    /// [`RunError::Usage`] with both.
    pub(crate) fn check_output(&self, option: &str, file: &Path) -> Result<(), RunError> {
        let launch = match &self.work {
            Work::Kernel(kernel) => kernel.launch_file(),
            Work::Trace(_) => None,
        };
        self.spec.check_output(option, file, launch)
    }

    /// Writes the report of a mismatch into the results folder.
    pub(super) fn write_report(&mut self, report: &Mismatch) -> Result<PathBuf, RunError> {
        let name = format!("{}.mismatch.json", self.claimed()?);
        let path = self.spec.results.join(name);
        let text = serde_json::to_string_pretty(report).unwrap_or_default();
        heddle_files::publish(&path, text.as_bytes())
            .map_err(|e| RunError::Output { path: path.clone(), message: e.to_string() })?;
        Ok(path)
    }

    /// With what the names of the run's files in the results folder begin; no other run has that name at the
    /// same time.
    pub(super) fn claimed(&mut self) -> Result<String, RunError> {
        let claim = match self.claim.take() {
            Some(claim) => claim,
            None => Claim::new(&self.spec.results, &self.spec.stem())
                .map_err(|e| RunError::Output { path: self.spec.results.clone(), message: e.to_string() })?,
        };
        Ok(self.claim.insert(claim).name().to_owned())
    }
}
