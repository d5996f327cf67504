//! `new-design` and `check-design`.

use std::path::PathBuf;

use clap::Args;
use heddle_config::Override;

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
    /// Change one key of the preset or one parameter of the design; may be repeated, each key once
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<Override>,
    /// Cycles of random traffic through the ports
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub cycles: u64,
    /// Try every planted bug too; takes minutes
    #[arg(long)]
    pub faults: bool,
}
