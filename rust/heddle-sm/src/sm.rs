//! The SM: its state and one clock cycle.

use std::collections::VecDeque;
use std::sync::Arc;

use heddle_config::{Policy, Preset};
use heddle_isa::{
    DeviceMemory, Executable, KernelLaunch, Op, Pc, Program, RecordedCta, WarpContext, copy_constants,
};
use heddle_mem::{
    Division, FirstLevel, KnownReads, LifetimeStatistics, MemoryStatistics, MemorySystem, SHARED_BLOCK_BYTES,
};
use heddle_port::{
    Cycle, HeldSpaces, MAX_PORT_WIDTH, MemData, MemIn, MemOut, MemoryPort, NUM_WARPS, PortWidths, RegIn,
    RegOut, Tag,
};

use crate::barrier::Cta;
use crate::below::Below;
use crate::data_use::DataUse;
use crate::decode::{Decoded, decode};
use crate::dispatch::Units;
use crate::error::{LaunchError, Place, SmError};
use crate::inflight::Slab;
use crate::launch::{CtaChoice, Occupancy};
use crate::lsu::LoadStore;
use crate::observer::{Observer, Stop};
use crate::off_chip::Releases;
use crate::registers::OperandSource;
use crate::residency::Residency;
use crate::scheduler::Scheduler;
use crate::shared_use::SharedUse;
use crate::spaces::Spaces;
use crate::statistics::{FlushStatistics, Statistics};
use crate::warp::{State, States, Warp};
use crate::wheel::Wheel;

/// Cycles without any movement after which a run is given up, unless set otherwise.
const HANG_LIMIT: u64 = 20_000;

/// What an SM is told about the memory port of its design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DesignMemory {
    /// The spaces that the design holds.
    pub held: HeldSpaces,
    /// The design holds data: loads take their values from what it answers, and what lies below it has contents.
    pub data: bool,
}

