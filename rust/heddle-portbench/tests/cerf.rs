//! CERF's RTL and its cycle model under random traffic through both ports.

mod common;

use common::{Bench, Falsify};
use heddle_port::{DesignError, MemIn, MemOut, MemorySide, PortConfig, RegIn, RegOut, RegisterFile};
use heddle_portbench::{BenchConfig, FailureKind, run};
use heddle_rtl::Manifest;

fn port(active_warps: u8) -> PortConfig {
    PortConfig { active_warps, rows_per_bank: 64, ..common::port() }
}

const PRIORITIZED: bool = false;
const FAIR: bool = true;

/// A run with few registers, which leave room to lines, or many. Those of odd seeds are interleaved.
fn clean(bench: &Bench, (ways, fair): (u8, bool), most_registers: usize, seed: u64, cycles: u64) {
    let manifest = Manifest::load(common::root(), "cerf").expect("the manifest");
    let mut rtl = bench.library.instance(seed).expect("an instance");
    let interleaved = seed % 2 == 1;
    let port = PortConfig { ways, fair, own: [interleaved.into(), 0, 0, 0, 0, 0, 0, 0], ..port(32) };
    let config = BenchConfig { most_registers, ..BenchConfig::new(&manifest, rtl.made_with(), port) };
    let mut model = heddle_designs::create("cerf", rtl.made_with()).expect("the model");
    let what =
        format!("{ways} ways, fair {fair}, interleaved {interleaved}, up to {most_registers} registers");
    let summary = run(&config, &mut rtl, &mut *model, seed, cycles)
        .unwrap_or_else(|failure| panic!("{what}: {failure}"));
    println!("{what}: {summary}");
    assert!(summary.operands > cycles / 50 && summary.loaded > cycles / 10, "too little compared: {summary}");
    if fair {
        assert!(summary.refills > cycles / 1000 && summary.spills >= summary.refills, "{summary}");
    } else {
        assert_eq!((summary.spills, summary.refills), (0, 0), "no register is spilled");
    }
}

#[test]
fn rtl_and_model_agree_with_few_and_many_registers() {
    let bench = Bench::new("cerf", None, None);
    for (seed, registers) in [(1, 4), (2, 16), (3, 24)] {
        clean(&bench, (4, PRIORITIZED), registers, seed, 20_000);
    }
    bench.clean(port(32), 3, 20_000);
}

#[test]
fn rtl_and_model_agree_where_registers_spill() {
    let bench = Bench::new("cerf", None, None);
    for (seed, registers) in [(1, 4), (2, 16), (3, 96), (4, 96)] {
        clean(&bench, (4, FAIR), registers, seed, 20_000);
    }
}

#[test]
#[ignore = "builds other elaborations"]
fn other_associativities_agree_too() {
    for (name, ways) in [("2-way", 2), ("8-way", 8)] {
        let bench = Bench::new("cerf", Some(name), None);
        // Few registers alone leave none to be spilled.
        for (fair, registers) in [(PRIORITIZED, [4, 32]), (FAIR, [16, 96])] {
            for (seed, most) in (4..).zip(registers) {
                clean(&bench, (ways, fair), most, seed, 20_000);
            }
        }
    }
}

#[test]
#[ignore = "a million cycles of each policy"]
fn a_million_cycles_agree() {
    let bench = Bench::new("cerf", None, None);
    for fair in [PRIORITIZED, FAIR] {
        for seed in 100..110 {
            clean(&bench, (4, fair), [2, 8, 24, 96][seed as usize % 4], seed, 100_000);
        }
    }
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let bench = Bench::new("cerf", None, None);
    let cases: [(Falsify, &str); 2] = [
        (|out| out.issue_ready[1] ^= true, "issue_ready"),
        (|out| out.status.bank_busy[0] ^= 1 << 2, "bank_busy"),
    ];
    for (falsify, name) in cases {
        bench.names(port(8), falsify, name);
    }
    bench.names_event(port(8), "entry", 3);
}

/// The right model, whose memory port shows the outputs of the reset.
struct Deaf(Box<dyn RegisterFile + Send>, MemOut);

impl Deaf {
    fn side(&mut self) -> &mut dyn MemorySide {
        self.0.memory_side().expect("the memory port")
    }
}

impl RegisterFile for Deaf {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let out = self.0.reset(config)?;
        self.1 = *self.side().memory_out();
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.0.step(input, out)
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        Some(self)
    }
}

impl MemorySide for Deaf {
    fn memory_out(&self) -> &MemOut {
        &self.1
    }

    fn drive_memory(&mut self, input: &MemIn) {
        self.side().drive_memory(input);
    }
}

#[test]
fn a_model_that_never_takes_a_request_is_named() {
    let bench = Bench::new("cerf", None, None);
    let manifest = Manifest::load(common::root(), "cerf").expect("the manifest");
    let mut rtl = bench.library.instance(1).expect("an instance");
    let config = BenchConfig::new(&manifest, rtl.made_with(), port(8));
    let model = heddle_designs::create("cerf", rtl.made_with()).expect("the model");
    let mut model = Deaf(model, MemOut::default());
    let failure = run(&config, &mut rtl, &mut model, 1, 2_000).expect_err("the fault is found");
    assert!(
        matches!(&failure.kind, FailureKind::Output { field, .. } if field.starts_with("memory.")),
        "{failure}"
    );
}

#[test]
fn a_wrong_configuration_is_an_error() {
    let bench = Bench::new("cerf", None, None);
    let mut out = RegOut::default();
    for (config, name) in [
        (PortConfig { bank_cycles: 2, ..port(8) }, "OneCycleABank"),
        (PortConfig { ways: 8, ..port(8) }, "WaysAreThere"),
    ] {
        let mut rtl = bench.library.instance(1).expect("an instance");
        let error = rtl.reset(&config).and_then(|_| rtl.step(&RegIn::default(), &mut out));
        let error = error.expect_err("the elaboration is another one");
        assert!(error.to_string().contains(name), "{error}");
    }
}
