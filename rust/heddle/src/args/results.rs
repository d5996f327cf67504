//! `list` and `compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::kernel::Format;

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
