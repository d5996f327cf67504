//! What is wrong with a technology, or with the run that it is applied to.

use std::path::PathBuf;

use heddle_files::ReadError;

/// Why there is no energy of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnergyError {
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
    /// No technology has the name.
    #[error("unknown technology '{name}'{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// What was perhaps meant, and what there is.
        hint: String,
    },
    /// The technology says nothing of the run's design.
    #[error("{}: no constants of design '{design}'{hint}", path.display())]
    Design {
        /// The technology's file.
        path: PathBuf,
        /// The design.
        design: String,
        /// The designs that it has.
        hint: String,
    },
    /// The row lacks a number.
    #[error("the row has no number '{key}', which {wanted_by}; expected a row of `heddle sim --format json`")]
    Missing {
        /// Dotted name of the number.
        key: String,
        /// What needs it.
        wanted_by: String,
    },
    /// A number of the row is negative.
    #[error("the row has {found} as '{key}', which {wanted_by}; expected a number that is not negative")]
    Negative {
        /// Dotted name of the number.
        key: String,
        /// The number as the row has it.
        found: String,
        /// What needs it.
        wanted_by: String,
    },
    /// A result is larger than a number can be.
    #[error("the {what} of the run is too large for a number; expected less in the row or in {}", path.display())]
    TooLarge {
        /// The technology's file.
        path: PathBuf,
        /// The result.
        what: &'static str,
    },
    /// The row's clock is none.
    #[error("parameters.gpu.core_mhz is {mhz}; expected a clock above 0")]
    Clock {
        /// Its MHz.
        mhz: f64,
    },
    /// The constants are of another size than the run's.
    #[error("the constants of design '{design}' are of {key} = {of}; the run has {has}")]
    Size {
        /// The design.
        design: String,
        /// Key of the preset.
        key: String,
        /// What the constants are of.
        of: f64,
        /// What the run has.
        has: f64,
    },
}

impl EnergyError {
    /// Exit code of a process that ended so.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        2
    }
}
