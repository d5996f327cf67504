//! Sampled runs: the same work and results as full ones, and cycles that are near theirs.

use std::path::Path;

use heddle_config::Override;
use heddle_cosim::{
    Control, Engine, Kernel, Per, Progress, RunError, RunReport, RunSpec, SampledReport, Sampling, Session,
};
use heddle_workloads::Size;

fn spec(design: &str, kernel: &str, size: Size) -> RunSpec {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kernel = Kernel::Workload { name: kernel.to_owned(), size };
    RunSpec::new(root, design, kernel, Engine::Sim)
}

fn full(spec: &RunSpec) -> RunReport {
    Session::new(spec.clone()).expect("a good run").run(&mut ()).expect("it passes")
}

fn sampled(spec: &RunSpec, plan: &str) -> Result<SampledReport, RunError> {
    Session::new(spec.clone())?.sample(&mut (), plan.parse().expect("a plan"))
}

/// Short windows, so that kernels of size smoke have several.
const SHORT: &str = "window=100,warm-up=100,every=700";

/// Kernels with barriers, atomics, divergence, many launches, textures, shared memory and local memory.
const KERNELS: [&str; 8] =
    ["matrixmul", "reduction", "histogram", "divergence", "bfs", "hotspot", "kmeans", "scalarprod"];

#[test]
fn work_and_results_are_those_of_the_full_run() {
    for design in ["baseline", "ltrf", "osm", "ucm", "racetrack"] {
        let mut functional = 0;
        for kernel in KERNELS {
            let spec = spec(design, kernel, Size::Smoke);
            let (full, sampled) = (full(&spec), sampled(&spec, SHORT).expect("it passes"));
            let work = |r: &RunReport| (r.warp_instructions, r.ctas, r.launches, r.reference_words_compared);
            let same =
                (sampled.warp_instructions, sampled.ctas, sampled.launches, sampled.reference_words_compared);
            assert_eq!(same, work(&full), "{design} {kernel}");
            assert!(sampled.reference_words_compared > Some(0), "{design} {kernel}");
            functional += sampled.warp_instructions - sampled.sampled.detailed_instructions;
            let launches: u64 = sampled.sampled_launches.iter().map(|l| l.warp_instructions).sum();
            assert_eq!(launches, sampled.warp_instructions, "{design} {kernel}");
        }
        assert!(functional > 50_000, "{design}: {functional} instructions in stretches");
    }
}

#[test]
fn windows_that_cover_all_give_the_cycles_of_the_full_run() {
    for (design, kernel) in [("baseline", "bfs"), ("ltrf", "matrixmul"), ("ucm", "histogram")] {
        let spec = spec(design, kernel, Size::Smoke);
        let found = sampled(&spec, "window=100,warm-up=0,every=100").expect("it passes").sampled;
        assert_eq!(found.estimated_cycles, full(&spec).cycles, "{design} {kernel}");
        assert_eq!((found.counted_cycles, found.bound_cycles), (found.estimated_cycles, Some(0)));
    }
}

/// Ends the run with the first look at it.
struct Impatient;

impl Control for Impatient {
    fn stage(&mut self, _: &str) {}
    fn warning(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}
    fn interrupted(&self) -> bool {
        true
    }
}

#[test]
fn a_stretch_can_be_interrupted() {
    let plan = "window=1,warm-up=0,every=1000000000".parse().expect("a plan");
    let mut session = Session::new(spec("baseline", "divergence", Size::Small)).expect("a good run");
    // In cycles the first look is at the 8,192th.
    match session.sample(&mut Impatient, plan) {
        Err(RunError::Interrupted { cycles }) => assert!(cycles < 8192, "{cycles}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn equal_seeds_give_equal_estimates_and_others_other_windows() {
    let mut spec = spec("baseline", "divergence", Size::Small);
    let run = |spec: &RunSpec| sampled(spec, SHORT).expect("it passes");
    let first = run(&spec);
    assert_eq!(first, run(&spec));
    spec.seed += 1;
    assert_ne!(first.sampled, run(&spec).sampled);
}

#[test]
fn estimates_are_near_the_cycles_of_the_full_run() {
    for (kernel, within) in [("divergence", 0.03), ("matrixmul", 0.05), ("hotspot", 0.10), ("srad", 0.10)] {
        let spec = spec("baseline", kernel, Size::Small);
        let cycles = full(&spec).cycles;
        let report = sampled(&spec, "window=500,warm-up=1500,every=8000").expect("it passes");
        let found = report.sampled;
        let error = found.estimated_cycles as f64 / cycles as f64 - 1.0;
        println!("{kernel}: {cycles} cycles, error {error:.4}, {found:?}");
        assert!(error.abs() < within, "{kernel}: {cycles} cycles, error {error:.4}, {found:?}");
        let stretches = report.warp_instructions - found.detailed_instructions;
        assert!(4 * stretches > report.warp_instructions, "{kernel}: {stretches} without time, {found:?}");
    }
}

#[test]
fn what_has_no_stretches_is_refused() {
    let refused = |spec: &RunSpec, part: &str| match sampled(spec, "") {
        Err(error @ RunError::Usage { .. }) => {
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
        other => panic!("{part}: {other:?}"),
    };
    let good = spec("baseline", "vectoradd", Size::Smoke);
    refused(&RunSpec { engine: Engine::Cosim, ..good.clone() }, "use `heddle sim`");
    refused(&RunSpec { sms: 2, ..good.clone() }, "--sample is for one SM");
    refused(&RunSpec { per: Per::Launch, ..good.clone() }, "(--per)");
    for design in ["rfc", "shrf", "ltrf-plus", "cerf", "cerf-fair"] {
        refused(&RunSpec { design: design.to_owned(), ..good.clone() }, "follows from every one");
    }
    let mut known = spec("osm", "matrixmul", Size::Smoke);
    let set = |key: &str, value: &str| Override { key: key.to_owned(), value: value.to_owned() };
    known.overrides.push(set("shared_memory.known_lifetimes", "true"));
    known.overrides.push(set("shared_memory.reads_to_unlock", "1"));
    refused(&known, "known lifetimes");
    let plan: Sampling = "every=100,window=10,warm-up=10".parse().expect("a plan");
    assert_eq!((plan.window, plan.warm_up, plan.every), (10, 10, 100));
}
