//! Errors of launch files.

use std::fmt;

use heddle_isa::texture::DescriptorError;

use super::element::ElementType;
use super::npy::NpyError;
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
    pub kind: Box<LaunchFileErrorKind>,
}

impl LaunchFileError {
    /// An error of the whole file.
    #[must_use]
    pub fn whole(file: &str, kind: LaunchFileErrorKind) -> Self {
        Self { file: file.into(), at: Place(None), kind: Box::new(kind) }
    }

    /// An error at a position.
    #[must_use]
    pub fn at(file: &str, position: Position, kind: LaunchFileErrorKind) -> Self {
        Self { file: file.into(), at: Place(Some(position)), kind: Box::new(kind) }
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

fn entries(known: &[String]) -> String {
    if known.is_empty() { "no entries".into() } else { format!("the entries {}", known.join(", ")) }
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
    /// An output that is a file with another purpose.
    #[error("the output '{path}' would be written over {what} '{other}'; name another file")]
    Overwrites {
        /// The output.
        path: String,
        /// What the other file is.
        what: &'static str,
        /// The other file, by the name given for it.
        other: String,
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
        reason: String,
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
    /// A file that is no array, or none that a buffer can hold.
    #[error("'{path}': {source}")]
    Npy {
        /// The data file.
        path: String,
        /// What is wrong with it.
        source: NpyError,
    },
    /// A `.npy` file with elements of another type than the buffer.
    #[error("'{path}' has elements of {found}, the buffer has {expected}")]
    DataType {
        /// The data file.
        path: String,
        /// Type of the buffer's elements.
        expected: ElementType,
        /// Type of the file's elements.
        found: ElementType,
    },
    /// The type of a buffer that NumPy does not have.
    #[error("'{path}': NumPy has no type {element}; give the file another ending for raw bytes")]
    NotInNumpy {
        /// The data file.
        path: String,
        /// The type.
        element: ElementType,
    },
    /// Two things of one name.
    #[error("the name '{name}' is there twice")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The entry is not in the PTX.
    #[error("the PTX has no entry '{name}'{help}")]
    UnknownEntry {
        /// Entry in the launch file.
        name: String,
        /// Suggestion, and the entries that there are.
        help: String,
    },
    /// The PTX has several entries and the launch names none.
    #[error("key 'entry' is missing: the PTX has {}", entries(.known))]
    NoEntry {
        /// The entries that there are.
        known: Vec<String>,
    },
    /// An address of a buffer that is not there.
    #[error("there is no buffer '{name}'{help}")]
    UnknownBuffer {
        /// The name.
        name: String,
        /// Suggestion, or the buffers that there are.
        help: String,
    },
    /// A handle of a texture or surface that is not there.
    #[error("there is no {kind} '{name}'{help}")]
    UnknownTexture {
        /// Texture or surface.
        kind: &'static str,
        /// The name.
        name: String,
        /// Suggestion, or those that there are.
        help: String,
    },
    /// A texture or surface that cannot be.
    #[error("not a texture or surface: {source}")]
    Texture {
        /// Why.
        source: DescriptorError,
    },
    /// A texture or surface reference that is not there.
    #[error("the PTX has no .texref or .surfref '{name}' at module scope{help}")]
    UnknownReference {
        /// The name.
        name: String,
        /// Suggestion, or the references that there are.
        help: String,
    },
    /// A module variable that is not there.
    #[error("the PTX has no variable '{name}' in .global or .const{help}")]
    UnknownSymbol {
        /// The name.
        name: String,
        /// Suggestion, or the variables that there are.
        help: String,
    },
    /// More or fewer contents than a module variable holds, or elements that do not divide it.
    #[error("variable '{name}' has {bytes} bytes, {found} are given; expected contents of its size")]
    SymbolSize {
        /// The variable.
        name: String,
        /// Its size.
        bytes: u64,
        /// Bytes in the launch file.
        found: u64,
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
    /// An argument of another kind of type than its parameter.
    #[error("parameter '{param}' is .{ty} in the PTX, which {what} does not fit; expected {expected}")]
    ArgType {
        /// Name of the parameter.
        param: String,
        /// Its type in the PTX.
        ty: &'static str,
        /// The argument in words.
        what: String,
        /// What fits.
        expected: &'static str,
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
