//! The bench itself, with the bridge's fixture design and a model of it in which faults can be set.

#[path = "../../heddle-rtl/tests/common/mod.rs"]
mod common;

use heddle_port::{
    Command, DesignError, Done, Issue, Operands, PortConfig, PortWidths, RegIn, RegOut, RegisterFile,
};
use heddle_portbench::{BenchConfig, FailureKind, run, run_alone};
use heddle_rtl::{Manifest, RtlRegisterFile, build};

fn config() -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        active_warps: 8,
        registers_per_interval: 16,
        rows_per_bank: 128,
        ..PortConfig::default()
    }
}

fn bench(needs_intervals: bool) -> (BenchConfig, RtlRegisterFile) {
    let root = common::fixture("portbench");
    let manifest = Manifest::load(&root, "flat").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = build(&root, &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let rtl = library.instance(1).expect("an instance");
    let mut bench = BenchConfig::new(&manifest, rtl.widths(), config());
    bench.needs_intervals = needs_intervals;
    bench.most_registers = 60;
    (bench, rtl)
}

/// What the model does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    ForgetsEvent,
    LateReady,
    WrongTag,
    WrongDone,
}

/// The flat design without data.
struct Flat {
    widths: PortWidths,
    fault: Fault,
    cycle: u64,
    held: [Option<u16>; 4],
}

impl Flat {
    fn new(widths: PortWidths, fault: Fault) -> Self {
        Self { widths, fault, cycle: 0, held: [None; 4] }
    }
}

impl RegisterFile for Flat {
    fn reset(&mut self, _: &PortConfig) -> Result<RegOut, DesignError> {
        let mut out = RegOut { command_ready: true, ..RegOut::default() };
        out.issue_ready[..self.widths.issue].fill(true);
        out.result_ready[..self.widths.result].fill(true);
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.cycle += 1;
        let wrong = |fault| self.fault == fault && self.cycle > 500;
        for slot in 0..self.widths.issue {
            let Issue { valid, tag, .. } = input.issue[slot];
            match self.held[slot] {
                None if valid => self.held[slot] = Some(tag),
                Some(_) if input.operands_ready[slot] => self.held[slot] = None,
                _ => {}
            }
            out.issue_ready[slot] = self.held[slot].is_none() && !wrong(Fault::LateReady);
            out.operands[slot] = self.held[slot].map_or_else(Operands::default, |tag| Operands {
                valid: true,
                tag: tag ^ u16::from(wrong(Fault::WrongTag)),
            });
        }
        let writes = (0..self.widths.result).filter(|&r| input.result[r].valid);
        out.events[0] = writes.fold(0, |bits, r| bits | 1 << r);
        out.status.bank_busy = u32::from(out.events[0] != 0);
        if wrong(Fault::ForgetsEvent) {
            out.events[0] &= !2;
        }
        let Command { valid, op, warp, interval, .. } = input.command;
        out.done = Done::default();
        if valid {
            out.done = Done { valid, op, warp, interval: interval ^ u16::from(wrong(Fault::WrongDone)) };
        }
        Ok(())
    }
}

#[test]
fn equal_machines_pass_and_much_is_compared() {
    for needs_intervals in [false, true] {
        let (bench, mut rtl) = bench(needs_intervals);
        for seed in 1..=3 {
            let mut model = Flat::new(bench.widths, Fault::None);
            let start = std::time::Instant::now();
            let summary = run(&bench, &mut rtl, &mut model, seed, 20_000).expect("equal");
            println!("{summary}; {:?}", start.elapsed());
            assert!(summary.operands > 10_000, "{summary}");
            assert!(summary.warps > 20, "{summary}");
            assert!(summary.commands > 4 * summary.warps, "{summary}");
            assert!(summary.outputs > 20_000 * 260, "{summary}");
        }
    }
}

#[test]
fn the_seed_decides_everything() {
    let (bench, mut rtl) = bench(true);
    let first = run_alone(&bench, &mut rtl, 5, 5_000).expect("fine");
    assert_eq!(run_alone(&bench, &mut rtl, 5, 5_000).expect("fine"), first);
    assert_ne!(run_alone(&bench, &mut rtl, 6, 5_000).expect("fine"), first);
}

#[test]
fn every_difference_of_an_output_is_named() {
    let (bench, mut rtl) = bench(true);
    for (fault, name) in [
        (Fault::ForgetsEvent, "event result_write[1]"),
        (Fault::LateReady, "issue_ready[0]"),
        (Fault::WrongTag, "operands[0].tag"),
        (Fault::WrongDone, "done.interval"),
    ] {
        let mut model = Flat::new(bench.widths, fault);
        let failure = run(&bench, &mut rtl, &mut model, 1, 20_000).expect_err("a difference");
        let FailureKind::Output { field, rtl, model } = &failure.kind else {
            panic!("{failure}");
        };
        assert_eq!(field, name, "{failure}");
        assert_ne!(rtl, model);
        assert!(failure.cycle >= 500, "{failure}");
    }
}

#[test]
fn a_run_that_compares_nothing_fails() {
    let (bench, mut rtl) = bench(true);
    let failure = run_alone(&bench, &mut rtl, 1, 0).expect_err("nothing was done");
    assert_eq!(failure.kind, FailureKind::NothingCompared);
}
