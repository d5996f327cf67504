//! `compile` and `launch-template`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heddle_config::Override;

use super::kernel::max_registers;

/// `compile`.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// PTX file; or, with a name that ends in .dot, a control-flow graph of machine code from `nvdisasm -cfg`, of
    /// which the program and the intervals can be printed
    #[arg(value_name = "FILE.ptx")]
    pub file: Option<PathBuf>,
    /// Another PTX module that the first is linked with; may be given several times
    #[arg(long, value_name = "FILE.ptx", requires = "file", conflicts_with = "kernel")]
    pub link: Vec<PathBuf>,
    /// Entry, when the file has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Architectural registers that the allocator may use [default: 255]
    #[arg(long, value_name = "N", value_parser = max_registers())]
    pub max_registers: Option<u32>,
    /// Instructions take parameters and constants from their bank, as machine code does, and not from registers
    #[arg(long)]
    pub constant_operands: bool,
    /// Loads begin early in their basic block while at most N registers are live; 0: where the PTX has them
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=255))]
    pub early_loads: u32,
    /// With --emit intervals: registers of a register-interval at most [default: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub interval_registers: Option<u32>,
    /// With --emit intervals: spread the registers of each interval over the banks, and show conflicts before
    /// and after
    #[arg(long)]
    pub renumber: bool,
    /// Of FILE.dot: architecture of the machine code, as in sm_80; by default the oldest that has all its opcodes
    #[arg(long, value_name = "sm_NN", value_parser = architecture, requires = "file")]
    pub arch: Option<u32>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Emit::Program)]
    pub emit: Emit,
    /// The run that a mapping is made from.
    #[command(flatten)]
    pub profile: ProfileArgs,
}

impl CompileArgs {
    /// Architectural registers that the allocator may use.
    pub fn max_registers(&self) -> u32 {
        self.max_registers.unwrap_or(heddle_kernel::alloc::MAX_REGISTERS)
    }
}

/// The number of an architecture: `sm_80`, `sm_90a`, `80`.
fn architecture(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix("sm_").unwrap_or(text);
    let number = number.strip_suffix('a').unwrap_or(number).parse().ok();
    number
        .filter(|number| heddle_sass::ARCHITECTURES.contains(number))
        .ok_or_else(|| format!("expected sm_ and one of {:?}", heddle_sass::ARCHITECTURES))
}

/// `compile --emit mapping`: which run is profiled, and for which design.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --emit mapping")]
pub struct ProfileArgs {
    /// Launch file of the PTX: the run that is profiled
    #[arg(long, value_name = "L.toml", conflicts_with = "kernel")]
    pub launch: Option<PathBuf>,
    /// A kernel that ships with Heddle, by name, in place of a PTX file
    #[arg(short, long, value_name = "NAME", conflicts_with = "file")]
    pub kernel: Option<String>,
    /// Size of that kernel's inputs [default: smoke]
    #[arg(short, long, value_name = "smoke|small|paper", requires = "kernel")]
    pub size: Option<String>,
    /// Design by name [default: racetrack]
    #[arg(short, long, value_name = "NAME")]
    pub design: Option<String>,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Seed of the inputs [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// What `compile` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The allocated program
    Program,
    /// Control-flow graph as Graphviz DOT
    Cfg,
    /// Live registers at each instruction
    Liveness,
    /// Register-intervals
    Intervals,
    /// Where the registers lie in the banks of a design with racetracks, from a profile run of the cycle model
    Mapping,
}

/// `launch-template`.
#[derive(Debug, Args)]
pub struct LaunchTemplateArgs {
    /// PTX file
    #[arg(value_name = "FILE.ptx")]
    pub file: PathBuf,
    /// Another PTX module that the first is linked with; may be given several times
    #[arg(long, value_name = "FILE.ptx")]
    pub link: Vec<PathBuf>,
    /// Entry, when the file has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
}
