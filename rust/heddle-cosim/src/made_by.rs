//! What made a result: program, files, RTL and tools.

use heddle_rtl::RtlOrigin;
use serde::Serialize;

/// SHA-256, in hexadecimal, of the sources that the result of a run depends on: this crate and those of the workspace
/// that it is built from, what they include, and the versions of all others. What the program has besides (its
/// commands, tests, documentation) is no part of it, and neither is the commit.
pub const SOURCES: &str = env!("HEDDLE_SOURCES");

/// A state of a repository of sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Commit {
    /// The commit, in hexadecimal; null where the sources are in no git repository.
    pub commit: Option<String>,
    /// Whether the files were those of the commit; null without one.
    pub clean: Option<bool>,
}

/// The program that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The sources that it was compiled from.
    #[serde(flatten)]
    pub source: Commit,
}

/// What made a result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MadeBy {
    /// The program; null where the caller of this library does not say.
    pub program: Option<Program>,
    /// The files of designs and presets that were read at run time; null where the caller does not say.
    pub tree: Option<Commit>,
    /// The RTL; null where there was none in the run.
    pub rtl: Option<RtlOrigin>,
}
