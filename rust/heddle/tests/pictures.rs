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
fn boxes_of_diagrams_are_modules() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let copy = |from: &str, name: &str| {
        let to = folder.path().join(from);
        std::fs::create_dir_all(&to).expect("writable");
        std::fs::copy(root().join(from).join(name), to.join(name)).expect("a copy");
    };
    copy("scripts", "diagrams.py");
    copy("docs/diagrams", "sttram.toml");
    let check = || {
        let script = folder.path().join("scripts/diagrams.py");
        said(
            &Command::new("python3")
                .arg(&script)
                .output()
                .unwrap_or_else(|e| panic!("{}: {e}", script.display())),
        )
    };
    let message = check();
    assert!(message.contains("sttram.toml: no module of rtl/ is called oldest_reader"), "{message}");
    for (design, module) in [("hybrid", "oldest_reader.sv"), ("hybrid", "result_queue.sv")] {
        copy(&format!("rtl/{design}"), module);
    }
    let message = check();
    assert!(!message.contains("oldest_reader") && message.contains("sttram_bank"), "{message}");
}

/// The pictures of the saved views.
const VIEWS: [&str; 2] = ["ltrf", "osm"];

#[test]
fn the_documents_show_the_saved_views() {
    let page = std::fs::read_to_string(root().join("docs/waves.md")).expect("the page");
    for design in VIEWS {
        let picture = format!("pictures/waves-{design}.png");
        assert!(page.contains(&format!("]({picture})")), "docs/waves.md does not show {picture}");
        is_picture(&root().join("docs").join(picture));
    }
}

fn is_picture(path: &Path) {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let is_png = bytes.starts_with(b"\x89PNG");
    assert!(is_png && bytes.len() > 10_000, "{}: {} bytes", path.display(), bytes.len());
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
    for design in VIEWS {
        is_picture(&folder.path().join(format!("waves-{design}.png")));
    }
}
