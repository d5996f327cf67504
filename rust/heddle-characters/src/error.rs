//! What can go wrong with a sheet.

use std::path::PathBuf;

use heddle_cosim::RunError;
use heddle_workloads::WorkloadError;

/// A sheet that cannot be made, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// The kernel's host code failed.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The kernel does not compile.
    #[error("{kernel}: {message}")]
    Compile {
        /// The workload.
        kernel: &'static str,
        /// The diagnostics.
        message: String,
    },
    /// The golden machine found a fault in the kernel.
    #[error("{kernel}: {message}")]
    Execution {
        /// The workload.
        kernel: &'static str,
        /// The fault.
        message: String,
    },
    /// The run did not pass.
    #[error("{kernel}: {source}")]
    Run {
        /// The workload.
        kernel: &'static str,
        /// Why.
        source: RunError,
    },
    /// A preset cannot be read.
    #[error(transparent)]
    Preset(#[from] heddle_config::ConfigError),
    /// A file of the sheets cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}
