//! The same run again gives the same result; the RTL's random initial state changes nothing; model and
//! RTL take the same cycles.

use std::collections::BTreeSet;

use heddle_cosim::{Engine, RunReport, RunSpec, Session};
use heddle_workloads::Size;

use crate::common;

/// Kernels whose control flow and addresses do not depend on the values of their inputs.
const WITHOUT_DATA_DEPENDENCE: [&str; 3] = ["vectoradd", "matrixmul", "reduction"];

/// A kernel whose work depends on its inputs.
const DATA_DEPENDENT: &str = "hashjoin";

fn run(spec: RunSpec) -> RunReport {
    let name = format!("{} {}", spec.design, spec.kernel_name());
    Session::new(spec).and_then(|mut session| session.run(&mut ())).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn smoke(design: &str, kernel: &str, seed: u64) -> RunSpec {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut spec = common::cosim(design, kernel, Size::Smoke, &folder);
    spec.seed = seed;
    spec
}

#[test]
fn a_run_repeats_exactly() {
    for design in common::designs() {
        for kernel in ["hotspot", DATA_DEPENDENT] {
            let first = run(smoke(&design, kernel, 7));
            let mut session = Session::new(smoke(&design, kernel, 7)).expect("the spec was good before");
            for sessions in ["two sessions", "one session"] {
                let again = session.run(&mut ()).expect("it passed before");
                assert_eq!(first, again, "{sessions}: {design} {kernel}");
            }
        }
    }
}

#[test]
fn the_initial_state_of_the_rtl_does_not_change_cycles() {
    for design in common::designs() {
        for kernel in WITHOUT_DATA_DEPENDENCE {
            let [a, b] = [1, 0xdead_beef].map(|seed| run(smoke(&design, kernel, seed)));
            assert_ne!(a.seed, b.seed);
            assert_eq!(a.cycles, b.cycles, "{design} {kernel}");
            assert_eq!(a.events, b.events, "{design} {kernel}");
            assert_eq!(a.statistics, b.statistics, "{design} {kernel}");
        }
        // The seed does reach the inputs.
        let [a, b] = [1, 2].map(|seed| run(smoke(&design, DATA_DEPENDENT, seed)));
        assert_ne!(a.statistics, b.statistics, "{design}");
    }
}

/// `sim` and `cosim` of one kernel.
fn same_cycles(design: &str, kernel: &str) {
    let spec = smoke(design, kernel, 1);
    let sim = run(RunSpec { engine: Engine::Sim, ..spec.clone() });
    let cosim = run(spec);
    let name = format!("{design} {kernel}");
    assert_eq!((sim.engine, cosim.engine), ("sim", "cosim"));
    assert_eq!((sim.operands_compared, sim.controls_compared), (0, 0), "{name}");
    assert!(cosim.operands_compared > 0 && cosim.controls_compared > 0, "{name}");
    assert_eq!(sim.cycles, cosim.cycles, "{name}");
    assert_eq!(sim.events, cosim.events, "{name}");
    assert_eq!(sim.statistics, cosim.statistics, "{name}");
    assert_eq!(sim.parameters, cosim.parameters, "{name}");
}

/// Every eighth kernel from `first` on, with the design that each runs on, from the design at place `first` on.
fn every_eighth(first: usize) -> Vec<(String, &'static str)> {
    let designs = common::designs();
    let chosen = heddle_workloads::all().iter().skip(first).step_by(8);
    let places = (first..).map(|place| place % designs.len());
    places.zip(chosen).map(|(place, workload)| (designs[place].clone(), workload.name())).collect()
}

/// The first kernels of the two tests, which two cores share.
const FIRST: [usize; 2] = [0, 4];

#[test]
fn every_design_is_held_to_its_model_on_some_kernel() {
    let all = FIRST.map(every_eighth).concat();
    let held: BTreeSet<String> = all.into_iter().map(|(design, _)| design).collect();
    assert_eq!(held, common::designs().into_iter().collect());
}

#[test]
fn model_and_rtl_take_the_same_cycles() {
    every_eighth(FIRST[0]).iter().for_each(|(design, kernel)| same_cycles(design, kernel));
}

#[test]
fn model_and_rtl_take_the_same_cycles_on_other_kernels() {
    every_eighth(FIRST[1]).iter().for_each(|(design, kernel)| same_cycles(design, kernel));
}

#[test]
#[ignore = "minutes: make test-all"]
fn model_and_rtl_take_the_same_cycles_on_all_kernels_and_designs() {
    for design in common::designs() {
        for workload in heddle_workloads::all() {
            same_cycles(&design, workload.name());
        }
    }
}
