//! Random kernels on the SM in lock-step with the golden machine.

mod lockstep;

use std::path::Path;
use std::sync::Arc;

use heddle_config::{Policy, load};
use heddle_functional::Golden;
use heddle_isa::DeviceMemory;
use heddle_kernel::{AllocOptions, compile};
use heddle_kernelgen::{GenOptions, generate};
use heddle_manifest::Manifest;
use heddle_passes::{DesignNeeds, build_executable};
use heddle_port::{HeldSpaces, PortConfig, PortWidths, RegIn};
use heddle_sm::{ArchitecturalRegisters, CtaChoice, DesignMemory, Sm};

use lockstep::Lockstep;

type Failure = Box<dyn std::error::Error>;

/// Runs one kernel and returns how many operands were compared.
fn run(seed: u64, design: &str, policy: Policy, max_registers: u32) -> Result<u64, Failure> {
    let mut preset = load("maxwell")?;
    preset.scheduler.policy = policy;
    preset.register_file.bank_cycles = 1 + (seed % 6) as u32;
    // Few MSHRs and a small L1 make the memory side wait and evict.
    preset.l1d.mshrs = [1, 4, 32][(seed % 3) as usize];
    preset.l1d.bytes = [1024, 16384][(seed % 2) as usize];
    let kernel = generate(seed, &GenOptions::varied(seed));
    let mut instance = kernel.instance();
    let mut memory = DeviceMemory::new();
    instance.set_up(&mut memory)?;
    let launch = instance.next_launch(&mut memory)?.ok_or("a generated kernel has a launch")?;
    let program =
        compile("random.ptx", &kernel.ptx(), Some(&launch.entry), AllocOptions { max_registers })?.allocated;
    for global in &program.globals {
        memory.allocate_at(&global.name, global.address, u32::try_from(global.bytes.len())?)?;
        memory.write_bytes(global.address, &global.bytes)?;
    }
    let limit = preset.register_file.registers_per_interval;
    let needs = DesignNeeds { intervals: (design == "ltrf").then_some(limit), ..DesignNeeds::default() };
    let executable = Arc::new(build_executable(Arc::new(program), needs)?);
    let golden = Golden::new(Arc::clone(&executable.program), &launch.launch, memory.clone())?
        .with_dead_sources(executable.dead_sources.clone());
    let mut checker = Lockstep::new(golden);
    let widths = PortWidths { issue: 2, result: 2 };
    let mut registers = ArchitecturalRegisters::new(executable.program.num_regs);
    let held = HeldSpaces { cached: design == "ucm", shared: design == "osm" || design == "ucm" };
    let mut sm = if held.any() {
        let memory_port = DesignMemory { held, data: false };
        Sm::with_design_memory(
            &preset,
            widths,
            executable,
            &launch.launch,
            memory,
            CtaChoice::All,
            memory_port,
        )?
    } else {
        Sm::new(&preset, widths, executable, &launch.launch, memory, CtaChoice::All)?
    };
    let manifest = Manifest::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), design)?;
    let mut made_with = manifest.instance(manifest.elaboration(None)?)?;
    made_with.widths = widths;
    if made_with.parameters.get("sub_cores").is_some() {
        made_with = made_with.with("sub_cores", i64::from(preset.register_file.sub_cores));
    }
    let mut model = heddle_designs::create(design, &made_with)?;
    let rf = &preset.register_file;
    let mut out = model.reset(&PortConfig {
        bank_cycles: rf.bank_cycles as u8,
        crossbar_cycles: rf.crossbar_cycles as u8,
        active_warps: preset.scheduler.active_warps as u8,
        registers_per_interval: rf.registers_per_interval as u8,
        rows_per_bank: rf.rows_per_bank as u16,
        // Small caches, which evict.
        cache_size_log2: (seed % 3) as u8,
        reads_to_unlock: (seed % 4) as u8,
        hit_latency: [4, 28][(seed % 2) as usize],
        own: made_with.design_words(),
        ..PortConfig::default()
    })?;
    let mut input = RegIn::default();
    while !sm.is_done() {
        if let Err(error) = sm.tick(&out, &registers, &mut input, &mut checker) {
            return Err(checker.failure.take().unwrap_or_else(|| error.to_string()).into());
        }
        if let (Some(memory_in), Some(side)) = (sm.to_design_memory(), model.memory_side()) {
            side.drive_memory(memory_in);
        }
        model.step(&input, &mut out)?;
        if held.any()
            && let Some(side) = model.memory_side()
        {
            sm.from_design_memory(side.memory_out(), None);
        }
        registers.step(&input, &out);
    }
    if !checker.golden.is_idle() {
        return Err("the golden machine is not at its end".into());
    }
    if checker.golden.memory() != sm.memory() {
        return Err("final memories differ".into());
    }
    Ok(checker.compared)
}

fn run_seeds(seeds: std::ops::Range<u64>, design: &str, policy: Policy, max_registers: u32) {
    let mut compared = 0;
    for seed in seeds {
        match run(seed, design, policy, max_registers) {
            Ok(operands) => compared += operands,
            Err(error) => panic!("seed {seed} on {design}: {error}"),
        }
    }
    assert!(compared > 100_000, "only {compared} operand lanes compared");
}

#[test]
fn baseline_two_level() {
    run_seeds(0..40, "baseline", Policy::TwoLevel, 255);
}

#[test]
fn baseline_gto_with_spills() {
    run_seeds(40..80, "baseline", Policy::Gto, 24);
}

#[test]
fn ltrf_two_level() {
    run_seeds(80..120, "ltrf", Policy::TwoLevel, 255);
}

#[test]
fn ltrf_round_robin_with_spills() {
    run_seeds(120..160, "ltrf", Policy::RoundRobin, 32);
}

#[test]
fn osm_two_level() {
    run_seeds(160..200, "osm", Policy::TwoLevel, 255);
}

#[test]
fn ucm_gto_with_spills() {
    run_seeds(200..240, "ucm", Policy::Gto, 24);
}

#[test]
#[ignore = "takes minutes; the others are its short form"]
fn thousands_of_kernels() {
    for seed in 1000..3000 {
        let design = ["baseline", "ltrf"][(seed % 2) as usize];
        let policy = [Policy::TwoLevel, Policy::Gto, Policy::RoundRobin][(seed / 2 % 3) as usize];
        let max_registers = [255, 24, 40][(seed / 6 % 3) as usize];
        if let Err(error) = run(seed, design, policy, max_registers) {
            panic!("seed {seed} on {design}, {policy:?}, {max_registers} registers: {error}");
        }
    }
}
