//! Which warps are resident and active: CTA launch, activation, and the commands to the design.

use std::sync::Arc;

use heddle_config::Activation;
use heddle_isa::{IntervalId, Moment, RecordedWarp, SimtStack, WarpContext};
use heddle_port::{Command, CommandOp, Cycle, MemoryPort, Reg, RegIn, RegOut};

use crate::barrier::Cta;
use crate::error::{SmError, Wait, WarpWait};
use crate::flow::{Flow, Record};
use crate::inflight::Stage;
use crate::launch::{Occupancy, REGISTER_BANKS};
use crate::mapping::MapBlock;
use crate::observer::{CtaEvent, Observer};
use crate::scheduler::rotating_pick;
use crate::scoreboard::{Hazard, Scoreboard};
use crate::sm::Sm;
use crate::warp::State;

/// Parts of a register file in which even and odd warp slots lie apart.
const WARP_BANKS: usize = 2;

/// The warp slots of one part.
fn bank_mask(bank: usize) -> u64 {
    0x5555_5555_5555_5555 << bank
}

/// The kernel's own progress, and who waits for a command.
#[derive(Debug, Clone)]
pub struct Residency {
    next_cta: u64,
    every: u64,
    grid: u64,
    kernel_sent: bool,
    kernel_started: bool,
    /// Warp slots that need a command sent.
    wanting: u64,
    command_pointer: u32,
    leave_pointer: u32,
    /// The warp slot after the one that became active last.
    activation_pointer: u32,
    /// Warp slots that the preset has.
    slots: u64,
    /// Free places in the register file, in units of a warp's registers.
    places: Vec<u16>,
    /// Part of the register file of the warp that became active last, where parts take turns.
    last_bank: Option<usize>,
    /// Blocks of the register mapping that are still to be loaded, the next one last.
    mapping: Vec<MapBlock>,
}

impl Residency {
    pub fn new(occupancy: &Occupancy, warp_slots: usize, first: u64, every: u64, grid: u64) -> Self {
        Self {
            next_cta: first,
            every,
            grid,
            kernel_sent: false,
            kernel_started: false,
            wanting: 0,
            command_pointer: 0,
            leave_pointer: 0,
            activation_pointer: 0,
            slots: u64::MAX >> (64 - warp_slots),
            places: (0..occupancy.warps_of_registers.min(64) as u16).rev().collect(),
            last_bank: None,
            mapping: Vec::new(),
        }
    }

    pub fn load_mapping(&mut self, blocks: &[MapBlock]) {
        self.mapping = blocks.iter().rev().copied().collect();
    }

    /// No CTA is left to start.
    pub fn is_finished(&self) -> bool {
        self.next_cta >= self.grid && self.kernel_started
    }

    /// The CTA that starts next, if one is left.
    pub fn to_start(&self) -> Option<u64> {
        (self.next_cta < self.grid).then_some(self.next_cta)
    }

    pub fn want_command(&mut self, w: usize) {
        self.wanting |= 1 << w;
    }
}

