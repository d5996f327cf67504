//! Why a run did not pass, and the exit code that says so.

use std::path::PathBuf;

use crate::mismatch::Mismatch;

/// A run that did not pass.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Wrong use or bad input.
    #[error("{message}")]
    Usage {
        /// What is wrong and what was expected.
        message: String,
    },
    /// The kernel does not compile.
    #[error("{message}")]
    Compile {
        /// The diagnostics, with file, line and column.
        message: String,
    },
    /// The kernel does wrong: an access out of bounds, a race, a barrier that is never met.
    #[error("the kernel fails: {message}")]
    Kernel {
        /// What it does, where.
        message: String,
    },
    /// The launch does not fit the SM.
    #[error("the launch fails: {message}")]
    Launch {
        /// What does not fit.
        message: String,
    },
    /// The run did not end in time.
    #[error("{kernel} did not end within {limit} cycles (--max-cycles)\n{waits}")]
    OutOfCycles {
        /// The kernel.
        kernel: String,
        /// The limit.
        limit: u64,
        /// What each warp waits for.
        waits: String,
    },
    /// A functional run did not end in time.
    #[error(
        "{kernel} did not end within {limit} warp instructions (--max-instructions): \
         launch {launch} was in CTA {cta}"
    )]
    OutOfInstructions {
        /// The kernel.
        kernel: String,
        /// Number of the launch that was running, from 0.
        launch: u32,
        /// The CTA that was running.
        cta: u64,
        /// The limit.
        limit: u64,
    },
    /// The kernel ran, and its result is not what the launch file expects.
    #[error("{message}")]
    Unexpected {
        /// The first difference.
        message: String,
    },
    /// The kernel ended, and gave nothing of some kind to compare, so that the run proves nothing about it.
    #[error(
        "the kernel gives no {missing} to compare, so the run is not counted as passed; \
         compared and found equal: {compared}"
    )]
    Uncompared {
        /// What there was none of.
        missing: String,
        /// What was compared, with counts.
        compared: String,
    },
    /// A planted bug is in the RTL and nothing was found.
    #[error("planted bug '{fault}': not found, {activations} activations{kernel}")]
    FaultNotFound {
        /// Its id.
        fault: String,
        /// How often it changed a value.
        activations: u64,
        /// Which kernel finds it, where another one ran.
        kernel: String,
    },
    /// The RTL could not be built or loaded.
    #[error("building the RTL of '{design}' failed: {message}")]
    Build {
        /// The design.
        design: String,
        /// What the tool said.
        message: String,
    },
    /// A file of the results could not be written: a waveform, report, trace or timeline, or its
    /// folder, or the output of a launch file.
    #[error("cannot write {path}: {message}")]
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// The saved view of the design does not fit the waveform, which is there.
    #[error("{waves} is written, but the saved view does not fit: {source}")]
    View {
        /// The waveform.
        waves: PathBuf,
        /// What does not fit.
        source: heddle_waves::WaveError,
    },
    /// The report of a run cannot be made.
    #[error("the report cannot be made: {message}")]
    Report {
        /// What cannot be written.
        message: String,
    },
    /// What went through the port could not be recorded.
    #[error("the recording cannot be made: {message}")]
    Recording {
        /// Why.
        message: String,
    },
    /// Two machines that must agree do not.
    #[error("{0}")]
    Mismatch(Box<Mismatch>),
    /// Not all that the RTL's side did was checked.
    #[error("the run was not checked to its end, so it is not counted as passed: {message}")]
    Unchecked {
        /// Where the checking side broke off.
        message: String,
    },
    /// Ctrl-C.
    #[error("interrupted{}", after(*.cycles))]
    Interrupted {
        /// Cycles run.
        cycles: u64,
    },
}

/// How far a timed run was; a functional one counts no cycles.
fn after(cycles: u64) -> String {
    if cycles == 0 { String::new() } else { format!(" after {cycles} cycles") }
}

impl RunError {
    /// The same, of one of several SMs.
    pub(crate) fn on_sm(self, sm: usize) -> Self {
        match self {
            Self::Mismatch(mut mismatch) => {
                mismatch.place.sm = Some(sm);
                Self::Mismatch(mismatch)
            }
            Self::Kernel { message } => Self::Kernel { message: format!("on SM {sm}: {message}") },
            other => other,
        }
    }

    /// A usage error.
    pub fn usage(error: impl std::fmt::Display) -> Self {
        Self::Usage { message: error.to_string() }
    }

    /// Exit code of a process whose run ended so: 1 a run failed, 2 wrong use or bad input, 3 mismatch,
    /// assertion or hang of a machine under test, 130 interrupted.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            Self::Mismatch(_) => 3,
            Self::Interrupted { .. } => 130,
            Self::Compile { .. }
            | Self::Kernel { .. }
            | Self::Launch { .. }
            | Self::OutOfCycles { .. }
            | Self::OutOfInstructions { .. }
            | Self::Unexpected { .. }
            | Self::Uncompared { .. }
            | Self::FaultNotFound { .. }
            | Self::Build { .. }
            | Self::Output { .. }
            | Self::View { .. }
            | Self::Report { .. }
            | Self::Unchecked { .. }
            | Self::Recording { .. } => 1,
        }
    }

    /// Whether further runs of the same command would end so, too: it was used wrongly, or interrupted.
    #[must_use]
    pub fn ends_all(&self) -> bool {
        matches!(self, Self::Usage { .. } | Self::Interrupted { .. })
    }
}

impl From<Box<Mismatch>> for RunError {
    fn from(mismatch: Box<Mismatch>) -> Self {
        Self::Mismatch(mismatch)
    }
}

impl From<Mismatch> for RunError {
    fn from(mismatch: Mismatch) -> Self {
        Self::Mismatch(Box::new(mismatch))
    }
}
