//! Kernels as nvcc and clang compile them, with the results that the same source has on a CPU.
//!
//! `nvcc/make.sh` makes the PTX and the results. Each kernel is `k(in, out, n)`: 128 threads in two CTAs,
//! 1024 words in and out.

use std::path::{Path, PathBuf};

use crate::common::{heddle, text};

/// Words of each buffer.
const WORDS: u64 = 1024;
/// Kernels whose PTX is executed, debug and clang forms included.
const LEAST_EXECUTED: usize = 30;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvcc")
}

/// A PTX file, its source's name, and the first line of the source.
struct Case {
    ptx: PathBuf,
    name: String,
    compared: String,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("the folder of the kernels") {
        let ptx = entry.expect("a file").path();
        if ptx.extension().is_none_or(|e| e != "ptx") {
            continue;
        }
        let file = ptx.file_name().and_then(|f| f.to_str()).expect("a name in UTF-8");
        let name = file.split('.').next().unwrap_or(file).to_owned();
        let source = std::fs::read_to_string(folder().join(format!("{name}.cu"))).expect("the source");
        let first = source.lines().next().unwrap_or_default();
        let compared = first.strip_prefix("// compared: ").expect("what is compared").to_owned();
        cases.push(Case { ptx, name, compared });
    }
    cases.sort_by(|a, b| a.ptx.cmp(&b.ptx));
    cases
}

/// A launch file of a case, written to `to`.
fn launch(case: &Case, to: &Path) -> PathBuf {
    let (element, tolerance) = match case.compared.split_once(' ') {
        None => ("u32", String::new()),
        Some((element, tolerance)) => (element, format!("relative_tolerance = {tolerance}\n")),
    };
    let file = to.join(format!("{}.toml", case.name));
    let (input, expected) = (folder().join("input.npy"), folder().join(format!("{}.npy", case.name)));
    let out = if element == "f64" { WORDS / 2 } else { WORDS };
    let launch = format!(
        "entry = 'k'\ngrid = [2]\nblock = [64]\ndynamic_shared_bytes = 1024\n\
         [[args]]\ntype = 'u32'\nfill = 'file'\nfile = {input:?}\n\
         [[args]]\ntype = '{element}'\nelements = {out}\nfill = 'zero'\nexpect = {expected:?}\n{tolerance}\
         [[args]]\ntype = 'u32'\nvalue = 128\n"
    );
    std::fs::write(&file, launch).expect("writable");
    file
}

fn executed() -> Vec<Case> {
    let cases: Vec<Case> = cases().into_iter().filter(|c| !c.compared.starts_with("refused: ")).collect();
    assert!(cases.len() >= LEAST_EXECUTED, "only {} kernels are executed", cases.len());
    cases
}

/// Runs every case and asserts that all of its output was compared; `arguments` stand before the file.
fn all_pass(arguments: &[&str]) {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    for case in executed() {
        let launch = launch(&case, temporary.path());
        let mut line = arguments.to_vec();
        line.extend([text(&case.ptx), "--launch", text(&launch), "-q", "--format", "json"]);
        let ran = heddle(&line);
        let prints = case.name == "printing";
        let ran = if prints { ran.warns(&["this call prints nothing", "printing"]) } else { ran.passes() };
        for row in ran.json() {
            assert!(row["reference_words_compared"].as_u64() >= Some(WORDS / 2), "{row}");
            assert_eq!(row["ok"], true, "{row}");
        }
    }
}

#[test]
fn the_golden_machine_computes_what_a_cpu_does() {
    all_pass(&["exec"]);
    all_pass(&["exec", "--as-parsed"]);
    all_pass(&["exec", "--max-registers", "16"]);
}

#[test]
fn both_designs_compute_what_a_cpu_does() {
    all_pass(&["cosim", "--design", "baseline,ltrf"]);
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let mut refused = 0;
    for case in cases() {
        if let Some(reason) = case.compared.strip_prefix("refused: ") {
            heddle(&["compile", text(&case.ptx)]).fails(1, &[reason, &format!("{}.ptx:", case.name)]);
            refused += 1;
        }
    }
    assert!(refused >= 2, "only {refused} kernels are refused");
}

