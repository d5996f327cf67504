//! Bad input and failing runs of the real program: each a clear message and the right exit code.

mod common;

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{cases, heddle, text};

/// The engines that run kernels, with what they need beside the kernel.
const COSIM: [&str; 2] = ["cosim", "-q"];
const EXEC: [&str; 2] = ["exec", "-q"];

/// Runs a kernel of `tests/cases`.
fn case(engine: [&'static str; 2], ptx: &str, launch: &str) -> common::Ran {
    heddle(&[engine[0], engine[1], ptx, "--launch", launch])
}

#[test]
fn broken_ptx_is_shown_at_its_place() {
    let caret = "11 |     frobnicate.u32 %r2, %r1;\n   |     ^^^^^^^^^^";
    for ran in [heddle(&["compile", "broken.ptx"]), case(COSIM, "broken.ptx", "one_output.toml")] {
        ran.fails(1, &["broken.ptx:11:2", "'frobnicate' is not a PTX instruction", caret]);
    }
}

#[test]
fn names_that_do_not_exist_are_answered_with_the_nearest() {
    heddle(&["cosim", "-d", "ltfr"])
        .fails(2, &["unknown design 'ltfr'; did you mean 'ltrf'? Known are: baseline"]);
    heddle(&["sim", "-d", "ltfr"]).fails(2, &["unknown design 'ltfr'", "did you mean 'ltrf'?"]);
    for command in ["cosim", "sim", "exec"] {
        heddle(&[command, "-k", "hotspod"])
            .fails(2, &["unknown kernel 'hotspod'", "did you mean 'hotspot'?"]);
    }
    heddle(&["sim", "-s", "smal"]).fails(2, &["unknown size 'smal'", "smoke, small or paper"]);
    heddle(&["sim", "-p", "maxwel"])
        .fails(2, &["unknown preset 'maxwel'; did you mean 'maxwell'? Presets: fermi, maxwell, rf-1"]);
    heddle(&["sim", "-p", "zebra"]).fails(2, &["unknown preset 'zebra'; presets: "]);
    heddle(&["cosim", "-q", "-k", "vectoradd", "--fault", "lane-droped"])
        .fails(2, &["no planted bug 'lane-droped'", "did you mean 'lane-dropped'?"]);
    heddle(&["cosmi"]).fails(2, &["cosmi"]);
}

#[test]
fn a_misspelt_key_of_a_preset_is_refused_in_a_file_and_on_the_command_line() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let preset = folder.path().join("mine.toml");
    let shipped = cases().join("../../../../presets/maxwell.toml");
    let good = std::fs::read_to_string(shipped).expect("the preset");
    std::fs::write(&preset, &good).expect("writable");
    heddle(&["sim", "-q", "-k", "vectoradd", "-p", text(&preset)]).passes();
    let bad = good.replace("bank_cycles", "bank_cycels");
    assert_ne!(good, bad);
    std::fs::write(&preset, bad).expect("writable");
    let parts = ["unknown key 'register_file.bank_cycels'", "did you mean 'bank_cycles'?"];
    heddle(&["sim", "-k", "vectoradd", "-p", text(&preset)]).fails(2, &[parts[0], parts[1], "mine.toml"]);
    heddle(&["sim", "-k", "vectoradd", "--set", "register_file.bank_cycels=3"]).fails(2, &parts);
    heddle(&["sim", "--set", "register_file"]).fails(2, &["path.to.key=value"]);
}

#[test]
fn a_parameter_out_of_its_range_is_answered_with_the_range() {
    for command in ["cosim", "sim"] {
        let run = |set: &[&str]| heddle(&[&[command, "-q", "-k", "vectoradd"], set].concat());
        let large = ["--set", "register_file.rows_per_bank=5000"];
        let gives = "(register_file.rows_per_bank * 16 + num_banks - 1) / num_banks = 5000, which gives design.rows_per_bank, is out";
        run(&large).fails(2, &["design 'baseline'", gives, "2 to 4096"]);
        run(&["--set", "design.issue_width=5"]).fails(2, &["design.issue_width = 5 is out of range: 1 to 4"]);
        run(&["--set", "design.isue_width=2"])
            .fails(2, &["no parameter 'isue_width'", "did you mean 'issue_width'?"]);
        run(&["--set", "design.issue_width=two"]).fails(2, &["design.issue_width takes an integer", "'two'"]);
    }
    // Any size within the range.
    heddle(&["sim", "-q", "-k", "vectoradd", "--set", "register_file.rows_per_bank=4096"]).passes();
}

