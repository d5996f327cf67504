//! Kernels that do what they may not, or never end.

use super::{COSIM, EXEC, case};
use crate::common::{cases, heddle, text};

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
