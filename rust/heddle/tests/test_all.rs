//! The parts of `make test-all`: disjoint, and together the whole.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn test_all(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(root.join("scripts/test-all.sh"))
        .env("HEDDLE", env!("CARGO_BIN_EXE_heddle"))
        .current_dir(&root)
        .args(arguments)
        .output()
        .expect("the script runs")
}

/// The pieces that `arguments` stand for; the results folder is not written.
fn pieces(arguments: &[&str]) -> Vec<String> {
    let output = test_all(&[&["--list"][..], arguments, &["no-such-folder"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn the_parts_are_disjoint_and_together_the_whole() {
    let whole = pieces(&[]);
    let set: BTreeSet<&String> = whole.iter().collect();
    assert_eq!(set.len(), whole.len(), "a piece is there twice");
    for parts in [2, 8] {
        let each: Vec<Vec<String>> =
            (1..=parts).map(|part| pieces(&["--part", &format!("{part}/{parts}")])).collect();
        let together: BTreeSet<&String> = each.iter().flatten().collect();
        assert_eq!(together, set, "{parts} parts");
        assert_eq!(each.iter().map(Vec::len).sum::<usize>(), whole.len(), "{parts} parts overlap");
        let (least, most) = (each.iter().map(Vec::len).min(), each.iter().map(Vec::len).max());
        assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{parts} parts are unequal");
    }
}

#[test]
fn the_whole_has_the_tests_the_ignored_ones_and_every_design_with_every_kernel() {
    let whole: BTreeSet<String> = pieces(&[]).into_iter().collect();
    assert!(whole.contains("tests"));
    assert!(whole.contains("ignored heddle all shipped_kernels"), "{whole:#?}");
    assert!(whole.contains("ignored heddle-cosim planted"), "{whole:#?}");
    let names = |what: &str, key: &str| -> Vec<String> {
        let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(["list", what, "--format", "json"])
            .output()
            .expect("heddle runs");
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .filter(|row| row.get("rtl").is_none_or(|rtl| rtl == true))
            .map(|row| row[key].as_str().expect("a name").to_owned())
            .collect()
    };
    let (designs, kernels) = (names("designs", "design"), names("kernels", "kernel"));
    assert!(!designs.is_empty() && !kernels.is_empty());
    for design in &designs {
        for kernel in &kernels {
            for registers in [255, 16] {
                let piece = format!("cosim {design} {registers} {kernel}");
                assert!(whole.contains(&piece), "no {piece}");
            }
        }
    }
}

/// Names of the test programs of each package, as cargo knows them.
fn targets() -> BTreeSet<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = all["packages"].as_array().expect("packages");
    let text = |value: &serde_json::Value| value.as_str().expect("a name").to_owned();
    let of = |package: &serde_json::Value| -> Vec<(String, String)> {
        let targets = package["targets"].as_array().expect("targets").iter();
        let tests = targets.filter(|target| target["kind"][0] == "test");
        tests.map(|target| (text(&package["name"]), text(&target["name"]))).collect()
    };
    packages.iter().flat_map(of).collect()
}

#[test]
fn every_piece_with_ignored_tests_names_a_program_that_is_there() {
    let targets = targets();
    let mut seen = 0;
    for piece in pieces(&[]) {
        let words: Vec<&str> = piece.split(' ').collect();
        let ["ignored", package, target, ..] = words[..] else { continue };
        seen += 1;
        let known = target == "-" || targets.contains(&(package.to_owned(), target.to_owned()));
        assert!(known, "{piece}: no such test program");
        let one = targets.contains(&(package.to_owned(), "all".to_owned()));
        assert_eq!(target == "all", one && words.len() == 4, "{piece}");
    }
    assert!(seen > 0, "no test is ignored");
}

#[test]
fn a_part_that_is_none_is_refused() {
    for part in ["0/8", "9/8", "3", "a/8", "3/", "/8", "1/99999999999999999999", "-1/8", "3/8/2"] {
        let output = test_all(&["--list", "--part", part, "no-such-folder"]);
        assert_eq!(output.status.code(), Some(2), "{part}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("usage: "), "{part}");
    }
    assert_eq!(test_all(&["--list"]).status.code(), Some(2), "no results folder");
}
