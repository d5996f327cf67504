//! Bank counts that the papers leave free: RTL and model agree with other than 16 banks, on the port bench and under
//! kernels, at the same capacity.

mod common;

use heddle_config::Override;
use heddle_cosim::{PreparedDesign, RunSpec, Session};
use heddle_portbench::{BenchConfig, run};
use heddle_workloads::Size;

fn with_banks(mut spec: RunSpec, banks: u32) -> RunSpec {
    spec.overrides.push(Override { key: "design.num_banks".into(), value: banks.to_string() });
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

/// Cycles of a kernel with so many banks, RTL and model in lock-step.
fn cycles(design: &str, banks: u32) -> u64 {
    let folder = tempfile::tempdir().expect("temporary folder");
    let spec = with_banks(common::cosim(design, "hotspot", Size::Smoke, &folder), banks);
    on_the_bench(&spec);
    let report = Session::new(spec)
        .and_then(|mut session| session.run(&mut ()))
        .unwrap_or_else(|e| panic!("{design} {banks} banks: {e}"));
    assert!(report.ok && report.operands_compared > 0, "{design} {banks} banks");
    assert_eq!(report.parameters["num_banks"], banks);
    report.cycles
}

#[test]
fn a_register_file_of_fewer_and_of_more_banks_runs_kernels() {
    let (few, many) = (cycles("baseline", 8), cycles("baseline", 32));
    assert!(few > many, "more conflicts at fewer banks: {few} and {many} cycles");
}

#[test]
fn racetracks_in_more_banks_run_kernels() {
    cycles("racetrack", 32);
}

#[test]
fn the_capacity_is_the_presets_whatever_the_banks() {
    for (design, all) in [("baseline", &[4, 8, 16, 32][..]), ("osm", &[8, 32]), ("racetrack", &[16, 32])] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let spec = |banks| with_banks(common::cosim(design, "hotspot", Size::Smoke, &folder), banks);
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
    let spec = with_banks(common::cosim("racetrack", "hotspot", Size::Smoke, &folder), 8);
    let refused = PreparedDesign::new(&spec).expect_err("256 rows a bank").to_string();
    assert!(refused.contains("gives design.rows_per_bank, is out of range: 2 to 128"), "{refused}");
}
