//! A design's manifest, `rtl/<design>/design.toml`: what it is made of and what its event bits mean.
//!
//! Designs are found by folder; there is no list of them anywhere. [`Manifest::instance`] gives what a
//! cycle model is made with.
//!
//! ```
//! # fn main() -> Result<(), heddle_manifest::ManifestError> {
//! let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
//! let manifest = heddle_manifest::Manifest::load(root, "baseline")?;
//! let widths = heddle_port::PortWidths { issue: 2, result: 2 };
//! let instance = manifest.instance(widths, manifest.elaboration(None)?);
//! assert!(instance.events.field("main_bank_read").is_some());
//! # Ok(())
//! # }
//! ```

mod error;
mod manifest;

pub use error::ManifestError;
pub use manifest::{BenchTargets, Elaboration, Event, Manifest, MappingTables, RegisterCache};
