//! The arguments of `heddle tolerable`.

use clap::Args;
use heddle_config::Override;

use super::Format;

/// `tolerable`.
#[derive(Debug, Args)]
pub struct TolerableArgs {
    /// Kernel by name, comma separated, or `all`
    #[arg(value_name = "KERNEL", default_value = "all")]
    pub kernel: String,
    /// Designs by name, comma separated
    #[arg(short, long, default_value = "ltrf", value_name = "NAME,NAME")]
    pub design: String,
    /// The other design whose speed at the first value is to be kept
    #[arg(long, default_value = "baseline-272k", value_name = "NAME")]
    pub against: String,
    /// Loss of instructions a cycle that is tolerated, in per cent
    #[arg(long, default_value_t = 5.0, value_name = "PERCENT", value_parser = loss)]
    pub loss: f64,
    /// The setting that makes the register file slow
    #[arg(long, default_value = "register_file.bank_cycles", value_name = "path.to.key")]
    pub key: String,
    /// Its values, from the fastest on; the first is 1x
    #[arg(long, default_value = "1,2,3,4,5,6,7,8", value_name = "N,N", value_delimiter = ',')]
    pub values: Vec<u32>,
    /// Size of the kernels' inputs
    #[arg(short, long, default_value = "smoke", value_name = "smoke|small|paper")]
    pub size: String,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Preset by name or file, of both designs; that of the first design's paper by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset for all designs; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

fn loss(text: &str) -> Result<f64, String> {
    let percent: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..100.0).contains(&percent) { Ok(percent) } else { Err("expected 0 to less than 100".to_owned()) }
}