/// One SM with `P` behind its memory port.
#[derive(Debug, Clone)]
pub struct Sm<P = FirstLevel> {
    pub(crate) cycle: u64,
    pub(crate) executable: Arc<Executable>,
    pub(crate) program: Arc<Program>,
    pub(crate) launch: KernelLaunch,
    pub(crate) params: Arc<[u8]>,
    pub(crate) constants: Arc<[u8]>,
    pub(crate) preset: Preset,
    pub(crate) decoded: Vec<Decoded>,
    pub(crate) occupancy: Occupancy,
    pub(crate) widths: PortWidths,
    pub(crate) schedulers: usize,
    pub(crate) scheduler: Scheduler,
    /// Most warps that are active in the design at once.
    pub(crate) active_limit: u32,
    pub(crate) warps: Vec<Warp>,
    pub(crate) states: States,
    /// Slots whose next instruction waits for the scoreboard or for the warp's memory accesses.
    pub(crate) blocked: u64,
    /// Of these, slots that wait for a load or atomic of global or local memory, or a fence.
    pub(crate) long: u64,
    /// Slots that wait at a barrier.
    pub(crate) at_barrier: u64,
    /// Slots with an instruction in their buffer and no control instruction under way.
    pub(crate) fetched: u64,
    /// Slots whose control instruction is under way.
    pub(crate) resuming: u64,
    /// Slots whose buffer has room.
    pub(crate) refill: u64,
    pub(crate) fetch_pointer: u32,
    pub(crate) ctas: Vec<Cta>,
    pub(crate) residency: Residency,
    pub(crate) slab: Slab,
    pub(crate) wheel: Wheel,
    pub(crate) completing: Vec<u16>,
    pub(crate) results: VecDeque<(u16, u8)>,
    pub(crate) units: Units,
    pub(crate) lsu: LoadStore,
    pub(crate) memory: MemorySystem<P>,
    pub(crate) global: DeviceMemory,
    pub(crate) spaces: Spaces,
    /// What the design holds behind its memory port.
    pub(crate) held: HeldSpaces,
    pub(crate) releases: Releases,
    division: Division,
    pub(crate) shared_use: Box<SharedUse>,
    /// What lies below the design, where it holds data.
    pub(crate) below: Option<Box<Below>>,
    /// The program comes from a trace: CTAs start when their records are supplied, and memory has no
    /// contents.
    pub(crate) recorded: bool,
    /// The record of the CTA that starts next.
    pub(crate) record: Option<RecordedCta>,
    pub(crate) statistics: Statistics,
    /// Counters of the memory hierarchy when the flush began.
    before_flush: Option<MemoryStatistics>,
    pub(crate) data_use: Box<DataUse>,
    pub(crate) hang_limit: u64,
    pub(crate) last_progress: u64,
}

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
        let DesignMemory { held, data } = design;
        let occupancy = Occupancy::new(preset, &executable.program, launch)?;
        let division = Division::new(preset, &occupancy.residents());
        let port = FirstLevel::design(preset, &division, held);
        let mut sm = Self::with_memory_port(preset, widths, executable, launch, memory, ctas, port)?;
        let needed = sm.occupancy.shared_bytes;
        if held.shared && needed > SHARED_BLOCK_BYTES {
            return Err(LaunchError::Shared { needed, available: SHARED_BLOCK_BYTES });
        }
        sm.held = held;
        if data && !sm.recorded {
            sm.below = Some(Box::new(Below::new(sm.global.clone())));
        }
        Ok(sm)
    }

    /// What the design's memory port is driven with in the cycle of the last [`Sm::tick`], if the design holds
    /// the L1.
    #[must_use]
    pub fn to_design_memory(&self) -> Option<&MemIn> {
        self.memory.to_design()
    }

    /// After the end of the launch: asks a design that holds the L1 to write its dirty lines back. False for other
    /// designs. Then [`Sm::flush_tick`] stands for [`Sm::tick`] until [`Sm::is_done`] again.
    pub fn begin_flush(&mut self) -> bool {
        let design = self.to_design_memory().is_some();
        if design {
            self.before_flush = Some(self.memory.statistics());
            self.memory.flush();
        }
        design
    }

    /// One cycle of a flush: only L2 moves. It counts as [`Statistics::flush`] and is no cycle of the launch.
    ///
    /// # Errors
    /// As [`Sm::tick`].
    pub fn flush_tick(&mut self) -> Result<(), SmError> {
        self.statistics.flush.cycles += 1;
        self.lower_stage()
    }

    /// The outputs of the design's memory port after the clock edge.
    pub fn from_design_memory(&mut self, out: &MemOut, data: Option<&MemData>) {
        self.memory.from_design(out, data);
    }
}

