//! Tells the library a hash of the sources that the result of a run depends on: its own, those of the workspace's crates
//! below it, what they are compiled with, and the versions of all others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use toml::Table;

/// What of a crate is in the library.
const PARTS: [&str; 6] = ["Cargo.toml", "build.rs", "src", "cpp", "kernels", "data"];
/// Files of the repository that crates include.
const INCLUDED: [&str; 3] = ["Cargo.lock", "presets", "rtl/common/heddle_port_pkg.sv"];

fn main() {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    // Where the crate lies, also when it is built by way of a link to it.
    let root = own.join("../..").canonicalize().unwrap_or_else(|e| panic!("{}: {e}", own.display()));
    let mut parts: Vec<PathBuf> = INCLUDED.iter().map(|part| root.join(part)).collect();
    for folder in crates(&root, "heddle-cosim") {
        parts.extend(PARTS.iter().map(|part| folder.join(part)).filter(|part| part.exists()));
    }
    let mut files = BTreeSet::new();
    for part in parts {
        println!("cargo::rerun-if-changed={}", part.display());
        collect(part, &mut files);
    }
    let mut hash = Sha256::new();
    for path in files {
        let name = path.strip_prefix(&root).unwrap_or(&path).as_os_str().as_encoded_bytes().to_vec();
        let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for part in [name, bytes] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=HEDDLE_SOURCES={hash}");
}

/// The folders of the crate `name` and of those of the workspace that it is built from.
fn crates(root: &Path, name: &str) -> BTreeSet<PathBuf> {
    let workspace = table(&root.join("Cargo.toml"));
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        let Some(path) = workspace["workspace"]["dependencies"][&name].get("path") else { continue };
        let folder = root.join(path.as_str().expect("the path of a crate"));
        let manifest = table(&folder.join("Cargo.toml"));
        if found.insert(folder) {
            let tables = ["dependencies", "build-dependencies"].map(|kind| manifest.get(kind)?.as_table());
            open.extend(tables.into_iter().flatten().flat_map(Table::keys).cloned());
        }
    }
    found
}

fn table(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A file, or all files of a folder.
fn collect(path: PathBuf, files: &mut BTreeSet<PathBuf>) {
    if !path.is_dir() {
        files.insert(path);
        return;
    }
    for entry in fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
        collect(entry.unwrap_or_else(|e| panic!("{}: {e}", path.display())).path(), files);
    }
}
