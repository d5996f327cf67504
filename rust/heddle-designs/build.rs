//! Makes every folder of `src` a module: a design's model is found where it lies.

use std::fmt::Write as _;
use std::path::PathBuf;

fn main() {
    let source = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("src");
    println!("cargo:rerun-if-changed={}", source.display());
    let entries = std::fs::read_dir(&source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    let mut modules: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", source.display())).path().join("mod.rs"))
        .filter(|module| module.is_file())
        .collect();
    modules.sort();
    let mut text = String::new();
    for module in &modules {
        let name = module.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        writeln!(text, "#[path = {module:?}]\npub mod {};", name.to_string_lossy()).expect("text grows");
    }
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo")).join("modules.rs");
    std::fs::write(&out, text).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}
