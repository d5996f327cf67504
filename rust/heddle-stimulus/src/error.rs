//! What can be wrong with a file of stimulus.

use std::io;
use std::path::PathBuf;

use heddle_files::ReadError;

/// A file of stimulus that cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StimulusError {
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] ReadError),
    /// It cannot be decompressed, or ends too early.
    #[error("{}: record {record}: {source}; expected an xz stream as `heddle record` writes it", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Records that were read before.
        record: u64,
        /// Why.
        source: io::Error,
    },
    /// The first line is not its header.
    #[error("{}: {what}; expected the header of a stimulus file of format {}", path.display(), crate::FORMAT)]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A record cannot be.
    #[error("{}: record {record}: {what}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Number of the record, from 0.
        record: u64,
        /// What was read and what was expected.
        what: String,
    },
    /// It cannot be compressed.
    #[error("the stimulus cannot be compressed: {0}")]
    Write(io::Error),
}
