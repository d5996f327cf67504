//! The register file that LTRF's kernels need for as many threads as an SM has slots for.

use heddle_config::Compiler;
use heddle_cosim::register_limits;

use super::compiler::{mean, programs, workloads};
use super::fail;
use crate::error::ClaimError;
use crate::stock::Stock;

/// Preset, and registers of a thread that the architecture has.
pub const DEMAND: [(&str, u32); 2] = [("fermi", 63), ("maxwell", 255)];
/// Lanes of a warp, and bytes of a register.
const LANES: u32 = 32;
const BYTES: u32 = 4;

/// Kilobytes of an SM.
pub struct Demand {
    /// Mean of the kernels.
    pub average: f64,
    /// The most of a kernel.
    pub most: f64,
}

/// The demand of the paper's kernels, compiled so, on a preset whose threads have at most `architecture` registers; an
/// entry that takes the most registers counts for its kernel.
///
/// # Errors
/// [`ClaimError::Compute`] of `measure`: what does not compile.
pub fn demand(
    measure: &'static str,
    stock: &Stock,
    preset: &str,
    architecture: u32,
    compiler: Compiler,
) -> Result<Demand, ClaimError> {
    let preset = heddle_config::load(preset).map_err(|e| fail(measure)(e.to_string()))?;
    let mut kilobytes = Vec::new();
    for workload in workloads(stock)? {
        let of_entry = |mut program: heddle_isa::Program| {
            register_limits(workload, &program.name, compiler).reserve(&mut program, architecture);
            program.num_regs
        };
        let registers = programs(workload, architecture, compiler)?.into_iter().map(of_entry).max();
        kilobytes.push(f64::from(preset.sm.warps * LANES * registers.unwrap_or(0) * BYTES) / 1024.0);
    }
    Ok(Demand { average: mean(&kilobytes), most: kilobytes.into_iter().fold(0.0, f64::max) })
}
