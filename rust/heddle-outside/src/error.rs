//! What can be wrong with a folder of a design, or with the program that has it.

use std::path::PathBuf;

/// A design outside the repository that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutsideError {
    /// A folder is not what a design outside the repository has.
    #[error("design path {}: {what}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong and what is expected.
        what: String,
    },
    /// Both the repository and a folder, or two folders, have something of the same name.
    #[error("{} is there twice: in {} too", twice.display(), first.display())]
    Taken {
        /// The second one.
        twice: PathBuf,
        /// The first one.
        first: PathBuf,
    },
    /// A manifest cannot be read.
    #[error(transparent)]
    File(#[from] heddle_files::ReadError),
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file, folder or link cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file, folder or link.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A `Cargo.toml` is wrong in form.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A `Cargo.toml` lacks something.
    #[error("{}: {what}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong and what is expected.
        what: String,
    },
    /// The program cannot be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// The program with the models does not build.
    #[error("the program with the design of {folders} does not build{said}")]
    Build {
        /// Folders of the designs.
        folders: String,
        /// What cargo says, where it has not said it already.
        said: String,
    },
}

impl OutsideError {
    /// Exit code of a process that ended so: 2 wrong use, 1 what the system refused.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } | Self::Write { .. } | Self::Start { .. } => 1,
            Self::Folder { .. }
            | Self::Taken { .. }
            | Self::File(_)
            | Self::Toml { .. }
            | Self::Manifest { .. }
            | Self::Build { .. } => 2,
        }
    }
}
