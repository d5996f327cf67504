//! The program and the files that results depend on, beside what a run names.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_cosim::{MadeBy, SOURCES};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::error::ExperimentError;

/// Folders of the repository that runs read; of `constraints` they read the waivers.
const READ: [&str; 4] = ["rtl", "models", "testbench", "presets"];

/// What a run's identity calls what made it.
pub(crate) const MADE_BY: &str = "made_by";

/// What made a result, as far as it is the same for all runs of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    made_by: MadeBy,
    hashed: Value,
}

impl Identity {
    /// That of this program and the repository at `root`: a hash of the sources that runs are compiled from, and one of the
    /// files that they read. Commits are no part of it, so that results stay those of a program that was built again from
    /// the same sources. Where `root` links the repository to designs of other folders, the program has their models,
    /// and its own hash is part of it.
    ///
    /// # Errors
    /// [`ExperimentError::Hash`]: a file that cannot be read.
    pub fn new(root: &Path, made_by: MadeBy) -> Result<Self, ExperimentError> {
        let mut files = Vec::new();
        for folder in READ {
            collect(&root.join(folder), &mut files)?;
        }
        let mut constraints = Vec::new();
        collect(&root.join("constraints"), &mut constraints)?;
        files.extend(constraints.into_iter().filter(|path| path.extension().is_some_and(|e| e == "vlt")));
        files.sort_unstable();
        let mut hashed = json!({"sources": SOURCES, "files": hash_of(root, &files)?});
        if root.join(READ[0]).join("common").is_symlink() {
            let fail = |source| ExperimentError::Hash { path: PathBuf::from("the program"), source };
            hashed["program"] = json!(hash_of(root, &[std::env::current_exe().map_err(fail)?])?);
        }
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

/// All regular files below a folder but those that editors leave; none where there is no folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ExperimentError> {
    let fail = |source| ExperimentError::Hash { path: folder.to_owned(), source };
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(['.', '#']) || name.ends_with('~') {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// A hash of the contents of files, each with its length and its place below `root`, or its name alone where it is elsewhere.
fn hash_of(root: &Path, files: &[PathBuf]) -> Result<String, ExperimentError> {
    let mut hash = Sha256::new();
    for path in files {
        let mut file =
            fs::File::open(path).map_err(|source| ExperimentError::Hash { path: path.clone(), source })?;
        let name =
            path.strip_prefix(root).map_or_else(|_| path.file_name().unwrap_or_default(), Path::as_os_str);
        let name = name.as_encoded_bytes();
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

#[cfg(test)]
mod tests {
    use std::fs;

    use heddle_cosim::{Commit, MadeBy};

    use super::Identity;

    #[test]
    fn what_runs_read_is_hashed_and_nothing_else() {
        let root = tempfile::tempdir().expect("temporary folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        let hashed = |made_by| Identity::new(root.path(), made_by).expect("readable").hashed().clone();
        let commit = |commit: &str| Commit { commit: Some(commit.to_owned()), clean: Some(true) };
        let of = |name| hashed(MadeBy { tree: Some(commit(name)), ..MadeBy::default() });
        for read in ["presets/volta.toml", "rtl/osm/osm_top.sv", "constraints/osm/lint.vlt"] {
            write(read, "1");
        }
        let first = of("a");
        let editors = ["rtl/osm/.osm_top.sv.swp", "presets/volta.toml~", "presets/#volta.toml#"];
        for other in
            ["docs/claims.md", "experiments/osm.toml", "constraints/osm/synth.toml"].iter().chain(&editors)
        {
            write(other, "1");
        }
        assert_eq!(of("b"), first, "the commit and other files are no part of it");
        for read in
            ["presets/volta.toml", "rtl/osm/osm_top.sv", "constraints/osm/lint.vlt", "models/rfc/design.toml"]
        {
            let before = of("a");
            write(read, "2");
            assert_ne!(of("a"), before, "{read}");
        }
        // A file that goes to another folder is another.
        let before = of("a");
        fs::rename(root.path().join("rtl/osm"), root.path().join("rtl/ucm")).expect("writable");
        assert_ne!(of("a"), before);
        // With designs of other folders, the program has their models.
        assert!(before.get("program").is_none());
        std::os::unix::fs::symlink(root.path().join("presets"), root.path().join("rtl/common"))
            .expect("a link");
        assert!(of("a").get("program").is_some());
    }
}
