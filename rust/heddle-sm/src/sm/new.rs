//! An SM before its first cycle.

use std::sync::Arc;

use heddle_config::{Policy, Preset};
use heddle_isa::{DeviceMemory, Executable, KernelLaunch, copy_constants, place_grid_workspace};
use heddle_mem::{Division, FirstLevel, FirstLevelPort, MemorySystem, SHARED_BLOCK_BYTES};
use heddle_port::{HeldSpaces, MAX_PORT_WIDTH, NUM_WARPS, PortWidths};

use super::{DesignMemory, Sm};
use crate::barrier::Barriers;
use crate::coalescer::most_local_bytes;
use crate::code::Code;
use crate::contents::Contents;
use crate::counters::Counters;
use crate::dependences::Dependences;
use crate::error::LaunchError;
use crate::fetch::Fetch;
use crate::inflight::Slab;
use crate::kernel::Kernel;
use crate::launch::{CtaChoice, Occupancy};
use crate::lsu::LoadStore;
use crate::off_chip::Releases;
use crate::progress::Progress;
use crate::residency::Residency;
use crate::scheduler::Schedulers;
use crate::units::Units;
use crate::warp::Warp;
use crate::watchdog::{Hang, Watchdog};
use crate::writeback::WriteBack;

impl Sm<FirstLevel> {
    /// An SM of `preset` with the Rust L1 and shared memory, before its first cycle.
    ///
    /// # Errors
    /// A launch that the SM cannot hold, or a program or configuration that it cannot take.
    pub fn new(
        preset: &Preset,
        widths: PortWidths,
        executable: Arc<Executable>,
        launch: &KernelLaunch,
        memory: DeviceMemory,
        ctas: CtaChoice,
    ) -> Result<Self, LaunchError> {
        let occupancy = Occupancy::new(preset, &executable.program, launch)?;
        let port = FirstLevel::rust(preset, &Division::new(preset, &occupancy.residents()));
        Self::with_memory_port(preset, widths, executable, launch, memory, ctas, port)
    }

    /// An SM whose design holds the L1 or shared memory, or both, behind its memory port.
    ///
    /// # Errors
    /// As [`Sm::new`], and a CTA with more shared memory than a CTA slot has off chip.
    pub fn with_design_memory(
        preset: &Preset,
        widths: PortWidths,
        executable: Arc<Executable>,
        launch: &KernelLaunch,
        memory: DeviceMemory,
        ctas: CtaChoice,
        design: DesignMemory,
    ) -> Result<Self, LaunchError> {
        let occupancy = Occupancy::new(preset, &executable.program, launch)?;
        let division = Division::new(preset, &occupancy.residents());
        let port = FirstLevel::design(preset, &division, design.held);
        let sm = Self::assemble(preset, widths, executable, launch, memory, ctas, (port, design))?;
        let needed = occupancy.shared_bytes;
        if design.held.shared && needed > SHARED_BLOCK_BYTES {
            return Err(LaunchError::Shared { needed, available: SHARED_BLOCK_BYTES });
        }
        Ok(sm)
    }
}

impl<P: FirstLevelPort> Sm<P> {
    /// An SM with another implementer of the memory port.
    ///
    /// # Errors
    /// As [`Sm::new`].
    pub fn with_memory_port(
        preset: &Preset,
        widths: PortWidths,
        executable: Arc<Executable>,
        launch: &KernelLaunch,
        memory: DeviceMemory,
        ctas: CtaChoice,
        port: P,
    ) -> Result<Self, LaunchError> {
        let design = DesignMemory { held: HeldSpaces::default(), data: false };
        Self::assemble(preset, widths, executable, launch, memory, ctas, (port, design))
    }

