//! What is counted of instructions and registers, as shares.

use serde::{Deserialize, Serialize};

/// Shares of the warp instructions, 1 in all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mix {
    /// Integer arithmetic, moves, comparisons, parameter and constant loads.
    pub integer: f64,
    /// Half and single precision, conversions included.
    pub float: f64,
    /// Special functions, division.
    pub special: f64,
    /// Double precision.
    pub double: f64,
    /// Loads and texture fetches from global memory.
    pub global_load: f64,
    /// Stores to global memory.
    pub global_store: f64,
    /// Shared memory.
    pub shared: f64,
    /// Local memory: spills and arrays of a thread.
    pub local: f64,
    /// Atomics.
    pub atomic: f64,
    /// Branches, barriers, exits.
    pub control: f64,
}

/// Shares of the values written to registers, by how often instructions read them; 1 in all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reuse {
    /// Never.
    pub never: f64,
    /// Once.
    pub once: f64,
    /// Twice.
    pub twice: f64,
    /// More often.
    pub more: f64,
}
