//! What runs write: never over what they read, each run's files apart, and whole or not at all.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{cases, heddle, text};

/// A launch file for `uninitialised.ptx` beside a copy of it, with the lines `more` for its second buffer.
fn launch(folder: &Path, more: &str) {
    fs::copy(cases().join("uninitialised.ptx"), folder.join("k.ptx")).expect("a copy");
    let buffer = |more: &str| format!("[[args]]\ntype = 'u32'\nelements = 64\n{more}\n");
    let text =
        format!("grid = [1]\nblock = [64]\n{}{}", buffer("fill = 'file'\nfile = 'in.bin'"), buffer(more));
    fs::write(folder.join("l.toml"), text).expect("writable");
    for name in ["in.bin", "want.bin"] {
        fs::write(folder.join(name), [7; 256]).expect("writable");
    }
}

/// Names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name =
        |e: std::io::Result<fs::DirEntry>| e.expect("an entry").file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn an_output_is_never_written_over_an_input() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let here = folder.path();
    launch(here, "");
    symlink("in.bin", here.join("soft.bin")).expect("a link");
    fs::hard_link(here.join("k.ptx"), here.join("hard.bin")).expect("a link");
    symlink(here, here.join("folder")).expect("a link");
    symlink("new.bin", here.join("to-new.bin")).expect("a link");
    fs::write(here.join("p.toml"), fs::read(cases().join("../../../../presets/maxwell.toml")).expect("it"))
        .expect("writable");
    for (lines, what) in [
        ("output = 'want.bin'\nexpect = 'want.bin'", "the expected output '"),
        ("output = 'l.toml'", "the launch file '"),
        ("output = 'folder/l.toml'", "the launch file '"),
        ("output = 'hard.bin'", "the PTX '"),
        ("output = 'in.bin'", "the contents '"),
        ("output = 'soft.bin'", "the contents '"),
        ("output = 'p.toml'", "the preset '"),
        (
            "output = 'new.bin'\n[[symbols]]\nname = 'x'\ntype = 'u32'\nvalues = [1]\noutput = 'to-new.bin'",
            "the output '",
        ),
    ] {
        launch(here, lines);
        let before: Vec<Vec<u8>> =
            ["k.ptx", "l.toml", "in.bin", "want.bin"].map(|n| fs::read(here.join(n)).expect("there")).into();
        for command in ["exec", "sim", "cosim"] {
            let (ptx, launch, preset) = (here.join("k.ptx"), here.join("l.toml"), here.join("p.toml"));
            let mut line = vec![command, "-q", text(&ptx), "--launch", text(&launch)];
            if command != "exec" {
                line.extend(["-p", text(&preset)]);
            } else if what.contains("preset") {
                continue;
            }
            heddle(&line).fails(2, &["l.toml:", "would be written over", what]);
        }
        let after: Vec<Vec<u8>> =
            ["k.ptx", "l.toml", "in.bin", "want.bin"].map(|n| fs::read(here.join(n)).expect("there")).into();
        assert_eq!(before, after, "{lines}");
        assert!(!here.join("new.bin").exists());
    }
    // A link to a file of its own is one.
    launch(here, "output = 'to-new.bin'");
    heddle(&["exec", "-q", text(&here.join("k.ptx")), "--launch", text(&here.join("l.toml"))]).passes();
    assert_eq!(fs::read(here.join("new.bin")).expect("written").len(), 256);
}

#[test]
fn an_output_that_cannot_be_written_is_no_fault_of_the_kernel() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let here = folder.path();
    let long = "n".repeat(300);
    launch(here, &format!("output = '{long}'"));
    let (ptx, launch) = (here.join("k.ptx"), here.join("l.toml"));
    for command in ["exec", "sim"] {
        let line = [command, "-q", text(&ptx), "--launch", text(&launch)];
        let ran = heddle(&line).fails(1, &["cannot write", &long, "too long"]);
        assert!(!ran.stderr.contains("kernel fails"), "{}", ran.stderr);
    }
}

