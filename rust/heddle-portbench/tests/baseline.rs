//! The baseline's RTL and its cycle model under random traffic.

use std::path::Path;

use heddle_port::{DesignError, PortConfig, RegIn, RegOut, RegisterFile};
use heddle_portbench::{BenchConfig, FailureKind, Summary, run};
use heddle_rtl::{Manifest, ModelLibrary, build};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn design(elaboration: Option<&str>, width: Option<i64>) -> (Manifest, ModelLibrary) {
    let manifest = Manifest::load(root(), "baseline").expect("the manifest");
    let mut elaboration = manifest.elaboration(elaboration).expect("the elaboration").clone();
    if let Some(width) = width {
        for name in ["IssueWidth", "ResultWidth"] {
            elaboration.parameters.insert(name.to_owned(), width);
        }
    }
    let library = build(root(), &manifest, &elaboration, &mut |s| println!("{s}")).expect("a model");
    (manifest, library)
}

fn port(bank_cycles: u8, active_warps: u8) -> PortConfig {
    PortConfig {
        bank_cycles,
        crossbar_cycles: 4,
        active_warps,
        registers_per_interval: 16,
        rows_per_bank: 128,
    }
}

/// One run that must find nothing.
fn clean(
    (manifest, library): &(Manifest, ModelLibrary),
    port: PortConfig,
    seed: u64,
    cycles: u64,
) -> Summary {
    let mut rtl = library.instance(seed).expect("an instance");
    let config = BenchConfig::new(manifest, rtl.widths(), port);
    let mut model = heddle_designs::create("baseline", rtl.widths()).expect("the model");
    let summary = run(&config, &mut rtl, &mut *model, seed, cycles)
        .unwrap_or_else(|failure| panic!("{port:?}: {failure}"));
    println!("{port:?}: {summary}");
    assert!(summary.operands > cycles / 50, "too little compared: {summary}");
    summary
}

#[test]
fn rtl_and_model_agree_for_every_bank_time() {
    let design = design(None, None);
    for (seed, bank_cycles) in [(1, 1), (2, 2), (3, 6)] {
        clean(&design, port(bank_cycles, 8), seed, 20_000);
    }
    clean(&design, port(1, 64), 4, 20_000);
}

#[test]
#[ignore = "builds another elaboration"]
fn four_slots_a_port_agree_too() {
    let design = design(None, Some(4));
    clean(&design, port(1, 32), 5, 20_000);
}

#[test]
#[ignore = "builds another elaboration"]
fn the_large_elaboration_agrees_too() {
    let design = design(Some("8x"), None);
    let large = PortConfig { rows_per_bank: 1024, ..port(3, 32) };
    clean(&design, large, 6, 10_000);
}

/// A million cycles in all; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_agree() {
    let design = design(None, None);
    for seed in 100..105 {
        for (bank_cycles, active) in [(1, 8), (2, 32), (6, 64)] {
            clean(&design, port(bank_cycles, active), seed, 70_000);
        }
    }
}

/// Falsifies one output field.
type Falsify = fn(&mut RegOut);

/// The cycle model with one output field falsified from some cycle on.
struct Falsified {
    inner: Box<dyn RegisterFile + Send>,
    cycle: u64,
    falsify: Falsify,
}

impl RegisterFile for Falsified {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.inner.reset(config)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.inner.step(input, out)?;
        self.cycle += 1;
        if self.cycle >= 500 {
            (self.falsify)(out);
        }
        Ok(())
    }
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let (manifest, library) = design(None, None);
    let cases: [(Falsify, &str); 5] = [
        (|out| out.issue_ready[1] ^= true, "issue_ready"),
        (|out| out.result_ready[0] ^= true, "result_ready"),
        (|out| out.status.bank_busy ^= 1 << 7, "bank_busy"),
        (|out| out.events[0] ^= 1 << 5, "main_bank_read"),
        (|out| out.events[7] ^= 1 << 24, "collectors_in_use"),
    ];
    for (falsify, name) in cases {
        let mut rtl = library.instance(9).expect("an instance");
        let config = BenchConfig::new(&manifest, rtl.widths(), port(1, 8));
        let inner = heddle_designs::create("baseline", rtl.widths()).expect("the model");
        let mut model = Falsified { inner, cycle: 0, falsify };
        let failure = run(&config, &mut rtl, &mut model, 9, 2_000).expect_err("the fault is found");
        assert_eq!(failure.cycle, 500, "{failure}");
        assert!(
            matches!(&failure.kind, FailureKind::Output { field, .. } if field.contains(name)),
            "{name}: {failure}"
        );
    }
}

#[test]
fn more_rows_than_were_elaborated_are_an_error() {
    let (_, library) = design(None, None);
    let mut rtl = library.instance(1).expect("an instance");
    let config = PortConfig { rows_per_bank: 129, ..port(1, 8) };
    let mut out = RegOut::default();
    let error = rtl
        .reset(&config)
        .and_then(|_| rtl.step(&RegIn::default(), &mut out))
        .expect_err("128 rows are there");
    assert!(error.to_string().contains("RowsAreThere"), "{error}");
}