impl<P: MemoryPort> Sm<P> {
    /// An SM with another implementer of the memory port.
    ///
    /// # Errors
    /// As [`Sm::new`].
    pub fn with_memory_port(
        preset: &Preset,
        widths: PortWidths,
        executable: Arc<Executable>,
        launch: &KernelLaunch,
        mut memory: DeviceMemory,
        ctas: CtaChoice,
        port: P,
    ) -> Result<Self, LaunchError> {
        let program = Arc::clone(&executable.program);
        let occupancy = Occupancy::new(preset, &program, launch)?;
        let schedulers = preset.scheduler.schedulers as usize;
        check_widths(preset, widths)?;
        let (first, every) = ctas.first_and_step();
        let grid = launch.num_ctas();
        if first >= grid {
            return Err(LaunchError::NoCta { first, every, ctas: grid });
        }
        let decoded = decode(&executable, preset)?;
        let recorded = program.instrs.iter().any(|i| matches!(i.op, Op::Traced(_)));
        let params: Arc<[u8]> = Arc::from(launch.params.as_slice());
        let constants: Arc<[u8]> = Arc::from(program.constant_bank(&launch.constants)?);
        copy_constants(&constants, &mut memory)?;
        let context =
            WarpContext::with_banks(&program, launch, first, 0, Arc::clone(&params), Arc::clone(&constants));
        let limited = preset.scheduler.policy == Policy::TwoLevel || executable.intervals.is_some();
        let warp_slots = preset.sm.warps as usize;
        let cta_slots = occupancy.ctas as usize;
        Ok(Self {
            cycle: 0,
            program: Arc::clone(&program),
            executable,
            launch: launch.clone(),
            params,
            constants,
            decoded,
            widths,
            schedulers,
            scheduler: Scheduler::new(preset.scheduler.policy, schedulers),
            active_limit: if limited { preset.scheduler.active_warps } else { NUM_WARPS as u32 },
            warps: vec![Warp::new(context, usize::from(program.num_preds)); warp_slots],
            states: States::new(),
            blocked: 0,
            long: 0,
            at_barrier: 0,
            fetched: 0,
            resuming: 0,
            refill: 0,
            fetch_pointer: 0,
            ctas: vec![Cta::default(); cta_slots],
            residency: Residency::new(&occupancy, warp_slots, first, every, grid),
            slab: Slab::new(),
            wheel: Wheel::new(),
            completing: Vec::with_capacity(64),
            results: VecDeque::with_capacity(4096),
            units: Units::new(schedulers, &preset.pipeline),
            lsu: LoadStore::new(),
            memory: MemorySystem::with_port(port, preset),
            global: memory,
            spaces: if recorded {
                Spaces::new(cta_slots, 0, warp_slots, 0)
            } else {
                Spaces::new(cta_slots, occupancy.shared_bytes, warp_slots, program.local_bytes)
            },
            held: HeldSpaces::default(),
            releases: Releases::default(),
            division: Division::new(preset, &occupancy.residents()),
            shared_use: Box::default(),
            below: None,
            recorded,
            record: None,
            statistics: Statistics::default(),
            before_flush: None,
            data_use: Box::new(DataUse::new(occupancy.warp_registers, occupancy.registers_per_warp)),
            hang_limit: HANG_LIMIT,
            last_progress: 0,
            occupancy,
            preset: preset.clone(),
        })
    }

    /// Sets the number of cycles without movement after which [`SmError::Hang`] ends the run.
    pub fn set_hang_limit(&mut self, cycles: u64) {
        self.hang_limit = cycles.max(1);
    }

    /// One cycle. `out` and `operands` are the design's outputs of this cycle; `input` becomes its
    /// inputs of this cycle. Payloads without their valid are left as they were.
    ///
    /// # Errors
    /// [`SmError`]; the SM must not be ticked again after one.
    #[inline]
    pub fn tick<D: OperandSource, O: Observer>(
        &mut self,
        out: &RegOut,
        operands: &D,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        for i in 0..MAX_PORT_WIDTH {
            input.issue[i].valid = false;
            input.operands_ready[i] = false;
            input.result[i].valid = false;
        }
        input.command.valid = false;
        self.done_stage(out, observer)?;
        self.operand_stage(out, operands, input, observer)?;
        self.completion_stage(observer)?;
        self.launch_stage(observer)?;
        self.activation_stage();
        self.fetch_stage();
        self.issue_stage(out, input, observer)?;
        self.result_stage(out, input, observer)?;
        self.memory_stage(observer)?;
        self.command_stage(out, input, observer)?;
        self.count_cycle();
        self.cycle += 1;
        if self.cycle - self.last_progress > self.hang_limit && !self.is_done() {
            let idle = self.cycle - self.last_progress;
            return Err(SmError::Hang { cycle: self.cycle, idle, waits: self.waits() });
        }
        Ok(())
    }

    fn count_cycle(&mut self) {
        let s = &mut self.statistics;
        s.cycles += 1;
        s.resident_warp_cycles += u64::from(self.states.resident().count_ones());
        s.active_warp_cycles += u64::from(self.states.in_state(State::Active).count_ones());
        self.data_use.count_cycle();
    }

