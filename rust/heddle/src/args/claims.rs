//! The arguments of `heddle claims`.

use std::path::PathBuf;

use clap::Args;
use heddle_experiments::Scale;

use super::Format;

/// `claims`.
#[derive(Debug, Args)]
pub struct ClaimsArgs {
    /// Only the claims of a paper, or one claim (see `heddle list claims`)
    #[arg(long, value_name = "PAPER|CLAIM")]
    pub only: Option<String>,
    /// Folder with the results of `heddle sweep`
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// How much of each experiment: its file says which size and which kernels
    #[arg(short, long, default_value_t, value_name = "smoke|claims|paper")]
    pub scale: Scale,
    /// Run first what the verdicts need and has no result, and nothing else of the experiments
    #[arg(long)]
    pub measure: bool,
    /// Run nothing: print the points of which the verdicts need runs that are missing, and the seconds that these will take
    #[arg(long, conflicts_with_all = ["measure", "write"])]
    pub estimate: bool,
    /// With --measure: runs at a time [default: the cores of this machine]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
    /// How the verdicts are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write the verdicts, all or those of a paper, between their lines in this Markdown file, by results of scale claims or
    /// paper; print nothing
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub write: Option<PathBuf>,
    /// With --write: rows whose results are not there any more stay as the page has them, and it says so
    #[arg(long, requires = "write")]
    pub keep: bool,
    /// With --write: they are not measured any more
    #[arg(long, requires = "write", conflicts_with = "keep")]
    pub forget: bool,
}
