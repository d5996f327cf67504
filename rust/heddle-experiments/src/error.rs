//! What is wrong with an experiment, or with the folder of its results.

use std::path::PathBuf;

use heddle_cosim::RunError;
use heddle_files::ReadError;

use crate::slurm::SlurmError;

/// Why an experiment cannot be read, swept or evaluated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file says something that it cannot.
    #[error("{}:{line}:{column}: {message}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// A run of the experiment cannot be described.
    #[error(transparent)]
    Run(#[from] RunError),
    /// What every run is identified by cannot be read.
    #[error("cannot hash {}: {source}", path.display())]
    Hash {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A folder of results cannot be listed.
    #[error("cannot list {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something that is no folder stands in the place of the folder of results.
    #[error("{} is no folder; expected the folder of results", path.display())]
    NoFolder {
        /// What stands there.
        path: PathBuf,
    },
    /// A file of results cannot be written, or its folder not be used.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of results is not what was written there.
    #[error("{}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// Results are there, and nothing was said about them.
    #[error(
        "{} holds results of an earlier sweep; --resume goes on with it, --results DIR takes another folder",
        path.display()
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// A list names a run that the experiment does not have.
    #[error(
        "{}:{line}:1: experiment '{id}' has no run {key}; expected the program, its files and the experiment as they were \
         when the list was written",
        path.display()
    )]
    NoSuchRun {
        /// The list.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The experiment.
        id: String,
        /// The key.
        key: String,
    },
    /// Slurm cannot do its part.
    #[error(transparent)]
    Slurm(#[from] SlurmError),
    /// Another process sweeps into the folder.
    #[error("another sweep writes to {}; wait for it, or take another folder with --results DIR", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
}

impl ExperimentError {
    /// Exit code of a process that ended so: 2 for wrong use and bad input, 1 for what failed on the way.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Run(error) => error.exit_code(),
            Self::Slurm(error) => error.exit_code(),
            Self::Read(_)
            | Self::At { .. }
            | Self::NoFolder { .. }
            | Self::Damaged { .. }
            | Self::Occupied { .. }
            | Self::Busy { .. }
            | Self::NoSuchRun { .. } => 2,
            Self::Hash { .. } | Self::Folder { .. } | Self::Write { .. } => 1,
        }
    }
}
