//! Files that cannot be read, that are something else, or that do not fit what is asked.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{cases, heddle, text};

#[test]
fn a_byte_order_mark_is_accepted() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let marked = |name: &str, from: std::path::PathBuf| {
        let path = folder.path().join(name);
        let good = std::fs::read_to_string(from).expect("a text");
        std::fs::write(&path, format!("\u{feff}{good}")).expect("writable");
        path
    };
    let ptx = marked("race.ptx", cases().join("equal_writes.ptx"));
    let launch = marked("l.toml", cases().join("one_output_128.toml"));
    let preset = marked("p.toml", cases().join("../../../../presets/maxwell.toml"));
    heddle(&["sim", "-q", text(&ptx), "--launch", text(&launch), "-p", text(&preset)]).passes();
    let rows = heddle(&["exec", "-q", "-k", "vectoradd", "--format", "json"]).passes().stdout;
    let results = folder.path().join("r.jsonl");
    let rows = rows.replacen('{', "{\"design\":\"d\",", 1);
    std::fs::write(&results, format!("\u{feff}{rows}")).expect("writable");
    heddle(&["compare", text(&results), text(&results)]).passes();
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let reason = "No such file";
    heddle(&["compile", "gone.ptx"]).fails(2, &["gone.ptx", reason]);
    heddle(&["launch-template", "gone.ptx"]).fails(2, &["gone.ptx", reason]);
    heddle(&["sim", "-p", "gone.toml"]).fails(2, &["gone.toml", reason]);
    heddle(&["compare", "gone.jsonl", "gone.jsonl"]).fails(2, &["gone.jsonl", reason]);
    for command in ["cosim", "sim", "exec"] {
        heddle(&[command, "gone.ptx", "--launch", "one_output.toml"]).fails(2, &["gone.ptx", reason]);
        heddle(&[command, "saxpy.ptx", "--launch", "gone.toml"]).fails(2, &["gone.toml", reason]);
        heddle(&[command, "saxpy.ptx"]).fails(2, &["--launch"]);
    }
    heddle(&["compile", "."]).fails(2, &["cannot read ."]);
}

/// A pipe that nobody writes would block for ever, a device or a huge file would fill the memory.
#[test]
fn files_without_end_are_refused_at_once() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (pipe, preset_pipe) = (path("pipe"), path("pipe.toml"));
    for pipe in [&pipe, &preset_pipe] {
        assert!(Command::new("mkfifo").arg(pipe).status().expect("mkfifo runs").success());
    }
    let sparse = |name: &str, bytes| {
        std::fs::File::create(path(name)).and_then(|f| f.set_len(bytes)).expect("a sparse file");
        path(name)
    };
    let (ptx, launch) = (sparse("huge.ptx", 3 << 30), sparse("huge.toml", (1 << 20) + 1));
    let begin = Instant::now();
    for (arguments, parts) in [
        (&["compile", &ptx][..], &["huge.ptx: it has more than 67108864 bytes; expected PTX text"][..]),
        (&["exec", &ptx, "--launch", "one_output.toml"], &["huge.ptx: it has more than 67108864 bytes"]),
        (&["exec", "/dev/zero", "--launch", "one_output.toml"], &["/dev/zero: it is not a regular file"]),
        (&["compile", &pipe], &["pipe: it is not a regular file; expected PTX text"]),
        (&["exec", "saxpy.ptx", "--launch", &pipe], &["it is not a regular file; expected a launch file"]),
        (
            &["exec", "saxpy.ptx", "--launch", &launch],
            &["it has more than 1048576 bytes; expected a launch file"],
        ),
        (&["exec", "-k", "bfs", "--input", &pipe], &["it is not a regular file"]),
        (&["sim", "-k", "bfs", "-p", &preset_pipe], &["it is not a regular file; expected a preset"]),
        (&["sim", "-k", "bfs", "-p", &launch], &["it has more than 1048576 bytes; expected a preset"]),
        (&["compare", &pipe, &pipe], &["it is not a regular file"]),
    ] {
        heddle(arguments).fails(2, parts);
    }
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn files_that_are_no_ptx_are_wrong_use_and_say_what_to_do() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, part) in [
        ("kernelslist.g", "without --launch"),
        ("kernel-1.traceg", "without --launch"),
        ("saxpy.cu", "compile it to PTX first"),
        ("x.npy", "name it in a launch file"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, "not PTX").expect("writable");
        heddle(&["compile", text(&file)]).fails(2, &[name, part]);
        heddle(&["launch-template", text(&file)]).fails(2, &[name, part]);
        for command in ["cosim", "sim", "exec"] {
            heddle(&[command, text(&file), "--launch", "one_output.toml"]).fails(2, &[name, part]);
        }
    }
    let trace = folder.path().join("x.ptx");
    std::fs::write(&trace, "-kernel name = k\n-kernel id = 1\n").expect("writable");
    for arguments in [&["compile"][..], &["launch-template"], &["exec"], &["sim"], &["cosim"]] {
        let parts = ["x.ptx is a trace by its first line", "ends in .traceg"];
        heddle(&[arguments, &[text(&trace)]].concat()).fails(2, &parts);
    }
    heddle(&["sim", "one_output.toml"]).fails(2, &["one_output.toml is a launch file by its name"]);
}

