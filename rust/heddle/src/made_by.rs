//! What makes the results: this program, and the files that it reads.

use std::path::{Path, PathBuf};

use heddle_cosim::{Commit, MadeBy, Program};

use crate::git;

/// Folders of designs and presets, which are read at run time.
const READ: [&str; 5] = ["rtl", "models", "testbench", "constraints", "presets"];

/// The repository that `root` is, or is made of where designs from outside are in it.
fn repository(root: &Path) -> PathBuf {
    let common = root.join("rtl/common").canonicalize();
    common
        .ok()
        .and_then(|common| Some(common.ancestors().nth(2)?.to_owned()))
        .unwrap_or_else(|| root.to_owned())
}

/// The program and the tree `root`; each run adds its RTL.
pub fn made_by(root: &Path) -> MadeBy {
    let built = Some(env!("HEDDLE_COMMIT")).filter(|commit| !commit.is_empty());
    let source =
        Commit { commit: built.map(str::to_owned), clean: built.map(|_| env!("HEDDLE_CLEAN") == "true") };
    let read = git::state(&repository(root), &READ);
    let tree =
        Commit { clean: read.as_ref().map(|state| state.clean), commit: read.map(|state| state.commit) };
    MadeBy {
        program: Some(Program { version: env!("CARGO_PKG_VERSION").to_owned(), source }),
        tree: Some(tree),
        rtl: None,
    }
}
