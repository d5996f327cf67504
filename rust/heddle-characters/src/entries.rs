//! What follows from the program and its launches: block, registers, shared memory, occupancy.

use std::collections::BTreeMap;
use std::sync::Arc;

use heddle_config::{Compiler, Preset};
use heddle_cosim::register_limits;
use heddle_functional::Golden;
use heddle_isa::{DeviceMemory, KernelLaunch, Program, load_globals};
use heddle_kernel::{Diagnostics, compile, module_globals, parse, program_text};
use heddle_sm::Occupancy;
use heddle_workloads::{Size, Workload};
use serde::{Deserialize, Serialize};

use crate::error::CharacterError;
use crate::hash::short_hash;

/// Registers that the allocator may use.
const MAX_REGISTERS: u32 = 255;

/// One entry of a workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryCharacter {
    /// Name of the entry in the PTX.
    pub entry: String,
    /// A part of the SHA-256 of the allocated program as `heddle compile` prints it.
    pub code: String,
    /// Threads of a block in x, y, z; of the launch with the most threads.
    pub block: [u32; 3],
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of local memory a thread; spills are in it.
    pub local_bytes: u32,
    /// Bytes of shared memory a block, static and dynamic.
    pub shared_bytes: u32,
    /// Occupancy by preset; `None` where not even one block fits.
    pub residency: BTreeMap<String, Option<Residency>>,
}

impl EntryCharacter {
    /// Threads of a block.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }
}

/// How many blocks an SM holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Residency {
    /// Blocks resident at once.
    pub ctas: u32,
    /// Warps resident at once.
    pub warps: u32,
    /// Warps that the SM has slots for.
    pub warp_slots: u32,
    /// What allows no more: `ctas`, `warps`, `registers` or `shared memory`.
    pub limit: String,
}

/// The entries that `workload` launches in size smoke, in the order of their first launch. The launches
/// run on the golden machine, for a host may look at what one left before it asks for the next.
///
/// # Errors
/// When the workload does not compile or run.
pub fn entries(
    workload: &'static dyn Workload,
    presets: &[Preset],
) -> Result<Vec<EntryCharacter>, CharacterError> {
    entries_with(workload, Compiler::default(), presets)
}

/// As [`entries`], of programs that are compiled so; what the presets say of the compiler does not matter.
///
/// # Errors
/// As [`entries`].
pub fn entries_with(
    workload: &'static dyn Workload,
    compiler: Compiler,
    presets: &[Preset],
) -> Result<Vec<EntryCharacter>, CharacterError> {
    let kernel = workload.name();
    let (file, text) = workload.ptx();
    let broken = |e: &dyn std::fmt::Display| CharacterError::Compile { kernel, message: e.to_string() };
    let module = parse(file, text).map_err(|e| broken(&e))?;
    let globals = module_globals(&module).map_err(|e| broken(&e))?;
    let mut memory = DeviceMemory::new();
    load_globals(&globals, &mut memory).map_err(|e| broken(&e))?;
    let mut instance = workload.instance(Size::Smoke, 1)?;
    instance.set_up(&mut memory)?;
    let mut programs: Vec<(Arc<Program>, KernelLaunch)> = Vec::new();
    while let Some(launch) = instance.next_launch(&mut memory)? {
        let known = programs.iter().position(|(p, _)| p.name == launch.entry);
        let index = match known {
            Some(index) => index,
            None => {
                let program = program(workload, &launch.entry, compiler).map_err(|e| broken(&e))?;
                programs.push((Arc::new(program), launch.launch.clone()));
                programs.len() - 1
            }
        };
        let (program, largest) = &mut programs[index];
        if launch.launch.threads_per_cta() > largest.threads_per_cta() {
            *largest = launch.launch.clone();
        }
        let fault =
            |e: heddle_functional::GoldenError| CharacterError::Execution { kernel, message: e.to_string() };
        let mut golden = Golden::new(Arc::clone(program), &launch.launch, memory).map_err(fault)?;
        golden.run_all(0..launch.launch.num_ctas(), None).map_err(fault)?;
        memory = golden.into_memory();
    }
    Ok(programs.iter().map(|(program, launch)| character(program, launch, presets)).collect())
}

/// The allocated program of an entry, with the registers that its limits give it.
fn program(workload: &dyn Workload, entry: &str, compiler: Compiler) -> Result<Program, Diagnostics> {
    let (file, text) = workload.ptx();
    let limits = register_limits(workload, entry, compiler);
    let options = limits.options(compiler, MAX_REGISTERS);
    let mut program = compile(file, text, Some(entry), options)?.allocated;
    limits.reserve(&mut program, MAX_REGISTERS);
    Ok(program)
}

fn character(program: &Program, launch: &KernelLaunch, presets: &[Preset]) -> EntryCharacter {
    let static_bytes = program.shared_bytes;
    let shared_bytes = match launch.dynamic_shared_bytes {
        0 => static_bytes,
        dynamic => static_bytes.next_multiple_of(16) + dynamic,
    };
    let residency = presets
        .iter()
        .map(|preset| {
            let fits = Occupancy::new(preset, program, launch).ok();
            let residency = fits.map(|o| Residency {
                ctas: o.ctas,
                warps: o.ctas * o.warps_per_cta,
                warp_slots: preset.sm.warps,
                limit: o.limit.name().to_owned(),
            });
            (preset.name.clone(), residency)
        })
        .collect();
    EntryCharacter {
        entry: program.name.clone(),
        code: short_hash([program_text(program)]),
        block: launch.block,
        registers: program.num_regs,
        local_bytes: program.local_bytes,
        shared_bytes,
        residency,
    }
}
