//! The command line: a file for each command, or for those that belong together.

mod bank_time;
mod claims;
mod compile;
mod design;
mod energy;
mod exec;
mod kernel;
mod model;
mod record;
mod report;
mod results;
mod rtl;
mod run;
mod shared;
mod shell;
mod sweep;
mod tolerable;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use bank_time::BankTimeArgs;
pub use claims::ClaimsArgs;
pub use compile::{CompileArgs, Emit, LaunchTemplateArgs, ProfileArgs};
pub use design::{CheckDesignArgs, NewDesignArgs};
pub use energy::EnergyArgs;
pub use exec::{ExecArgs, TraceArgs};
pub use kernel::{Format, KernelArgs};
pub use model::{FidelityArgs, LatencyArgs, TlpArgs};
pub use record::{RecordArgs, ReplayArgs, Simulator};
pub use report::ReportArgs;
pub use results::{CompareArgs, CompareBy, ListArgs, ListWhat};
pub use rtl::{CoverageArgs, MutateArgs};
pub use run::{CtasArg, PerArg, RunArgs, TlpArg, WavesArg};
pub use shell::{CompletionsArgs, ManArgs};
pub use sweep::{SweepArgs, SweepEngine};
pub use tolerable::TolerableArgs;

/// A co-simulation bench for register files and caches of GPUs.
///
/// Published designs run as SystemVerilog in the loop with real kernels; every value and every cycle
/// is checked. Exit codes: 0 fine; 1 a run failed; 2 wrong use or bad input; 3 mismatch, assertion or
/// hang of a machine under test; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "heddle", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Folder of a design outside the repository, which all commands know then; may be given several times
    #[arg(long, global = true, value_name = "DIR", help_heading = "Designs")]
    pub design_path: Vec<PathBuf>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run kernels with the RTL in the loop, checked against the cycle model and the golden machine
    Cosim(RunArgs),
    /// Run kernels with the cycle model alone
    Sim(RunArgs),
    /// Energy of runs, from their counted events and the constants of a technology
    Energy(EnergyArgs),
    /// Run an experiment: designs, settings and kernels of a TOML file, on all cores
    Sweep(SweepArgs),
    /// Hold what the papers say in numbers against the results of sweeps and what can be computed
    Claims(ClaimsArgs),
    /// Draw the figures of all experiments with the results that are there, as one HTML file
    Report(ReportArgs),
    /// Run kernels on the golden machine alone, without timing
    Exec(ExecArgs),
    /// Choose how many CTAs to keep on racetracks at once, from a profile of cache and shifts
    Tlp(TlpArgs),
    /// Find how slow a register file may become before kernels lose more than 5 %, with the cycle model
    Tolerable(TolerableArgs),
    /// Find the time of a bank at which the average access to a register file takes so many times as long as to one of one cycle
    BankTime(BankTimeArgs),
    /// Measure the latencies of loads and of arithmetic, hop by hop, with the cycle model
    Latency(LatencyArgs),
    /// Run a kernel with the RTL in the loop and write what goes through its ports into a file
    Record(RecordArgs),
    /// Replay a recorded run into a model of the RTL and compare its outputs in every cycle
    Replay(ReplayArgs),
    /// Write kernels as traces of SASS instructions, for trace-driven simulators
    Trace(TraceArgs),
    /// Run micro-traces and hold their cycles against those of other machines
    Fidelity(FidelityArgs),
    /// Change single tokens of a design's RTL, one at a time, and see which changes the kernels find
    Mutate(MutateArgs),
    /// Measure which lines, branches and control signals of a design's RTL the kernels and the port bench reach
    Coverage(CoverageArgs),
    /// Compile PTX and print what the compiler made of it
    Compile(CompileArgs),
    /// List what there is
    List(ListArgs),
    /// Compare sets of results (JSON lines) side by side
    Compare(CompareArgs),
    /// Write a launch file for a PTX file to standard output
    LaunchTemplate(LaunchTemplateArgs),
    /// Write what a design needs that stands on another, to be changed part by part
    NewDesign(NewDesignArgs),
    /// Look at everything that a design needs and say what is missing
    CheckDesign(CheckDesignArgs),
    /// Say which tools are there, in which version, and how to get what is missing
    Doctor,
    /// Print the script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Print a manual page; read it with `heddle man | man -l -`
    Man(ManArgs),
}
