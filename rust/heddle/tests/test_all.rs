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
    assert!(whole.contains("ignored heddle shipped_kernels"), "{whole:#?}");
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

#[test]
fn a_part_that_is_none_is_refused() {
    for part in ["0/8", "9/8", "3", "a/8", "3/", "/8", "1/99999999999999999999", "-1/8", "3/8/2"] {
        let output = test_all(&["--list", "--part", part, "no-such-folder"]);
        assert_eq!(output.status.code(), Some(2), "{part}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("usage: "), "{part}");
    }
    assert_eq!(test_all(&["--list"]).status.code(), Some(2), "no results folder");
}
