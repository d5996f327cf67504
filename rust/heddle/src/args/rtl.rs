//! `mutate` and `coverage`.

use std::path::PathBuf;

use clap::Args;
use heddle_config::Override;

use super::kernel::Format;

/// `mutate`.
#[derive(Debug, Args)]
pub struct MutateArgs {
    /// Design by name
    #[arg(value_name = "DESIGN")]
    pub design: String,
    /// Mutants to draw
    #[arg(short = 'n', long, value_name = "N", default_value_t = 30, value_parser = mutants())]
    pub count: usize,
    /// What decides which are drawn, any text [default: the commit of the designs' files, or the hash of the sources where there is none]
    #[arg(long, value_name = "TEXT")]
    pub seed: Option<String>,
    /// Change one key of the preset or one parameter of the design; may be repeated, each key once
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<Override>,
    /// Kernels that judge, in size smoke: by name, comma separated, or `all`
    #[arg(short, long, default_value = "all", value_name = "NAME")]
    pub kernel: String,
    /// Cycles of kernels after which a mutant that passed them has survived
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub most_cycles: u64,
    /// Cycles of the port bench with each of its seeds, for what the kernels do not find; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub bench_cycles: u64,
    /// Leave out the design's further elaborations, which are built for what the first one does not find
    #[arg(long)]
    pub first_elaboration: bool,
    /// Ask of each mutant that no run found whether its netlist is the design's, whether it breaks a proof, and what lint says
    #[arg(long)]
    pub prove: bool,
    /// Fail when less than so many percent are killed of those that can be
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub least: u8,
    /// Fail when more than so many percent are equivalent by a reason in the design's list alone
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub most_by_reason: u8,
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
