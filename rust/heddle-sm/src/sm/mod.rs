//! The SM: its state and one clock cycle.

mod many;
mod new;
mod view;

use heddle_config::Preset;
use heddle_isa::{DeviceMemory, Pc, RecordedCta};
use heddle_mem::{Division, FirstLevel, FirstLevelPort, MemorySystem};
use heddle_port::{Cycle, HeldSpaces, MAX_PORT_WIDTH, RegIn, RegOut, Tag, WarpSlot};

use crate::barrier::Cta;
use crate::below::Below;
use crate::counters::Counters;
use crate::dependences::Dependences;
use crate::error::{Place, SmError};
use crate::fetch::Fetch;
use crate::inflight::Slab;
use crate::kernel::Kernel;
use crate::l1_view::View;
use crate::lsu::LoadStore;
use crate::observer::{CycleEvent, Observer, Stop};
use crate::off_chip::Releases;
use crate::progress::Progress;
use crate::registers::OperandSource;
use crate::residency::Residency;
use crate::scheduler::Schedulers;
use crate::spaces::Spaces;
use crate::traffic::Traffic;
use crate::units::Units;
use crate::warp::{State, States, Warp};
use crate::watchdog::{Finding, Hang, Watchdog};
use crate::writeback::WriteBack;

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
    pub(crate) preset: Preset,
    pub(crate) kernel: Kernel,
    /// Issue slots of the design, and as many for operands.
    pub(crate) issue_slots: usize,
    pub(crate) schedulers: usize,
    pub(crate) scheduler: Schedulers,
    /// Most warps that are active in the design at once.
    pub(crate) active_limit: u32,
    pub(crate) warps: Vec<Warp>,
    pub(crate) states: States,
    pub(crate) dependences: Dependences,
    /// Slots that wait at a barrier.
    pub(crate) at_barrier: u64,
    pub(crate) fetch: Fetch,
    pub(crate) ctas: Vec<Cta>,
    pub(crate) residency: Residency,
    /// How fast the CTAs go on.
    pub(crate) progress: Progress,
    pub(crate) slab: Slab,
    pub(crate) write_back: WriteBack,
    pub(crate) units: Units,
    pub(crate) lsu: LoadStore,
    pub(crate) memory: MemorySystem<P>,
    pub(crate) global: DeviceMemory,
    pub(crate) spaces: Spaces,
    /// What the design holds behind its memory port.
    pub(crate) held: HeldSpaces,
    pub(crate) releases: Releases,
    division: Division,
    /// What lies below the design, where it holds data.
    pub(crate) below: Option<Box<Below>>,
    /// Global memory below it, where other SMs share it.
    pub(crate) traffic: Option<Box<Traffic>>,
    /// The record of the CTA that starts next.
    pub(crate) record: Option<RecordedCta>,
    pub(crate) counters: Counters,
    pub(crate) watchdog: Watchdog,
    pub(crate) hang: Hang,
    /// No instruction issues.
    pub(crate) held_issue: bool,
    /// No other SM changes its global memory.
    pub(crate) alone: bool,
    /// What the L1 holds of global memory, where it need not be what is there now.
    pub(crate) l1_view: Option<Box<View>>,
}

impl<P: FirstLevelPort> Sm<P> {
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
        self.tick_to_access(out, operands, input, observer)?;
        self.access_stage(observer)?;
        self.tick_from_access(out, input, observer)
    }

    /// The stages of a cycle before [`Sm::access_stage`].
    #[inline]
    pub(crate) fn tick_to_access<D: OperandSource, O: Observer>(
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
        self.fetch.refill(self.cycle, &mut self.memory, &self.warps);
        self.issue_stage(out, input, observer)?;
        self.result_stage(out, input, observer)
    }

    /// The stages of a cycle after [`Sm::access_stage`].
    #[inline]
    pub(crate) fn tick_from_access<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        self.memory_stage(observer)?;
        self.command_stage(out, input, observer)?;
        self.end_cycle(out, observer)?;
        self.cycle += 1;
        if let Some(idle) = self.hang.hangs(self.cycle).filter(|_| !self.is_done()) {
            return Err(SmError::Hang { cycle: self.cycle, idle, waits: self.waits() });
        }
        self.watch()
    }

    /// Whether warps that go on issuing ever get anywhere.
    #[inline]
    fn watch(&mut self) -> Result<(), SmError> {
        let live = self.states.resident() & !self.states.in_state(State::Exiting);
        match self.watchdog.look(self.cycle, self.kernel.program(), live, self.at_barrier) {
            Finding::Stuck(since) if !self.kernel.is_recorded() && self.alone => {
                Err(SmError::Stuck { cycle: self.cycle, since, waits: self.waits() })
            }
            _ => Ok(()),
        }
    }

    /// Counts what the cycle was, and shows it.
    #[inline]
    fn end_cycle<O: Observer>(&mut self, out: &RegOut, observer: &mut O) -> Result<(), SmError> {
        let warps = self.warp_sets();
        self.counters.cycle_ends(self.states.resident(), self.states.in_state(State::Active), &warps);
        let event = CycleEvent { cycle: Cycle(self.cycle), warps: &warps, bank_busy: &out.status.bank_busy };
        let result = observer.cycle(&event);
        self.stop(result)
    }

    /// The machine moved.
    #[inline]
    pub(crate) fn progress(&mut self) {
        self.hang.moves(self.cycle);
    }

    /// Nothing of the instruction is outstanding any more.
    pub(crate) fn retire<O: Observer>(&mut self, tag: u16, observer: &mut O) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let warp = usize::from(entry.warp);
        self.dependences.retired(warp);
        if self.watchdog.is_watching()
            && let Some(instr) = self.kernel.program().instrs.get(entry.pc.index())
        {
            self.watchdog.ended(tag, entry.exec, &entry.out, instr);
        }
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

    /// What the design or the memory side says of instruction `tag` breaks the contract.
    #[cold]
    pub(crate) fn protocol(&self, tag: u16, what: String) -> SmError {
        let entry = self.slab.get(tag);
        self.protocol_of_warp(usize::from(entry.warp), Some(entry.pc), what)
    }

    /// The same of a warp at instruction `pc`.
    #[cold]
    pub(crate) fn protocol_of_warp(&self, warp: usize, pc: Option<Pc>, what: String) -> SmError {
        let (cycle, slot, place) = (self.cycle, WarpSlot(warp as u8), pc.map(|pc| self.place(warp, pc)));
        SmError::Protocol { cycle, slot, place, what }
    }

    /// The place of an instruction of the warp in slot `warp`, for messages.
    #[cold]
    pub(crate) fn place(&self, warp: usize, pc: Pc) -> Box<Place> {
        let w = &self.warps[warp];
        self.kernel.place(w.cta, w.warp_in_cta, pc)
    }
}
