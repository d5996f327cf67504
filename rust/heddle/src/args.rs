//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use heddle_config::Override;
use heddle_cosim::{RaceRule, RtlSms, Sampling};

use crate::bank_time_args::BankTimeArgs;
use crate::claims_args::ClaimsArgs;
use crate::energy_args::EnergyArgs;
use crate::record_args::{RecordArgs, ReplayArgs};
use crate::report_args::ReportArgs;
use crate::sweep_args::SweepArgs;
use crate::tolerable_args::TolerableArgs;

/// A co-simulation bench for register files and caches of GPUs.
///
/// Published designs run as SystemVerilog in the loop with real kernels; every value and every cycle
/// is checked. Exit codes: 0 fine; 1 a run failed; 2 wrong use or bad input; 3 mismatch, assertion or
/// hang of a machine under test; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "heddle", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Folder of a design outside the repository, which all commands know then; may be given several times
    #[arg(long, global = true, value_name = "DIR", help_heading = "Designs")]
    pub design_path: Vec<PathBuf>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run kernels with the RTL in the loop, checked against the cycle model and the golden machine
    Cosim(RunArgs),
    /// Run kernels with the cycle model alone
    Sim(RunArgs),
    /// Energy of runs, from their counted events and the constants of a technology
    Energy(EnergyArgs),
    /// Run an experiment: designs, settings and kernels of a TOML file, on all cores
    Sweep(SweepArgs),
    /// Hold what the papers say in numbers against the results of sweeps and what can be computed
    Claims(ClaimsArgs),
    /// Draw the figures of all experiments with the results that are there, as one HTML file
    Report(ReportArgs),
    /// Run kernels on the golden machine alone, without timing
    Exec(ExecArgs),
    /// Choose how many CTAs to keep on racetracks at once, from a profile of cache and shifts
    Tlp(TlpArgs),
    /// Find how slow a register file may become before kernels lose more than 5 %, with the cycle model
    Tolerable(TolerableArgs),
    /// Find the time of a bank at which the average access to a register file takes so many times as long as at one cycle
    BankTime(BankTimeArgs),
    /// Measure the latencies of loads and of arithmetic, hop by hop, with the cycle model
    Latency(LatencyArgs),
    /// Run a kernel with the RTL in the loop and write what goes through its ports into a file
    Record(RecordArgs),
    /// Replay a recorded run into a model of the RTL and compare its outputs in every cycle
    Replay(ReplayArgs),
    /// Write kernels as traces of SASS instructions, for trace-driven simulators
    Trace(TraceArgs),
    /// Run micro-traces and hold their cycles against those of other machines
    Fidelity(FidelityArgs),
    /// Change single tokens of a design's RTL, one at a time, and see which changes the kernels find
    Mutate(MutateArgs),
    /// Measure which lines, branches and control signals of a design's RTL the kernels and the port bench reach
    Coverage(CoverageArgs),
    /// Compile PTX and print what the compiler made of it
    Compile(CompileArgs),
    /// List what there is
    List(ListArgs),
    /// Compare sets of results (JSON lines) side by side
    Compare(CompareArgs),
    /// Write a launch file for a PTX file to standard output
    LaunchTemplate(LaunchTemplateArgs),
    /// Write what a design needs that stands on another, to be changed part by part
    NewDesign(NewDesignArgs),
    /// Look at everything that a design needs and say what is missing
    CheckDesign(CheckDesignArgs),
    /// Say which tools are there, in which version, and how to get what is missing
    Doctor,
    /// Print the script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Print a manual page; read it with `heddle man | man -l -`
    Man(ManArgs),
}

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell; for bash: `heddle completions bash > ~/.local/share/bash-completion/completions/heddle`
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// A command; the program itself when left out
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// What the new design is called, and what it stands on.
#[derive(Debug, Args)]
pub struct NewDesignArgs {
    /// Its name: lower-case letters, digits and _
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The design that it stands on
    #[arg(long, value_name = "DESIGN")]
    pub from: String,
    /// Write it into a folder of its own, outside the repository, for --design-path
    #[arg(long, value_name = "DIR")]
    pub at: Option<PathBuf>,
}

