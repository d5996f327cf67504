//! The program and the files that results depend on, beside what a run names.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_cosim::{Commit, MadeBy};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::error::ExperimentError;

/// Folders of the repository that runs read.
const READ: [&str; 5] = ["rtl", "models", "testbench", "constraints", "presets"];

/// What a run's identity calls what made it.
pub(crate) const MADE_BY: &str = "made_by";

/// What made a result, as far as it is the same for all runs of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    made_by: MadeBy,
    hashed: Value,
}

impl Identity {
    /// That of this program and the repository at `root`. Commits say it; where files are not those of their commit,
    /// hashes of the program's file and of the folders that runs read say it too.
    ///
    /// # Errors
    /// [`ExperimentError::Hash`]: a file that cannot be read.
    pub fn new(root: &Path, made_by: MadeBy) -> Result<Self, ExperimentError> {
        let sure = |commit: Option<&Commit>| commit.is_some_and(|c| c.clean == Some(true));
        let program = if sure(made_by.program.as_ref().map(|p| &p.source)) {
            None
        } else {
            let fail = |source| ExperimentError::Hash { path: PathBuf::from("the program"), source };
            Some(hash_of(&[std::env::current_exe().map_err(fail)?])?)
        };
        let tree = if sure(made_by.tree.as_ref()) {
            None
        } else {
            let mut files = Vec::new();
            for folder in READ {
                collect(&root.join(folder), &mut files)?;
            }
            files.sort_unstable();
            Some(hash_of(&files)?)
        };
        let hashed = json!({
            "program": made_by.program, "tree": made_by.tree,
            "program_hash": program, "tree_hash": tree,
        });
        Ok(Self { made_by, hashed })
    }

    /// What results say of it.
    #[must_use]
    pub fn made_by(&self) -> &MadeBy {
        &self.made_by
    }

    /// The same as part of a run's key.
    pub(crate) fn hashed(&self) -> &Value {
        &self.hashed
    }
}

/// All regular files below a folder; none where there is no folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ExperimentError> {
    let fail = |source| ExperimentError::Hash { path: folder.to_owned(), source };
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// A hash of the contents of files, each with its length and name.
fn hash_of(files: &[PathBuf]) -> Result<String, ExperimentError> {
    let mut hash = Sha256::new();
    for path in files {
        let mut file =
            fs::File::open(path).map_err(|source| ExperimentError::Hash { path: path.clone(), source })?;
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        let bytes = std::io::copy(&mut file, &mut hash)
            .map_err(|source| ExperimentError::Hash { path: path.clone(), source })?;
        hash.update(bytes.to_le_bytes());
    }
    Ok(hex(&hash.finalize()))
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
