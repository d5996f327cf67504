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

#[test]
fn figures_in_pages_are_those_of_the_golden_cycles() {
    let output = script("figures.py", &[Path::new("--check")]);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_figure_that_is_off_is_told_and_written() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    };
    let golden = |cycles: [u64; 2]| {
        format!(
            "configuration\tx\nkernel\tcycles\twarp_instructions\na\t{}\t8\nb\t{}\t8\n",
            cycles[0], cycles[1]
        )
    };
    put(
        "scripts/figures.py",
        &std::fs::read_to_string(root().join("scripts/figures.py")).expect("the script"),
    );
    put("rust/heddle-cosim/tests/golden_cycles/one.tsv", &golden([10, 10]));
    put("rust/heddle-cosim/tests/golden_cycles/two.tsv", &golden([20, 80]));
    put("docs/page.md", "It is 0.25 times as fast, 0.12 b at least.\n");
    let figures = |values: &str| {
        let text = "It is {} times as fast, {} at least.";
        put(
            "docs/figures.toml",
            &format!("[[figures]]\npage = \"docs/page.md\"\ntext = \"{text}\"\nvalues = {values}\n"),
        );
        let run = |arguments: &[&str]| {
            let script = folder.path().join("scripts/figures.py");
            said(&Command::new("python3").arg(script).args(arguments).output().expect("python3"))
        };
        (run(&["--check"]), run(&[]), run(&["--check"]))
    };
    let (before, written, after) = figures(r#"["ipc two/one geometric .2", "ipc two/one least-of .3"]"#);
    assert!(
        before.contains("has 'It is 0.25 times as fast, 0.12 b at least.', the golden cycles say"),
        "{before}"
    );
    assert!(before.contains("'It is 0.25 times as fast, 0.125 b at least.'"), "{before}");
    assert_eq!((written.as_str(), after.as_str()), ("", ""));
    for (values, why) in [
        (r#"["ipc two/three geometric .2", "ipc two least .2"]"#, "no golden cycles of 'three'"),
        (r#"["jumps two sum ,", "ipc two least-of .2"]"#, "two counts no jumps"),
        (r#"["ipc two c .2", "ipc two least-of .2"]"#, "'c' is neither a mean nor a kernel"),
        (r#"["ipc two a .2"]"#, "2 places and 1 values"),
        (r#"["ipc two a .2", "ipc two b .2"]"#, "stands 0 times in docs/page.md"),
    ] {
        let (message, ..) = figures(values);
        assert!(message.contains(why), "{values}: {message}");
    }
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
