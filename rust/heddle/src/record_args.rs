//! The arguments of `heddle record` and `heddle replay`.

use std::path::PathBuf;

use clap::Args;
use heddle_config::Override;

/// `record`.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Kernel by name
    #[arg(short, long, default_value = "vectoradd", value_name = "NAME")]
    pub kernel: String,
    /// Size of the kernel's inputs
    #[arg(short, long, default_value = "smoke", value_name = "smoke|small|paper")]
    pub size: String,
    /// Design by name; one with the register port alone
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// The file to write
    #[arg(short, long, value_name = "FILE.stim")]
    pub output: PathBuf,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Seed of the inputs and of the RTL's random initial state
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A file that `heddle record` wrote
    #[arg(value_name = "FILE.stim")]
    pub file: PathBuf,
    /// Replay into the model in this shared library, such as one of another simulator, in place of the one that
    /// Verilator builds of the design's RTL
    #[arg(long, value_name = "LIBRARY.so")]
    pub model: Option<PathBuf>,
    /// Seed of the random initial state of the RTL; what is compared does not depend on it
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub seed: u64,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}
