//! `make gpu-check`: the shipped PTX on this machine's GPU, held against the golden machine.
//!
//! Exit codes: 0 all agree; 1 one does not; 2 wrong use; 77 not run, because there is no GPU.

use std::process::ExitCode;

use clap::Parser;
use heddle_gpu::cuda::Cuda;
use heddle_gpu::{Agreement, check};
use heddle_workloads::{Size, Workload, WorkloadError, all, find};

/// Exit code when nothing could be checked; `automake` takes the same for a test that was skipped.
const NOT_RUN: u8 = 77;

/// Runs the shipped kernels on the GPU and compares what they leave with the golden machine
#[derive(Debug, Parser)]
struct Cli {
    /// Kernels; all when none is named
    names: Vec<String>,
    /// Size of the inputs
    #[arg(long, default_value = "smoke")]
    size: String,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let (size, workloads) = match asked(&cli) {
        Ok(asked) => asked,
        Err(error) => {
            eprintln!("heddle-gpu: {error}");
            return ExitCode::from(2);
        }
    };
    let mut gpu = match Cuda::open() {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("not run: {reason}");
            return ExitCode::from(NOT_RUN);
        }
    };
    println!("{}, size {size}, seed {}", gpu.name(), cli.seed);
    let mut failed = 0;
    for &workload in &workloads {
        match check(&mut gpu, workload, size, cli.seed) {
            Ok(agreement) => println!("{}: {}", workload.name(), text(&agreement)),
            Err(error) => {
                failed += 1;
                println!("{}: FAILED: {error}", workload.name());
            }
        }
    }
    println!("{} kernels, {failed} failed", workloads.len());
    if failed == 0 && !workloads.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn asked(cli: &Cli) -> Result<(Size, Vec<&'static dyn Workload>), WorkloadError> {
    let size = cli.size.parse()?;
    if cli.names.is_empty() {
        return Ok((size, all().to_vec()));
    }
    Ok((size, cli.names.iter().map(|name| find(name)).collect::<Result<_, _>>()?))
}

fn text(agreement: &Agreement) -> String {
    let Agreement { launches, words, bound, bytes, bytes_by_order } = agreement;
    let bits = match bound {
        Some(bound) => format!("within a bound ({bound})"),
        None => {
            format!("{bytes} bytes as on the golden machine, {bytes_by_order} left to the order of blocks")
        }
    };
    format!("{launches} launches, {words} results as the reference has them, {bits}")
}
