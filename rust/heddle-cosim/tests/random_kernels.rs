//! Random kernels through every design in lock-step. A failure prints the seed and the program, shrunk
//! as long as the same check finds something.
//!
//! `HEDDLE_RANDOM_SEED` and `HEDDLE_RANDOM_KERNELS` choose the first seed and the number of kernels.

mod common;

use std::sync::Arc;

use heddle_cosim::{Check, Engine, Kernel, MadeKernel, RunError, RunSpec, Session};
use heddle_kernelgen::{GenOptions, GeneratedKernel, generate, shrink};
use heddle_workloads::Instance;

/// Kernels for each design.
const KERNELS: u64 = 100;

#[derive(Debug)]
struct Generated(GeneratedKernel, u64);

impl MadeKernel for Generated {
    fn name(&self) -> String {
        format!("random-{}", self.1)
    }
    fn ptx(&self) -> String {
        self.0.ptx()
    }
    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        self.0.instance()
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Runs a kernel and returns operands compared, or the failure.
fn run(design: &str, kernel: &GeneratedKernel, seed: u64) -> Result<u64, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let made = Kernel::Made(Arc::new(Generated(kernel.clone(), seed)));
    let mut spec = RunSpec::new(common::root(), design, made, Engine::Cosim);
    spec.results = folder.path().to_owned();
    spec.seed = seed;
    // Some with spills, some with few registers to the interval, some with slow banks.
    spec.max_registers = if seed.is_multiple_of(3) { 32 } else { 255 };
    // Data banks that lines share with registers take one cycle.
    let bank_cycles = if design.starts_with("cerf") { 1 } else { 1 + seed % 7 };
    let (write_cycles, shift_cycles) = (1 + seed / 7 % 5, 1 + seed / 2 % 3);
    for setting in [
        format!("register_file.bank_cycles={bank_cycles}"),
        format!("register_file.write_cycles={write_cycles}"),
        format!("register_file.shift_cycles={shift_cycles}"),
    ] {
        spec.overrides.push(setting.parse().expect("an override"));
    }
    Session::new(spec)?.run(&mut ()).map(|report| report.operands_compared)
}

/// What makes two failures the same for shrinking.
fn kind(failure: &RunError) -> (u8, Option<Check>) {
    let check = match failure {
        RunError::Mismatch(mismatch) => Some(mismatch.check),
        _ => None,
    };
    (failure.exit_code(), check)
}

fn all_agree(design: &str) {
    let first = number("HEDDLE_RANDOM_SEED", 1);
    let mut compared = 0;
    for seed in first..first + number("HEDDLE_RANDOM_KERNELS", KERNELS) {
        let kernel = generate(seed, &GenOptions::varied(seed));
        match run(design, &kernel, seed) {
            Ok(operands) => compared += operands,
            Err(failure) => {
                let kind = kind(&failure);
                let small = shrink(&kernel, |k| run(design, k, seed).is_err_and(|e| self::kind(&e) == kind));
                let again = run(design, &small, seed).err().map_or_else(String::new, |e| e.to_string());
                panic!(
                    "{design}, HEDDLE_RANDOM_SEED={seed}: {failure}\nshrunk to:\n{}\n{again}",
                    small.ptx()
                );
            }
        }
    }
    println!("{design}: seeds from {first}, {compared} operands compared");
    assert!(compared > 0);
}

#[test]
fn random_kernels_on_the_baseline() {
    all_agree("baseline");
}

#[test]
fn random_kernels_on_ltrf() {
    all_agree("ltrf");
}

#[test]
fn random_kernels_on_racetrack() {
    all_agree("racetrack");
}

#[test]
fn random_kernels_on_the_hybrid_register_file() {
    all_agree("hybrid-gated");
}

#[test]
fn random_kernels_on_sttram() {
    all_agree("sttram");
}

#[test]
fn random_kernels_on_cerf() {
    all_agree("cerf");
}

#[test]
fn random_kernels_on_cerf_fair() {
    all_agree("cerf-fair");
}

#[test]
fn random_kernels_on_osm() {
    all_agree("osm");
}

#[test]
fn random_kernels_on_osm_without_locks() {
    all_agree("osm-no-lock");
}

#[test]
fn random_kernels_on_ucm() {
    all_agree("ucm");
}
