//! Tells the program which commit it is built from, and whether what it is made of is as in that commit.
//!
//! `HEDDLE_COMMIT` is empty where the sources are in no git repository of their own; `HEDDLE_CLEAN` is `true` or
//! `false`.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/git.rs"]
mod git;

/// What the program is made of, besides the crates, from the root of the repository.
const PARTS: [&str; 4] = ["Cargo.toml", "Cargo.lock", "presets", "rtl/common/heddle_port_pkg.sv"];

fn main() {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    // Where the crate lies, also when it is built by way of a link to it.
    let root = own.join("../..").canonicalize().unwrap_or_else(|e| panic!("{}: {e}", own.display()));
    let watched = PARTS.iter().map(|part| root.join(part)).chain(crates(&root)).chain(git::places(&root));
    for path in watched {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let parts = [&PARTS[..], &["rust"]].concat();
    let state = git::state(&root, &parts);
    let (commit, clean) = state.map_or_else(|| (String::new(), false), |state| (state.commit, state.clean));
    println!("cargo::rustc-env=HEDDLE_COMMIT={commit}");
    println!("cargo::rustc-env=HEDDLE_CLEAN={clean}");
}

/// The files of every crate but its tests.
fn crates(root: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(root.join("rust")).into_iter().flatten().flatten();
    let parts = ["Cargo.toml", "build.rs", "src", "cpp", "kernels", "data", "templates"];
    folders
        .flat_map(|folder| parts.map(|part| folder.path().join(part)))
        .filter(|path| path.exists())
        .collect()
}
