//! Which warps are resident and which of them active: CTAs start, warps come and go, and the design is told.

mod activation;
mod commands;
mod cta;
mod places;
mod source;
mod states;

pub use self::activation::Resident;
pub use self::commands::Answer;
pub use self::cta::Cta;
use self::places::Places;
use self::source::Source;
pub use self::states::State;
use self::states::States;

use heddle_config::{Activation, Preset};
use heddle_isa::{IntervalId, RecordedCta};
use heddle_port::members;

use crate::kernel::Kernel;
use crate::launch::Occupancy;
use crate::mapping::MapBlock;

/// What residency knows of a warp.
#[derive(Debug, Clone, Copy, Default)]
struct Stay {
    /// Which of the places for a warp's registers it has.
    place: u16,
    /// First register in the register file, in warp registers.
    base: u16,
    /// When its last active period ended.
    left: Option<u64>,
    /// The interval whose working set the design holds.
    interval: Option<IntervalId>,
    /// The interval of the prefetch under way.
    target: IntervalId,
    /// When the prefetch under way was sent.
    prefetch_sent: u64,
    /// It was waiting at a barrier when it was chosen to become inactive.
    leaves_barrier: bool,
    /// Stores of the SM that L2 has when it has all of this warp.
    stores: u64,
}

/// A CTA that starts, in warp slots whose warps start with it.
#[derive(Debug)]
pub struct StartingCta {
    pub number: u64,
    pub slot: usize,
    /// Its warp slots, its first warp in the lowest.
    pub warps: u64,
    /// What its warps do, if the program comes from a trace.
    pub record: Option<RecordedCta>,
}

/// The kernel's own progress, the state of each warp slot, and who waits for a command.
#[derive(Debug, Clone)]
pub struct Residency {
    source: Source,
    /// The record of the CTA that starts next.
    record: Option<RecordedCta>,
    /// Cycle from which the next CTA may start, and how many cycles lie between two.
    next_start: u64,
    interval: u64,
    warps_per_cta: u32,
    ctas: Vec<Cta>,
    states: States,
    stays: Vec<Stay>,
    /// Warp slots that the preset has.
    slots: u64,
    places: Places,
    kernel_sent: bool,
    kernel_started: bool,
    /// The design switches buffers off.
    gating: bool,
    /// Blocks of the register mapping that are still to be loaded, the next one last.
    mapping: Vec<MapBlock>,
    /// Warp slots that need a command sent.
    wanting: u64,
    command_pointer: u32,
    /// Most warps that are active in the design at once.
    active_limit: u32,
    order: Activation,
    /// Cycles that a warp waits for memory before it gives its place up.
    patience: u64,
    /// Consecutively activated warps come from different parts of the register file.
    takes_turns: bool,
    /// Part of the register file of the warp that became active last, where parts take turns.
    last_bank: Option<usize>,
    /// The warp slot after the one that became active last.
    activation_pointer: u32,
    leave_pointer: u32,
}

impl Residency {
    /// An SM of `preset` without a CTA, which runs every `every`-th of the kernel from `first` on.
    pub fn new(preset: &Preset, kernel: &Kernel, first: u64, every: u64) -> Self {
        let (occupancy, rules): (&Occupancy, _) = (kernel.occupancy(), &preset.scheduler);
        Self {
            source: Source::Own { next: first, every, grid: kernel.launch().num_ctas() },
            record: None,
            next_start: 0,
            interval: u64::from(preset.sm.cta_interval),
            warps_per_cta: occupancy.warps_per_cta,
            ctas: vec![Cta::default(); occupancy.ctas as usize],
            states: States::new(),
            stays: vec![Stay::default(); preset.sm.warps as usize],
            slots: u64::MAX >> (64 - preset.sm.warps),
            places: Places::new(preset, occupancy),
            kernel_sent: false,
            kernel_started: false,
            gating: preset.register_file.buffer_gating,
            mapping: Vec::new(),
            wanting: 0,
            command_pointer: 0,
            active_limit: preset.most_active_warps(kernel.has_intervals()),
            order: rules.activation,
            patience: u64::from(rules.deactivate_after),
            takes_turns: rules.alternate_banks
                && preset.register_file.warp_banks == places::WARP_BANKS as u32,
            last_bank: None,
            activation_pointer: 0,
            leave_pointer: 0,
        }
    }

    pub fn load_mapping(&mut self, blocks: &[MapBlock]) {
        self.mapping = blocks.iter().rev().copied().collect();
    }

    /// No CTA is left to start.
    pub fn is_finished(&self) -> bool {
        self.source.is_over() && self.kernel_started
    }

    /// The CTA that starts next, if one is left and its record is not there.
    pub fn awaits_record(&self) -> Option<u64> {
        self.source.next().filter(|_| self.record.is_none())
    }

    /// The record of the CTA that starts next.
    pub fn supply(&mut self, record: RecordedCta) {
        self.record = Some(record);
    }

    /// CTAs are given from outside, one at a time.
    pub fn wait_for_ctas(&mut self) {
        self.source = Source::Given { next: None, more: true };
    }

    /// A CTA could start in this cycle, if one were given.
    pub fn has_room(&self) -> bool {
        self.kernel_started && self.source.next().is_none() && self.free_slots().is_some()
    }

