//! Builds SystemVerilog with Verilator at run time and runs the models from Rust.
//!
//! Two halves:
//!
//! * [`build`] finds Verilator and a C++ compiler, verilates a design and compiles it into one
//!   shared library, in a directory addressed by the content of everything that went in.
//! * [`Library`] and [`Instance`] load such a library and run models of it, each with its own
//!   simulation context: several may run at once in different threads.
//!
//! A failing assertion, `$error`, `$fatal` or `$stop` is an [`Err`] with what the model printed; it
//! never ends the process. So are errors of the waveform file.
//!
//! ```no_run
//! use verilated_runtime::build::{ModelBuild, Shim, Verilator};
//! use verilated_runtime::{Library, Options};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let verilator = Verilator::locate(&[])?;
//! let shim = Shim::new("counter_shim.cpp", std::fs::read_to_string("counter_shim.cpp")?);
//! let model = ModelBuild::new("counter", shim)
//!     .source("counter.sv")
//!     .parameter("Limit", 7)
//!     .build(&verilator, "build/rtl".as_ref(), &mut |stage| println!("{stage}"))?;
//! let mut counter = Library::open(&model.library)?.instance(&Options::default())?;
//! let mut count = [0];
//! counter.cycle(&[1], &[], &mut count, &mut [])?;
//! # Ok(())
//! # }
//! ```
//!
//! The shim says how words become ports: it includes `verilated_model.h` (whose comment shows the
//! adapter to write) and the generated header of the top module.

mod bridge;
pub mod build;
mod instance;

pub use instance::{Instance, Library, Options, RandomReset, RunError, Shape};
