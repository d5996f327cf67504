//! Random traffic through a register port, and through the memory port of a design that has one.
//!
//! [`run`] drives a verilated design and its Rust cycle model in lock-step with the same random
//! traffic, which keeps the register port's contract (see [`heddle_port::register`]): many warps
//! with their own bases, activated and deactivated with results still under way, working sets, masks,
//! up to six sources and four destinations, results in parts and out of order, back-pressure.
//!
//! It checks that
//! * every output of the two is equal in every cycle,
//! * every operand has the value of the last write accepted before the instruction was issued, in
//!   every active lane, and at the end all registers are read back once more,
//! * every load brings the bytes that were there at its place in the memory order, and at the end every line
//!   that was touched is read back,
//! * offered operands stay as they are until they are taken,
//! * every wait ends within a bound.
//!
//! With a [`Breach`] the traffic breaks the contract in one way, so that a design's fault detectors have something to find.
//!
//! Everything follows from the seed. [`ContractMonitor`] checks the driver's side of the port, of this bench
//! or of an SM.
//!
//! ```no_run
//! use heddle_port::PortConfig;
//! use heddle_portbench::{BenchConfig, run};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let root = std::path::Path::new(".");
//! let manifest = heddle_rtl::Manifest::load(root, "baseline")?;
//! let library =
//!     heddle_rtl::build(root, &manifest, manifest.elaboration(None)?, &mut |_| {})?;
//! let mut rtl = library.instance(1)?;
//! let port = PortConfig { bank_cycles: 1, active_warps: 32, rows_per_bank: 128, ..PortConfig::default() };
//! let config = BenchConfig::new(&manifest, rtl.made_with(), port);
//! let mut model = heddle_designs::create("baseline", rtl.made_with())?;
//! println!("{}", run(&config, &mut rtl, &mut *model, 1, 20_000)?);
//! # Ok(())
//! # }
//! ```

pub mod against;
mod breach;
mod compare;
mod config;
mod contract;
mod failure;
mod flight;
mod golden;
mod history;
mod instruction;
mod memory;
mod operands;
mod ready;
mod regions;
mod rng;
mod scheduler;
mod session;
pub mod shared_cache;
mod summary;
mod tables;
mod traffic;
mod warp;

pub use breach::Breach;
pub use config::BenchConfig;
pub use contract::{ContractMonitor, Offender};
pub use failure::{Failure, FailureKind};
pub use rng::Rng;
pub use session::{run, run_alone};
pub use summary::Summary;
