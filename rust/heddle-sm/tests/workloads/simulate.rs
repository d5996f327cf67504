//! A workload on the SM with a design's cycle model behind the register port.

use std::path::Path;
use std::sync::Arc;

use heddle_config::Preset;
use heddle_isa::{DeviceMemory, load_globals};
use heddle_kernel::{AllocOptions, compile, module_globals, parse};
use heddle_manifest::Manifest;
use heddle_passes::{DesignNeeds, build_executable};
use heddle_port::{PortConfig, PortWidths, RegIn};
use heddle_sm::{ArchitecturalRegisters, CtaChoice, Sm, Statistics};
use heddle_workloads::{Size, find};

pub type Failure = Box<dyn std::error::Error>;

/// What is to be run.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    pub workload: &'a str,
    pub size: Size,
    pub design: &'a str,
    pub max_registers: u32,
    pub ctas: CtaChoice,
    /// Warp instructions of a functional stretch after each [`WINDOW`]; 0 for a run in cycles alone.
    pub stretch: u64,
}

/// Warp instructions in cycles between two stretches.
pub const WINDOW: u64 = 300;

/// Counters of all launches together.
#[derive(Debug, Clone, Default)]
pub struct Total {
    /// Executed in stretches.
    pub functional: u64,
    /// Global memory after the last launch.
    pub memory: DeviceMemory,
    pub cycles: u64,
    pub warp_instructions: u64,
    /// Reads and writes of global and local memory that went through the L1.
    pub requests: u64,
    pub ctas: u64,
    /// Of the last launch.
    pub last: Statistics,
}

fn config(preset: &Preset) -> PortConfig {
    let rf = &preset.register_file;
    PortConfig {
        bank_cycles: rf.bank_cycles as u8,
        crossbar_cycles: rf.crossbar_cycles as u8,
        active_warps: preset.scheduler.active_warps as u8,
        registers_per_interval: rf.registers_per_interval as u8,
        rows_per_bank: rf.rows_per_bank as u16,
        ..PortConfig::default()
    }
}

/// Runs all launches; with all CTAs the result is checked against the CPU reference.
pub fn simulate(job: &Job<'_>, preset: &Preset) -> Result<Total, Failure> {
    let workload = find(job.workload)?;
    let mut instance = workload.instance(job.size, 1)?;
    let mut memory = DeviceMemory::new();
    let (name, text) = workload.ptx();
    load_globals(&module_globals(&parse(name, text)?)?, &mut memory)?;
    instance.set_up(&mut memory)?;
    let widths =
        PortWidths { issue: preset.sm.issue_width as usize, result: preset.sm.result_width as usize };
    let needs = DesignNeeds {
        intervals: (job.design == "ltrf").then_some(preset.register_file.registers_per_interval),
        ..DesignNeeds::default()
    };
    let mut total = Total::default();
    let mut lower = None;
    while let Some(launch) = instance.next_launch(&mut memory)? {
        let options = AllocOptions { max_registers: job.max_registers };
        let program = compile(name, text, Some(&launch.entry), options)?.allocated;
        let executable = Arc::new(build_executable(Arc::new(program), needs)?);
        let registers = executable.program.num_regs;
        let owned = std::mem::take(&mut memory);
        let sm = Sm::new(preset, widths, executable, &launch.launch, owned, job.ctas)?;
        let mut sm = sm.with_lower(lower.take());
        let manifest = Manifest::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), job.design)?;
        let mut made_with = manifest.instance(manifest.elaboration(None)?)?;
        made_with.widths = widths;
        let mut design = heddle_designs::create(job.design, &made_with)?;
        let mut registers = ArchitecturalRegisters::new(registers);
        let mut out = design.reset(&PortConfig { own: made_with.design_words(), ..config(preset) })?;
        let mut input = RegIn::default();
        let mut next = WINDOW;
        while !sm.is_done() {
            let due = job.stretch > 0 && sm.issued() >= next;
            sm.hold_issue(due);
            if due && sm.is_settled() {
                total.functional += sm.advance(&mut registers, job.stretch)?.instructions;
                next = sm.issued() + WINDOW;
            }
            sm.tick(&out, &registers, &mut input, &mut ())?;
            design.step(&input, &mut out)?;
            registers.step(&input, &out);
        }
        let s = sm.statistics();
        total.cycles += s.cycles;
        total.warp_instructions += s.warp_instructions;
        let l1 = &s.memory.l1;
        total.requests += l1.read_hits + l1.read_misses + l1.read_merged + l1.bypassed;
        total.requests += l1.global.stores + l1.local.stores;
        total.ctas += s.ctas;
        total.last = s;
        let (after, below) = sm.into_parts();
        (memory, lower) = (after, below);
    }
    if job.ctas == CtaChoice::All {
        instance.check(&memory)?;
    }
    total.memory = memory;
    Ok(total)
}
