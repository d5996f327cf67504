//! A co-simulation whose port is recorded.

use heddle_rtl::{RtlError, RtlRegisterFile};

use super::Session;
use crate::control::Control;
use crate::error::RunError;
use crate::library::RtlLibrary;
use crate::report::RunReport;
use crate::spec::Engine;

/// Whether the port is recorded.
pub(super) enum Recording {
    /// It is not.
    Off,
    /// It is in the next run.
    On,
    /// It was: the bytes of the file.
    Ended(Vec<u8>),
}

impl Recording {
    /// Takes what an instance recorded, once its run has passed.
    pub(super) fn end(&mut self, rtl: &mut RtlRegisterFile) -> Result<(), RunError> {
        if let Some(bytes) = rtl.end_recording().map_err(|e| not_recorded(&e))? {
            *self = Self::Ended(bytes);
        }
        Ok(())
    }
}

fn not_recorded(error: &RtlError) -> RunError {
    RunError::Recording { message: error.to_string() }
}

impl Session {
    /// Runs as [`Self::run`] does and records what goes through the port of the RTL. The bytes are those of a file of
    /// `heddle_stimulus`.
    ///
    /// # Errors
    /// As [`Self::run`], and [`RunError::Usage`] for a run without RTL or of many SMs.
    pub fn run_recorded(&mut self, control: &mut dyn Control) -> Result<(RunReport, Vec<u8>), RunError> {
        if self.spec.engine == Engine::Sim {
            return Err(RunError::usage("only a run with the RTL can be recorded"));
        }
        if self.spec.sms > 1 {
            return Err(RunError::usage("a recording is of one SM"));
        }
        self.recording = Recording::On;
        let report = self.run(control)?;
        match std::mem::replace(&mut self.recording, Recording::Off) {
            Recording::Ended(bytes) => Ok((report, bytes)),
            Recording::On | Recording::Off => Err(RunError::usage("the run had no launch to be recorded")),
        }
    }

    /// The instance, which records where that is wanted.
    pub(super) fn recorded(
        &self,
        mut rtl: RtlRegisterFile,
        library: &RtlLibrary,
    ) -> Result<RtlRegisterFile, RunError> {
        if matches!(self.recording, Recording::On | Recording::Ended(_)) {
            let (manifest, elaboration) = (&self.design.manifest, &self.design.elaboration);
            let sources = &library.origin().sources;
            rtl.record(manifest, elaboration, sources, &self.spec.kernel_name())
                .map_err(|e| not_recorded(&e))?;
        }
        Ok(rtl)
    }
}
