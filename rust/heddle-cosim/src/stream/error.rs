//! What can be wrong with the file of a stream.

use std::io;
use std::path::PathBuf;

use super::written::PatchError;

/// A stream that cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] heddle_files::ReadError),
    /// The system does not read it, or it ends too early.
    #[error("{}: launch {launch}: {source}; expected a functional stream", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Launches read before.
        launch: u64,
        /// Why.
        source: io::Error,
    },
    /// Its first line is not that of the stream.
    #[error("{}: {what}; expected the functional stream of {key}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Of what it should be.
        key: String,
        /// What is wrong.
        what: String,
    },
    /// What it has of a launch cannot be.
    #[error("{}: launch {launch}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Number of the launch, from 0.
        launch: u64,
        /// What was read and what was expected.
        what: String,
    },
    /// It does not fit the memory of the run.
    #[error("{}: launch {launch}: {source}", path.display())]
    Patch {
        /// The file.
        path: PathBuf,
        /// Number of the launch, from 0.
        launch: u64,
        /// What does not fit.
        source: PatchError,
    },
    /// It cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
