//! What can go wrong.

use std::path::PathBuf;

use heddle_cosim::RunError;
use heddle_manifest::ManifestError;
use heddle_rtl::RtlError;

use crate::data::DataError;

/// Why coverage could not be measured, or not told.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoverageError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] heddle_files::ReadError),
    /// A file of rules is not as it should be.
    #[error("{}: {what}", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// Where and why.
        what: String,
    },
    /// What earlier runs counted cannot be used.
    #[error("{}: {what}", path.display())]
    Kept {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// The page has no place for the tables of a design.
    #[error("{}: expected a line '{marker}' and, behind it, a line '<!-- end -->'", path.display())]
    Page {
        /// The page.
        path: PathBuf,
        /// The line that is missing.
        marker: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What the simulator counted cannot be read.
    #[error("coverage data of {run}: {source}")]
    Data {
        /// The run.
        run: String,
        /// Where and why.
        source: DataError,
    },
    /// A manifest that is not there or cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The RTL with its counters cannot be built or run.
    #[error("coverage of '{design}': {source}")]
    Rtl {
        /// The design.
        design: String,
        /// Why.
        source: RtlError,
    },
    /// A kernel does not pass, or a run could not be made.
    #[error("{run}: {source}")]
    Run {
        /// The run.
        run: String,
        /// How.
        source: RunError,
    },
    /// The port bench finds a difference.
    #[error("{run}: {what}")]
    Bench {
        /// The run.
        run: String,
        /// What it found.
        what: String,
    },
}

impl CoverageError {
    /// Exit code of a process that ends so; as [`RunError::exit_code`].
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Run { source, .. } => source.exit_code(),
            Self::Bench { .. } => 3,
            Self::Read(_)
            | Self::Rules { .. }
            | Self::Kept { .. }
            | Self::Page { .. }
            | Self::Manifest(_) => 2,
            Self::Write { .. } | Self::Data { .. } | Self::Rtl { .. } => 1,
        }
    }
}
