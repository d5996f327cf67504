//! A design's manifest, `rtl/<design>/design.toml`: what it is made of, its parameters, and what its event bits
//! mean.
//!
//! Designs are found by folder; there is no list of them anywhere. [`Manifest::instance`] gives what a
//! cycle model is made with, [`Manifest::of_top`] the parameters of the RTL, [`Manifest::generated`] the
//! SystemVerilog that says where the events lie: one source for all three.
//!
//! ```
//! # fn main() -> Result<(), heddle_manifest::ManifestError> {
//! let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
//! let manifest = heddle_manifest::Manifest::load(root, "baseline")?;
//! let instance = manifest.instance(manifest.elaboration(None)?)?;
//! assert!(instance.events.field("main_bank_read").is_some());
//! # Ok(())
//! # }
//! ```

mod error;
mod events;
mod extends;
mod file;
mod formula;
mod include;
mod load;
mod manifest;
mod parameters;
mod tables;

pub use error::ManifestError;
pub use events::Event;
pub use formula::{Formula, Value};
pub use include::Generated;
pub use load::Found;
pub use manifest::{Elaboration, Manifest};
pub use parameters::{Fit, Kind, Parameter, Rule, in_rtl};
pub use tables::{BenchTargets, IntegratedMemory, MappingRule, MappingTables, RegisterCache, TestPlan};
