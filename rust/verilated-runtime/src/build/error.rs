//! What can go wrong while a model is built.

use std::path::PathBuf;

/// The stage in which Verilator reads and translates the sources.
pub const VERILATION: &str = "verilation";

/// A failure while a model is built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No usable Verilator was found.
    #[error("no Verilator of version 5.{least:03} or later was found; looked at: {looked}")]
    NoVerilator {
        /// Least minor version of Verilator 5.
        least: u32,
        /// Each place and what was wrong with it.
        looked: String,
    },
    /// No usable C++ compiler was found.
    #[error("no C++ compiler was found; looked at: {0} (set CXX to choose one)")]
    NoCompiler(String),
    /// A file of the design cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The output folder cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Files changed while the model was made of them.
    #[error("files of {top} changed while its model was built; build it again")]
    Changed {
        /// The top module.
        top: String,
    },
    /// A tool could not be started.
    #[error("cannot run {}: {source}", program.display())]
    Run {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A tool refused its input.
    #[error("{stage} of {top} failed:\n{message}")]
    Tool {
        /// What was being done.
        stage: &'static str,
        /// Top module.
        top: String,
        /// What the tool printed, with file and line.
        message: String,
    },
}
