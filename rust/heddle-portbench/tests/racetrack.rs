//! The RTL of the racetrack register file and its cycle model under random traffic and random mappings.

mod common;

use common::{Bench, Falsify, root};
use heddle_port::PortConfig;
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::{Manifest, planted};

fn bench(elaboration: Option<&str>, width: Option<i64>) -> Bench {
    Bench::new("racetrack", elaboration, width)
}

fn port(preshift: bool) -> PortConfig {
    PortConfig { active_warps: 48, preshift, ..common::port() }
}

/// A shifting bank gives its place back: the first word of the design's own configuration.
fn releasing(preshift: bool) -> PortConfig {
    PortConfig { own: [1, 0, 0, 0, 0, 0, 0, 0], ..port(preshift) }
}

/// Registers are interleaved over the banks: the second word.
fn interleaved(preshift: bool) -> PortConfig {
    PortConfig { own: [0, 1, 0, 0, 0, 0, 0, 0], ..port(preshift) }
}

/// Read, write and shift cycles that differ from each other.
fn ports() -> [PortConfig; 8] {
    [
        port(true),
        port(false),
        PortConfig { write_cycles: 4, ..port(true) },
        PortConfig { bank_cycles: 3, shift_cycles: 2, ..port(true) },
        PortConfig { bank_cycles: 2, write_cycles: 5, shift_cycles: 3, ..port(false) },
        releasing(false),
        PortConfig { bank_cycles: 2, write_cycles: 3, shift_cycles: 2, ..releasing(true) },
        interleaved(true),
    ]
}

#[test]
fn rtl_and_model_agree_for_every_latency() {
    let bench = bench(None, None);
    for (seed, port) in (1..).zip(ports()) {
        bench.clean(port, seed, 20_000);
    }
    bench.clean(PortConfig { rows_per_bank: 37, ..port(true) }, 9, 10_000);
}

/// The macro that moves its domains past the ports, step by step with the one that counts the shifts: all
/// outputs in every cycle, and every operand's value in both.
#[test]
fn moving_domains_and_a_position_register_are_the_same() {
    let (still, moving) = (bench(None, None), bench(Some("moving"), None));
    for (seed, port) in
        (30..).zip([port(true), PortConfig { write_cycles: 2, shift_cycles: 2, ..port(false) }])
    {
        let mut one = still.library.instance(seed).expect("an instance");
        let mut other = moving.library.instance(seed + 100).expect("an instance");
        let config = still.config(&one, port);
        let summary = run(&config, &mut one, &mut other, seed, 4_000).unwrap_or_else(|e| panic!("{e}"));
        assert!(summary.operands > 1_000, "too little compared: {summary}");
        // The same traffic, with the operand values of the other one compared.
        let mut other = moving.library.instance(seed).expect("an instance");
        let mut one = still.library.instance(seed).expect("an instance");
        run(&config, &mut other, &mut one, seed, 4_000).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// SRAM behind the queues: a port for every row.
#[test]
#[ignore = "verilates one more elaboration"]
fn queued_sram_agrees_too() {
    let bench = bench(Some("sram"), None);
    for (seed, port) in (40..).zip(ports()) {
        bench.clean(port, seed, 20_000);
    }
    bench.clean(PortConfig { rows_per_bank: 64, ..port(false) }, 49, 20_000);
    bench.names_event(common::port(), "read_wait", 3);
}

#[test]
#[ignore = "verilates one more elaboration"]
fn wider_ports_agree_too() {
    bench(None, Some(4)).clean(port(true), 20, 50_000);
}

/// A million cycles in all; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_agree() {
    let bench = bench(None, None);
    for seed in 100..104 {
        for port in ports() {
            bench.clean(port, seed, 52_000);
        }
    }
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let bench = bench(None, None);
    let cases: [(Falsify, &str); 2] = [
        (|out| out.result_ready[1] ^= true, "result_ready"),
        (|out| out.status.bank_busy[0] ^= 1 << 3, "bank_busy"),
    ];
    for (falsify, name) in cases {
        bench.names(common::port(), falsify, name);
    }
    for (event, bit) in [("shift", 9), ("preshift", 4), ("position", 2)] {
        bench.names_event(common::port(), event, bit);
    }
}

/// Every planted bug makes a difference, and the bench finds it.
#[test]
#[ignore = "verilates the design with its planted bugs"]
fn every_planted_bug_is_found() {
    let manifest = Manifest::load(root(), "racetrack").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = planted::build(root(), &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let attempt = |bug: Option<&str>, seed: u64, port: PortConfig| {
        let mut rtl = library.instance(seed, bug).expect("an instance");
        let config = BenchConfig::new(&manifest, rtl.made_with(), port);
        let mut model = heddle_designs::create("racetrack", rtl.made_with()).expect("the model");
        let outcome = run(&config, &mut rtl, &mut *model, seed, 20_000);
        (outcome, rtl.activations().expect("a count"))
    };
    let (clean, activations) = attempt(None, 1, port(true));
    assert!(clean.is_ok() && activations == 0, "without a bug: {clean:?}");
    for bug in library.bugs() {
        let found = (1..).zip(ports()).any(|(seed, port)| {
            let (outcome, activations) = attempt(Some(&bug.id), seed, port);
            if let Err(failure) = &outcome {
                assert!(activations > 0, "{} was never active: {failure}", bug.id);
                println!("{}: {failure}", bug.id);
            }
            outcome.is_err()
        });
        assert!(found, "{} is not found", bug.id);
    }
}
