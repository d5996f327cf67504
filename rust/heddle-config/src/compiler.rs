//! What the compiler does with a kernel's PTX.

use serde::{Deserialize, Serialize};

/// Choices of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiler {
    /// Instructions take parameters and constants from their bank, as machine code does, and not from registers.
    pub constant_operands: bool,
}

impl Compiler {
    /// Whether it does what it does where nothing is said.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
