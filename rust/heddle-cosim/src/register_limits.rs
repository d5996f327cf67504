//! Registers of a thread where something else than its program says how many they are.

use heddle_config::{Compiler, RegisterCount};
use heddle_workloads::{Workload, ptxas_registers};

/// Registers of a thread that an entry takes at least and may take at most, where something else than its program says
/// that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegisterLimits {
    /// However few it needs.
    pub least: Option<u32>,
    /// Else it spills.
    pub most: Option<u32>,
}

/// The limits of `entry` of a kernel that ships: what a variant pins, or else what the preset's compiler takes from
/// ptxas.
#[must_use]
pub fn register_limits(workload: &dyn Workload, entry: &str, compiler: Compiler) -> RegisterLimits {
    let pinned = workload.pinned_registers(entry);
    let of_ptxas = || match compiler.registers {
        RegisterCount::Allocated => None,
        RegisterCount::PtxasO3 => ptxas_registers(workload, entry),
    };
    RegisterLimits { least: pinned.or_else(of_ptxas), most: pinned }
}
