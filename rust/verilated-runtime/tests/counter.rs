//! Builds a small counter and makes it work, fail, print and dump.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use verilated_runtime::build::{BuildError, Coverage, ModelBuild, Shim, Trace, Verilator};
use verilated_runtime::{Instance, Library, Options, RandomReset, RunError};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn out() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("counter")
}

fn verilator() -> Verilator {
    Verilator::locate(&[here("../../build/tools/venv")]).expect("scripts/tools.sh fetches Verilator")
}

fn counter() -> ModelBuild {
    let text = std::fs::read_to_string(here("tests/counter/counter_shim.cpp")).expect("the shim");
    ModelBuild::new("counter", Shim::new("counter_shim.cpp", text))
        .directory(here("tests/counter"))
        .source(here("tests/counter/counter.sv"))
        .parameter("Limit", 7)
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let model = counter()
            .build(&verilator(), &out(), &mut |stage| println!("{stage}"))
            .expect("the counter builds");
        Library::open(&model.library).expect("the counter loads")
    })
}

fn instance(seed: u64) -> Instance {
    library().instance(&Options { seed, ..Options::default() }).expect("an instance")
}

/// One cycle without bulk data; returns (count, unset).
fn step(counter: &mut Instance, reset_n: u32, enable: u32, fail: u32) -> Result<[u32; 2], RunError> {
    let mut output = [0; 2];
    counter.cycle(&[reset_n, enable, fail], &[0; 4], &mut output, &mut [0; 4])?;
    Ok(output)
}

#[test]
fn counts_and_moves_wide_data() {
    let mut counter = instance(1);
    step(&mut counter, 0, 0, 0).unwrap();
    for expected in 1..=5 {
        assert_eq!(step(&mut counter, 1, 1, 0).unwrap()[0], expected);
    }
    let mut wide = [0; 4];
    let data = [0x0123_4567, 0x89ab_cdef, 0xdead_beef, 0xa];
    counter.cycle(&[1, 1, 0], &data, &mut [0; 2], &mut wide).unwrap();
    assert_eq!(wide, [!data[0], !data[1], !data[2], 0x5]);
    assert_eq!(counter.cycles(), 7);
    assert_eq!(counter.info(), [32, 100]);
    assert_eq!(counter.control(7, 41).unwrap(), 42);
    assert!(counter.control(8, 0).unwrap_err().to_string().contains("code 7 only"));
}

#[test]
fn every_kind_of_failure_is_an_error_with_its_text() {
    let cases = [
        (1, "[4] %Error: counter.sv:27", "count 3 is at its limit"),
        (2, "counter.sv:28", "asked for an error at count 3"),
        (3, "counter.sv:29", "asked for a fatal error at count 3"),
        (4, "counter.sv:30", "Verilog $stop"),
    ];
    for (fail, place, text) in cases {
        let mut counter = instance(1);
        step(&mut counter, 0, 0, 0).unwrap();
        for _ in 0..3 {
            step(&mut counter, 1, 1, 0).unwrap();
        }
        let message = step(&mut counter, 1, 1, fail).unwrap_err().to_string();
        assert!(message.contains(text), "{fail}: {message}");
        assert!(message.contains(place), "{fail}: {message}");
        assert_eq!(message.lines().count(), 1, "{fail}: {message}");
        let again = step(&mut counter, 1, 1, 0).unwrap_err().to_string();
        assert_eq!(message, again, "a failed model stays failed");
    }
}

#[test]
fn finish_and_prints_are_told() {
    let mut counter = library()
        .instance(&Options { plusargs: vec!["+announce".to_owned()], ..Options::default() })
        .unwrap();
    step(&mut counter, 0, 0, 0).unwrap();
    assert_eq!(counter.take_output(), "announced\n");
    step(&mut counter, 1, 1, 6).unwrap();
    assert_eq!(counter.take_output(), "count is 0\n");
    assert!(!counter.finished());
    step(&mut counter, 1, 1, 5).unwrap();
    assert!(counter.finished());
    counter.take_output();
    counter.finish().unwrap();
    assert_eq!(counter.take_output(), "final count 2\n");
    assert!(step(&mut counter, 1, 1, 0).is_err());
}

#[test]
fn the_seed_sets_the_initial_state() {
    let unset = |seed, random_reset| {
        let mut counter = library().instance(&Options { seed, random_reset, ..Options::default() }).unwrap();
        step(&mut counter, 0, 0, 0).unwrap()[1]
    };
    let random: Vec<u32> = (0..4).map(|s| unset(s, RandomReset::Random)).collect();
    for (i, a) in random.iter().enumerate() {
        assert!(!random[..i].contains(a), "{random:x?}");
    }
    assert_eq!(unset(3, RandomReset::Random), random[3]);
    assert_eq!(unset(3, RandomReset::Zeros), 0);
    assert_eq!(unset(3, RandomReset::Ones), u32::MAX);
}

