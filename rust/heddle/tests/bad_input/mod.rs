//! Bad input and failing runs of the real program: each a clear message and the right exit code.

mod files;
mod kernels;

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common;
use crate::common::{cases, heddle, heddle_in, interrupt, text, until_it_listens};

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
fn a_window_needs_waves() {
    for window in [["--waves-from", "5"], ["--waves-cycles", "5"]] {
        heddle(&["cosim", "-k", "vectoradd", window[0], window[1]]).fails(2, &["--waves <WAVES>"]);
    }
    heddle(&["cosim", "-k", "vectoradd", "--waves", "vcd", "--waves-cycles", "0"])
        .fails(2, &["--waves-cycles", "0 is not in 1.."]);
}

#[test]
fn a_check_needs_cycles() {
    heddle(&["check-design", "baseline", "--cycles", "0"]).fails(2, &["--cycles", "0 is not in 1.."]);
}

#[test]
fn options_without_a_meaning_are_refused() {
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../heddle-trace/tests/samples/kernel-1.traceg");
    let saxpy = common::cases().join("saxpy.ptx");
    for (line, said) in [
        (&["cosim", trace, "--races", "strict"][..], "--races has no meaning"),
        (
            &["exec", "-k", "vectoradd", "--as-parsed", "--max-registers", "12"],
            "--max-registers has no meaning",
        ),
        (&["compile", text(&saxpy), "-s", "paper"], "--size has a meaning with --kernel only"),
        (&["coverage", "rfc"], "'rfc' is a cycle model without RTL"),
        (&["new-design", "own", "--from", "rfc"], "'rfc' is a cycle model without RTL"),
    ] {
        heddle(line).fails(2, &[said]);
    }
}

#[test]
fn a_run_may_take_as_many_cycles_as_it_is_given() {
    let line = ["-q", "-k", "vectoradd", "--format", "json"];
    let sim = |more: &[&str]| heddle(&[&["sim"], &line[..], more].concat());
    let cycles = sim(&[]).passes().json()[0]["cycles"].as_u64().expect("a number");
    let (all, fewer) = (cycles.to_string(), (cycles - 1).to_string());
    for more in [&[][..], &["--sms", "2", "--ctas", "all"]] {
        let cycles = sim(more).passes().json()[0]["cycles"].as_u64().expect("a number");
        let (all, fewer) = (cycles.to_string(), (cycles - 1).to_string());
        sim(&[more, &["--max-cycles", &all]].concat()).passes();
        let said = format!("did not end within {fewer} cycles");
        sim(&[more, &["--max-cycles", &fewer]].concat()).fails(1, &[&said]);
    }
    let cosim = |limit: &str| heddle(&[&["cosim"], &line[..], &["--max-cycles", limit]].concat());
    cosim(&all).passes();
    cosim(&fewer).fails(1, &["did not end within"]);
    // The cycles after the last CTA in which a design writes lines back count too.
    let cerf = |more: &[&str]| sim(&[&["-d", "cerf"], more].concat());
    let row = cerf(&[]).passes().json().remove(0);
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let cycles = number(&row["cycles"]) + number(&row["statistics"]["flush.cycles"]);
    cerf(&["--max-cycles", &cycles.to_string()]).passes();
    cerf(&["--max-cycles", &(cycles - 1).to_string()]).fails(1, &["did not end within"]);
}

#[test]
fn the_repository_may_be_named_from_here() {
    heddle_in(&[("HEDDLE_ROOT", "../../../..")], &["cosim", "-q", "-k", "vectoradd", "--format", "csv"])
        .passes();
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
    until_it_listens(&mut child);
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().expect("a child").is_none(), "the run is too short for this test");
    interrupt(&child);
    let signalled = Instant::now();
    let output = child.wait_with_output().expect("a child");
    let took = signalled.elapsed();
    assert_eq!(output.status.code(), Some(130));
    assert!(took < Duration::from_secs(10), "it took {took:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("interrupted after"), "{stderr}");
}
