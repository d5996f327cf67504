//! `tlp`, `latency` and `fidelity`: what the cycle model is asked.

use std::path::PathBuf;

use clap::Args;
use heddle_config::Override;

use super::kernel::{Format, max_registers};

/// `tlp`.
#[derive(Debug, Args)]
pub struct TlpArgs {
    /// Kernel by name, comma separated, or `all`
    #[arg(value_name = "KERNEL")]
    pub kernel: String,
    /// Design by name
    #[arg(short, long, default_value = "racetrack", value_name = "NAME")]
    pub design: String,
    /// Size of the kernels' inputs
    #[arg(short, long, default_value = "smoke", value_name = "smoke|small|paper")]
    pub size: String,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Architectural registers that the allocator may use; values that do not fit are spilled
    #[arg(long, default_value_t = 255, value_name = "N", value_parser = max_registers())]
    pub max_registers: u32,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `latency`.
#[derive(Debug, Args)]
pub struct LatencyArgs {
    /// Design by name, comma separated
    #[arg(short, long, default_value = "osm", value_name = "NAME")]
    pub design: String,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `fidelity`.
#[derive(Debug, Args)]
pub struct FidelityArgs {
    /// Micro-traces, or bounds, by name, comma separated, or `all`
    #[arg(value_name = "TRACE", default_value = "all")]
    pub traces: String,
    /// Design by name
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// Preset by name or file; the references are of volta, other presets have bounds that follow from their keys
    #[arg(short, long, default_value = "volta", value_name = "NAME|FILE.toml")]
    pub preset: String,
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Keep the traces in this folder, one folder each, for other simulators; the two of a bound below `short` and `long`
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}