    /// A CTA is to run here.
    pub fn give(&mut self, cta: u64) {
        self.source = Source::Given { next: Some(cta), more: true };
    }

    /// No CTA will be given any more.
    pub fn give_no_more(&mut self) {
        self.source = Source::Given { next: self.source.next(), more: false };
    }

    /// The kernel has started, no warp changes its state, and no CTA could start.
    pub fn is_settled(&self) -> bool {
        let at_rest = [State::Empty, State::Inactive, State::Active];
        at_rest.into_iter().fold(0, |all, state| all | self.states.in_state(state)) == u64::MAX
            && self.kernel_started
            && self.wanting == 0
            && (self.source.next().is_none() || self.free_slots().is_none())
    }

    /// Warp slots that the preset has.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// Slots with a warp.
    #[inline]
    pub fn resident(&self) -> u64 {
        self.states.resident()
    }

    /// Slots in a state.
    #[inline]
    pub fn in_state(&self, state: State) -> u64 {
        self.states.in_state(state)
    }

    pub fn state(&self, w: usize) -> State {
        self.states.get(w)
    }

    /// A command for the warp is still to be sent.
    pub fn wants_command(&self, w: usize) -> bool {
        self.wanting >> w & 1 != 0
    }

    fn want_command(&mut self, w: usize) {
        self.wanting |= 1 << w;
    }

    /// The CTAs by their slots.
    pub fn ctas(&self) -> &[Cta] {
        &self.ctas
    }

    /// A free CTA slot and the free warp slots, if they and the free registers are enough for a CTA.
    fn free_slots(&self) -> Option<(usize, u64)> {
        let free = !self.states.resident() & self.slots;
        if free.count_ones() < self.warps_per_cta || self.places.free() < self.warps_per_cta as usize {
            return None;
        }
        self.ctas.iter().position(|cta| !cta.is_resident()).map(|slot| (slot, free))
    }

    /// Starts at most one CTA in `sm.cta_interval` cycles, when a CTA slot, warp slots and registers are
    /// free, and its record is there where the kernel is `recorded`.
    #[inline]
    pub fn start_cta(&mut self, cycle: u64, recorded: bool) -> Option<StartingCta> {
        if !self.kernel_started || cycle < self.next_start {
            return None;
        }
        let number = self.source.next()?;
        let (slot, free) = self.free_slots()?;
        let record = if recorded { Some(self.record.take()?) } else { None };
        self.source.take();
        self.next_start = cycle + self.interval;
        Some(StartingCta { number, slot, warps: self.start_in(number, slot, free), record })
    }

    /// CTA `number` starts in CTA slot `slot`; its warps, in the first of the warp slots `free`.
    fn start_in(&mut self, number: u64, slot: usize, mut free: u64) -> u64 {
        let mut warps = 0;
        for _ in 0..self.warps_per_cta {
            let w = free.trailing_zeros() as usize;
            free &= free - 1;
            warps |= 1 << w;
            let (place, base) = self.places.take(w);
            self.stays[w] = Stay { place, base, ..Stay::default() };
            self.states.set(w, State::Base);
            self.want_command(w);
        }
        self.ctas[slot] = Cta::new(number, warps, self.warps_per_cta);
        warps
    }

    /// All lanes of the warp in slot `w`, of the CTA in `slot`, have ended: the design is to let it go.
    pub fn end_warp(&mut self, w: usize, slot: usize) {
        self.states.set(w, State::Exiting);
        self.want_command(w);
        self.ctas[slot].end_warp(w);
    }

    /// The design has let the warp go, whose slot stays taken until L2 has as many stores of the SM as `stores`.
    pub fn await_stores(&mut self, w: usize, stores: u64) {
        self.states.set(w, State::Storing);
        self.stays[w].stores = stores;
    }

    /// A warp that waits for its stores and waits no longer, where L2 has as many of the SM as `stores`.
    #[inline]
    pub fn stored(&self, stores: u64) -> Option<usize> {
        members(self.states.in_state(State::Storing)).find(|w| self.stays[*w].stores <= stores)
    }

    /// The slot of the warp is free. The number of its CTA, if it was the last one; its slot stays taken if
    /// the design still holds shared memory of it (`keep`).
    pub fn free_warp(&mut self, w: usize, slot: usize, keep: bool) -> Option<u64> {
        self.states.set(w, State::Empty);
        self.places.give_back(self.stays[w].place);
        self.ctas[slot].free_warp(keep)
    }

    /// The design holds nothing of the CTA in a slot any more.
    pub fn free_cta(&mut self, slot: usize) {
        self.ctas[slot].free();
    }

    /// Whether the design lacks the working set of `interval` for the warp.
    #[inline]
    pub fn lacks(&self, w: usize, interval: IntervalId) -> bool {
        self.stays[w].interval != Some(interval)
    }

    /// The warp needs the working set of `interval` before its next instruction.
    pub fn begin_prefetch(&mut self, w: usize, interval: IntervalId) {
        self.stays[w].target = interval;
        self.states.set(w, State::Prefetching);
        self.want_command(w);
    }

    /// The warp has gone on without the design: it needs its working set anew.
    pub fn forget_interval(&mut self, w: usize) {
        self.stays[w].interval = None;
    }
}