#[test]
fn every_command_tells_of_a_call_that_prints_nothing() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let case = executed().into_iter().find(|c| c.name == "printing").expect("the kernel that prints");
    let launch = launch(&case, temporary.path());
    let (ptx, launch) = (text(&case.ptx), text(&launch));
    let source = std::fs::read_to_string(&case.ptx).expect("readable");
    let calls = (1..).zip(source.lines()).filter(|(_, l)| l.contains("vprintf, "));
    let places: Vec<String> = calls.map(|(line, _): (u32, _)| format!("printing.ptx:{line}:")).collect();
    assert_eq!(places.len(), 2, "the source calls printf twice");
    for command in ["compile", "exec", "sim", "cosim"] {
        let line: &[&str] =
            if command == "compile" { &[command, ptx] } else { &[command, "-q", ptx, "--launch", launch] };
        let ran = heddle(line).warns(&["warning: this call prints nothing", &places[0], &places[1]]);
        assert!(!ran.stdout.contains("warning"), "{}", ran.stdout);
        assert_eq!(ran.stderr.matches("warning:").count(), 2, "{}", ran.stderr);
    }
}

/// An entry that prints nothing is told of no other that does.
#[test]
fn a_kernel_beside_one_that_prints_is_not_warned_of() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let case = executed().into_iter().find(|c| c.name == "printing").expect("the kernel that prints");
    let source = std::fs::read_to_string(&case.ptx).expect("readable");
    let ptx = temporary.path().join("two.ptx");
    std::fs::write(&ptx, source + "\n.visible .entry silent() { ret; }\n").expect("writable");
    let launch = temporary.path().join("l.toml");
    std::fs::write(&launch, "entry = 'silent'\ngrid = [1]\nblock = [32]\n").expect("writable");
    heddle(&["compile", text(&ptx), "--entry", "silent"]).passes();
    for command in ["exec", "sim"] {
        heddle(&[command, "-q", text(&ptx), "--launch", text(&launch)]).passes();
    }
}

#[test]
fn modules_are_linked_from_the_command_line_and_from_a_launch_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path
    };
    const HEAD: &str = ".version 8.5\n.target sm_75\n.address_size 64\n";
    let main = write(
        "main.ptx",
        &format!(
            "{HEAD}.extern .func (.param .b32 r) twice(.param .b32 x);\n.visible .entry k(.param .u64 out)\n{{\n\
             .reg .b64 %a<4>;\n.reg .b32 %r<4>;\n.param .b32 x, y;\nld.param.u64 %a0, [out];\nmov.u32 %r0, %tid.x;\n\
             mul.wide.u32 %a1, %r0, 4;\nadd.u64 %a2, %a0, %a1;\nst.param.b32 [x], %r0;\ncall (y), twice, (x);\n\
             ld.param.b32 %r1, [y];\nst.global.u32 [%a2], %r1;\nret;\n}}\n"
        ),
    );
    let library = write(
        "library.ptx",
        &format!(
            "{HEAD}.visible .func (.param .b32 r) twice(.param .b32 x)\n{{\n.reg .b32 %v;\nld.param.u32 %v, [x];\n\
             add.u32 %v, %v, %v;\nst.param.b32 [r], %v;\nret;\n}}\n"
        ),
    );
    let want: Vec<u8> = (0..64_u32).flat_map(|i| (2 * i).to_le_bytes()).collect();
    std::fs::write(folder.path().join("want.bin"), want).expect("writable");
    let arguments = "grid = 1\nblock = 64\n[[args]]\ntype = 'u32'\nelements = 64\nexpect = 'want.bin'\n";
    let launch = write("launch.toml", arguments);
    let linking = write("linking.toml", &format!("link = ['library.ptx']\n{arguments}"));
    let run = |command: &[&str], launch: &Path, more: &[&str]| {
        let line =
            [command, &[text(&main), "--launch", text(launch), "-q", "--format", "json"], more].concat();
        heddle(&line)
    };
    let link = ["--link", text(&library)];
    for ran in [
        run(&["exec"], &launch, &link),
        run(&["exec"], &linking, &[]),
        run(&["cosim", "--design", "baseline"], &linking, &[]),
    ] {
        assert_eq!(ran.passes().json()[0]["reference_words_compared"], 64);
    }
    run(&["exec"], &launch, &[]).fails(1, &["'twice' has no body in the PTX", "main.ptx:15:", "--link"]);
    run(&["exec"], &linking, &link).fails(1, &["'twice' is defined twice", "library.ptx:4:"]);
    let gone = write("gone.toml", &format!("link = ['library.ptx', 'gone.ptx']\n{arguments}"));
    run(&["exec"], &gone, &[]).fails(2, &["gone.toml:1:24: cannot use '", "gone.ptx': No such file"]);
    heddle(&["compile", text(&main), "--link", text(&library)]).passes();
    heddle(&["launch-template", text(&main), "--link", text(&library)]).passes();
    let help = heddle(&["launch-template", "--help"]).passes().stdout;
    assert!(help.contains("may be given several times") && !help.contains("each key once"), "{help}");
}
