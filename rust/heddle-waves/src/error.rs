//! What can go wrong with a waveform file or a view.

use std::fmt;
use std::path::PathBuf;

/// A failure, with the file it concerns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaveError {
    /// A view, or a package that it names, cannot be read.
    #[error(transparent)]
    File(#[from] heddle_files::ReadError),
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file cannot be written, for example because the disk is full.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A VCD file whose text is not VCD.
    #[error("{path}: not a readable VCD file: {message}")]
    Vcd {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        message: String,
    },
    /// A view that is not of the documented form.
    #[error("{path}: {message}")]
    View {
        /// The view file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Patterns of the view name no signal of the waveform.
    #[error("{}", misses.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    NoSuchSignals {
        /// The patterns, in the order of the file.
        misses: Vec<Miss>,
    },
}

/// A pattern of a view that matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The file of the group.
    pub path: PathBuf,
    /// The group.
    pub group: String,
    /// The pattern.
    pub pattern: String,
    /// A signal with a name that is near.
    pub near: Option<String>,
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, group, pattern, .. } = self;
        write!(
            f,
            "{}: group '{group}': pattern '{pattern}' matches no signal of the waveform",
            path.display()
        )?;
        self.near.as_ref().map_or(Ok(()), |near| write!(f, ", in which '{near}' is near"))
    }
}
