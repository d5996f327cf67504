//! `cosim` and `sim`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heddle_config::Override;
use heddle_cosim::{RtlSms, Sampling};

use super::kernel::KernelArgs;

/// `cosim` and `sim`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Design by name, comma separated
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// What to run.
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times, each key once. Of several values, as in key=1,2,4, each runs,
    /// with each of the other keys
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Fail when a kernel has not ended after N cycles, with the flush of a design that holds the L1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,
    /// SMs that are simulated, with as large a part of L2 and DRAM as they are of the preset's. Their L1s are not coherent:
    /// docs/gpu.md says what a load finds there
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub sms: u32,
    /// Threads that move the SMs of a run on several (sim only); results are the same for any number [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Cycles that may wait to be checked on a second thread, beside the RTL of one SM (cosim only); 0 checks each at
    /// once; results are the same [default: 1024, on one core 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1 << 20))]
    pub check_queue: Option<u32>,
    /// Which of the simulated SMs are RTL, by their numbers; the others are cycle models (cosim only) [default: all]
    #[arg(long, value_name = "all|N,...")]
    pub rtl_sm: Option<RtlSms>,
    /// Which CTAs run; `share` is the part of the simulated SMs, had all SMs of the preset got them in turn
    /// [default: all; in paper size share, with all SMs that is all]
    #[arg(long, value_enum)]
    pub ctas: Option<CtasArg>,
    /// Rows of the whole run, of each launch, or of each entry that is launched
    #[arg(long, value_enum, default_value_t = PerArg::Run)]
    pub per: PerArg,
    /// CTAs resident at once: as many as fit, or of each entry as many as `heddle tlp` finds best (kernels only, no traces)
    #[arg(long, value_enum, default_value_t = TlpArg::Max)]
    pub tlp: TlpArg,
    /// Estimate cycles from detailed windows between functional stretches, with a 95 % bound; lengths in warp instructions of the
    /// SM (sim only; one SM) [default: window=8000,warm-up=8000,every=80000]. See docs/sampling.md
    #[arg(long, value_name = "window=N,warm-up=N,every=N", num_args = 0..=1, require_equals = true,
        default_missing_value = "")]
    pub sample: Option<Sampling>,
    /// Write a waveform window and its saved views (cosim only)
    #[arg(long, value_enum)]
    pub waves: Option<WavesArg>,
    /// First cycle of the waveform window
    #[arg(
        long,
        default_value_t = 0,
        value_name = "CYCLE",
        requires = "waves",
        overrides_with = "waves_from"
    )]
    pub waves_from: u64,
    /// Cycles in the waveform window
    #[arg(long, default_value_t = 2000, value_name = "N", requires = "waves",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub waves_cycles: u64,
    /// Write what every warp, bank and command did when, for a trace viewer (sim only; one kernel on one design)
    #[arg(long, value_name = "FILE.json")]
    pub timeline: Option<PathBuf>,
    /// First cycle of the timeline
    #[arg(long, default_value_t = 0, value_name = "CYCLE", requires = "timeline")]
    pub timeline_from: u64,
    /// Cycles of the timeline at most
    #[arg(long, default_value_t = 100_000, value_name = "N", requires = "timeline",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub timeline_cycles: u64,
    /// Folder for waveforms and mismatch reports
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// Switch on a planted bug of the instrumented RTL (ids: testbench/<design>/planted_bugs.toml and those of its cells, as in testbench/common)
    #[arg(long, value_name = "ID")]
    pub fault: Option<String>,
    /// The SM that has the planted bug; every one that is RTL by default
    #[arg(long, value_name = "N", requires = "fault")]
    pub fault_sm: Option<u32>,
}

/// What a row of the results is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PerArg {
    /// All launches of a kernel
    Run,
    /// One launch
    Launch,
    /// All launches of one entry
    Entry,
}

/// How many CTAs are resident at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TlpArg {
    /// As many as fit
    Max,
    /// As many as a profile finds best (designs with racetracks)
    Best,
}

/// Waveform format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WavesArg {
    /// As the verilated model writes it
    Vcd,
    /// Compact, converted from VCD
    Fst,
}

/// Which CTAs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CtasArg {
    /// Every CTA of the grid
    All,
    /// One SM's share
    Share,
}
