//! The designs' SystemVerilog, verilated and run behind the register port.
//!
//! A design is a folder `rtl/<design>/` with a `design.toml` ([`Manifest`]). [`build()`] turns one
//! elaboration of it into a shared library, once, and [`ModelLibrary::instance`] makes register files
//! of it that hold the data and answer as the port's contract says.
//!
//! ```no_run
//! use heddle_port::{PortConfig, RegIn, RegOut, RegisterData, RegisterFile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let root = std::path::Path::new(".");
//! let manifest = heddle_rtl::Manifest::load(root, "baseline")?;
//! let elaboration = manifest.elaboration(None)?;
//! let library = heddle_rtl::build(root, &manifest, elaboration, &mut |stage| eprintln!("{stage}"))?;
//! let mut registers = library.instance(1)?;
//! let mut out = registers.reset(&PortConfig { bank_cycles: 1, ..PortConfig::default() })?;
//! registers.step(&RegIn::default(), &mut out)?;
//! # Ok(())
//! # }
//! ```
//!
//! [`planted`] makes a variant of a design with known bugs in it, chosen by instance at run time, and [`mutants`] one
//! with single tokens that can be others; [`covered`] one that counts what its runs cover, [`netlist`] one that yosys makes. [`Block`] is one
//! module of a design alone, for a bench of its own.

mod block;
pub mod covered;
mod error;
mod memory_side;
mod model;
pub mod mutants;
pub mod netlist;
pub mod planted;
mod recorded;
mod register_file;
mod replay;
mod shim;
mod slots;
mod sources;

pub use block::{Block, PlantedBlock, activations};
pub use error::RtlError;
pub use heddle_manifest::{
    BenchTargets, Elaboration, Event, Formula, Found, Kind, Manifest, ManifestError, MappingTables,
    Parameter, RegisterCache, Value,
};
pub use model::{ModelLibrary, QUICK_MODELS, RtlOrigin, build, build_with_waves};
pub use recorded::{RecordedError, recorded_elaboration};
pub use register_file::{RESET_CYCLES, RtlRegisterFile};
pub use replay::{Difference, ReplayError, Replayed, replay};
pub use sources::{sources_hash, waivers};
