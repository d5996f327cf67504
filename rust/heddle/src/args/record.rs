//! The arguments of `heddle record` and `heddle replay`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
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
    /// Design by name
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// The file to write
    #[arg(short, long, value_name = "FILE.stim")]
    pub output: PathBuf,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Seed of the inputs and of the RTL's random initial state
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// What makes the model that a recording is replayed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Simulator {
    /// Verilator, from the RTL
    Verilator,
    /// yosys with slang, from the RTL into a netlist, which Verilator compiles
    Netlist,
}

/// `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A file that `heddle record` wrote
    #[arg(value_name = "FILE.stim")]
    pub file: PathBuf,
    /// Replay into the model in this shared library, such as one of another simulator, in place of one that is
    /// built of the design's RTL
    #[arg(long, value_name = "LIBRARY.so", conflicts_with = "simulator")]
    pub model: Option<PathBuf>,
    /// What makes the model of the design's RTL
    #[arg(long, value_enum, default_value_t = Simulator::Verilator)]
    pub simulator: Simulator,
    /// Seed of the random initial state of the RTL; what is compared does not depend on it
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub seed: u64,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}
