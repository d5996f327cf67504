//! The pictures of the documents: diagrams are as their sources say, and the saved views show waves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a script says that a tool is not there.
const NO_TOOL: i32 = 77;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn script(name: &str, arguments: &[&Path]) -> Output {
    let script = root().join("scripts").join(name);
    Command::new(&script).args(arguments).output().unwrap_or_else(|e| panic!("{}: {e}", script.display()))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn diagrams_are_as_their_sources_say() {
    let output = script("diagrams.py", &[Path::new("--check")]);
    assert!(output.status.success(), "{}", said(&output));
    let designs = std::fs::read_dir(root().join("rtl")).expect("the designs");
    let designs =
        designs.map(|folder| folder.expect("a folder").path()).filter(|f| f.join("design.toml").is_file());
    for design in designs {
        let name = design.file_name().expect("a name");
        let picture = root().join("docs/diagrams").join(name).with_extension("svg");
        assert!(picture.is_file(), "{} is not there", picture.display());
    }
}

#[test]
fn the_saved_views_show_waves_in_gtkwave() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = script("screenshots.sh", &[folder.path(), Path::new(env!("CARGO_BIN_EXE_heddle"))]);
    if output.status.code() == Some(NO_TOOL) {
        println!("not tested: {}", said(&output).trim());
        return;
    }
    assert!(output.status.success(), "{}", said(&output));
    for design in ["ltrf", "osm"] {
        let picture = folder.path().join(format!("waves-{design}.png"));
        let bytes = std::fs::read(&picture).expect("a picture");
        assert!(
            bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000,
            "{}: {} bytes",
            picture.display(),
            bytes.len()
        );
    }
}
