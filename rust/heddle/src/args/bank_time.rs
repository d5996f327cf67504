//! The arguments of `heddle bank-time`.

use clap::Args;
use heddle_config::Override;

use super::Format;

/// `bank-time`.
#[derive(Debug, Args)]
pub struct BankTimeArgs {
    /// Kernel by name, comma separated, or `all`
    #[arg(value_name = "KERNEL", default_value = "all")]
    pub kernel: String,
    /// Design whose register file is measured
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// How many times as long as 1x the average access is to take
    #[arg(long, default_value = "5.3,6.3", value_name = "X,X", value_delimiter = ',', value_parser = ratio)]
    pub ratios: Vec<f64>,
    /// Cycles of a bank to measure with, in whole eighths, growing from 1
    #[arg(long, default_value = "1,2,3,4,5,6,7,8", value_name = "N,N", value_delimiter = ',')]
    pub values: Vec<f64>,
    /// Size of the kernels' inputs
    #[arg(short, long, default_value = "smoke", value_name = "smoke|small|paper")]
    pub size: String,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset or a parameter of the design; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Beside those of --set, settings of the file whose average access at one cycle is 1x; may be given several
    /// times. The measured file itself by default. A parameter of the design, such as `design.num_banks`, goes before the
    /// key of the preset that it follows
    #[arg(long, value_name = "path.to.key=value")]
    pub reference: Vec<Override>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

fn ratio(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ratio) if ratio >= 1.0 && f64::is_finite(ratio) => Ok(ratio),
        _ => Err("expected a number of at least 1".to_owned()),
    }
}
