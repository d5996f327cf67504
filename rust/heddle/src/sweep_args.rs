//! The arguments of `heddle sweep`.

use std::path::PathBuf;

use clap::Args;
use heddle_experiments::Scale;

use crate::args::Format;

/// `sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// The experiments, such as experiments/osm-cache.toml (see docs/experiments.md), one after the other
    #[arg(value_name = "FILE.toml", required = true)]
    pub files: Vec<PathBuf>,
    /// Folder for results, which are in DIR/sweep/ID
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
    /// Runs at a time [default: the cores of this machine]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// How the means are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}
