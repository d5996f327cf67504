//! What can be wrong with a design's manifest.

use std::path::PathBuf;

/// A manifest that is not there or cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// No folder `rtl/<name>/` has a manifest.
    #[error("unknown design '{name}'{help}")]
    UnknownDesign {
        /// The name asked for.
        name: String,
        /// The known name nearest to it, where one is near, and all known names.
        help: String,
    },
    /// The design has no elaboration of that name.
    #[error("design '{design}' is not elaborated as '{name}'{help}")]
    UnknownElaboration {
        /// The design.
        design: String,
        /// The name asked for.
        name: String,
        /// The elaboration nearest to it, where one is near, and all of them.
        help: String,
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
    /// A file that follows from a manifest cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A design cannot have these parameters.
    #[error("design '{design}': {what}")]
    Parameters {
        /// The design.
        design: String,
        /// The parameter, its value and what is expected.
        what: String,
    },
    /// A TOML file is wrong in form.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A manifest says something that cannot be.
    #[error("{}: {what}", path.display())]
    Invalid {
        /// The manifest.
        path: PathBuf,
        /// What is wrong and what was expected.
        what: String,
    },
}
