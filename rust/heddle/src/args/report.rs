//! The arguments of `heddle report`.

use std::path::PathBuf;

use clap::Args;
use heddle_experiments::Scale;

/// `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folder of the results that `heddle sweep` wrote
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// The page [default: report.html in the folder of the results]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The claims and figures of one paper alone, such as ltrf
    #[arg(long, value_name = "PAPER")]
    pub only: Option<String>,
    /// How much of each experiment: its file says which size and which kernels
    #[arg(short, long, default_value_t, value_name = "smoke|claims|paper")]
    pub scale: Scale,
    /// Say nothing
    #[arg(short, long)]
    pub quiet: bool,
}
