//! Kernels with several instructions at one program counter.

use std::fmt;

use crate::error::Spot;

/// A trace that no machine has written: another instruction stood at the program counter of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twins {
    /// The kernel.
    pub kernel: String,
    /// Where the first such one is.
    pub at: Spot,
    /// Line of the one that stood there before.
    pub first_line: u64,
}

impl fmt::Display for Twins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, at, first_line } = self;
        write!(
            f,
            "{at}: kernel {kernel}: another instruction has the pc of this one, that of line {first_line}; they are taken for two"
        )
    }
}
