//! The shipped PTX on a real GPU, held against the golden machine: `make gpu-check`.
//!
//! Each workload runs twice from the same inputs: on the golden machine, and on the GPU through the CUDA
//! driver, which compiles the PTX itself. What the GPU leaves must pass the workload's own check, and
//! where PTX fixes every bit of the result it must leave the same bytes as the golden machine.
//!
//! The GPU is behind the trait [`Driver`], so that the tests of this crate need none.

mod check;
mod compare;
pub mod cuda;
mod driver;
mod error;
mod golden;
mod mirror;

pub use check::{Agreement, check};
pub use driver::{Driver, DriverError, Extent, Module};
pub use error::GpuError;
