//! Variables of a module, as the host sees them by name.

use crate::memory::{AccessError, CONSTANT_WINDOW, DeviceMemory, GRID_WORKSPACE};

/// A module-scope `.const` variable (PTX ISA, section 5.1.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantVariable {
    /// Name in the PTX.
    pub name: String,
    /// Offset of its first byte in the constant bank.
    pub offset: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// Whether it is no variable but the place of the handle of a `.texref` or `.surfref`.
    pub reference: bool,
}

/// A module-scope `.global` variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalVariable {
    /// Name in the PTX.
    pub name: String,
    /// Address assigned at load.
    pub address: u32,
    /// Initial contents, whole size.
    pub bytes: Vec<u8>,
}

/// Bytes that the host puts into a `.const` variable before a launch, as `cudaMemcpyToSymbol` does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolWrite {
    /// Name of the variable in the PTX.
    pub name: String,
    /// First byte in the variable.
    pub offset: u32,
    /// What is put there.
    pub bytes: Vec<u8>,
}

/// A write to a `.const` variable that cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SymbolError {
    /// The module has no such variable.
    #[error("the module has no .const variable '{name}'{}", listed(.known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The variables that there are.
        known: Vec<String>,
    },
    /// The bytes reach past the end of the variable.
    #[error("bytes {from} to {to} are written to .const variable '{name}', which has {bytes} bytes")]
    Outside {
        /// The variable.
        name: String,
        /// First byte written.
        from: u64,
        /// Byte after the last written.
        to: u64,
        /// Size of the variable.
        bytes: u32,
    },
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { "; it has none".to_owned() } else { format!("; it has: {}", known.join(", ")) }
}

/// Brings the copy of the constant bank in global memory up to date, where the module has one because
/// it takes generic addresses of constants.
///
/// # Errors
/// The copy is smaller than the bank.
pub fn copy_constants(bank: &[u8], memory: &mut DeviceMemory) -> Result<(), AccessError> {
    if memory.regions().iter().any(|r| r.start == CONSTANT_WINDOW) {
        memory.write_bytes(CONSTANT_WINDOW, bank)?;
    }
    Ok(())
}

/// Puts the workspace of a cooperative launch into `memory`, if it is not there: its size in bytes, and the word that
/// the barrier of the grid counts in, as the CUDA driver lays it out (cooperative_groups/details/driver_abi.h).
///
/// # Errors
/// [`AccessError::Place`] when something else lies at its address.
pub fn place_grid_workspace(memory: &mut DeviceMemory) -> Result<(), AccessError> {
    const BYTES: u32 = 8;
    if memory.regions().iter().any(|r| r.start == GRID_WORKSPACE) {
        return Ok(());
    }
    memory.allocate_at("grid workspace", GRID_WORKSPACE, BYTES)?;
    let [size, barrier] = [BYTES, 0].map(u32::to_le_bytes);
    memory.write_bytes(GRID_WORKSPACE, &[size, barrier].concat())
}

/// Puts the `.global` variables of a module into `memory` with their initial values, except those that
/// are there already: the kernels of one module share them. The copy of constant memory is protected from
/// their stores.
///
/// # Errors
/// [`AccessError::Place`] when something else lies at the address of a variable.
pub fn load_globals(globals: &[GlobalVariable], memory: &mut DeviceMemory) -> Result<(), AccessError> {
    for global in globals {
        if memory.regions().iter().any(|r| r.start == global.address) {
            continue;
        }
        let bytes = u32::try_from(global.bytes.len()).unwrap_or(u32::MAX);
        memory.allocate_at(&global.name, global.address, bytes)?;
        memory.write_bytes(global.address, &global.bytes)?;
    }
    memory.protect(CONSTANT_WINDOW);
    Ok(())
}
