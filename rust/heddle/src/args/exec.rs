//! `exec` and `trace`.

use std::path::PathBuf;

use clap::Args;
use heddle_config::Override;

use super::kernel::KernelArgs;

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
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
    /// Run the program as parsed, on virtual registers
    #[arg(long)]
    pub as_parsed: bool,
    /// Fail when a kernel has not ended after N warp instructions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_instructions: Option<u64>,
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
    /// Change one value of the preset; may be given several times, each key once
    #[arg(long = "set", value_name = "path.to.key=value")]
    pub overrides: Vec<Override>,
}