#[test]
fn instances_run_in_threads_at_once() {
    let runs: Vec<_> = (0..8)
        .map(|seed| {
            let mut counter = instance(seed);
            std::thread::spawn(move || {
                step(&mut counter, 0, 0, 0)?;
                for _ in 0..2000 {
                    step(&mut counter, 1, u32::from(seed != 5), 0)?;
                }
                step(&mut counter, 1, 1, u32::from(seed == 6))
            })
        })
        .collect();
    for (seed, run) in runs.into_iter().enumerate() {
        let end = run.join().unwrap();
        match seed {
            5 => assert_eq!(end.unwrap()[0], 1),
            6 => assert!(end.unwrap_err().to_string().contains("count 2000 is at")),
            _ => assert_eq!(end.unwrap()[0], 2001),
        }
    }
}

#[test]
fn a_waveform_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counter.vcd");
    let mut counter = instance(1);
    step(&mut counter, 0, 0, 0).unwrap();
    step(&mut counter, 1, 1, 0).unwrap();
    counter.trace_open(&path).unwrap();
    assert!(counter.trace_open(&path).is_err(), "one waveform at a time");
    assert!(counter.restart_count().is_err(), "time cannot go back");
    for enable in [1, 0, 1] {
        step(&mut counter, 1, enable, 0).unwrap();
    }
    counter.trace_flush().unwrap();
    counter.trace_close().unwrap();
    step(&mut counter, 1, 1, 0).unwrap();

    // A second waveform of the same model.
    let second = folder.path().join("second.vcd");
    counter.trace_open(&second).unwrap();
    step(&mut counter, 1, 1, 0).unwrap();
    counter.trace_close().unwrap();

    // Cycle n begins at n ns: its registers and its inputs together.
    let changes = |path: &Path, name: &str| -> Vec<(u64, u32)> {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut parser = vcd::Parser::new(file);
        let header = parser.parse_header().unwrap();
        let code = header.find_var(&["TOP", "counter", name]).unwrap().code;
        let (mut time, mut changes) = (0, Vec::new());
        for command in parser {
            match command.unwrap() {
                vcd::Command::Timestamp(t) => time = t,
                vcd::Command::ChangeVector(c, v) if c == code => {
                    let bits = v.iter().fold(0, |n, b| n << 1 | u32::from(b == vcd::Value::V1));
                    changes.push((time, bits));
                }
                vcd::Command::ChangeScalar(c, v) if c == code => {
                    changes.push((time, u32::from(v == vcd::Value::V1)));
                }
                _ => {}
            }
        }
        changes
    };
    let until = |t: u64| (2..).map(|n| n * 1000).take_while(move |&x| x <= t);
    assert_eq!(changes(&path, "count_o"), [(2000, 1), (3000, 2), (5000, 3)]);
    assert_eq!(changes(&path, "enable_i"), [(2000, 1), (3000, 0), (4000, 1)]);
    let clock: Vec<_> = until(4000).flat_map(|t| [(t, 1), (t + 500, 0)]).chain([(5000, 1)]).collect();
    assert_eq!(changes(&path, "clk_i"), clock);
    assert_eq!(changes(&second, "count_o"), [(6000, 4), (7000, 5)]);
    counter.restart_count().unwrap();
    assert_eq!(counter.cycles(), 0);
}

#[test]
fn the_waveform_of_a_failure_can_be_closed_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failure.vcd");
    let mut counter = instance(1);
    step(&mut counter, 0, 0, 0).unwrap();
    counter.trace_open(&path).unwrap();
    step(&mut counter, 1, 1, 0).unwrap();
    assert!(step(&mut counter, 1, 1, 3).is_err());
    counter.trace_close().unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut parser = vcd::Parser::new(file);
    parser.parse_header().unwrap();
    let last = parser.map(|command| command.unwrap()).filter_map(|command| match command {
        vcd::Command::Timestamp(t) => Some(t),
        _ => None,
    });
    assert_eq!(last.last(), Some(3000), "the edge that failed is in it");
}

#[test]
fn waveform_errors_are_errors() {
    let mut counter = instance(1);
    let missing = counter.trace_open(Path::new("/nowhere/at/all.vcd")).unwrap_err().to_string();
    assert!(missing.contains("/nowhere/at/all.vcd"), "{missing}");
    assert!(missing.contains("No such file"), "{missing}");

    counter.trace_open(Path::new("/dev/full")).unwrap();
    step(&mut counter, 0, 0, 0).unwrap();
    let full = counter.trace_flush().unwrap_err().to_string();
    assert!(full.contains("No space left"), "{full}");
    let full = counter.trace_close().unwrap_err().to_string();
    assert!(full.contains("No space left"), "{full}");
}

