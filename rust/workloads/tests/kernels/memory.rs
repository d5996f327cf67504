//! Memory as a run of a workload finds it.

use heddle_isa::{DeviceMemory, load_globals};
use heddle_kernel::{module_globals, parse};
use heddle_workloads::Workload;

/// A memory that holds the variables of the workload's module.
pub(crate) fn loaded(workload: &dyn Workload) -> Result<DeviceMemory, Box<dyn std::error::Error>> {
    let (file, text) = workload.ptx();
    let mut memory = DeviceMemory::new();
    load_globals(&module_globals(&parse(file, text)?)?, &mut memory)?;
    Ok(memory)
}
