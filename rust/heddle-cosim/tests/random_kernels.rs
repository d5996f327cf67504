//! Random kernels through every design in lock-step. A failure prints the seed and the program, shrunk
//! as long as the same check finds something.
//!
//! `HEDDLE_RANDOM_SEED` and `HEDDLE_RANDOM_KERNELS` choose the first seed and the number of kernels.

mod common;

use std::sync::Arc;

use heddle_cosim::{Check, Engine, Kernel, MadeKernel, RunError, RunSpec, Session};
use heddle_kernelgen::{GenOptions, GeneratedKernel, generate, shrink};
use heddle_rtl::Manifest;
use heddle_workloads::Instance;
use libtest_mimic::{Arguments, Trial};

/// Kernels for each design.
const KERNELS: u64 = 100;

/// Kernels for each further variant, which has most of its RTL from its design.
const FURTHER_KERNELS: u64 = 40;

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
fn run(design: &str, bank_cycles: Option<u32>, kernel: &GeneratedKernel, seed: u64) -> Result<u64, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let made = Kernel::Made(Arc::new(Generated(kernel.clone(), seed)));
    let mut spec = RunSpec::new(common::root(), design, made, Engine::Cosim);
    spec.results = folder.path().to_owned();
    spec.seed = seed;
    // Some with spills, some with few registers to the interval, some with slow banks.
    spec.max_registers = if seed.is_multiple_of(3) { 32 } else { 255 };
    let bank_cycles = bank_cycles.map_or(1 + seed % 7, u64::from);
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

fn all_agree(design: &str, bank_cycles: Option<u32>, kernels: u64) {
    let first = number("HEDDLE_RANDOM_SEED", 1);
    let mut compared = 0;
    for seed in first..first + number("HEDDLE_RANDOM_KERNELS", kernels) {
        let kernel = generate(seed, &GenOptions::varied(seed));
        match run(design, bank_cycles, &kernel, seed) {
            Ok(operands) => compared += operands,
            Err(failure) => {
                let kind = kind(&failure);
                let small = shrink(&kernel, |k| {
                    run(design, bank_cycles, k, seed).is_err_and(|e| self::kind(&e) == kind)
                });
                let again =
                    run(design, bank_cycles, &small, seed).err().map_or_else(String::new, |e| e.to_string());
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

/// A test for each design that has RTL, and for the variants that its manifest names.
fn main() {
    let manifests = Manifest::load_all(&common::root()).expect("the manifests");
    let mut trials = Vec::new();
    for manifest in manifests.into_iter().filter(|manifest| manifest.has_rtl && manifest.variant.is_none()) {
        let plan = manifest.tests.clone();
        for (place, variant) in plan.random.unwrap_or_else(|| vec![String::new()]).iter().enumerate() {
            let design = manifest.variant_name(variant);
            let kernels = if place == 0 { KERNELS } else { FURTHER_KERNELS };
            trials.push(Trial::test(format!("random_kernels_on_{design}"), move || {
                all_agree(&design, plan.bank_cycles, kernels);
                Ok(())
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