#[test]
fn what_was_covered_is_told() {
    let build = counter().trace(Trace::None).coverage(Coverage::Counted);
    let model = build.build(&verilator(), &out(), &mut |stage| println!("{stage}")).unwrap();
    // From a random state the reset would count as edges.
    let zeros = Options { random_reset: RandomReset::Zeros, ..Options::default() };
    let mut counter = Library::open(&model.library).unwrap().instance(&zeros).unwrap();
    step(&mut counter, 0, 0, 0).unwrap();
    for _ in 0..2 {
        step(&mut counter, 1, 1, 0).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counter.dat");
    counter.coverage_write(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let count = |place: &str| -> u64 {
        let line = text.lines().find(|line| line.contains(place)).expect(place);
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(count("count_q[0]:0->1"), 1);
    assert_eq!(count("count_q[1]:0->1"), 1);
    assert_eq!(count("count_q[2]:0->1"), 0);
    assert!(count("\u{1}S\u{2}21") > 0, "the line that counts");

    let missing = counter.coverage_write(Path::new("/nowhere/at/all.dat")).unwrap_err().to_string();
    assert!(missing.contains("Can't write '/nowhere/at/all.dat'"), "{missing}");
    let plain = instance(1).coverage_write(&path).unwrap_err().to_string();
    assert!(plain.contains("without coverage"), "{plain}");
}

#[test]
fn a_wrong_buffer_is_refused() {
    let mut counter = instance(1);
    let error = counter.cycle(&[0; 2], &[0; 4], &mut [0; 2], &mut [0; 4]);
    assert_eq!(error, Err(RunError::Shape { buffer: "input", expected: 3, found: 2 }));
}

#[test]
fn build_errors_name_the_place() {
    let missing =
        counter().source(here("tests/counter/none.sv")).build(&verilator(), &out(), &mut |_| {}).unwrap_err();
    assert!(matches!(missing, BuildError::Read { .. }));
    assert!(missing.to_string().contains("none.sv"), "{missing}");

    let wrong = "module counter(input logic clk_i);\n  logic [7:0] a;\n  assign a = b;\nendmodule\n";
    let wrong = ModelBuild::new("counter", Shim::new("shim.cpp", ""))
        .source_text("some/place/wrong.sv", wrong)
        .build(&verilator(), &out(), &mut |_| {})
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("verilation of counter failed"), "{wrong}");
    assert!(wrong.contains("some/place/wrong.sv:3"), "{wrong}");

    let shim = ModelBuild::new("counter", Shim::new("bad_shim.cpp", "int x = nothing;\n"))
        .source(here("tests/counter/counter.sv"))
        .build(&verilator(), &out(), &mut |_| {})
        .unwrap_err()
        .to_string();
    assert!(shim.contains("bad_shim.cpp:1"), "{shim}");

    let not_there = Library::open(Path::new("not_there.so")).unwrap_err();
    assert!(matches!(not_there, RunError::Load { .. }), "{not_there}");
}

#[test]
fn a_build_is_made_once_and_again_when_something_changes() {
    let small = |limit: u32| {
        let mut stages = 0;
        let build = counter().trace(Trace::None).parameter("Limit", limit);
        let model = build.build(&verilator(), &out(), &mut |_| stages += 1).unwrap();
        (model, stages)
    };
    let (built, _) = small(1);
    let home = built.library.parent().unwrap();
    std::fs::remove_dir_all(home).unwrap();
    // Two builders of the same model at once: one builds, both get it.
    let (a, b) = std::thread::scope(|s| {
        let a = s.spawn(|| small(1));
        let b = s.spawn(|| small(1));
        (a.join().unwrap(), b.join().unwrap())
    });
    assert_eq!(a.0.library, built.library);
    assert_eq!(b.0.library, built.library);
    assert_ne!(a.0.cached, b.0.cached);
    assert_eq!(small(1).1, 0);
    assert_ne!(small(2).0.library, built.library);
    let work = home.with_file_name(format!(".{}.work", home.file_name().unwrap().to_str().unwrap()));
    assert!(!work.exists(), "nothing is left over");

    let mut plain = Library::open(&built.library).unwrap().instance(&Options::default()).unwrap();
    let error = plain.trace_open(Path::new("none.vcd")).unwrap_err().to_string();
    assert!(error.contains("without waveforms"), "{error}");
    assert_eq!(step(&mut plain, 0, 0, 0).unwrap()[0], 0);
}

/// What a killed builder left is not taken for a model.
#[test]
fn an_unfinished_build_is_made_anew() {
    let build = counter().trace(Trace::None).parameter("Limit", 3);
    let model = build.build(&verilator(), &out(), &mut |_| {}).unwrap();
    let home = model.library.parent().unwrap();
    std::fs::remove_file(&model.library).unwrap();
    let work = home.with_file_name(format!(".{}.work", home.file_name().unwrap().to_str().unwrap()));
    std::fs::create_dir_all(work.join("generated")).unwrap();
    std::fs::write(work.join("generated/Vold.cpp"), "this is not C++").unwrap();
    let again = build.build(&verilator(), &out(), &mut |_| {}).unwrap();
    assert_eq!(again.library, model.library);
    assert!(!again.cached);
    assert!(Library::open(&again.library).is_ok());
}
