//! Which warps are resident: CTA launch, and the end of a warp.

mod activation;
mod commands;
mod source;
mod waits;

pub use waits::Stand;

use heddle_mem::FirstLevelPort;
use std::sync::Arc;

use heddle_isa::{Moment, RecordedWarp, SimtStack};
use heddle_port::Cycle;

use self::source::Source;
use crate::barrier::Cta;
use crate::error::SmError;
use crate::flow::{Flow, Record};
use crate::launch::{Occupancy, REGISTER_BANKS};
use crate::mapping::MapBlock;
use crate::observer::{CtaEvent, Observer};
use crate::sm::Sm;
use crate::warp::State;

/// Parts of a register file in which even and odd warp slots lie apart.
const WARP_BANKS: usize = 2;

/// The kernel's own progress, and who waits for a command.
#[derive(Debug, Clone)]
pub struct Residency {
    source: Source,
    kernel_sent: bool,
    kernel_started: bool,
    /// Cycle from which the next CTA may start.
    next_start: u64,
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
            source: Source::Own { next: first, every, grid },
            kernel_sent: false,
            kernel_started: false,
            next_start: 0,
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
        self.source.is_over() && self.kernel_started
    }

    /// The CTA that starts next, if one is left.
    pub fn to_start(&self) -> Option<u64> {
        self.source.next()
    }

    /// CTAs are given from outside, one at a time.
    pub fn wait_for_ctas(&mut self) {
        self.source = Source::Given { next: None, more: true };
    }

    /// A CTA that is given starts as soon as it has room.
    pub fn takes_cta(&self) -> bool {
        self.kernel_started && self.source.next().is_none()
    }

    /// A CTA is to run here.
    pub fn give(&mut self, cta: u64) {
        self.source = Source::Given { next: Some(cta), more: true };
    }

    /// No CTA will be given any more.
    pub fn give_no_more(&mut self) {
        self.source = Source::Given { next: self.source.next(), more: false };
    }

    /// The kernel has started and no warp wants a command.
    pub fn wants_nothing(&self) -> bool {
        self.kernel_started && self.wanting == 0
    }

    pub fn want_command(&mut self, w: usize) {
        self.wanting |= 1 << w;
    }
}

impl<P: FirstLevelPort> Sm<P> {
    /// Starts at most one CTA in `sm.cta_interval` cycles, when a CTA slot, warp slots and registers are free.
    pub(crate) fn launch_stage<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let Some(number) = self.residency.source.next() else { return Ok(()) };
        if !self.residency.kernel_started || self.cycle < self.residency.next_start {
            return Ok(());
        }
        let Some((cta_slot, free)) = self.free_slots() else { return Ok(()) };
        let warps = self.kernel.occupancy().warps_per_cta;
        let record = if self.kernel.is_recorded() {
            let Some(record) = self.record.take() else { return Ok(()) };
            Some(record)
        } else {
            None
        };
        self.residency.source.take();
        self.residency.next_start = self.cycle + u64::from(self.preset.sm.cta_interval);
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
        self.progress.changed(&self.ctas);
        self.counters.cta_starts(cta_slot, number, self.cycle, self.kernel.occupancy().shared_bytes);
        self.progress();
        self.watchdog.moved(self.cycle);
        let event = CtaEvent { cycle: Cycle(self.cycle), cta: number, cta_slot: cta_slot as u8 };
        let result = observer.cta_started(&event);
        self.stop(result)
    }

    /// A free CTA slot and the free warp slots, if they and the free registers are enough for a CTA.
    pub(crate) fn free_slots(&self) -> Option<(usize, u64)> {
        let warps = self.kernel.occupancy().warps_per_cta;
        let free = !self.states.resident() & self.residency.slots;
        if free.count_ones() < warps || self.residency.places.len() < warps as usize {
            return None;
        }
        self.ctas.iter().position(|c| !c.resident).map(|cta_slot| (cta_slot, free))
    }

    fn start_warp(
        &mut self,
        w: usize,
        cta: u64,
        cta_slot: usize,
        warp_in_cta: u32,
        recorded: Option<&Arc<RecordedWarp>>,
    ) {
        let context = self.kernel.context(cta, warp_in_cta);
        let place = self.residency.places.pop().unwrap_or_default();
        let base = self.base_of(w, place);
        let warp = &mut self.warps[w];
        warp.cta = cta;
        warp.cta_slot = cta_slot as u8;
        warp.warp_in_cta = warp_in_cta;
        warp.flow = match recorded {
            Some(record) => {
                Flow::Recorded(Record::new(Arc::clone(record), self.kernel.program().num_regs as usize))
            }
            None => Flow::Executed(SimtStack::new(context.lanes())),
        };
        warp.context = context;
        warp.preds.fill(0);
        warp.place = place;
        warp.left = None;
        warp.base = base;
        warp.interval = None;
        warp.barrier = None;
        warp.moment = Moment::default();
        self.spaces.clear_local(w);
        self.counters.warp_starts(w);
        self.states.set(w, State::Base);
        self.residency.want_command(w);
        self.dependences.start(w);
        self.at_barrier &= !(1 << w);
        self.fetch.begins(w);
        self.scheduler.started(w);
    }

    /// First register of the warp in slot `w`, which has place `place`.
    ///
    /// In a file of two parts, and where each sub-core has a file of its own, the places are those of the slots: the
    /// SM fills the lowest free slots, so no slot number reaches the number of places. In the file of a sub-core the
    /// count begins anew.
    fn base_of(&self, w: usize, place: u16) -> u16 {
        let registers = self.kernel.occupancy().registers_per_warp as u16;
        let file = &self.preset.register_file;
        let sub_cores = file.sub_cores as usize;
        if sub_cores > 1 {
            return (w / sub_cores) as u16 * registers;
        }
        if file.warp_banks < WARP_BANKS as u32 {
            return place * registers;
        }
        let half = (file.rows_per_bank * REGISTER_BANKS / WARP_BANKS as u32) as u16;
        (w % WARP_BANKS) as u16 * half + (w / WARP_BANKS) as u16 * registers
    }

    fn free_warp<O: Observer>(&mut self, w: usize, observer: &mut O) -> Result<(), SmError> {
        self.states.set(w, State::Empty);
        self.counters.warp_ends(w);
        self.scheduler.ended(w);
        let warp = &self.warps[w];
        self.residency.places.push(warp.place);
        let slot = usize::from(warp.cta_slot);
        let cta = &mut self.ctas[slot];
        cta.warps_left -= 1;
        if cta.warps_left > 0 {
            return Ok(());
        }
        if self.held.shared && self.kernel.occupancy().shared_bytes > 0 {
            self.releases.push(slot as u8);
        } else {
            cta.resident = false;
        }
        let number = cta.number;
        self.progress.changed(&self.ctas);
        self.counters.cta_ends(slot, self.cycle);
        let event = CtaEvent { cycle: Cycle(self.cycle), cta: number, cta_slot: slot as u8 };
        let result = observer.cta_finished(&event);
        self.stop(result)
    }
}
