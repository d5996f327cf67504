//! The arguments of `heddle sweep`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heddle_experiments::Scale;

use super::Format;

/// Where runs take place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SweepEngine {
    /// On all cores of this machine
    Local,
    /// As array jobs of Slurm, which are submitted and followed
    Slurm,
}

/// `sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// The experiments, such as experiments/osm-cache.toml (see docs/experiments.md), one after the other
    #[arg(value_name = "FILE.toml", required = true)]
    pub files: Vec<PathBuf>,
    /// Folder for results, which are in DIR/sweep/ID; DIR/streams keeps what the CTAs of the other SMs do, executed once
    /// for each kernel and program and replayed at all other points
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// Go on with the results that are there: only what is missing or failed runs
    #[arg(long)]
    pub resume: bool,
    /// How much of each experiment: its file says which size and which kernels
    #[arg(short, long, default_value_t, value_name = "smoke|claims|paper")]
    pub scale: Scale,
    /// Run nothing: print every point with its runs and the seconds that what is missing will take
    #[arg(long)]
    pub estimate: bool,
    /// Where runs take place
    #[arg(long, value_enum, default_value_t = SweepEngine::Local)]
    pub engine: SweepEngine,
    /// With --engine slurm: runs that a task does one after the other [default: 10]
    #[arg(long, value_name = "N")]
    pub runs_per_task: Option<NonZeroUsize>,
    /// With --engine slurm: an option for sbatch, such as --sbatch=--partition=short; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// Do only the runs whose keys FILE has, one a line, and merge nothing: what a task of --engine slurm does
    #[arg(long, value_name = "FILE", conflicts_with = "estimate")]
    pub runs: Option<PathBuf>,
    /// Runs at a time, or tasks at a time with --engine slurm [default: the cores of this machine; what Slurm lets run]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// How the means are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}
