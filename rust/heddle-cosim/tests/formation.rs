//! What a prefetching design runs where intervals are strands or registers have new numbers.

use heddle_config::Override;
use heddle_cosim::{Engine, Kernel, RunReport, RunSpec, Session};
use heddle_workloads::Size;

use crate::common;

const KERNELS: [&str; 2] = ["hotspot", "bfs"];

/// A run of `ltrf` with one key set.
fn run(engine: Engine, kernel: &str, key: &str, value: &str) -> RunReport {
    let folder = tempfile::tempdir().expect("temporary folder");
    let named = Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(common::root(), "ltrf", named, engine);
    spec.results = folder.path().to_owned();
    spec.overrides.push(Override { key: key.into(), value: value.into() });
    Session::new(spec)
        .and_then(|mut session| session.run(&mut ()))
        .unwrap_or_else(|e| panic!("{kernel}, {key} = {value}: {e}"))
}

#[test]
fn renumbered_kernels_and_strands_agree_with_the_golden_machine() {
    let settings = [("register_file.renumbering", "bank-colour"), ("register_file.formation", "strand")];
    for (key, value) in settings {
        for kernel in KERNELS {
            let report = run(Engine::Cosim, kernel, key, value);
            println!("{kernel}, {value}: {} cycles", report.cycles);
        }
    }
}

#[test]
fn strands_are_fetched_more_often_than_register_intervals() {
    let prefetches = |value| {
        let runs = KERNELS.map(|kernel| run(Engine::Sim, kernel, "register_file.formation", value));
        runs.iter().map(|report| report.events["prefetch"]).sum::<u64>()
    };
    let [intervals, strands] = ["register-interval", "strand"].map(prefetches);
    println!("{intervals} prefetches of register-intervals, {strands} of strands");
    assert!(strands > intervals, "{strands} {intervals}");
}
