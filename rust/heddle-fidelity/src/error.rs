//! What can go wrong.

use std::path::PathBuf;

use heddle_config::ConfigError;
use heddle_cosim::RunError;
use heddle_trace::TraceError;

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FidelityError {
    /// A run of a trace did not end well.
    #[error("{trace}: {error}")]
    Run {
        /// The trace.
        trace: String,
        /// The run's end.
        error: RunError,
    },
    /// The preset, or a change of it, is wrong.
    #[error(transparent)]
    Preset(#[from] ConfigError),
    /// A trace could not be written.
    #[error("cannot write the trace {trace}: {error}")]
    Write {
        /// The trace.
        trace: String,
        /// Why.
        error: TraceError,
    },
    /// A folder or a list of kernels could not be written.
    #[error("cannot write {}: {error}", path.display())]
    File {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file of the references or limits is not as it should be.
    #[error("{file}: {what}")]
    Data {
        /// The file.
        file: &'static str,
        /// What is wrong, and what was expected.
        what: String,
    },
    /// No trace has this name.
    #[error("no micro-trace '{name}'{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name, or all.
        hint: String,
    },
}

impl FidelityError {
    /// Exit code of the program.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Run { error, .. } => error.exit_code(),
            Self::Unknown { .. } | Self::Preset(_) => 2,
            Self::Write { .. } | Self::File { .. } | Self::Data { .. } => 1,
        }
    }
}
