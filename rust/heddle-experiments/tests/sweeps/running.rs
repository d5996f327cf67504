//! A run that panics among others that do not.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Kernel, MadeKernel};
use heddle_experiments::{Plan, ResultSet, Tally, sweep};
use heddle_workloads::Instance;

use super::{Bench, ONE, Silent};

/// Two runs.
fn two() -> String {
    format!("{ONE}[series.sweep]\n\"l2.latency\" = [1, 2]\n")
}

/// A kernel whose code is not to be had.
#[derive(Debug)]
struct Broken;

impl MadeKernel for Broken {
    fn name(&self) -> String {
        "broken".to_owned()
    }

    fn ptx(&self) -> String {
        panic!("there is no PTX")
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        panic!("there is no instance")
    }
}

#[test]
fn a_panic_is_recorded_and_stops_nothing() {
    let bench = Bench::new();
    let (mut plan, store) = bench.plan("two", &two());
    let good = plan.runs[0].spec.kernel.clone();
    plan.runs[0].spec.kernel = Kernel::Made(Arc::new(Broken));
    let run = |plan: &Plan, resume| {
        sweep(plan, &store, 2, resume, &AtomicBool::new(false), &Silent).expect("a store")
    };
    let whole = Tally { runs: 2, ..Tally::default() };
    assert_eq!(run(&plan, false), Tally { passed: 1, failed: 1, ..whole });
    let found = ResultSet::load(&plan, &store).expect("results");
    assert_eq!((found.rows.len(), found.missing.len()), (1, 0));
    let [(point, _, failed)] = &found.failed[..] else { panic!("{:?}", found.failed) };
    assert_eq!(point.label(), "baseline l2.latency=1");
    assert_eq!((failed.message.as_str(), failed.exit_code), ("the program panicked: there is no PTX", 101));
    // Once it is mended, it alone runs, and the failure is forgotten.
    plan.runs[0].spec.kernel = good;
    assert_eq!(run(&plan, true), Tally { found: 1, passed: 1, ..whole });
    let found = ResultSet::load(&plan, &store).expect("results");
    assert_eq!((found.rows.len(), found.failed.len()), (2, 0));
}

#[test]
fn a_run_that_another_experiment_has_is_taken_from_it() {
    let bench = Bench::new();
    let run = |id: &str, text: String| {
        let (plan, store) = bench.plan(id, &text.replace("\"two\"", &format!("\"{id}\"")));
        let has = plan
            .runs
            .iter()
            .map(|run| store.found(&run.key).expect("readable").is_some())
            .collect::<Vec<_>>();
        let tally = sweep(&plan, &store, 1, false, &AtomicBool::new(false), &Silent).expect("a store");
        (has, tally, ResultSet::load(&plan, &store).expect("results"))
    };
    let whole = Tally { runs: 2, ..Tally::default() };
    let (has, tally, first) = run("two", two());
    assert_eq!((has, tally), (vec![false; 2], Tally { passed: 2, ..whole }));
    // A damaged result of another experiment is none.
    let damaged = bench.folder.path().join("sweep/damaged/runs");
    std::fs::create_dir_all(&damaged).expect("writable");
    for file in std::fs::read_dir(bench.folder.path().join("sweep/two/runs")).expect("there") {
        std::fs::write(damaged.join(file.expect("there").file_name()), "{").expect("writable");
    }
    let (has, tally, second) = run("other", two().replace("[1, 2]", "[2, 3]"));
    assert_eq!((has, tally), (vec![true, false], Tally { found: 1, passed: 1, ..whole }));
    assert_eq!(second.rows[0].row, first.rows[1].row);
}

#[test]
fn a_series_keeps_as_many_ctas_as_the_profile_finds_best() {
    let bench = Bench::new();
    let (head, _) = ONE.split_once("[[series]]").expect("a series");
    let of = |name, more| format!("[[series]]\nname = \"{name}\"\ndesign = \"racetrack-plain\"\n{more}");
    let text = [head, &of("max", "tlp = \"max\"\n"), &of("best", "tlp = \"best\"\n")].concat();
    let (plan, store) = bench.plan("two", &text);
    assert_eq!(plan.runs.len(), 2, "they are different runs");
    let ran = sweep(&plan, &store, 1, false, &AtomicBool::new(false), &Silent).expect("a store");
    assert_eq!((ran.passed, ran.failed), (2, 0));
    let chosen = heddle_cosim::choose_tlp(&plan.runs[1].spec, &mut ()).expect("a profile");
    let [chosen] = &chosen[..] else { panic!("a kernel of one entry: {chosen:?}") };
    let most = chosen.points.last().expect("a number of CTAs").ctas;
    assert!(chosen.best < most, "the rule chooses what fits, {most}: another kernel is needed here");
    let found = ResultSet::load(&plan, &store).expect("results");
    let resident: Vec<_> = found.rows.iter().map(|row| row.number("resident_ctas")).collect();
    assert_eq!(resident, [Some(f64::from(most)), Some(f64::from(chosen.best))]);
}
