//! The arguments of `heddle energy`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

/// `energy`.
#[derive(Debug, Args)]
pub struct EnergyArgs {
    /// Results that `heddle sim` or `heddle cosim` wrote with --format json
    #[arg(value_name = "RESULTS.jsonl", required = true)]
    pub results: Vec<PathBuf>,
    /// Constants: a name of technologies/, or a file (see docs/energy.md)
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub technology: String,
    /// Show each run by that of DESIGN with the same kernel, size, preset, seed and number of SMs
    #[arg(long, value_name = "DESIGN")]
    pub relative_to: Option<String>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}
