//! The bench itself, with the bridge's fixture design and a model of it in which faults can be set.

#[path = "../../heddle-rtl/tests/common/mod.rs"]
mod common;
mod flat_model;

use flat_model::{Fault, Flat, Liar, Lie, config};
use heddle_portbench::{BenchConfig, ContractMonitor, FailureKind, run, run_alone};
use heddle_rtl::{Manifest, RtlRegisterFile, build, planted};

fn bench(needs_intervals: bool) -> (BenchConfig, RtlRegisterFile) {
    elaborated("default", needs_intervals)
}

fn elaborated(name: &str, needs_intervals: bool) -> (BenchConfig, RtlRegisterFile) {
    let root = common::fixture("portbench");
    let manifest = Manifest::load(&root, "flat").expect("the manifest");
    let elaboration = manifest.elaboration(Some(name)).expect("it is there");
    let library = build(&root, &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let rtl = library.instance(1).expect("an instance");
    let mut bench = BenchConfig::new(&manifest, rtl.made_with(), config());
    bench.needs_intervals = needs_intervals;
    bench.most_registers = 60;
    (bench, rtl)
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
fn wide_ports_are_driven_too() {
    let (bench, mut rtl) = elaborated("wide", true);
    let narrow = run_alone(&self::bench(true).0, &mut self::bench(true).1, 1, 20_000).expect("fine");
    let mut model = Flat::new(bench.widths, Fault::None);
    let wide = run(&bench, &mut rtl, &mut model, 1, 20_000).expect("equal");
    assert!(wide.instructions > narrow.instructions, "{wide}; {narrow}");
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
        (Fault::ForgetsEvent, "event result_write[n]"),
        (Fault::LateReady, "issue_ready[n]"),
        (Fault::WrongTag, "operands[n].tag"),
        (Fault::WrongDone, "done.interval"),
    ] {
        let mut model = Flat::new(bench.widths, fault);
        let failure = run(&bench, &mut rtl, &mut model, 1, 20_000).expect_err("a difference");
        let FailureKind::Output { field, rtl, model } = &failure.kind else {
            panic!("{failure}");
        };
        // Which of the two slots is the first to show it hangs on the seed.
        assert_eq!(field.replace("[0]", "[n]").replace("[1]", "[n]"), name, "{failure}");
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

#[test]
fn what_the_design_says_wrongly_is_found_without_a_model() {
    for (lie, expected) in [
        (Lie::TakesOperandsBack, "took it back"),
        (Lie::UnknownTag, "for which nobody waits"),
        (Lie::DoneTwice, "for which nobody waits"),
        (Lie::WrongInterval, "expected interval"),
        (Lie::WrongCommand, "for which nobody waits"),
        (Lie::SwallowsDone, "for its done event"),
        (Lie::SwallowsOperands, "for its operands"),
        (Lie::NeverReadyForIssue, "issue slot n, not ready since"),
        (Lie::NeverReadyForResults, "result slot n, not ready since"),
        (Lie::NeverReadyForCommands, "the command port, not ready since"),
        (Lie::FlipsABit, "lane 17: expected"),
        (Lie::Stops, "it stopped"),
    ] {
        let (mut bench, rtl) = bench(true);
        bench.patience = 1000;
        let mut liar = Liar::new(rtl, lie);
        let failure = run_alone(&bench, &mut liar, 1, 20_000).expect_err("a failure");
        let message = failure.to_string().replace("slot 0,", "slot n,").replace("slot 1,", "slot n,");
        assert!(message.contains(expected), "{lie:?}: {failure}");
        assert!(failure.cycle >= 500, "{lie:?}: {failure}");
    }
}

#[test]
fn planted_bugs_are_found_and_an_inactive_one_is_told_apart() {
    let root = common::fixture("portbench");
    let manifest = Manifest::load(&root, "flat").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = planted::build(&root, &manifest, elaboration, &mut |_| {}).expect("a model");
    for bug in library.bugs() {
        let mut rtl = library.instance(1, Some(&bug.id)).expect("an instance");
        let mut bench = BenchConfig::new(&manifest, rtl.made_with(), config());
        bench.most_registers = 60;
        let result = run_alone(&bench, &mut rtl, 1, 20_000);
        let active = rtl.activations().expect("a count") > 0;
        if bug.id == "never-awake" {
            assert!(result.is_ok() && !active);
            continue;
        }
        let failure = result.expect_err(&bug.id);
        assert!(active, "{}", bug.id);
        let finding = failure.kind.to_string();
        assert!(bug.expect.iter().any(|name| finding.contains(name)), "{}: {failure}", bug.id);
        assert!(failure.history.len() >= 3, "no history: {failure}");
    }
}

#[test]
fn the_bench_keeps_the_contract_itself() {
    for needs_intervals in [false, true] {
        for name in ["default", "wide"] {
            let (bench, rtl) = elaborated(name, needs_intervals);
            let mut monitor = ContractMonitor::new(rtl, needs_intervals);
            for seed in 1..=3 {
                let summary = run_alone(&bench, &mut monitor, seed, 10_000).expect("kept");
                assert!(summary.warps > 10, "{summary}");
            }
        }
    }
}
