//! The SM: its stages, and what one clock cycle is.
//!
//! Each stage is a type with private fields, in a file of its own. Here they are put together: what one of
//! them gives, another one takes, and an observer sees it.
//!
//! What a stage does only where something waits for it is a function of its own, kept out of line (`inline(never)`): most
//! stages have nothing to do in most cycles, and then cost a test.

mod barriers;
mod functional;
mod issue;
mod many;
mod memory;
mod new;
mod operands;
mod perform;
mod record;
mod residents;
mod results;
mod view;
mod waits;

use heddle_config::Preset;
use heddle_isa::Pc;
use heddle_mem::{Division, FirstLevel, FirstLevelPort, MemorySystem};
use heddle_port::{Cycle, HeldSpaces, MAX_PORT_WIDTH, RegIn, RegOut, Tag, WarpSlot};

pub use self::functional::Advanced;
pub use self::waits::Stand;
use crate::barrier::Barriers;
use crate::contents::Contents;
use crate::counters::Counters;
use crate::dependences::Dependences;
use crate::error::{Place, SmError};
use crate::fetch::Fetch;
use crate::inflight::Slab;
use crate::kernel::Kernel;
use crate::lsu::LoadStore;
use crate::observer::{CycleEvent, Observer, Stop};
use crate::off_chip::Releases;
use crate::progress::Progress;
use crate::registers::OperandSource;
use crate::residency::{Residency, State};
use crate::scheduler::Schedulers;
use crate::units::Units;
use crate::warp::Warp;
use crate::warp_sets::WarpSets;
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
    cycle: u64,
    preset: Preset,
    kernel: Kernel,
    /// Issue slots of the design, and as many for operands.
    issue_slots: usize,
    /// Who is resident, and who active.
    residency: Residency,
    /// By warp slot.
    warps: Vec<Warp>,
    fetch: Fetch,
    dependences: Dependences,
    barriers: Barriers,
    schedulers: Schedulers,
    /// The instructions between issue and retirement.
    slab: Slab,
    units: Units,
    lsu: LoadStore,
    write_back: WriteBack,
    /// What stands behind the memory port, and L2.
    memory: MemorySystem<P>,
    contents: Contents,
    /// Shared memory off chip that is to be dropped.
    releases: Releases,
    division: Division,
    counters: Counters,
    /// How fast the CTAs go on.
    progress: Progress,
    watchdog: Watchdog,
    hang: Hang,
    /// No other SM changes its global memory.
    alone: bool,
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
        self.access(observer)?;
        self.tick_from_access(out, input, observer)
    }

    /// The stages of a cycle before [`Sm::access`].
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
        self.take_answer(out, observer)?;
        self.free_stored(observer)?;
        self.take_operands(out, operands, input, observer)?;
        self.complete_units(observer)?;
        self.start_cta(observer)?;
        self.activate();
        self.fetch.refill(self.cycle, &mut self.memory, &self.warps);
        self.issue(out, input, observer)?;
        self.write_back(out, input, observer)
    }

    /// The stages of a cycle after [`Sm::access`].
    #[inline]
    pub(crate) fn tick_from_access<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        self.take_response(observer)?;
        self.send_request();
        self.step_memory()?;
        self.command(out, input, observer)?;
        self.end_cycle(out, observer)?;
        self.watch()
    }

    /// Counts what the cycle was, and shows it.
    #[inline]
    fn end_cycle<O: Observer>(&mut self, out: &RegOut, observer: &mut O) -> Result<(), SmError> {
        let warps = WarpSets::new(&self.residency, &self.dependences, self.barriers.waiting());
        let active = self.residency.in_state(State::Active);
        self.counters.cycle_ends(self.residency.resident(), active, &warps);
        let event = CycleEvent { cycle: Cycle(self.cycle), warps: &warps, bank_busy: &out.status.bank_busy };
        let result = observer.cycle(&event);
        self.stop(result)?;
        self.cycle += 1;
        Ok(())
    }

    /// Whether anything moves, and whether warps that go on issuing ever get anywhere.
    #[inline]
    fn watch(&mut self) -> Result<(), SmError> {
        let cycle = self.cycle;
        if let Some(idle) = self.hang.hangs(cycle).filter(|_| !self.is_done()) {
            return Err(SmError::Hang { cycle, idle, waits: self.waits() });
        }
        let ending = self.residency.in_state(State::Exiting) | self.residency.in_state(State::Storing);
        let live = self.residency.resident() & !ending;
        match self.watchdog.look(cycle, self.kernel.program(), live, self.barriers.waiting()) {
            Finding::Stuck(since) if !self.kernel.is_recorded() && self.alone => {
                Err(SmError::Stuck { cycle, since, waits: self.waits() })
            }
            _ => Ok(()),
        }
    }

    /// Nothing of the instruction is outstanding any more.
    fn retire<O: Observer>(&mut self, tag: u16, observer: &mut O) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        self.dependences.retired(entry.warp());
        if self.watchdog.is_watching()
            && let Some(instr) = self.kernel.program().instrs.get(entry.pc().index())
        {
            self.watchdog.ended(tag, entry.exec().0, entry.out(), instr);
        }
        self.slab.release(tag);
        self.hang.moves(self.cycle);
        let result = observer.retired(Cycle(self.cycle), Tag(tag));
        self.stop(result)
    }

    /// Turns an observer's wish to stop into an error.
    #[inline]
    fn stop(&self, result: Result<(), Stop>) -> Result<(), SmError> {
        result.map_err(|Stop| SmError::Stopped { cycle: self.cycle })
    }

    /// What the design or the memory side says of instruction `tag` breaks the contract.
    #[cold]
    fn protocol(&self, tag: u16, what: String) -> SmError {
        let entry = self.slab.get(tag);
        self.protocol_of_warp(entry.warp(), Some(entry.pc()), what)
    }

    /// The same of a warp at instruction `pc`.
    #[cold]
    fn protocol_of_warp(&self, warp: usize, pc: Option<Pc>, what: String) -> SmError {
        let (cycle, slot, place) = (self.cycle, WarpSlot(warp as u8), pc.map(|pc| self.place(warp, pc)));
        SmError::Protocol { cycle, slot, place, what }
    }

    /// What an instruction of a warp asks for cannot be computed.
    #[cold]
    fn execution(&self, warp: usize, pc: Pc, reason: String) -> SmError {
        SmError::Execution { cycle: self.cycle, place: self.place(warp, pc), reason }
    }

    /// The place of an instruction of the warp in slot `warp`, for messages.
    #[cold]
    fn place(&self, warp: usize, pc: Pc) -> Box<Place> {
        let warp = &self.warps[warp];
        self.kernel.place(warp.cta(), warp.warp_in_cta(), pc)
    }
}
