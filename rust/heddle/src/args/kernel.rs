//! Which kernel runs, and how: what several commands share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heddle_cosim::RaceRule;

/// Which kernel, and how.
#[derive(Debug, Args)]
pub struct KernelArgs {
    /// Kernel by name, comma separated, or `all`
    #[arg(short, long, default_value = "all", value_name = "NAME", conflicts_with = "file")]
    pub kernel: String,
    /// Size of the kernels' inputs
    #[arg(short, long, default_value = "smoke", value_name = "smoke|small|paper", conflicts_with = "file")]
    pub size: String,
    /// Run the kernel on inputs from a file; given once for each file that the kernel takes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "size"], requires = "kernel")]
    pub input: Vec<PathBuf>,
    /// A PTX file of your own, with --launch; or a trace: kernelslist.g, .traceg, .traceg.xz
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Another PTX module that the first is linked with; may be given several times
    #[arg(long, value_name = "FILE.ptx", requires = "launch", conflicts_with_all = ["kernel", "size", "input"])]
    pub link: Vec<PathBuf>,
    /// Launch file of your PTX: entry, grid, block, arguments (see `heddle launch-template`)
    #[arg(long, value_name = "L.toml", requires = "file", conflicts_with_all = ["kernel", "size", "input"])]
    pub launch: Option<PathBuf>,
    /// Seed of the inputs and of the RTL's random initial state
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Architectural registers that the allocator may use; values that do not fit are spilled [default: 255]
    #[arg(long, value_name = "N", value_parser = max_registers())]
    pub max_registers: Option<u32>,
    /// Which writes of several warps to the same shared memory are races (not in sim, which judges none)
    /// [default: values]
    #[arg(long, value_enum)]
    pub races: Option<RacesArg>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Which writes of several warps to the same bytes of shared memory, between two barriers, are races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RacesArg {
    /// Those that change a value; plain writes of what is there already are counted
    Values,
    /// All of them
    Strict,
}

impl KernelArgs {
    /// What is a race on shared memory.
    pub fn race_rule(&self) -> RaceRule {
        match self.races {
            None | Some(RacesArg::Values) => RaceRule::Values,
            Some(RacesArg::Strict) => RaceRule::Strict,
        }
    }

    /// Architectural registers that the allocator may use.
    pub fn max_registers(&self) -> u32 {
        self.max_registers.unwrap_or(heddle_kernel::alloc::MAX_REGISTERS)
    }
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    Table,
    /// JSON lines, one object a row
    Json,
    /// Comma-separated values with a head line
    Csv,
}

/// Registers of a thread that the allocator accepts as a limit.
pub(super) fn max_registers() -> clap::builder::RangedI64ValueParser<u32> {
    use heddle_kernel::alloc::{MAX_REGISTERS, MIN_REGISTERS};
    clap::value_parser!(u32).range(i64::from(MIN_REGISTERS)..=i64::from(MAX_REGISTERS))
}
