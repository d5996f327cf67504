//! Designs are found by their folders: one with a broken manifest does not hide the others.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A folder that has the repository's designs, by links.
fn tree(at: &Path) {
    fs::create_dir_all(at.join("rtl")).expect("a folder");
    for entry in fs::read_dir(repository().join("rtl")).expect("the designs") {
        let entry = entry.expect("a design");
        symlink(entry.path(), at.join("rtl").join(entry.file_name())).expect("a link");
    }
    symlink(repository().join("testbench"), at.join("testbench")).expect("a link");
}

fn listed(root: &Path, format: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    let ran = command.args(["list", "designs", "--format", format]).env("HEDDLE_ROOT", root).output();
    let ran = ran.expect("the program starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("UTF-8")
}

fn rows(root: &Path) -> Vec<Value> {
    listed(root, "json").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_broken_manifest_is_one_broken_row() {
    let folder = tempfile::tempdir().expect("a folder");
    tree(folder.path());
    let good = rows(folder.path());
    assert!(good.iter().all(|row| row.get("error").is_none()), "{good:?}");
    let broken = folder.path().join("rtl/broken");
    fs::create_dir_all(&broken).expect("a folder");
    for (text, said) in [
        ("[design", "design.toml"),
        ("[design]\nname = \"broken\"\n", "missing field"),
        ("[design]\nname = \"broken\"\nextends = \"nothing\"\n", "there is no such design"),
    ] {
        fs::write(broken.join("design.toml"), text).expect("writable");
        let all = rows(folder.path());
        let (wrong, others): (Vec<&Value>, Vec<&Value>) =
            all.iter().partition(|row| row["design"] == "broken");
        assert_eq!(others, good.iter().collect::<Vec<_>>(), "the others are as they were");
        let [wrong] = wrong[..] else { panic!("one row: {wrong:?}") };
        assert!(wrong["error"].as_str().is_some_and(|error| error.contains(said)), "{said}: {wrong}");
        assert!(listed(folder.path(), "table").contains("cannot be used"), "{said}");
    }
}
