//! Errors of launch files.

use std::fmt;

use super::table::Position;

/// An error at a place of a launch file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{file}{at}: {kind}")]
pub struct LaunchFileError {
    /// The launch file.
    pub file: String,
    /// Where in it.
    pub at: Place,
    /// What is wrong.
    pub kind: LaunchFileErrorKind,
}

impl LaunchFileError {
    /// An error of the whole file.
    #[must_use]
    pub fn whole(file: &str, kind: LaunchFileErrorKind) -> Self {
        Self { file: file.into(), at: Place(None), kind }
    }

    /// An error at a position.
    #[must_use]
    pub fn at(file: &str, position: Position, kind: LaunchFileErrorKind) -> Self {
        Self { file: file.into(), at: Place(Some(position)), kind }
    }
}

/// A position, or the whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(pub Option<Position>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(p) => write!(f, ":{}:{}", p.line, p.column),
            None => Ok(()),
        }
    }
}

/// What is wrong with a launch file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchFileErrorKind {
    /// A file cannot be read or written.
    #[error("cannot use '{path}': {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// Not TOML.
    #[error("not valid TOML: {message}")]
    Syntax {
        /// What the TOML parser says.
        message: String,
    },
    /// A key that does not exist.
    #[error("unknown key '{key}'{help}")]
    UnknownKey {
        /// The key.
        key: String,
        /// Suggestion, or the keys that there are.
        help: String,
    },
    /// A key that is needed.
    #[error("key '{key}' is missing: {purpose}")]
    MissingKey {
        /// The key.
        key: &'static str,
        /// What it says.
        purpose: &'static str,
    },
    /// Keys that do not go together.
    #[error("key '{key}' has no meaning here: {reason}")]
    Misplaced {
        /// The key.
        key: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// A value of another type.
    #[error("'{key}' must be {expected}, not {found}")]
    WrongType {
        /// The key.
        key: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A word that is none of those possible.
    #[error("'{key}' cannot be '{value}'{help}")]
    UnknownWord {
        /// The key.
        key: &'static str,
        /// The word.
        value: String,
        /// Suggestion, or the words that there are.
        help: String,
    },
    /// A number that is too small or too large.
    #[error("'{key}' is {value}, expected {expected}")]
    OutOfRange {
        /// The key.
        key: String,
        /// The number.
        value: String,
        /// What is possible.
        expected: String,
    },
    /// A data file has another size than its buffer.
    #[error("'{path}' has {found} bytes, the buffer has {expected}")]
    FileSize {
        /// The data file.
        path: String,
        /// Size of the buffer in bytes.
        expected: u64,
        /// Size of the file in bytes.
        found: u64,
    },
    /// The file is for another entry.
    #[error("the entry is '{file}', the kernel is '{kernel}'")]
    OtherEntry {
        /// Entry in the launch file.
        file: String,
        /// Entry of the program.
        kernel: String,
    },
    /// Too many or too few arguments.
    #[error("kernel '{kernel}' has {expected} parameters, the file has {found} [[args]]")]
    ArgCount {
        /// The kernel.
        kernel: String,
        /// Parameters of the kernel.
        expected: usize,
        /// Arguments in the file.
        found: usize,
    },
    /// An argument of another size than its parameter.
    #[error("parameter '{param}' has {expected} bytes, {what} has {found}")]
    ArgSize {
        /// Name of the parameter.
        param: String,
        /// Bytes of the parameter.
        expected: u32,
        /// The argument in words.
        what: String,
        /// Bytes of the argument.
        found: u32,
    },
    /// An argument for another parameter.
    #[error("'{found}' is not the parameter of that place, '{expected}' is")]
    ArgName {
        /// Name of the parameter.
        expected: String,
        /// Name in the file.
        found: String,
    },
}
