//! Why a new design was not made.

use std::path::{Path, PathBuf};

use heddle_manifest::ManifestError;

/// Why [`crate::new_design`] made nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NewDesignError {
    /// What was asked for cannot be.
    #[error("{0}")]
    Refused(String),
    /// The manifest of the base, or that of the new design, cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The folder of a design outside the repository cannot be used.
    #[error(transparent)]
    Outside(#[from] heddle_outside::OutsideError),
    /// A file of the base cannot be read, or one of the new design not be written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file or folder is there already.
    #[error("{} is there already", path.display())]
    Taken {
        /// The file or folder.
        path: PathBuf,
    },
}

impl NewDesignError {
    /// What the system says of a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        |source| Self::File { path: path.to_owned(), source }
    }

    /// Exit code of a process that ended so: 2 wrong use, 1 what the system refused.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::File { .. } => 1,
            Self::Outside(error) => error.exit_code(),
            Self::Refused(_) | Self::Manifest(_) | Self::Taken { .. } => 2,
        }
    }
}