/// Which design is looked at.
#[derive(Debug, Args)]
pub struct CheckDesignArgs {
    /// Design by name
    #[arg(value_name = "DESIGN")]
    pub design: String,
    /// Bring the files that follow from the manifest up to date first
    #[arg(long)]
    pub write: bool,
    /// Change one key of the preset or one parameter of the design; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<Override>,
    /// Cycles of random traffic through the ports
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub cycles: u64,
    /// Try every planted bug too; takes minutes
    #[arg(long)]
    pub faults: bool,
}

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
    #[arg(long, value_name = "FILE.ptx", requires = "launch")]
    pub link: Vec<PathBuf>,
    /// Launch file of your PTX: entry, grid, block, arguments (see `heddle launch-template`)
    #[arg(long, value_name = "L.toml", requires = "file")]
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
    /// Change one value of the preset; may be given several times. Of several values, as in key=1,2,4, each runs,
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
    /// CTAs resident at once: as many as fit, or as many as `heddle tlp` finds best
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
    /// Switch on a planted bug of the instrumented RTL (see testbench/<design>/planted_bugs.toml)
    #[arg(long, value_name = "ID", hide = true)]
    pub fault: Option<String>,
    /// The SM that has the planted bug; every one that is RTL by default
    #[arg(long, value_name = "N", requires = "fault", hide = true)]
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
    /// Change one value of the preset; may be given several times
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
    /// Change one value of the preset; may be given several times
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `trace`.
#[derive(Debug, Args)]
#[command(mut_arg("file", |file| file.help("A PTX file of your own, with --launch")))]
pub struct TraceArgs {
    /// What is written.
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// Folder for kernelslist.g and a trace of each launch; of several kernels a folder each in it
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Compress the traces (.traceg.xz)
    #[arg(long)]
    pub xz: bool,
    /// Design by name; its SM decides who is first where warps race
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
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
    /// Change one value of the preset; may be given several times
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Keep the traces in this folder, one folder each, for other simulators
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `mutate`.
#[derive(Debug, Args)]
pub struct MutateArgs {
    /// Design by name
    #[arg(value_name = "DESIGN")]
    pub design: String,
    /// Mutants to draw
    #[arg(short = 'n', long, value_name = "N", default_value_t = 30, value_parser = mutants())]
    pub count: usize,
    /// What decides which are drawn, any text [default: the commit of the designs' files]
    #[arg(long, value_name = "TEXT")]
    pub seed: Option<String>,
    /// Change one key of the preset or one parameter of the design; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<Override>,
    /// Kernels that judge, in size smoke: by name, comma separated, or `all`
    #[arg(short, long, default_value = "all", value_name = "NAME")]
    pub kernel: String,
    /// Cycles of kernels after which a mutant that passed them has survived
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub most_cycles: u64,
    /// Fail when less than so many percent are killed of those that can be
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub least: u8,
    /// Folder that keeps what was found: the same command goes on where it was ended
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// Judge anew what was kept
    #[arg(long)]
    pub fresh: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `coverage`.
#[derive(Debug, Args)]
pub struct CoverageArgs {
    /// Design by name; its variants with RTL run too
    #[arg(value_name = "DESIGN")]
    pub design: String,
    /// Kernels that run with the design as it is, in size smoke: by name, comma separated, or `all`
    #[arg(short, long, default_value = "all", value_name = "NAME")]
    pub kernel: String,
    /// Kernels that run with each variant and each further setting, as --kernel has them
    #[arg(long, default_value = "vectoradd,matrixmul,hotspot", value_name = "NAME")]
    pub variant_kernel: String,
    /// Cycles of the port bench with each of its seeds, 0 for none
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub bench_cycles: u64,
    /// Judge what the last runs counted, kept in --results, in place of running: for work on the rules
    #[arg(long)]
    pub again: bool,
    /// Print what was not reached in place of the modules
    #[arg(long)]
    pub holes: bool,
    /// Write the tables of the design into docs/coverage.md
    #[arg(long)]
    pub write: bool,
    /// Fail below 98 % of lines or 95 % of edges of control signals, or where a cover is not reached without a reason
    #[arg(long)]
    pub targets: bool,
    /// Folder for files while the runs last
    #[arg(long, default_value = "results", value_name = "DIR")]
    pub results: PathBuf,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Mutants that one build can have.
fn mutants() -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser as _;
    clap::value_parser!(u64)
        .range(1..=heddle_rtl::mutants::MOST_MUTANTS as u64)
        .map(|count| usize::try_from(count).unwrap_or(usize::MAX))
}

/// `exec`.
#[derive(Debug, Args)]
#[command(mut_arg("file", |file| file.help("A PTX file of your own, with --launch")))]
pub struct ExecArgs {
    /// What to run.
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// Design whose SM decides how many CTAs are resident at once
    #[arg(short, long, default_value = "baseline", value_name = "NAME")]
    pub design: String,
    /// Preset by name or file; the design's own paper's by default
    #[arg(short, long, value_name = "NAME|FILE.toml")]
    pub preset: Option<String>,
    /// Change one value of the preset; may be given several times
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Run the program as parsed, on virtual registers
    #[arg(long)]
    pub as_parsed: bool,
    /// Fail when a kernel has not ended after N warp instructions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_instructions: Option<u64>,
}

/// `compile`.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// PTX file; or, with a name that ends in .dot, a control-flow graph of machine code from `nvdisasm -cfg`, of
    /// which the program and the intervals can be printed
    #[arg(value_name = "FILE.ptx")]
    pub file: Option<PathBuf>,
    /// Another PTX module that the first is linked with; may be given several times
    #[arg(long, value_name = "FILE.ptx", requires = "file")]
    pub link: Vec<PathBuf>,
    /// Entry, when the file has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Architectural registers that the allocator may use
    #[arg(long, default_value_t = 255, value_name = "N", value_parser = max_registers())]
    pub max_registers: u32,
    /// Instructions take parameters and constants from their bank, as machine code does, and not from registers
    #[arg(long)]
    pub constant_operands: bool,
    /// The run that a mapping is made from.
    #[command(flatten)]
    pub profile: ProfileArgs,
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
    /// Change one value of the preset; may be given several times
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Seed of the inputs [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum)]
    pub what: ListWhat,
    /// Only this kernel; its table is the whole character sheet. Of keys and claims, those that have this in their names
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// What the others are compared with, such as the results of one design
    #[arg(value_name = "A.jsonl")]
    pub a: PathBuf,
    /// The others: any number of designs, and of settings of one design
    #[arg(value_name = "B.jsonl", required = true)]
    pub b: Vec<PathBuf>,
    /// What makes two runs a pair, beside kernel, size and seed: the same design and settings, or nothing
    /// [default: kernel where the first file has one run of each, else design]
    #[arg(long, value_enum)]
    pub by: Option<CompareBy>,
    /// Print the geometric mean over the kernels of the ratio b to a of a value, such as ipc, shift (of the events)
    /// or shift+preshift, for each design of B and each choice of settings. What stands before a name in the
    /// results, as in events.shift, may be left out
    #[arg(long, value_name = "KEY", conflicts_with = "by")]
    pub mean: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// What makes two runs a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareBy {
    /// Design, settings, kernel, size and seed
    Design,
    /// Kernel, size and seed: every run beside the one of the first file
    Kernel,
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

/// What `list` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListWhat {
    /// Designs
    Designs,
    /// Kernels: block, registers, bytes of shared memory and what limits the occupancy of each entry;
    /// titles and sizes too as JSON or CSV, and the character sheets as JSON
    Kernels,
    /// Presets
    Presets,
    /// Keys of results in JSON and CSV: meaning, unit, and where they come from; events of every design
    Keys,
    /// JSON schema of the rows of results
    Schema,
    /// What the papers say in numbers: where, how much, and where our value comes from
    Claims,
}

/// Registers of a thread that the allocator accepts as a limit.
fn max_registers() -> clap::builder::RangedI64ValueParser<u32> {
    use heddle_kernel::alloc::{MAX_REGISTERS, MIN_REGISTERS};
    clap::value_parser!(u32).range(i64::from(MIN_REGISTERS)..=i64::from(MAX_REGISTERS))
}
