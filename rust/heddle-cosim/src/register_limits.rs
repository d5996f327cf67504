//! Registers of a thread where something else than its program says how many they are.

use heddle_config::{Compiler, RegisterCount};
use heddle_isa::Program;
use heddle_kernel::{AllocOptions, CompileOptions};
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

impl RegisterLimits {
    /// What `compiler` is asked for where a thread has at most `registers`.
    #[must_use]
    pub fn options(self, compiler: Compiler, registers: u32) -> CompileOptions {
        let alloc = AllocOptions { max_registers: self.most.map_or(registers, |most| most.min(registers)) };
        let Compiler { constant_operands, early_loads, .. } = compiler;
        CompileOptions { alloc, constant_operands, early_loads }
    }

    /// Gives `program` what it takes at least, where a thread has at most `registers`.
    pub fn reserve(self, program: &mut Program, registers: u32) {
        program.reserve_registers(self.least.unwrap_or(0).min(registers));
    }
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

#[cfg(test)]
mod tests {
    use heddle_config::{Compiler, RegisterCount};

    use super::{RegisterLimits, register_limits};

    /// The limits of an entry of a kernel that ships, as the allocator has it and as ptxas does.
    fn limits(kernel: &str, entry: &str) -> [RegisterLimits; 2] {
        let workload = heddle_workloads::find(kernel).expect("it ships");
        [RegisterCount::Allocated, RegisterCount::PtxasO3]
            .map(|registers| register_limits(workload, entry, Compiler { registers, ..Compiler::default() }))
    }

    #[test]
    fn what_ptxas_takes_is_taken_at_least_and_limits_nothing() {
        let [allocated, ptxas] = limits("sgemm", "sgemm");
        assert_eq!(allocated, RegisterLimits::default());
        assert_eq!(ptxas, RegisterLimits { least: Some(64), most: None });
    }

    #[test]
    fn a_variant_keeps_what_it_pins() {
        let pinned = RegisterLimits { least: Some(60), most: Some(60) };
        assert_eq!(limits("hotspot-racetrack", "hotspot"), [pinned; 2]);
    }
}