impl<P: MemoryPort> Sm<P> {
    /// Starts at most one CTA a cycle, when a CTA slot, warp slots and registers are free.
    pub(crate) fn launch_stage<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let r = &self.residency;
        if r.next_cta >= r.grid || !r.kernel_started {
            return Ok(());
        }
        let warps = self.occupancy.warps_per_cta;
        let free = !self.states.resident() & r.slots;
        if free.count_ones() < warps || r.places.len() < warps as usize {
            return Ok(());
        }
        let Some(cta_slot) = self.ctas.iter().position(|c| !c.resident) else { return Ok(()) };
        let number = r.next_cta;
        let record = if self.recorded {
            let Some(record) = self.record.take() else { return Ok(()) };
            Some(record)
        } else {
            None
        };
        self.residency.next_cta += self.residency.every;
        self.spaces.clear_shared(cta_slot);
        let mut live = 0;
        let mut free = free;
        for warp_in_cta in 0..warps {
            let w = free.trailing_zeros() as usize;
            free &= free - 1;
            live |= 1 << w;
            let recorded = record.as_ref().and_then(|r| r.warps.get(warp_in_cta as usize));
            self.start_warp(w, number, cta_slot, warp_in_cta, recorded);
        }
        self.ctas[cta_slot] = Cta::new(number, live, warps);
        self.shared_use.start(cta_slot, number, self.cycle, self.occupancy.shared_bytes);
        self.progress();
        let event = CtaEvent { cycle: Cycle(self.cycle), cta: number, cta_slot: cta_slot as u8 };
        let result = observer.cta_started(&event);
        self.stop(result)
    }

    fn start_warp(
        &mut self,
        w: usize,
        cta: u64,
        cta_slot: usize,
        warp_in_cta: u32,
        recorded: Option<&Arc<RecordedWarp>>,
    ) {
        let context = WarpContext::with_banks(
            &self.program,
            &self.launch,
            cta,
            warp_in_cta,
            self.params.clone(),
            self.constants.clone(),
        );
        let place = self.residency.places.pop().unwrap_or_default();
        let base = self.base_of(w, place);
        let warp = &mut self.warps[w];
        warp.cta = cta;
        warp.cta_slot = cta_slot as u8;
        warp.warp_in_cta = warp_in_cta;
        warp.flow = match recorded {
            Some(record) => Flow::Recorded(Record::new(Arc::clone(record), self.program.num_regs as usize)),
            None => Flow::Executed(SimtStack::new(context.lanes())),
        };
        warp.context = context;
        warp.preds.fill(0);
        warp.board = Scoreboard::new();
        warp.place = place;
        warp.left = None;
        warp.base = base;
        warp.interval = None;
        warp.barrier = None;
        warp.moment = Moment::default();
        self.spaces.clear_local(w);
        self.data_use.warp_starts();
        self.states.set(w, State::Base);
        self.residency.want_command(w);
        self.wake(w);
        self.at_barrier &= !(1 << w);
        self.fetch_begins(w);
        self.scheduler.started(w);
    }

    /// First register of the warp in slot `w`, which has place `place`.
    ///
    /// In a file of two parts the places are those of the slots: the SM fills the lowest free slots, so no
    /// slot number reaches the number of places.
    fn base_of(&self, w: usize, place: u16) -> u16 {
        let registers = self.occupancy.registers_per_warp as u16;
        let file = &self.preset.register_file;
        if file.warp_banks < WARP_BANKS as u32 {
            return place * registers;
        }
        let half = (file.rows_per_bank * REGISTER_BANKS / WARP_BANKS as u32) as u16;
        (w % WARP_BANKS) as u16 * half + (w / WARP_BANKS) as u16 * registers
    }

    /// Whether consecutively activated warps come from different parts of the register file.
    fn takes_turns(&self) -> bool {
        self.preset.scheduler.alternate_banks && self.preset.register_file.warp_banks == WARP_BANKS as u32
    }

    /// A warp that was to become inactive, but has all it needs before the command is sent, stays.
    fn keep_woken_warps(&mut self) {
        let unsent = self.states.in_state(State::Deactivating) & self.residency.wanting;
        let mut woken = unsent & !self.blocked & !self.at_barrier;
        while woken != 0 {
            let w = woken.trailing_zeros() as usize;
            woken &= woken - 1;
            if self.dependences_met(w).is_ok() {
                self.residency.wanting &= !(1 << w);
                self.states.set(w, State::Active);
            }
        }
    }

    /// Lets warps become active and inactive.
    ///
    /// A place among the active warps goes to an inactive warp whose next instruction has all it depends on,
    /// in the order of `scheduler.activation`. When all places are taken, an active warp that waits for a load or at
    /// a barrier gives its place up, if an inactive warp is ready to take it; those that could do so take turns.
    pub(crate) fn activation_stage(&mut self) {
        self.keep_woken_warps();
        let waiting = self.states.in_state(State::Inactive) & !self.blocked & !self.at_barrier;
        if waiting == 0 {
            return;
        }
        let places = self.states.holding_place().count_ones();
        if places < self.active_limit {
            if let Some(w) = self.next_to_activate(waiting) {
                self.residency.activation_pointer = w as u32 + 1;
                self.residency.last_bank = self.takes_turns().then_some(w % WARP_BANKS);
                self.states.set(w, State::Activating);
                self.residency.want_command(w);
            }
            return;
        }
        let stalled = self.states.in_state(State::Active) & ((self.blocked & self.long) | self.at_barrier);
        let leaving = self.states.in_state(State::Deactivating).count_ones();
        if stalled == 0 || leaving >= waiting.count_ones() {
            return;
        }
        if self.next_to_activate(waiting).is_some()
            && let Some(w) = rotating_pick(stalled, self.residency.leave_pointer)
        {
            self.residency.leave_pointer = w as u32 + 1;
            self.states.set(w, State::Deactivating);
            self.residency.want_command(w);
        }
    }

    /// The oldest warp of a set: of the CTA that started first, its first warp.
    fn oldest(&self, mut set: u64) -> Option<usize> {
        let mut best = None;
        while set != 0 {
            let w = set.trailing_zeros() as usize;
            set &= set - 1;
            let age = (self.warps[w].cta, self.warps[w].warp_in_cta);
            if best.is_none_or(|(_, other)| age < other) {
                best = Some((w, age));
            }
        }
        best.map(|(w, _)| w)
    }

    /// The warp of `waiting` that becomes active next.
    ///
    /// Where parts of the register file take turns, a ready warp of the other part. While a warp
    /// of that part waits for its memory, ready ones of the same part wait for it.
    fn next_to_activate(&mut self, waiting: u64) -> Option<usize> {
        let Some(last) = self.residency.last_bank else { return self.next_ready(waiting) };
        let same = bank_mask(last);
        if let Some(w) = self.next_ready(waiting & !same) {
            return Some(w);
        }
        let candidate = self.next_ready(waiting & same)?;
        let coming = self.states.in_state(State::Inactive) & !same & !self.at_barrier;
        if coming == 0 {
            return Some(candidate);
        }
        self.statistics.bank_rule_cycles += 1;
        None
    }

    /// The first of `waiting`, in the order of activation, that could issue.
    fn next_ready(&mut self, mut waiting: u64) -> Option<usize> {
        let order = self.preset.scheduler.activation;
        let pointer = self.residency.activation_pointer;
        while let Some(w) = match order {
            Activation::Oldest => self.oldest(waiting),
            Activation::RoundRobin => rotating_pick(waiting, pointer),
        } {
            if self.dependences_met(w).is_ok() {
                return Some(w);
            }
            waiting &= !(1 << w);
        }
        None
    }

    /// The warp needs the working set of `interval` before its next instruction.
    pub(crate) fn begin_prefetch(&mut self, w: usize, interval: IntervalId) {
        self.warps[w].target = interval;
        self.states.set(w, State::Prefetching);
        self.residency.want_command(w);
        self.progress();
    }

    /// Sends one command, if the design takes one.
    pub(crate) fn command_stage<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        if !out.command_ready {
            return Ok(());
        }
        if !self.residency.kernel_sent {
            self.residency.kernel_sent = true;
            input.command = Command {
                valid: true,
                op: CommandOp::KernelStart as u8,
                value: self.program.num_regs as u16,
                gating: self.preset.register_file.buffer_gating,
                ..Command::default()
            };
        } else if let Some(block) = self.residency.mapping.pop() {
            input.command = block.command();
        } else {
            let mut wanting = self.residency.wanting;
            let chosen = loop {
                let Some(w) = rotating_pick(wanting, self.residency.command_pointer) else { return Ok(()) };
                if self.may_send(w) {
                    break w;
                }
                wanting &= !(1 << w);
            };
            self.residency.command_pointer = chosen as u32 + 1;
            self.residency.wanting &= !(1 << chosen);
            input.command = self.command_of(chosen);
        }
        self.progress();
        let result = observer.command(Cycle(self.cycle), &input.command);
        self.stop(result)
    }

    /// What the port asks before a command: no operand read outstanding, at exit nothing at all.
    fn may_send(&self, w: usize) -> bool {
        let warp = &self.warps[w];
        match self.states.get(w) {
            State::Prefetching | State::Deactivating => warp.reads_outstanding == 0,
            State::Exiting => warp.in_flight == 0,
            _ => true,
        }
    }

    fn command_of(&mut self, w: usize) -> Command {
        let warp = &self.warps[w];
        let mut command = Command { valid: true, warp: w as u8, ..Command::default() };
        let op = match self.states.get(w) {
            State::Base => {
                command.value = warp.base;
                CommandOp::WarpBase
            }
            State::Activating => {
                self.statistics.activations += 1;
                CommandOp::Activate
            }
            State::Deactivating => {
                self.statistics.deactivations += 1;
                CommandOp::Deactivate
            }
            State::Prefetching => {
                self.statistics.prefetches += 1;
                command.interval = warp.target.0;
                if let Some(intervals) = &self.executable.intervals {
                    command.vector = intervals.intervals[usize::from(warp.target.0)].working_set.data;
                }
                CommandOp::Prefetch
            }
            State::Exiting | State::Empty | State::Inactive | State::Active => CommandOp::Exit,
        };
        command.op = op as u8;
        command
    }

    /// A command was carried out.
    pub(crate) fn done_stage<O: Observer>(&mut self, out: &RegOut, observer: &mut O) -> Result<(), SmError> {
        if !out.done.valid {
            return Ok(());
        }
        let w = usize::from(out.done.warp);
        let result = observer.done(Cycle(self.cycle), &out.done);
        self.stop(result)?;
        self.progress();
        let op = CommandOp::from_code(out.done.op);
        match op {
            Some(CommandOp::KernelStart) => {
                self.residency.kernel_started = true;
                return Ok(());
            }
            Some(CommandOp::MapEntry) => return Ok(()),
            _ => {}
        }
        let outstanding = self.residency.wanting >> w & 1 == 0;
        match (op, self.states.get(w)) {
            (Some(CommandOp::WarpBase), State::Base) if outstanding => self.states.set(w, State::Inactive),
            (Some(CommandOp::Activate), State::Activating) if outstanding => {
                self.states.set(w, State::Active);
                if let Some(left) = self.warps[w].left {
                    self.statistics.returns += 1;
                    self.statistics.inactive_cycles += self.cycle - left;
                }
            }
            (Some(CommandOp::Deactivate), State::Deactivating) if outstanding => {
                self.states.set(w, State::Inactive);
                self.warps[w].left = Some(self.cycle);
            }
            (Some(CommandOp::Prefetch), State::Prefetching) if outstanding => {
                self.warps[w].interval = Some(self.warps[w].target);
                self.states.set(w, State::Active);
            }
            (Some(CommandOp::Exit), State::Exiting) if outstanding => self.free_warp(w, observer)?,
            (_, state) => {
                let what = format!("done of command {} for W{w}, whose state is {state:?}", out.done.op);
                return Err(self.protocol(what));
            }
        }
        Ok(())
    }

    fn free_warp<O: Observer>(&mut self, w: usize, observer: &mut O) -> Result<(), SmError> {
        self.states.set(w, State::Empty);
        self.data_use.warp_ends(w);
        self.scheduler.ended(w);
        let warp = &self.warps[w];
        self.residency.places.push(warp.place);
        let slot = usize::from(warp.cta_slot);
        let cta = &mut self.ctas[slot];
        cta.warps_left -= 1;
        if cta.warps_left > 0 {
            return Ok(());
        }
        if self.held.shared && self.occupancy.shared_bytes > 0 {
            self.releases.push(slot as u8);
        } else {
            cta.resident = false;
        }
        self.shared_use.end(slot, self.cycle);
        self.statistics.ctas += 1;
        let event = CtaEvent { cycle: Cycle(self.cycle), cta: cta.number, cta_slot: slot as u8 };
        let result = observer.cta_finished(&event);
        self.stop(result)
    }

    /// What every resident warp waits for.
    #[must_use]
    pub fn waits(&self) -> Vec<WarpWait> {
        let resident = self.states.resident();
        (0..self.warps.len()).filter(|w| resident >> w & 1 != 0).map(|w| self.wait_of(w)).collect()
    }

    fn wait_of(&self, w: usize) -> WarpWait {
        let warp = &self.warps[w];
        let pc = (!warp.flow.is_done()).then(|| warp.flow.pc());
        let sent = self.residency.wanting >> w & 1 == 0;
        let operands = || Wait::Operands(self.slab.tags_of(w, Stage::Collecting));
        let command =
            |name| if sent || warp.reads_outstanding == 0 { Wait::Command(name) } else { operands() };
        let wait = match self.states.get(w) {
            State::Base => Wait::Command("warp base"),
            State::Activating => Wait::Command("activate"),
            State::Prefetching => command("prefetch"),
            State::Deactivating => command("deactivate"),
            State::Exiting if sent => Wait::Command("exit"),
            State::Exiting if warp.reads_outstanding > 0 => operands(),
            State::Exiting => Wait::Drain,
            State::Empty | State::Inactive | State::Active => self.wait_of_next(w),
        };
        let place = pc.map(|pc| self.place(w, pc));
        let (location, source) = place.map(|p| (p.location, p.source)).unwrap_or_default();
        let slot = heddle_port::WarpSlot(w as u8);
        WarpWait { slot, cta: warp.cta, warp_in_cta: warp.warp_in_cta, pc, location, source, wait }
    }

    fn wait_of_next(&self, w: usize) -> Wait {
        let warp = &self.warps[w];
        let bit = 1u64 << w;
        if self.at_barrier & bit != 0 {
            return match warp.barrier {
                Some(id) => Wait::Barrier(id),
                None => Wait::Operands(self.slab.tags_of(w, Stage::Collecting)),
            };
        }
        let Some(d) = self.decoded.get(warp.flow.pc().index()) else { return Wait::Nothing };
        match warp.board.hazard(&d.footprint) {
            Some(Hazard::Load(r)) => return Wait::Load(Reg(r as u32)),
            Some(Hazard::Register(_)) if warp.reads_outstanding > 0 => {
                return Wait::Operands(self.slab.tags_of(w, Stage::Collecting));
            }
            Some(Hazard::Register(r)) => return Wait::Register(Reg(r as u32)),
            Some(Hazard::Predicate(p)) => return Wait::Predicate(p as u16),
            None => {}
        }
        if self.blocked & bit != 0 {
            Wait::Memory
        } else if self.states.get(w) == State::Inactive {
            Wait::Activation
        } else if self.fetched & bit == 0 {
            Wait::Fetch
        } else if d.through_port {
            Wait::Port
        } else {
            Wait::Nothing
        }
    }
}
