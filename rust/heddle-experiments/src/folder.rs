//! What is read of a folder of results.

use std::fmt::Display;
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use heddle_files::{Fault, Input};
use serde::Deserialize;

use crate::error::ExperimentError;

/// A result has a hundred kilobytes at most.
const RUN_FILE: Input = Input { expected: "the result of a run in JSON", most: 1 << 24 };

/// Whether a folder is there.
///
/// # Errors
/// [`ExperimentError::NoFolder`], [`ExperimentError::Folder`].
pub(crate) fn is_there(folder: &Path) -> Result<bool, ExperimentError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        entries => entries.map(|_| true).map_err(|source| unlisted(folder, source)),
    }
}

/// What a folder holds, in order; nothing where there is no folder.
///
/// # Errors
/// [`ExperimentError::NoFolder`], [`ExperimentError::Folder`].
pub(crate) fn listed(folder: &Path) -> Result<Vec<PathBuf>, ExperimentError> {
    let fail = |source| unlisted(folder, source);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fail)?,
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(fail)?;
    paths.sort_unstable();
    Ok(paths)
}

/// Why a folder cannot be listed: a file stands in its place, or in that of a folder above it, or another reason.
fn unlisted(folder: &Path, source: Error) -> ExperimentError {
    let in_place = || folder.ancestors().find(|path| path.exists() && !path.is_dir());
    match (source.kind() == ErrorKind::NotADirectory).then(in_place).flatten() {
        Some(path) => ExperimentError::NoFolder { path: path.to_owned() },
        None => ExperimentError::Folder { path: folder.to_owned(), source },
    }
}

/// What a file of a run says; `None` where it is not there.
///
/// # Errors
/// [`ExperimentError::Read`], [`ExperimentError::Damaged`].
pub(crate) fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>, ExperimentError> {
    let bytes = match RUN_FILE.bytes(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return match &error.fault {
                Fault::System(source) if source.kind() == ErrorKind::NotFound => Ok(None),
                Fault::System(_) => Err(error.into()),
                fault => Err(damaged(path, fault)),
            };
        }
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| damaged(path, &error))
}

/// A file of results that cannot be read as one.
pub(crate) fn damaged(path: &Path, why: &impl Display) -> ExperimentError {
    let message = format!("{why}; remove it and run again with --resume");
    ExperimentError::Damaged { path: path.to_owned(), message }
}
