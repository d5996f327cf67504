//! Finds the presets that ship with Heddle: all of `presets/*.toml`.

use std::fmt::Write as _;
use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let folder = root.join("../../presets");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", folder.display())).path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut text = String::from("&[\n");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(text, "({name:?}, include_str!({file:?})),").expect("text grows");
    }
    text.push(']');
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo")).join("presets.rs");
    std::fs::write(&out, text).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}
