//! What the compiler does with a kernel's PTX.

use serde::{Deserialize, Serialize};

/// Choices of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiler {
    /// Instructions take parameters and constants from their bank, as machine code does, and not from registers.
    pub constant_operands: bool,
    /// Loads begin early in their basic block, as long as no more than that many registers are live; 0: where the PTX has
    /// them.
    pub early_loads: u32,
    /// How many registers a thread takes.
    pub registers: RegisterCount,
}

/// How many registers a thread takes of those that its program needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegisterCount {
    /// As many as the allocator gave out.
    #[default]
    Allocated,
    /// At least as many as ptxas -O3 gives; known of the kernels that ship.
    PtxasO3,
}

impl Compiler {
    /// Whether it does what it does where nothing is said.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
