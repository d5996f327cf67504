//! Energy of a run: counted events times the constants of a technology.
//!
//! A technology is a TOML file: constants with value, unit and source, and for each design the components that take energy, by
//! which counts and for how long. Nothing of it is in the program. Counts are those of a row of `heddle sim` or `cosim`, which
//! lock-step holds equal to the RTL's.

mod error;
mod evaluate;
mod file;
mod names;
mod technology;
mod unit;

pub use error::EnergyError;
pub use evaluate::{ComponentEnergy, RunEnergy};
pub use names::Named;
pub use technology::{Component, Constant, DesignEnergy, Dynamic, Leakage, Technology};
pub use unit::Unit;
