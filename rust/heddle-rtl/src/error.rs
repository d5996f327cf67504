//! What can go wrong between a design's folder and a running model.

use std::path::PathBuf;

use heddle_manifest::ManifestError;
use heddle_stimulus::StimulusError;
use verilated_runtime::RunError;
use verilated_runtime::build::BuildError;

use crate::netlist::NetlistError;

/// A failure between a design's folder and a running model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RtlError {
    /// A manifest that is not there or cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A list of planted bugs cannot be read.
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
    /// A TOML file is wrong in form.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A planted bug cannot be planted.
    #[error("{}: planted bug '{id}': {what}", path.display())]
    Planted {
        /// The list of planted bugs.
        path: PathBuf,
        /// The bug.
        id: String,
        /// What is wrong and what was expected.
        what: String,
    },
    /// A mutant cannot be put into its source.
    #[error("{}: mutant at byte {start}: {what}", file.display())]
    Mutant {
        /// The file, from the root of the repository.
        file: PathBuf,
        /// First byte of its expression.
        start: usize,
        /// What is wrong and what was expected.
        what: String,
    },
    /// A design does not have a module of its own file.
    #[error("design '{design}' has no file {module}.sv")]
    Block {
        /// The design.
        design: String,
        /// The module.
        module: String,
    },
    /// A recording cannot be made.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// The netlist cannot be made.
    #[error(transparent)]
    Netlist(#[from] NetlistError),
    /// The model cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The model cannot be loaded or fails at once.
    #[error(transparent)]
    Run(#[from] RunError),
}
