//! A design in a folder outside the repository: written by `new-design --at`, known to every command by
//! `--design-path`.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn heddle(arguments: &[&str]) -> Ran {
    heddle_in(&[], arguments)
}

fn heddle_in(environment: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

impl Ran {
    fn passes(self) -> String {
        assert_eq!(self.code, Some(0), "{}\n{}", self.stdout, self.stderr);
        self.stdout
    }

    fn fails(self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no '{part}' in:\n{}", self.stderr);
        }
    }
}

#[test]
fn a_folder_that_is_no_design_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let list = ["list", "designs", "--design-path", path];
    heddle(&["list", "designs", "--design-path", "/nowhere"]).fails(&["design path /nowhere: "]);
    heddle(&list).fails(&[path, "one rtl/<design>/design.toml is expected, and it has none"]);
    let design = |name: &str| {
        let at = folder.path().join("rtl").join(name);
        fs::create_dir_all(&at).expect("a folder");
        fs::write(at.join("design.toml"), "").expect("writable");
    };
    design("ltrf");
    heddle(&list).fails(&["there is no Cargo.toml"]);
    fs::write(folder.path().join("Cargo.toml"), "[package\n").expect("writable");
    heddle(&list).fails(&["Cargo.toml: TOML parse error at line 1"]);
    fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").expect("writable");
    heddle(&list).fails(&["Cargo.toml: package.name"]);
    fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"mine\"\n").expect("writable");
    heddle(&list).fails(&["rtl/ltrf is there twice: in "]);
    design("other");
    heddle(&list).fails(&["it has those of ltrf, other"]);
}

/// A folder with one design of that name and manifest; its place, and so that of its tree, is the same in every run.
fn design(folder: &str, name: &str, manifest: &str) -> PathBuf {
    let at = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside").join(folder);
    let _ = fs::remove_dir_all(&at);
    fs::create_dir_all(at.join("rtl").join(name)).expect("a folder");
    fs::write(at.join("rtl").join(name).join("design.toml"), manifest).expect("writable");
    fs::write(at.join("Cargo.toml"), "[package]\nname = \"model\"\n").expect("writable");
    at.canonicalize().expect("a folder")
}

/// Runs the program with another one in place of cargo.
fn heddle_with(cargo: &str, arguments: &[&str]) -> Ran {
    heddle_in(&[("CARGO", cargo)], arguments)
}

#[test]
fn a_wrong_manifest_is_told_before_anything_is_built() {
    for (folder, name, manifest, expected) in [
        ("empty", "mine", "", "missing field"),
        ("syntax", "mine", "[design\n", "TOML parse error at line 1"),
        ("base", "mine", "[design]\nname = \"mine\"\nextends = \"nothing\"\n", "there is no such design"),
    ] {
        let at = design(folder, name, manifest);
        let place = at.join("rtl").join(name).join("design.toml");
        let list = ["list", "designs", "--design-path", at.to_str().expect("UTF-8")];
        heddle_with("false", &list).fails(&[place.to_str().expect("UTF-8"), expected]);
    }
    let model = design("model", "rfc", "");
    let list = ["list", "designs", "--design-path", model.to_str().expect("UTF-8")];
    heddle_with("false", &list).fails(&["a design of that name has RTL, in rtl/rfc"]);
    let variant = design("variant", "sram-queued", &of_baseline("sram-queued"));
    let list = ["list", "designs", "--design-path", variant.to_str().expect("UTF-8")];
    heddle_with("false", &list).fails(&["'sram-queued' is a variant of 'racetrack' already"]);
}

/// A manifest that is right.
fn of_baseline(name: &str) -> String {
    let base = include_str!("../../../rtl/baseline/design.toml");
    let port = base.lines().find(|line| line.starts_with("port = ")).expect("a version of the ports");
    format!("[design]\nname = \"{name}\"\ntitle = \"Another\"\nextends = \"baseline\"\n{port}\n")
}

#[test]
#[ignore = "builds the program once more, which takes minutes"]
fn a_new_design_outside_is_known_to_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("far");
    let path = at.to_str().expect("UTF-8");
    let files = heddle(&["new-design", "far", "--from", "baseline", "--at", path]).passes();
    assert!(files.contains("src/lib.rs\n") && files.contains("rtl/far/far_events.svh\n"), "{files}");
    heddle(&["new-design", "far", "--from", "baseline", "--at", path]).fails(&["is there already"]);
    let listed = heddle(&["list", "designs", "--format", "csv", "--design-path", path]).passes();
    let row =
        |name: &str| listed.lines().find(|line| line.starts_with(&format!("{name},"))).map(str::to_owned);
    assert!(row("far").is_some_and(|row| row.ends_with(",maxwell,true,true")), "{listed}");
    assert!(row("baseline").is_some(), "{listed}");
    heddle(&["list", "designs"]).passes().lines().for_each(|line| assert!(!line.contains("│far ")));
    let cycles = |design: &str| {
        let run = ["sim", "-q", "-k", "vectoradd", "--format", "json", "-d", design, "--design-path", path];
        let row: serde_json::Value = serde_json::from_str(&heddle(&run).passes()).expect("JSON");
        row["cycles"].as_u64().expect("cycles")
    };
    assert_eq!(cycles("far"), cycles("baseline"));
    let checked = heddle(&["check-design", "far", "--design-path", path]).passes();
    assert!(checked.contains("ok       port contract: ") && !checked.contains("missing"), "{checked}");
    what_is_wrong_has_its_place(&at, path);
}

/// The design of docs/adding-a-design-by-example.md, with another number of entries than its manifest's default.
#[test]
#[ignore = "builds the program once more, which takes minutes"]
fn the_example_of_the_guide_is_right() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/regcache");
    let with = ["regcache", "--design-path", path, "--set", "design.entries=2"];
    let checked = heddle(&[&["check-design"], &with[..]].concat()).passes();
    assert!(checked.contains("ok       port contract: ") && !checked.contains("missing"), "{checked}");
    let sim = ["sim", "-q", "-k", "vectoradd", "--format", "csv", "-d"];
    let run = heddle(&[&sim, &with[..]].concat()).passes();
    assert!(run.contains("\nregcache,vectoradd,smoke,"), "{run}");
    let mut beyond = [&sim, &with[..]].concat();
    *beyond.last_mut().expect("a setting") = "design.entries=17";
    heddle(&beyond).fails(&["design.entries = 17 is out of range: 1 to 16"]);
}

/// Errors in the model, and in what the model is made from.
fn what_is_wrong_has_its_place(at: &Path, path: &str) {
    let model = at.join("src/lib.rs");
    let good = fs::read_to_string(&model).expect("the model");
    let list = ["list", "designs", "--design-path", path];
    fs::write(&model, good.replace("instance: &Instance", "instance: Instance")).expect("writable");
    heddle(&list).fails(&[path, "does not build", "src/lib.rs:"]);
    fs::write(&model, good).expect("writable");
    let package = at.join("Cargo.toml");
    let text = fs::read_to_string(&package).expect("the package");
    let version =
        format!("heddle-port = \"{}.{}\"", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    assert!(text.contains(&version), "{text}");
    fs::write(&package, text.replace(&version, "heddle-port = \"99\"")).expect("writable");
    heddle(&list).fails(&["heddle-port"]);
    fs::write(&package, text).expect("writable");
    heddle(&list).passes();
}