#[test]
fn the_time_of_a_bank_is_not_guessed_beyond_what_is_measured() {
    let few = ["bank-time", "-q", "vectoradd", "--values", "1,2", "--set", "register_file.banks=4"];
    let with = |more: &[&str]| heddle(&[&few[..], more].concat());
    let reference = ["--reference", "register_file.banks=128"];
    let rows = with(&[&reference[..], &["--ratios", "4", "--format", "json"]].concat()).passes().json();
    let of = |row: usize| (rows[row]["reference"] == true, rows[row]["ratio"].as_f64().expect("a number"));
    assert_eq!((rows.len(), of(0)), (4, (true, 1.0)));
    assert!(!of(1).0 && of(1).1 > 1.5, "{rows:?}");
    with(&[&reference[..], &["--ratios", "1"]].concat()).fails(2, &["for 1x a smaller one is needed"]);
    with(&["--ratios", "9"]).fails(2, &["for 9x a greater one is needed"]);
    let time = ["--reference", "register_file.bank_cycles=4"];
    with(&time).fails(2, &["register_file.bank_cycles: the time of a bank is what is measured"]);
}

#[test]
fn a_configuration_that_the_design_refuses_names_key_and_remedy() {
    let parts = ["scheduler.active_warps = 48: 1 to 32 warps fit", "--set scheduler.active_warps=N"];
    let fermi = ["sim", "-q", "-k", "vectoradd", "-d", "ltrf", "-p", "fermi"];
    heddle(&fermi).fails(2, &parts);
    heddle(&[&fermi[..], &["--set", "scheduler.active_warps=8"]].concat()).passes();
}

