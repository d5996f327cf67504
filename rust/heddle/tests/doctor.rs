//! `make doctor` and the crates and machines that others build with.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with only those programs of this machine that the script itself is written with.
fn bare_machine() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = std::env::var_os("PATH").expect("a PATH");
    for name in ["sh", "sed", "dirname", "basename", "sort", "head", "grep", "cat"] {
        let found = std::env::split_paths(&path).map(|p| p.join(name)).find(|p| p.is_file());
        symlink(found.expect("a program of every machine"), folder.path().join(name)).expect("a link");
    }
    folder
}

fn doctor(path: &Path) -> (Option<i32>, String) {
    let output: Output = Command::new(root().join("scripts/doctor.sh"))
        .env_clear()
        .env("PATH", path)
        .env("HEDDLE_TOOLS", path.join("none"))
        .output()
        .expect("the script runs");
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn what_is_missing_is_said_before_anything_is_built() {
    let bare = bare_machine();
    let (code, text) = doctor(bare.path());
    assert_eq!(code, Some(1), "{text}");
    for (name, remedy) in [
        ("cargo", "install Rust"),
        ("rustc", "rustup.rs"),
        ("C++ compiler", "install g++"),
        ("C compiler", "install gcc"),
        ("make", "install GNU make"),
        ("python3", "install Python 3.11 or later"),
        ("verilator", "install Verilator 5.006 or later"),
    ] {
        let line = text.lines().find(|l| l.starts_with("MISSING") && l.contains(name));
        assert!(line.is_some_and(|line| line.contains(remedy)), "{name}:\n{text}");
    }
    assert!(
        text.contains("missing: cargo, rustc, C++ compiler, C compiler, make, python3, verilator"),
        "{text}"
    );

    // Programs that are there and too old are no help.
    for (name, script) in [("cargo", "echo cargo 1.40.0"), ("rustc", "echo rustc 1.40.0"), ("g++", "exit 1")]
    {
        let file = bare.path().join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("writable");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&file, mode).expect("executable");
    }
    let (_, text) = doctor(bare.path());
    assert!(text.contains("is 1.40; ") && text.contains("g++ knows no C++17"), "{text}");
}

#[test]
fn the_doctor_builds_nothing() {
    let plan =
        Command::new("make").args(["--dry-run", "doctor"]).current_dir(root()).output().expect("make runs");
    let plan = String::from_utf8_lossy(&plan.stdout).into_owned();
    assert!(plan.contains("scripts/doctor.sh") && !plan.contains("build"), "{plan}");
    let here = Command::new(root().join("scripts/doctor.sh")).output().expect("the script runs");
    assert!(here.status.success(), "{}", String::from_utf8_lossy(&here.stdout));
}

/// Continuous integration elsewhere runs the same as `.ci/run`, on a machine that has what `make doctor` asks for.
#[test]
fn the_workflow_and_the_container_run_what_ci_runs() {
    let read =
        |name: &str| std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(read(".github/workflows/ci.yml").contains("run: .ci/run"));
    let recipe = read("Containerfile");
    assert!(recipe.contains("CMD [\".ci/run\"]"), "{recipe}");
    let manifest = read("Cargo.toml");
    let rust = manifest.lines().find_map(|l| l.strip_prefix("rust-version = ")).expect("a version");
    assert!(recipe.contains(&format!("FROM rust:{}-", rust.trim_matches('"'))), "{recipe}: {rust}");
}

/// The crate that builds and runs verilated models stands on its own.
#[test]
fn the_runtime_can_be_published_alone() {
    let folder = root().join("rust/verilated-runtime");
    let list = Command::new(env!("CARGO"))
        .args(["package", "--list", "--offline", "--allow-dirty", "--package", "verilated-runtime"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let told = String::from_utf8_lossy(&list.stderr);
    assert!(list.status.success() && !told.contains("warning"), "{told}");
    let files = String::from_utf8_lossy(&list.stdout).into_owned();
    for file in ["LICENSE", "README.md", "examples/counter.rs", "tests/counter.rs", "cpp/verilated_model.h"] {
        assert!(files.lines().any(|f| f == file), "no {file} in\n{files}");
    }
    // The licence names who holds it.
    let own = |file: &&str| folder.join(file).is_file() && !["Cargo.lock", "LICENSE"].contains(file);
    for file in files.lines().filter(own) {
        let text = std::fs::read_to_string(folder.join(file)).expect("text").to_lowercase();
        assert!(!text.contains("heddle"), "{file} names the project");
    }
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("the manifest");
    assert!(manifest.contains("publish = true") && !manifest.contains("path ="), "{manifest}");
}

/// The program says which tools its runs take, and the rest as the script does.
#[test]
fn the_program_knows_the_tools_of_its_runs() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_heddle")).arg("doctor").output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["a run takes Verilator: ", "a run takes the C++ compiler: ", "ok       rustc "] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
}
