//! Kernels that name registers beyond the number in the header.

use std::fmt;

use crate::error::Spot;

/// A header whose `-nregs` is less than the registers that the instructions name. The kernel has those that they
/// name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoreRegisters {
    /// The kernel.
    pub kernel: String,
    /// Registers of a thread by the header.
    pub declared: u32,
    /// Registers of a thread that the instructions need.
    pub used: u32,
    /// The first instruction beyond.
    pub opcode: String,
    /// Where it is.
    pub first: Spot,
}

impl fmt::Display for MoreRegisters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, declared, used, opcode, first } = self;
        write!(
            f,
            "{first}: kernel {kernel}: the header has -nregs = {declared}, and {opcode} here names a register beyond; \
             a thread is taken to have the {used} that the instructions name"
        )
    }
}
