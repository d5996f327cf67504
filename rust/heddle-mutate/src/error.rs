//! What can go wrong.

use std::path::PathBuf;

use heddle_cosim::RunError;
use heddle_coverage::CoverageError;
use heddle_rtl::RtlError;

/// Why mutants could not be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MutateError {
    /// The program that finds the sites, or that of the proofs, cannot be started.
    #[error("cannot run {}: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It fails, or prints what it should not.
    #[error("{}: {what}", program.display())]
    Program {
        /// The program.
        program: PathBuf,
        /// What it says, or what is wrong with what it printed.
        what: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not as it should be.
    #[error("{}: {what}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// Where and why.
        what: String,
    },
    /// What was found cannot be kept.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The mutants cannot be built or run.
    #[error("mutants of '{design}': {source}")]
    Rtl {
        /// The design.
        design: String,
        /// Why.
        source: RtlError,
    },
    /// The settings of the port bench cannot be read.
    #[error(transparent)]
    Settings(#[from] CoverageError),
    /// The design does not exist, or a run could not be made.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A kernel fails without any mutant.
    #[error("kernel '{kernel}' fails without any mutant: {error}")]
    Clean {
        /// The kernel.
        kernel: String,
        /// How.
        error: RunError,
    },
    /// The port bench finds a fault without any mutant.
    #[error("the {run} fails without any mutant: {what}")]
    CleanBench {
        /// The bench, with its seed.
        run: String,
        /// What it found.
        what: String,
    },
}

impl MutateError {
    /// Exit code of a process that ends so; as [`RunError::exit_code`].
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Run(error) | Self::Clean { error, .. } => error.exit_code(),
            Self::Start { .. } | Self::Read { .. } | Self::Data { .. } => 2,
            Self::Settings(error) => error.exit_code(),
            Self::CleanBench { .. } => 3,
            Self::Program { .. } | Self::Write { .. } | Self::Rtl { .. } => 1,
        }
    }
}
