//! A new design on top of each that is there: its files are right as they are written, and a fault in them is named.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_author::{check_files, new_design};
use heddle_rtl::Manifest;

/// A copy of what a design lies in, without the program.
fn copy_of_the_repository(to: &Path) -> PathBuf {
    let repository =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    for folder in ["rtl", "testbench", "constraints", "docs/designs"] {
        copy(&repository.join(folder), &to.join(folder));
    }
    fs::create_dir_all(to.join("build")).expect("a folder");
    let tools = fs::canonicalize(repository.join("build/tools")).expect("scripts/tools.sh fetches the tools");
    std::os::unix::fs::symlink(tools, to.join("build/tools")).expect("a link");
    to.to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the repository") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// What is missing of a design.
fn missing(root: &Path, name: &str) -> Vec<String> {
    let findings = check_files(root, name, false, &mut |_| {});
    findings
        .into_iter()
        .filter_map(|finding| Some(format!("{}: {}", finding.what, finding.result.err()?)))
        .collect()
}

#[test]
fn a_new_design_on_top_of_each_is_right_as_it_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = copy_of_the_repository(folder.path());
    for base in Manifest::names(&root).expect("the designs") {
        let name = format!("on_{base}");
        let files = new_design(&root, &name, &base, None).unwrap_or_else(|what| panic!("{base}: {what}"));
        assert!(files.iter().all(|file| root.join(file).is_file()), "{files:?}");
        assert_eq!(missing(&root, &name), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_design_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = copy_of_the_repository(folder.path());
    for (name, from, expected) in [
        ("Mine", "baseline", "lower-case letters"),
        ("mine", "baselin", "did you mean 'baseline'?"),
        ("mine", "cerf-fair", "a variant of 'cerf'"),
        ("ltrf", "baseline", "rtl/ltrf/design.toml is there already"),
        ("common", "baseline", "rtl/common is there already"),
        ("self", "baseline", "'self': a word of Rust"),
        ("final", "baseline", "'final': a word of Rust"),
    ] {
        let outside = folder.path().join("outside");
        for at in [None, Some(outside.as_path())] {
            let error = new_design(&root, name, from, at).expect_err(name);
            assert!(error.to_string().contains(expected) && error.exit_code() == 2, "{error}");
        }
        assert!(!outside.exists(), "{name}");
    }
    new_design(&root, "mine", "baseline", None).expect("a new design");
    // A page of several designs, by its place in the repository.
    let page = root.join("docs/designs/mine.md");
    let own = fs::read_to_string(&page).expect("the page");
    fs::remove_file(&page).expect("the page");
    fs::write(root.join("docs/designs/several.md"), "Of `mine` too.\n").expect("writable");
    let findings = check_files(&root, "mine", false, &mut |_| {});
    let found = findings.iter().find(|finding| finding.what == "page").expect("looked at");
    assert_eq!(found.result, Ok("docs/designs/several.md".to_owned()));
    fs::write(&page, own).expect("writable");
    for (file, change, expected) in [
        ("rtl/mine/mine_top.sv", ("    .rst_ni,\n", ""), "lint: elaboration 'default'"),
        ("rtl/mine/mine_events.svh", ("row_fault", "row_foul"), "generated files: "),
        ("rtl/mine/design.toml", ("title", "titel"), "manifest: "),
        ("testbench/mine/planted_bugs.toml", ("bugs = []", "bugs = 1"), "planted bugs: "),
        ("constraints/mine/mine.sdc", ("", ""), "constraints: there is no constraints/mine/mine.sdc"),
    ] {
        let path = root.join(file);
        let good = fs::read_to_string(&path).expect("the file");
        let (from, to) = change;
        if from.is_empty() {
            fs::remove_file(&path).expect("it is there");
        } else {
            assert!(good.contains(from), "{file}: {from}");
            fs::write(&path, good.replacen(from, to, 1)).expect("writable");
        }
        let missing = missing(&root, "mine");
        assert!(missing.iter().any(|what| what.starts_with(expected)), "{file}: {missing:?}");
        fs::write(&path, good).expect("writable");
    }
    assert_eq!(missing(&root, "mine"), Vec::<String>::new());
}

#[test]
fn a_design_that_cannot_be_written_whole_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = copy_of_the_repository(folder.path());
    // Where the model would lie.
    fs::write(root.join("rust"), "no folder").expect("a file");
    let error = new_design(&root, "mine", "baseline", None).expect_err("no model can be written");
    assert!(error.to_string().contains("rust/heddle-designs") && error.exit_code() == 1, "{error}");
    for place in ["rtl/mine", "testbench/mine", "constraints/mine", "docs/designs/mine.md"] {
        assert!(!root.join(place).exists(), "{place}");
    }
    fs::remove_file(root.join("rust")).expect("the file");
    new_design(&root, "mine", "baseline", None).expect("nothing is in its way");
}
