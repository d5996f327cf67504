//! The arguments of `heddle sweep`.

use std::path::PathBuf;

use clap::Args;
use heddle_workloads::Size;

use crate::args::Format;

/// `sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// The experiment, such as experiments/osm-cache.toml (see docs/experiments.md)
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,
    /// Folder for results, which are in DIR/sweep/ID
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// Go on with the results that are there: only what is missing or failed runs
    #[arg(long)]
    pub resume: bool,
    /// Size of the kernels' inputs [default: the file's]
    #[arg(short, long, value_name = "smoke|small|paper")]
    pub size: Option<Size>,
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