    /// All stages before the first cycle, with what stands behind the memory port.
    fn assemble(
        preset: &Preset,
        widths: PortWidths,
        executable: Arc<Executable>,
        launch: &KernelLaunch,
        mut memory: DeviceMemory,
        ctas: CtaChoice,
        (port, design): (P, DesignMemory),
    ) -> Result<Self, LaunchError> {
        let occupancy = Occupancy::new(preset, &executable.program, launch)?;
        check_widths(preset, widths)?;
        check_sub_cores(preset, widths)?;
        let (first, every) = ctas.of_first_sm();
        let grid = launch.num_ctas();
        if first >= grid {
            return Err(LaunchError::NoCta { first, every, ctas: grid });
        }
        let kernel = Kernel::new(preset, executable, launch, occupancy)?;
        check_local(preset, &kernel)?;
        copy_constants(kernel.constants(), &mut memory)?;
        if launch.cooperative {
            place_grid_workspace(&mut memory)?;
        }
        let keys = &preset.instruction_cache;
        let code = (!keys.is_perfect()).then(|| Code::new(keys, kernel.executable()));
        let (warp_slots, cta_slots) = (preset.sm.warps as usize, occupancy.ctas as usize);
        let sub_cores = preset.register_file.sub_cores as usize;
        Ok(Self {
            cycle: 0,
            issue_slots: widths.issue,
            residency: Residency::new(preset, &kernel, first, every),
            warps: vec![Warp::new(&kernel); warp_slots],
            fetch: Fetch::new(preset, code),
            dependences: Dependences::new(warp_slots),
            barriers: Barriers::new(cta_slots),
            schedulers: Schedulers::new(preset.scheduler.policy, preset.scheduler.schedulers as usize),
            slab: Slab::new(),
            units: Units::new(preset),
            lsu: LoadStore::new(preset.sm.memory_instructions, warp_slots, design.held),
            write_back: WriteBack::new(sub_cores, widths.result),
            memory: MemorySystem::with_port(port, preset),
            contents: Contents::new(&kernel, warp_slots, memory, design),
            releases: Releases::default(),
            division: Division::new(preset, &occupancy.residents()),
            counters: Counters::new(preset, &occupancy, kernel.has_intervals()),
            progress: Progress::new(cta_slots),
            watchdog: Watchdog::default(),
            hang: Hang::new(preset),
            alone: true,
            kernel,
            preset: preset.clone(),
        })
    }
}

/// Each warp slot has a window of local memory of its own.
fn check_local(preset: &Preset, kernel: &Kernel) -> Result<(), LaunchError> {
    let (warps, bytes) = (preset.sm.warps, kernel.program().local_bytes);
    let available = most_local_bytes(warps);
    if !kernel.is_recorded() && bytes > available {
        return Err(LaunchError::Local { bytes, warps, available });
    }
    Ok(())
}

fn check_widths(preset: &Preset, widths: PortWidths) -> Result<(), LaunchError> {
    let schedulers = preset.scheduler.schedulers as usize;
    for (what, value, least) in [
        ("issue width of the design", widths.issue, schedulers),
        ("result width of the design", widths.result, 1),
    ] {
        if !(least.max(1)..=MAX_PORT_WIDTH).contains(&value) {
            let allowed = format!("{} to {MAX_PORT_WIDTH}", least.max(1));
            return Err(LaunchError::Configuration { what, value: value as u64, allowed });
        }
    }
    if schedulers == 0 || preset.sm.warps == 0 || preset.sm.warps as usize > NUM_WARPS {
        let allowed = format!("1 to {NUM_WARPS}, with at least one scheduler");
        return Err(LaunchError::Configuration {
            what: "sm.warps",
            value: u64::from(preset.sm.warps),
            allowed,
        });
    }
    Ok(())
}

/// Sub-cores need a scheduler and an issue slot each, the same number of result slots each, and warps that stay with
/// their scheduler.
fn check_sub_cores(preset: &Preset, widths: PortWidths) -> Result<(), LaunchError> {
    let sub_cores = preset.register_file.sub_cores as usize;
    if sub_cores <= 1 {
        return Ok(());
    }
    let wrong = |what, value: usize, allowed: String| {
        Err(LaunchError::Configuration { what, value: value as u64, allowed })
    };
    let with = format!("with register_file.sub_cores = {sub_cores}");
    let schedulers = preset.scheduler.schedulers as usize;
    for (what, value) in [("scheduler.schedulers", schedulers), ("issue width of the design", widths.issue)] {
        if value != sub_cores {
            return wrong(what, value, format!("{sub_cores} {with}"));
        }
    }
    if !widths.result.is_multiple_of(sub_cores) {
        let allowed = format!("a multiple of {sub_cores} {with}");
        return wrong("result width of the design", widths.result, allowed);
    }
    if preset.scheduler.policy == Policy::TwoLevel {
        let allowed = "1 where scheduler.policy is two-level, whose schedulers share all active warps";
        return wrong("register_file.sub_cores", sub_cores, allowed.to_owned());
    }
    Ok(())
}
