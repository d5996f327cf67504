//! What can be wrong with an input file.

use std::path::PathBuf;

/// An input file that a workload cannot take.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The workload reads no files, or another number of them.
    #[error("kernel '{workload}' takes {expected} as --input; {found} given")]
    Count {
        /// The workload.
        workload: String,
        /// The files that it takes.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// The file cannot be read, or is larger than what is read.
    #[error(transparent)]
    Unreadable(#[from] heddle_files::ReadError),
    /// A word of a text file is not what is expected there.
    #[error("{}:{line}:{column}: expected {expected}, found {found}", path.display())]
    Word {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Byte of the line, from 1.
        column: usize,
        /// What must be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The file as a whole is not what the workload needs.
    #[error("{}: expected {expected}, found {found}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
}
