//! Running a program of a generated kernel on the golden machine.

use std::sync::Arc;

use heddle_functional::Golden;
use heddle_isa::{DeviceMemory, Program};
use heddle_kernelgen::GeneratedKernel;

/// Warp instructions after which a kernel counts as one that does not end.
const LIMIT: u64 = 5_000_000;

/// The final memory of a program, and how many warp instructions it took.
pub fn execute(
    kernel: &GeneratedKernel,
    program: Arc<Program>,
    dead_sources: Vec<u8>,
) -> Result<(DeviceMemory, u64), String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let mut memory = DeviceMemory::new();
    let mut instance = kernel.instance();
    instance.set_up(&mut memory).map_err(|e| text(&e))?;
    let launch = instance.next_launch(&mut memory).map_err(|e| text(&e))?;
    let launch = launch.ok_or("a generated kernel has one launch")?.launch;
    let golden = Golden::new(program, &launch, memory).map_err(|e| text(&e))?;
    let mut golden = golden.with_dead_sources(dead_sources);
    let summary = golden.run_all(0..launch.num_ctas(), Some(LIMIT)).map_err(|e| text(&e))?;
    Ok((golden.into_memory(), summary.warp_instructions))
}
