//! What is wrong with a file of claims, or keeps them from being judged.

use std::path::PathBuf;

use heddle_cosim::RunError;
use heddle_energy::EnergyError;
use heddle_experiments::ExperimentError;
use heddle_files::ReadError;

/// Why claims cannot be read or judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A folder cannot be listed.
    #[error("cannot list {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file says something that it cannot.
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
    /// No claim or paper has a name.
    #[error("no {what} is called '{name}'{hint}")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
        /// What was perhaps meant.
        hint: String,
    },
    /// An experiment, or its results.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A technology, or a run that it does not fit.
    #[error(transparent)]
    Energy(#[from] EnergyError),
    /// A run of the cycle model.
    #[error(transparent)]
    Run(#[from] RunError),
    /// What is computed from the program and its files cannot be.
    #[error("cannot compute '{measure}': {message}")]
    Compute {
        /// The measure.
        measure: &'static str,
        /// Why.
        message: String,
    },
    /// A page that verdicts are written into lacks a marker, or has it several times.
    #[error("expected the line '{marker}' once, found it {found} times")]
    Markers {
        /// The line.
        marker: &'static str,
        /// How often it is there.
        found: usize,
    },
    /// The markers of a page are the wrong way round.
    #[error("expected the line '{second}' after '{first}'")]
    Order {
        /// What comes first.
        first: &'static str,
        /// What comes after it.
        second: &'static str,
    },
}

impl ClaimError {
    /// Exit code of a process that ended so: 2 for wrong use and bad input, 1 for what failed on the way.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Experiment(error) => error.exit_code(),
            Self::Run(error) => error.exit_code(),
            Self::Read(_)
            | Self::At { .. }
            | Self::Unknown { .. }
            | Self::Energy(_)
            | Self::Markers { .. }
            | Self::Order { .. } => 2,
            Self::Folder { .. } | Self::Compute { .. } => 1,
        }
    }
}
