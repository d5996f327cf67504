//! The RTL of the hybrid register file, with and without power gating, and that of STT-RAM alone, with
//! their cycle models under random traffic.

mod common;

use common::{Bench, Falsify, root};
use heddle_port::PortConfig;
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::{Manifest, planted};

const DESIGNS: [&str; 2] = ["hybrid", "sttram"];

fn port() -> PortConfig {
    PortConfig { active_warps: 1, rows_per_bank: 64, write_cycles: 4, wakeup_cycles: 4, ..common::port() }
}

/// Read, write and wake-up cycles that differ from each other. The bench starts its kernels with power
/// gating and without.
fn ports() -> [PortConfig; 4] {
    [
        port(),
        PortConfig { write_cycles: 1, wakeup_cycles: 1, ..port() },
        PortConfig { bank_cycles: 3, write_cycles: 7, ..port() },
        PortConfig { write_cycles: 30, wakeup_cycles: 40, ..port() },
    ]
}

#[test]
fn rtl_and_model_agree_for_every_latency() {
    for design in DESIGNS {
        let bench = Bench::new(design, None, None);
        for (seed, port) in (1..).zip(ports()) {
            bench.clean(port, seed, 20_000);
        }
    }
}

#[test]
#[ignore = "verilates two more elaborations"]
fn wider_ports_agree_too() {
    for design in DESIGNS {
        Bench::new(design, None, Some(4)).clean(port(), 20, 50_000);
    }
}

/// A million cycles of each design; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_agree() {
    for design in DESIGNS {
        let bench = Bench::new(design, None, None);
        for seed in 100..105 {
            for port in ports() {
                bench.clean(port, seed, 52_000);
            }
        }
    }
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let cases: [(Falsify, &str); 2] = [
        (|out| out.result_ready[1] ^= true, "result_ready"),
        (|out| out.status.bank_busy[0] ^= 1 << 1, "bank_busy"),
    ];
    let bench = Bench::new("hybrid", None, None);
    for (falsify, name) in cases {
        bench.names(port(), falsify, name);
    }
    for (event, bit) in
        [("write_back", 1), ("upper_on_cycles", 0), ("entries_written_back", 2), ("dropped_entries", 34)]
    {
        bench.names_event(port(), event, bit);
    }
    let bench = Bench::new("sttram", None, None);
    bench.names_event(port(), "write_stall", 0);
}

/// Every planted bug makes a difference, and the bench finds it.
#[test]
#[ignore = "verilates the designs with their planted bugs"]
fn every_planted_bug_is_found() {
    for design in DESIGNS {
        let manifest = Manifest::load(root(), design).expect("the manifest");
        let elaboration = manifest.elaboration(None).expect("the default");
        let library =
            planted::build(root(), &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
        let attempt = |bug: Option<&str>, seed: u64, port: PortConfig| {
            let mut rtl = library.instance(seed, bug).expect("an instance");
            let config = BenchConfig::new(&manifest, rtl.made_with(), port);
            let mut model = heddle_designs::create(design, rtl.made_with()).expect("the model");
            let outcome = run(&config, &mut rtl, &mut *model, seed, 20_000);
            (outcome, rtl.activations().expect("a count"))
        };
        let (clean, activations) = attempt(None, 1, port());
        assert!(clean.is_ok() && activations == 0, "without a bug: {clean:?}");
        for bug in library.bugs() {
            let found = (1..).zip(ports()).any(|(seed, port)| {
                let (outcome, activations) = attempt(Some(&bug.id), seed, port);
                if let Err(failure) = &outcome {
                    assert!(activations > 0, "{} was never active: {failure}", bug.id);
                    println!("{design} {}: {failure}", bug.id);
                }
                outcome.is_err()
            });
            assert!(found, "{design}: {} is not found", bug.id);
        }
    }
}