    /// All CTAs have finished, all commands are answered and the memory system is empty.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.residency.is_finished()
            && self.states.resident() == 0
            && self.releases.is_empty()
            && self.memory.is_idle()
    }

    /// The current cycle.
    #[must_use]
    pub fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
    }

    /// Global memory.
    #[must_use]
    pub fn memory(&self) -> &DeviceMemory {
        &self.global
    }

    /// Global memory, when the run is over: of a design that holds the L1's data, what L2 holds.
    #[must_use]
    pub fn into_memory(self) -> DeviceMemory {
        let mut memory = self.global;
        if let Some(below) = self.below.filter(|_| self.held.cached) {
            below.leave(&mut memory);
        }
        memory
    }

    /// How the on-chip memory is divided for this launch; `None` where the design holds the L1. Where the design holds
    /// shared memory alone, none of it lies on chip, and the L1D has what it would have if it did.
    #[must_use]
    pub fn division(&self) -> Option<Division> {
        let shared_memory_bytes = if self.held.shared { 0 } else { self.division.shared_memory_bytes };
        (!self.held.cached).then_some(Division { shared_memory_bytes, ..self.division })
    }

    /// How long the addresses of shared memory live, of the CTAs that have ended.
    #[must_use]
    pub fn lifetimes(&self) -> &LifetimeStatistics {
        self.shared_use.statistics()
    }

    /// The reads of each lifetime are known: [`Sm::live_changes`] tells which lines live.
    #[must_use]
    pub fn with_known_lifetimes(mut self, known: Arc<KnownReads>) -> Self {
        self.shared_use.know(known);
        self
    }

    /// A line has left the design's cache of shared memory for another one.
    pub fn line_left(&mut self, number: u32) {
        self.shared_use.line_left(number, self.cycle);
    }

    /// Numbers of the lines of shared memory that have begun to live (true) or are over since the last call, in
    /// order; none where lifetimes are not known.
    pub fn live_changes(&mut self) -> impl Iterator<Item = (u32, bool)> {
        self.shared_use.live_changes()
    }

    /// How many CTAs are resident at once, and why not more.
    #[must_use]
    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// The machine moved.
    #[inline]
    pub(crate) fn progress(&mut self) {
        self.last_progress = self.cycle;
    }

    /// Something that the next instruction of `warp` may have waited for has changed.
    #[inline]
    pub(crate) fn wake(&mut self, warp: usize) {
        self.blocked &= !(1 << warp);
        self.long &= !(1 << warp);
    }

    /// Nothing of the instruction is outstanding any more.
    pub(crate) fn retire<O: Observer>(&mut self, tag: u16, observer: &mut O) -> Result<(), SmError> {
        let warp = usize::from(self.slab.get(tag).warp);
        self.warps[warp].in_flight -= 1;
        self.slab.release(tag);
        self.progress();
        let result = observer.retired(Cycle(self.cycle), Tag(tag));
        self.stop(result)
    }

    /// Turns an observer's wish to stop into an error.
    #[inline]
    pub(crate) fn stop(&self, result: Result<(), Stop>) -> Result<(), SmError> {
        result.map_err(|Stop| SmError::Stopped { cycle: self.cycle })
    }

    #[cold]
    pub(crate) fn protocol(&self, what: String) -> SmError {
        SmError::Protocol { cycle: self.cycle, what }
    }

    /// The place of an instruction of the warp in slot `warp`, for messages.
    #[cold]
    pub(crate) fn place(&self, warp: usize, pc: Pc) -> Box<Place> {
        let w = &self.warps[warp];
        let loc = self.program.instrs.get(pc.index()).map(|i| i.loc).unwrap_or_default();
        Box::new(Place {
            cta: w.cta,
            warp_in_cta: w.warp_in_cta,
            pc,
            location: format!("{}:{loc}", self.program.source.name),
            source: self.program.source_line(pc).to_owned(),
        })
    }
}

impl Sm<FirstLevel> {
    /// Counters up to now.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let data_use = self.data_use.statistics();
        let now = self.memory.statistics();
        let memory = self.before_flush.unwrap_or(now);
        let flush = FlushStatistics {
            l2: now.l2.since(&memory.l2),
            dram: now.dram.since(&memory.dram),
            ..self.statistics.flush
        };
        Statistics { memory, flush, data_use, ..self.statistics }
    }
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