#[test]
fn a_file_of_results_is_never_written_over_an_input() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let here = folder.path();
    launch(here, "");
    let ptx = here.join("baseline-k.vcd");
    fs::rename(here.join("k.ptx"), here.join("k")).expect("renamed");
    symlink(here.join("k"), &ptx).expect("a link");
    let (kernel, launch) = (here.join("k"), here.join("l.toml"));
    heddle(&[
        "cosim",
        "-q",
        text(&kernel),
        "--launch",
        text(&launch),
        "--results",
        text(here),
        "--waves",
        "vcd",
    ])
    .fails(2, &["baseline-k.vcd would be written over the PTX", "--results"]);
}

/// Waves of a run in `folder`, from cycle 0 on.
fn waves<'a>(folder: &'a Path, cycles: &'a str) -> [&'a str; 10] {
    let results = text(folder);
    ["cosim", "-q", "-k", "vectoradd", "--waves", "vcd", "--waves-cycles", cycles, "--results", results]
}

#[test]
fn runs_in_one_folder_at_once_keep_apart() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let lock = File::create(folder.path().join(".baseline-vectoradd-smoke.lock")).expect("writable");
    lock.lock().expect("nobody else has it");
    // As long as another run has the name, this one takes the next.
    let table = heddle(&waves(folder.path(), "50")).passes().stdout;
    assert!(table.contains("baseline-vectoradd-smoke-2.vcd"), "{table}");
    let view = fs::read_to_string(folder.path().join("baseline-vectoradd-smoke-2.gtkw")).expect("a view");
    assert!(view.contains("[dumpfile] \"baseline-vectoradd-smoke-2.vcd\""), "{view}");
    assert!(!folder.path().join("baseline-vectoradd-smoke.vcd").exists());
    drop(lock);
    heddle(&waves(folder.path(), "50")).passes();
    let visible: Vec<String> = names(folder.path());
    assert_eq!(visible.iter().filter(|n| n.ends_with(".vcd")).count(), 2, "{visible:?}");
    assert!(!visible.iter().any(|n| n.starts_with('.')), "{visible:?}");
}

#[test]
fn runs_of_several_settings_keep_apart() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let line = [&waves(folder.path(), "50")[..], &["--set", "l2.latency=100,200"]].concat();
    let table = heddle(&line).passes().stdout;
    for place in ["1-l2.latency=100", "2-l2.latency=200"] {
        let wave = format!("{place}/baseline-vectoradd-smoke.vcd");
        assert!(folder.path().join(&wave).is_file() && table.contains(&wave), "{wave}: {table}");
    }
}

#[test]
fn a_killed_run_leaves_nothing_under_a_final_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    // The model is built before the clock below runs.
    heddle(&waves(&folder.path().join("first"), "50")).passes();
    let killed = folder.path().join("killed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .current_dir(cases())
        .args([
            "cosim",
            "-q",
            "-k",
            "vectoradd",
            "-s",
            "small",
            "--waves",
            "vcd",
            "--waves-cycles",
            "1000000",
        ])
        .args(["--results", text(&killed)])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let part = killed.join(".baseline-vectoradd-small.vcd.part");
    let begin = Instant::now();
    while fs::metadata(&part).map_or(0, |m| m.len()) < 4096 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no waveform begins: {:?}", names(&killed));
        assert!(child.try_wait().expect("a child").is_none(), "the run is too short for this test");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("killed");
    child.wait().expect("a child");
    let left = names(&killed);
    assert!(left.iter().all(|name| name.starts_with('.')), "{left:?}");
    // The next run of that name clears away what it left.
    let run = ["cosim", "-q", "-k", "vectoradd", "-s", "small", "--waves", "fst", "--waves-cycles", "50"];
    heddle(&[&run[..], &["--results", text(&killed)]].concat()).passes();
    let after = names(&killed);
    let expected = ["fst", "gtkw", "sucl"].map(|e| format!("baseline-vectoradd-small.{e}"));
    assert_eq!(after, expected);
}