#[test]
fn results_that_cannot_be_written_are_a_failure_and_a_closed_pipe_is_none() {
    let to = |output: Stdio, arguments: &[&str]| {
        let child = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .current_dir(cases())
            .args(arguments)
            .stdout(output)
            .stderr(Stdio::piped())
            .spawn();
        let ended = child.and_then(|child| child.wait_with_output()).expect("the program runs");
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    };
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device").into();
    let reason = "heddle: cannot write to standard output: No space left on device";
    let bounds = ["exec", "-q", "out_of_bounds.ptx", "--launch", "input_output.toml", "--format", "csv"];
    for (arguments, part) in [
        (&["sim", "-q", "-k", "vectoradd"][..], reason),
        (&["exec", "-q", "-k", "vectoradd"], reason),
        (&["list", "presets"], reason),
        (&["compile", "saxpy.ptx"], reason),
        (&["launch-template", "saxpy.ptx"], reason),
        (&["--help"], reason),
        (&["--version"], reason),
        (&["cosim", "--help"], reason),
        (&["completions", "bash"], reason),
        (&["man"], reason),
        // Both reasons are told.
        (&bounds, "thread (63,0,0)"),
        (&bounds, reason),
    ] {
        let (code, stderr) = to(full(), arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains(part), "{arguments:?}: {stderr}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let (code, stderr) = to(writer.into(), arguments);
        assert!(!stderr.contains("standard output"), "{arguments:?}: {stderr}");
        assert_eq!(code, Some(i32::from(arguments == bounds)), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_read_out_of_bounds_names_buffer_thread_and_line() {
    for engine in [COSIM, EXEC] {
        case(engine, "out_of_bounds.ptx", "input_output.toml").fails(
            1,
            &[
                "thread (63,0,0)",
                "out_of_bounds.ptx:16:2",
                "ld.global.u32 %r2, [%rd4+4];",
                "'input'",
                "0x10000100",
            ],
        );
    }
    heddle(&["sim", "out_of_bounds.ptx", "--launch", "input_output.toml"])
        .fails(1, &["thread [63, 0, 0]", "out_of_bounds.ptx:16:2", "'input'"]);
}

#[test]
fn a_read_of_what_nobody_wrote_is_named() {
    for engine in [COSIM, EXEC] {
        case(engine, "uninitialised.ptx", "input_output.toml").passes();
        case(engine, "uninitialised.ptx", "unfilled.toml")
            .fails(1, &["thread (0,0,0)", "uninitialised.ptx:16:2", "'input'", "never written"]);
    }
}

#[test]
fn a_race_on_shared_memory_names_both_lines() {
    for engine in [COSIM, EXEC] {
        case(engine, "race.ptx", "one_output_128.toml").fails(
            1,
            &[
                "race",
                "race.ptx:19:2",
                "st.shared.u32 [%r4], %r1;",
                "race.ptx:22:2",
                "ld.shared.u32 %r7, [%r6];",
            ],
        );
    }
}

/// Writes of equal values by several warps are no race, and are counted, unless asked for.
#[test]
fn equal_writes_of_shared_memory_are_counted() {
    let run = |engine: [&'static str; 2], more: &[&'static str]| {
        heddle(
            &[&[engine[0], engine[1], "equal_writes.ptx", "--launch", "one_output_128.toml"], more].concat(),
        )
    };
    for engine in [COSIM, EXEC] {
        // Three warps find what the first one wrote.
        let json = run(engine, &["--format", "json"]).passes().json();
        assert_eq!(json[0]["equal_shared_writes"], 96, "{json:?}");
        let table = run(engine, &["--races", "values"]).passes().stdout;
        let line =
            "96 writes of shared memory found the value that another warp had written; `--races strict`";
        assert!(table.contains(line), "{table}");
        let place = "st.shared.u32 [%r2], %r3;";
        run(engine, &["--races", "strict"]).fails(1, &["race", "equal_writes.ptx:16:2", place]);
    }
    run(["sim", "-q"], &["--races", "strict"]).fails(2, &["--races", "heddle cosim"]);
}

/// A run that compared no operands is not a pass, nor a mismatch: the kernel has none.
#[test]
fn a_kernel_without_register_operands_says_what_was_compared() {
    let launch = "one_output.toml";
    case(COSIM, "no_operands.ptx", launch)
        .fails(1, &["the kernel gives no operands", "compared and found equal: ", "words of final memory"]);
    case(["sim", "-q"], "no_operands.ptx", launch).passes();
    case(EXEC, "no_operands.ptx", launch).passes();
}

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
fn a_barrier_that_is_never_met_names_who_waits() {
    let parts = ["barrier.ptx:16:2", "bar.sync 2;", "barrier.ptx:19:2", "bar.sync 1;"];
    for engine in [COSIM, EXEC] {
        case(engine, "barrier.ptx", "one_output.toml").fails(1, &parts);
    }
    heddle(&["sim", "barrier.ptx", "--launch", "one_output.toml"])
        .fails(1, &["a barrier that is never met", "waits for barrier 1 before barrier.ptx:21:2: `mul.wide"])
        .fails(1, &["waits for barrier 2 before barrier.ptx:17:2: `bra DONE;`"]);
}

#[test]
fn a_run_that_takes_too_long_says_what_each_warp_waits_for() {
    for command in ["cosim", "sim"] {
        let ran = heddle(&[command, "-q", "-k", "vectoradd", "--max-cycles", "800"]);
        let ran = ran.fails(1, &["did not end within 800 cycles", "waits for the load of R"]);
        assert_eq!(ran.stderr.matches("waits for").count(), 64, "{}", ran.stderr);
        heddle(&[command, "-q", "-k", "vectoradd", "--max-cycles", "0"])
            .fails(2, &["--max-cycles", "0 is not in 1.."]);
    }
}

#[test]
fn a_launch_that_does_not_fit_is_refused() {
    for command in ["cosim", "sim", "exec"] {
        heddle(&[command, "-q", "barrier.ptx", "--launch", "too_many_threads.toml"])
            .fails(2, &["too_many_threads.toml:3:", "'block' is 2048", "1 to 1024"]);
    }
    heddle(&["sim", "-q", "-k", "matrixmul", "--set", "shared_memory.bytes=1024"])
        .fails(1, &["matrixmul", "the launch fails", "shared memory"]);
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
fn a_window_needs_waves() {
    for window in [["--waves-from", "5"], ["--waves-cycles", "5"]] {
        heddle(&["cosim", "-k", "vectoradd", window[0], window[1]]).fails(2, &["--waves <WAVES>"]);
    }
    heddle(&["cosim", "-k", "vectoradd", "--waves", "vcd", "--waves-cycles", "0"])
        .fails(2, &["--waves-cycles", "0 is not in 1.."]);
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

#[test]
fn an_unexpected_output_is_a_failed_run_and_still_written() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let here = |name: &str| folder.path().join(name);
    let launch = std::fs::read_to_string(cases().join("input_output.toml")).expect("the launch file");
    let results = "fill = \"zero\"\nexpect = 'want.bin'\noutput = 'out.bin'";
    std::fs::write(here("l.toml"), launch.replacen("fill = \"zero\"", results, 1)).expect("writable");
    std::fs::write(here("want.bin"), [7; 256]).expect("writable");
    let part = "64 of 64 elements of 'output' differ from the expected output";
    for command in ["exec", "sim", "cosim"] {
        let _ = std::fs::remove_file(here("out.bin"));
        let ran = heddle(&[command, "-q", "uninitialised.ptx", "--launch", text(&here("l.toml"))]);
        let ran = ran.fails(1, &[part, "want.bin'; first: element 0 is", "expected 117901063"]);
        assert!(!ran.stderr.contains("reference"), "{}", ran.stderr);
        let written = std::fs::read(here("out.bin")).expect("written");
        std::fs::copy(here("out.bin"), here("good.bin")).expect("a copy");
        assert_eq!(written.len(), 256);
    }
    std::fs::copy(here("good.bin"), here("want.bin")).expect("a copy");
    heddle(&["exec", "-q", "uninitialised.ptx", "--launch", text(&here("l.toml"))]).passes();
}

#[test]
fn a_functional_run_that_takes_too_long_is_ended() {
    heddle(&["exec", "-q", "-k", "vectoradd", "--max-instructions", "1000"])
        .fails(1, &["vectoradd did not end within 1000 warp instructions (--max-instructions)", "CTA"]);
    heddle(&["exec", "-q", "-k", "vectoradd", "--max-instructions", "1000000"]).passes();
    heddle(&["exec", "--max-instructions", "0"]).fails(2, &["--max-instructions"]);
}

#[test]
fn waves_need_the_rtl() {
    heddle(&["sim", "-k", "vectoradd", "--waves", "vcd"]).fails(2, &["--waves", "heddle cosim"]);
    // So do planted bugs.
    heddle(&["sim", "-k", "vectoradd", "--fault", "lane-dropped"]).fails(2, &["--fault", "heddle cosim"]);
}

#[test]
fn a_full_disk_under_the_waves_is_named() {
    for (design, format) in [("baseline", "vcd"), ("ltrf", "fst")] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let vcd = folder.path().join(format!("{design}-vectoradd-smoke.vcd"));
        let part = folder.path().join(format!(".{design}-vectoradd-smoke.vcd.part"));
        symlink("/dev/full", part).expect("a symbolic link");
        let results = text(folder.path());
        heddle(&["cosim", "-q", "-d", design, "-k", "vectoradd", "--waves", format, "--results", results])
            .fails(1, &["cannot write", text(&vcd), "No space left on device"]);
    }
}

#[test]
fn a_results_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writable");
    let results = file.join("results");
    heddle(&["cosim", "-q", "-k", "vectoradd", "--waves", "vcd", "--results", text(&results)])
        .fails(1, &["cannot write", text(&results)]);
}

#[test]
fn ctrl_c_ends_a_long_run_soon() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .current_dir(cases())
        .args(["sim", "-k", "matrixmul", "-s", "paper", "--ctas", "all"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().expect("a child").is_none(), "the run is too short for this test");
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    assert!(sent.success());
    let signalled = Instant::now();
    let output = child.wait_with_output().expect("a child");
    let took = signalled.elapsed();
    assert_eq!(output.status.code(), Some(130));
    assert!(took < Duration::from_secs(10), "it took {took:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("interrupted after"), "{stderr}");
}
