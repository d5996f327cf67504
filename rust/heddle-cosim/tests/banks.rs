//! Counts of banks and access ports that the papers leave free: RTL and model agree with other than the default, on
//! the port bench and under kernels, at the same capacity.

use heddle_config::Override;
use heddle_cosim::{Engine, PreparedDesign, RunReport, RunSpec, Session};
use heddle_portbench::{BenchConfig, run};
use heddle_workloads::Size;

use crate::common;

/// With another number of a parameter of the design.
fn with(mut spec: RunSpec, parameter: &str, number: u32) -> RunSpec {
    spec.overrides.push(Override { key: format!("design.{parameter}"), value: number.to_string() });
    spec
}

/// RTL and model under random traffic.
fn on_the_bench(spec: &RunSpec) {
    let PreparedDesign { manifest, elaboration, config, .. } = PreparedDesign::new(spec).expect("a design");
    let library = heddle_rtl::build(&spec.root, &manifest, &elaboration, &mut |stage| println!("{stage}"))
        .expect("a model");
    let mut rtl = library.instance(3).expect("an instance");
    let mut model = heddle_designs::create(&manifest.name, rtl.made_with()).expect("the model");
    let bench = BenchConfig::new(&manifest, rtl.made_with(), config);
    let summary = run(&bench, &mut rtl, &mut *model, 3, 20_000).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(summary.operands > 1_000, "{summary}");
}

/// A kernel with these parameters, RTL and model in lock-step.
fn report(design: &str, parameters: &[(&str, u32)]) -> RunReport {
    let folder = tempfile::tempdir().expect("temporary folder");
    let spec = common::cosim(design, "hotspot", Size::Smoke, &folder);
    let spec = parameters.iter().fold(spec, |spec, &(name, number)| with(spec, name, number));
    on_the_bench(&spec);
    let report = Session::new(spec)
        .and_then(|mut session| session.run(&mut ()))
        .unwrap_or_else(|e| panic!("{design} {parameters:?}: {e}"));
    assert!(report.ok && report.operands_compared > 0, "{design} {parameters:?}");
    for &(name, number) in parameters {
        assert_eq!(report.parameters[name], number, "{design}");
    }
    report
}

#[test]
fn a_register_file_of_fewer_and_of_more_banks_runs_kernels() {
    let (few, many) =
        (report("baseline", &[("num_banks", 8)]).cycles, report("baseline", &[("num_banks", 64)]).cycles);
    assert!(few > many, "more conflicts at fewer banks: {few} and {many} cycles");
}

/// Without RTL, but each read has the newest version of its register, or the run ends.
#[test]
fn comparators_in_128_banks_run_kernels_with_fewer_conflicts() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for design in ["rfc", "shrf"] {
        let conflicts = |banks| {
            let spec = common::cosim(design, "hotspot", Size::Smoke, &folder);
            let spec = with(RunSpec { engine: Engine::Sim, ..spec }, "num_banks", banks);
            let report = Session::new(spec).and_then(|mut session| session.run(&mut ())).expect("a run");
            assert!(report.ok, "{design} in {banks} banks");
            assert_eq!(report.parameters["num_banks"], banks, "{design}");
            report.events["bank_conflict"]
        };
        let (few, many) = (conflicts(16), conflicts(128));
        assert!(4 * many < 3 * few, "{design}: {many} conflicts in 128 banks, {few} in 16");
    }
}

#[test]
fn racetracks_in_more_banks_with_more_ports_run_kernels() {
    let shifts = |parameters| report("racetrack", parameters).events["shift"];
    let (few, many) = (shifts(&[("num_banks", 32)]), shifts(&[("num_banks", 32), ("ports", 16)]));
    assert!(few > many, "shorter ways at more ports: {few} and {many} steps");
}

#[test]
fn lanes_with_several_main_banks_run_kernels() {
    let banks = report("ltrf", &[("num_banks", 32)]);
    let folder = tempfile::tempdir().expect("temporary folder");
    let sim = |banks| {
        let mut spec = with(common::cosim("ltrf", "hotspot", Size::Smoke, &folder), "num_banks", banks);
        spec.engine = Engine::Sim;
        Session::new(spec).and_then(|mut session| session.run(&mut ())).expect("a run").cycles
    };
    let (one, two, eight) = (sim(16), sim(32), sim(128));
    assert_eq!(two, banks.cycles);
    assert!(one > two && one > eight, "less waiting at more banks: {one}, {two}, {eight} cycles");
    let pipelined = with(common::cosim("ltrf", "hotspot", Size::Smoke, &folder), "num_banks", 32);
    let refused =
        PreparedDesign::new(&with(pipelined, "bank_busy_cycles", 1)).expect_err("pipelined").to_string();
    assert!(refused.contains("banks that share a lane are not pipelined"), "{refused}");
}

#[test]
fn the_capacity_is_the_presets_whatever_the_banks() {
    for (design, all) in [
        ("baseline", &[4, 8, 16, 32, 64, 128][..]),
        ("osm", &[8, 32]),
        ("racetrack", &[16, 32]),
        ("ltrf", &[16, 128]),
        ("rfc", &[16, 128]),
        ("shrf", &[32]),
    ] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let spec = |banks| {
            let spec = common::cosim(design, "hotspot", Size::Smoke, &folder);
            with(RunSpec { engine: Engine::Sim, ..spec }, "num_banks", banks)
        };
        let rows = |banks| {
            let prepared =
                PreparedDesign::new(&spec(banks)).unwrap_or_else(|e| panic!("{design} {banks}: {e}"));
            assert_eq!(prepared.main_banks(), banks as usize, "{design}");
            u32::from(prepared.config.rows_per_bank) * banks
        };
        let preset = PreparedDesign::new(&spec(all[0])).expect("a design").preset;
        for &banks in all {
            assert_eq!(rows(banks), 16 * preset.register_file.rows_per_bank, "{design} {banks}");
        }
        let refused = PreparedDesign::new(&spec(7)).expect_err("7 banks").to_string();
        assert!(refused.contains("design.num_banks = 7 is out of range"), "{refused}");
    }
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut uneven = with(common::cosim("ltrf", "hotspot", Size::Smoke, &folder), "num_banks", 64);
    uneven
        .overrides
        .push(Override { key: "register_file.rows_per_bank".to_owned(), value: "130".to_owned() });
    assert_eq!(PreparedDesign::new(&uneven).expect("a design").config.rows_per_bank, 33, "rounded up");
    let spec = with(common::cosim("racetrack", "hotspot", Size::Smoke, &folder), "num_banks", 8);
    let refused = PreparedDesign::new(&spec).expect_err("256 rows a bank").to_string();
    assert!(refused.contains("gives design.rows_per_bank, is out of range: 2 to 128"), "{refused}");
    let spec = with(common::cosim("racetrack", "hotspot", Size::Smoke, &folder), "ports", 12);
    let refused = PreparedDesign::new(&spec).expect_err("12 ports").to_string();
    assert!(refused.contains("design.ports = 12 is out of range: 8, 16, 128"), "{refused}");
}
