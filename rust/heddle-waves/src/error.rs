//! What can go wrong with a waveform file or a view.

use std::path::PathBuf;

/// A failure, with the file it concerns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaveError {
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
    /// A pattern of the view names no signal of the waveform.
    #[error("{path}: group '{group}': pattern '{pattern}' matches no signal of the waveform")]
    NoSuchSignal {
        /// The view file.
        path: PathBuf,
        /// The group.
        group: String,
        /// The pattern.
        pattern: String,
    },
}
