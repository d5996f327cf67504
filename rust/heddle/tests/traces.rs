//! Traces through the real program: the sample traces of `heddle-trace`, and faulty copies of them.

use std::path::{Path, PathBuf};

use crate::common::{heddle, text};

fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../heddle-trace/tests/samples")
}

#[test]
fn a_list_gives_the_same_cycles_with_model_and_rtl() {
    let list = samples().join("kernelslist.g");
    for design in ["baseline", "ltrf"] {
        let run = |engine| {
            let ran = heddle(&[engine, "-q", text(&list), "-d", design, "--format", "json"]);
            // The first kernel's trace is of version 3 and has barriers; the others are of version 5.
            let ran = ran.warns(&["kernel-1.traceg:31:17: kernel _Z3addPfS_: BAR.SYNC has no number"]);
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
            ran.json()
        };
        let (sim, cosim) = (run("sim"), run("cosim"));
        assert_eq!((sim.len(), cosim.len()), (1, 1));
        for key in ["kernel", "launches", "ctas", "cycles", "warp_instructions", "registers"] {
            assert_eq!(sim[0][key], cosim[0][key], "{design}: {key}");
        }
        // Warp instructions as counted by hand: 23, 9 and 4 x 2 x 20.
        assert_eq!((&cosim[0]["launches"], &cosim[0]["warp_instructions"]), (&3.into(), &192.into()));
        assert_eq!((&cosim[0]["kernel"], &cosim[0]["ctas"]), (&"samples".into(), &7.into()));
        for key in ["operands_compared", "results_compared", "memory_words_compared", "controls_compared"] {
            assert!(cosim[0][key].as_u64().is_some_and(|n| n > 0), "{design}: {key}");
        }
        assert!(cosim[0]["reference_words_compared"].is_null());
    }
}

#[test]
fn the_table_says_how_many_kernels_a_row_sums() {
    let list = samples().join("kernelslist.g");
    let ran = heddle(&["sim", "-q", text(&list)]).warns(&["BAR.SYNC"]);
    assert!(ran.stdout.contains("3 kernels"), "{}", ran.stdout);
    let widest = ran.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(120), "{}", ran.stdout);
    let single = heddle(&["sim", "-q", text(&samples().join("kernel-3.traceg.xz"))]).passes();
    assert!(!single.stdout.contains("kernels"), "{}", single.stdout);
}

#[test]
fn a_single_trace_runs_and_what_does_not_apply_is_shown_as_such() {
    let trace = samples().join("kernel-3.traceg.xz");
    let table = heddle(&["cosim", "-q", text(&trace), "-d", "baseline"]).passes().stdout;
    assert!(table.contains("kernel-3") && table.contains('–'), "{table}");
    heddle(&["exec", "-q", text(&trace)]).fails(2, &["kernel-3.traceg.xz is a trace", "`heddle sim`"]);
    let help = heddle(&["exec", "--help"]).passes().stdout;
    assert!(help.contains("A PTX file of your own") && !help.contains("trace"), "{help}");
    assert!(heddle(&["sim", "--help"]).passes().stdout.contains("or a trace"));
    heddle(&["compile", text(&trace)]).fails(2, &["kernel-3.traceg.xz"]);
}

#[test]
fn a_fault_in_a_trace_is_shown_at_its_place() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let good = std::fs::read_to_string(samples().join("kernel-1.traceg")).expect("the sample");
    let faulty = folder.path().join("kernel-1.traceg");
    let list = folder.path().join("kernelslist.g");
    std::fs::write(&list, "MemcpyHtoD,0x00007fb52a800000,8192\nkernel-1.traceg\n").expect("writable");
    let end = good.find("0040 ffffffff").expect("an instruction");
    for (text_of, part) in [
        (good.replacen("FADD", "FROB", 1), "kernel-1.traceg:29:20: opcode FROB is not known for sm_70"),
        (good[..end].to_owned(), "found the end of the file"),
        (good.replacen("000000ff", "000001ff", 1), "mask 000001ff has lanes that the block does not have"),
        (good.replacen("insts = 9", "insts = 4294967295", 1), "4294967295 declared, 9 found"),
    ] {
        assert_ne!(text_of, good);
        std::fs::write(&faulty, text_of).expect("writable");
        for file in [&list, &faulty] {
            for engine in ["sim", "cosim"] {
                heddle(&[engine, "-q", text(file)]).fails(2, &["kernel-1.traceg", part]);
            }
        }
    }
    std::fs::remove_file(&faulty).expect("removable");
    heddle(&["sim", "-q", text(&list)]).fails(2, &["kernel-1.traceg", "cannot open"]);
    heddle(&["sim", "-q", text(Path::new("none.g"))]).fails(2, &["none.g", "cannot open"]);
}

#[test]
fn what_a_message_quotes_of_a_trace_does_not_steer_the_terminal() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let faulty = folder.path().join("kernel-1.traceg");
    let good = std::fs::read_to_string(samples().join("kernel-1.traceg")).expect("the sample");
    std::fs::write(&faulty, good.replacen("FADD", "FADD\x1b[31m", 1)).expect("writable");
    let ran = heddle(&["sim", "-q", text(&faulty)]).fails(2, &["opcode FADD\\u{1b}[31m is not known"]);
    assert!(!ran.stderr.contains('\x1b'), "{}", ran.stderr);
}

#[test]
fn a_trace_is_written_where_it_can_be_and_says_what_else_is_there() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let trace =
        |out: &Path, kernel: &str| heddle(&["trace", "-q", "-s", "smoke", "-k", kernel, "-o", text(out)]);
    let out = folder.path().join("out");
    trace(&out, "pathfinder").passes();
    let launches = std::fs::read_to_string(out.join("kernelslist.g")).expect("written").lines().count();
    assert!(launches > 1, "{launches}");
    std::fs::write(out.join("notes.g"), "").expect("writable");
    let left = format!("has not written, {} in all; ", launches - 1);
    trace(&out, "vectoradd").warns(&["vectoradd: ", &left, "kernelslist.g does not name them"]);
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writable");
    for (kernels, lines) in [("vectoradd", 1), ("vectoradd,bfs", 2)] {
        let ran = trace(&file, kernels).fails(1, &["cannot write", text(&file)]);
        assert_eq!(ran.stderr.lines().count(), lines, "{}", ran.stderr);
    }
}