#[test]
fn an_entry_that_is_not_there_is_wrong_use() {
    for command in ["compile", "launch-template"] {
        heddle(&[command, "saxpy.ptx", "--entry", "saxpi"])
            .fails(2, &["there is no kernel 'saxpi'", "did you mean 'saxpy'?"]);
        heddle(&[command, "saxpy.ptx", "--entry", "saxpy"]).passes();
    }
    let folder = tempfile::tempdir().expect("temporary folder");
    let two = folder.path().join("two.ptx");
    let head = ".version 8.0\n.target sm_70\n.address_size 64\n";
    std::fs::write(&two, format!("{head}.entry a() {{ ret; }}\n.entry b() {{ ret; }}\n")).expect("writable");
    for command in ["compile", "launch-template"] {
        heddle(&[command, text(&two)]).fails(2, &["more than one kernel", "with --entry: a, b"]);
        heddle(&[command, text(&two), "--entry", "b"]).passes();
    }
}

#[test]
fn what_has_no_meaning_with_a_file_is_refused() {
    for command in ["cosim", "sim", "exec"] {
        heddle(&[command, "kernelslist.g", "--max-registers", "32"])
            .fails(2, &["kernelslist.g is a trace", "--max-registers has no meaning"]);
        heddle(&[command, "saxpy.ptx", "--launch", "one_output.toml", "-s", "small"])
            .fails(2, &["--size", "cannot be used with"]);
    }
}

#[test]
fn what_has_a_meaning_with_a_file_only_is_refused_beside_a_kernel() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let out = ["-o", text(folder.path())];
    let shipped: [&[&str]; 3] =
        [&["-k", "vectoradd"], &["-s", "small"], &["-k", "bfs", "--input", "graph.txt"]];
    for (command, more) in [("cosim", &[][..]), ("sim", &[]), ("exec", &[]), ("trace", &out)] {
        for (kernel, option) in shipped.iter().flat_map(|kernel| {
            [["--launch", "one_output.toml"], ["--link", "saxpy.ptx"]].map(|option| (kernel, option))
        }) {
            let line = [&[command][..], *kernel, &option, more].concat();
            heddle(&line).fails(2, &[option[0], "cannot be used with"]);
        }
    }
    let mapping = ["compile", "-k", "reduction", "--emit", "mapping"];
    heddle(&[&mapping[..], &["--link", "saxpy.ptx"]].concat()).fails(2, &["--link", "cannot be used with"]);
    heddle(&[&mapping[..], &["--arch", "sm_80"]].concat())
        .fails(2, &["--arch has a meaning with FILE.dot only"]);
}

#[test]
fn launch_files_are_checked_before_anything_runs() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let launch = folder.path().join("l.toml");
    let good = std::fs::read_to_string(cases().join("input_output.toml")).expect("the launch file");
    let refused = |from: &str, to: &str, parts: &[&str]| {
        assert!(good.contains(from));
        std::fs::write(&launch, good.replacen(from, to, 1)).expect("writable");
        for command in ["cosim", "sim", "exec"] {
            heddle(&[command, "-q", "uninitialised.ptx", "--launch", text(&launch)]).fails(2, parts);
        }
    };
    refused("grid", "entry = 'x'\ngrid", &["l.toml:2:9: the PTX has no entry 'x'; it has: "]);
    refused("elements", "elments", &["l.toml:7:1: unknown key 'elments'; did you mean 'elements'?"]);
    refused(
        "fill = \"zero\"",
        "expect = 'gone.npy'",
        &["l.toml:13:10: cannot use", "gone.npy", "No such file"],
    );
    refused("fill = \"zero\"", "output = 'gone/x'", &["l.toml:13:10: cannot use", "its folder"]);
    refused("fill = \"zero\"", "output = ''", &["l.toml:13:10: 'output' is '', expected the name of a file"]);
    refused("grid", "link = ['gone.ptx']\ngrid", &["l.toml:2:9: cannot use '", "gone.ptx': No such file"]);
    refused(
        "type = \"u32\"\nelements = 64\nfill = \"iota\"",
        "type = 'u8'\nelements = 257\nfill = 'permutation'",
        &["'elements' is 257, expected at most 256: u8 has no more whole numbers for fill = \"permutation\""],
    );
    let shared = good.replacen("grid", "dynamic_shared_bytes = 70000\ngrid", 1);
    std::fs::write(&launch, shared).expect("writable");
    heddle(&["sim", "-q", "uninitialised.ptx", "--launch", text(&launch)])
        .fails(2, &["l.toml:2:24: 'dynamic_shared_bytes' is 70000, expected at most 65536"]);
}
