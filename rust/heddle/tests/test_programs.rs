//! Crates whose tests are one program name every file of tests in it: one that no program has would never run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names of the modules that a source declares.
fn modules(source: &str) -> BTreeSet<String> {
    let name = |line: &str| line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned);
    source.lines().filter_map(name).collect()
}

/// Names of the test programs of a manifest, and whether there are others than those.
fn programs(manifest: &toml::Value) -> (BTreeSet<String>, bool) {
    let named = manifest.get("test").and_then(toml::Value::as_array).into_iter().flatten();
    let names = named.filter_map(|test| test.get("name")?.as_str().map(str::to_owned)).collect();
    let found = manifest["package"].get("autotests").and_then(toml::Value::as_bool);
    (names, found.unwrap_or(true))
}

/// Names, sorted, of the files and folders of Rust in `folder` that are of no program, data aside.
fn without_program(folder: &Path, named: &BTreeSet<String>) -> Vec<String> {
    let mut left = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("an entry").path();
        let is_folder = path.join("mod.rs").is_file() || path.join("main.rs").is_file();
        let is_module = path.extension().is_some_and(|e| e == "rs") || is_folder;
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if is_module && name != "main" && !named.contains(&name) {
            left.push(name);
        }
    }
    left.sort();
    left
}

#[test]
fn every_file_of_tests_is_of_a_program() {
    let mut seen = 0;
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("the crates") {
        let folder = entry.expect("an entry").path();
        let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let (mut named, finds_others) = programs(&toml::from_str(&text).expect("a manifest"));
        if finds_others {
            continue;
        }
        seen += 1;
        let tests = folder.join("tests");
        named.extend(modules(&fs::read_to_string(tests.join("main.rs")).expect("the list of tests")));
        assert_eq!(without_program(&tests, &named), Vec::<String>::new(), "{}", tests.display());
    }
    assert!(seen > 0, "no crate has its tests in one program");
}

#[test]
fn a_file_that_is_not_named_is_found() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for inner in ["many", "apart", "data"] {
        fs::create_dir(folder.path().join(inner)).expect("writable");
    }
    for file in ["main.rs", "one.rs", "two.rs", "many/mod.rs", "apart/main.rs", "data/a.csv"] {
        fs::write(folder.path().join(file), "").expect("writable");
    }
    let named = modules("//! Tests.\n\nmod one;\nmod many;\n");
    assert_eq!(without_program(folder.path(), &named), ["apart", "two"]);
}
