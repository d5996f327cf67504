//! The prefetch engine, as in `prefetch_engine.sv` and `cache_bank_lists.sv`.

mod decode;
mod transfers;

use super::addresses::UnusedQueue;
use super::commands::Start;
use super::main_file::ByBank;
use super::vector::RegVector;
use super::{NUM_CACHE_BANKS, NUM_MAIN_BANKS, NUM_SLOTS};
use crate::common::Rotating;
use heddle_port::members;

/// What the engine does for the warp of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SlotState {
    /// No warp.
    #[default]
    Idle,
    /// Active, nothing under way.
    Ready,
    /// Prefetch: writes back what leaves the working set, fetches what is missing.
    Swap,
    /// Activation: fetches the working set.
    Fill,
    /// Deactivation: everything is to be written back.
    Evict,
    /// Exit: gives the cache banks back.
    Release,
}

/// The register that a cache bank holds for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Held {
    /// Architectural register.
    pub register: u8,
    /// Warp register.
    pub index: u16,
}

/// A register that waits for its main bank to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fetch {
    /// Architectural register.
    pub register: u8,
    /// Row of its main bank.
    pub row: u16,
    /// Cache bank that it gets.
    pub cache_bank: u8,
}

/// One active warp.
#[derive(Debug, Clone, Copy, Default)]
pub struct Slot {
    /// What is done for it.
    pub state: SlotState,
    /// Warp slot of the SM.
    pub warp: u8,
    /// Register-interval of the command.
    pub interval: u16,
    base: u16,
    /// Registers that are still to be decoded.
    arrive: RegVector,
    /// Registers that were live when the command started.
    live: RegVector,
    /// Cache banks that hold a register, that are to be written back, and whose register has not come.
    occupied: u16,
    /// Cache banks in which a result has been located since they got their register.
    dirty: u16,
    leave: u16,
    coming: u16,
    /// Warp of the registers that are to be written back.
    leave_warp: u8,
    held: [Held; NUM_CACHE_BANKS],
}

impl Slot {
    /// The command has been carried out. With `early_release` a deactivation has with its start.
    #[inline]
    #[must_use]
    fn finished(&self, early_release: bool) -> bool {
        match self.state {
            SlotState::Swap | SlotState::Fill => self.leave | self.coming == 0 && self.arrive.is_empty(),
            SlotState::Evict => early_release || self.leave == 0,
            SlotState::Release => true,
            SlotState::Idle | SlotState::Ready => false,
        }
    }
}

/// What the allocator grants in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grants {
    /// Cache banks that are read for a write-back, and the slot of each.
    pub write_backs: u16,
    /// Slot of each cache bank of `write_backs`.
    pub write_back_slots: [u8; NUM_CACHE_BANKS],
    /// Lanes of which a main bank is granted a fetch.
    pub reads: u16,
    /// The same by bank of the lane.
    pub reads_by_bank: ByBank,
    /// Slot of each lane of `reads`.
    pub read_slots: [u8; NUM_MAIN_BANKS],
}

impl Grants {
    /// Whether the register that `bank` holds for `slot` is written back.
    #[inline]
    #[must_use]
    pub fn writes_back(&self, bank: u8, slot: u8) -> bool {
        self.write_backs >> bank & 1 != 0 && self.write_back_slots[usize::from(bank)] == slot
    }
}

/// Registers that get a cache bank in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decoded {
    /// Slot that decodes.
    pub slot: usize,
    /// Cache banks that are given out, and the register of each.
    pub cache_banks: u16,
    /// Of these, the ones of dead registers, which are not fetched.
    dead: u16,
    /// Columns of dead registers.
    pub dead_columns: u16,
    held: [Held; NUM_CACHE_BANKS],
}

/// Cache banks that a command gives back without a write-back.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dropped {
    /// Their registers are dead.
    pub dead: u16,
    /// Their registers are live and clean.
    pub clean: u16,
}

/// All slots.
#[derive(Debug, Clone)]
pub struct Engine {
    slots: [Slot; NUM_SLOTS],
    /// Slots in use, from the lowest on.
    count: usize,
    offsets: UnusedQueue,
    /// Cache banks in use.
    in_use: u16,
    /// What is clean is not written back.
    dirty_bits: bool,
    /// A warp that is deactivated gives its slot up at once.
    early_release: bool,
    /// Registers that a cycle decodes at most.
    width: usize,
    decoder: Rotating,
    readers: [Rotating; NUM_MAIN_BANKS],
    writers: [Rotating; NUM_CACHE_BANKS],
    lanes: [Rotating; NUM_MAIN_BANKS],
    /// Slots with a fetch that waits at each main bank.
    waiting: [u32; NUM_MAIN_BANKS],
    fetches: [[Fetch; NUM_SLOTS]; NUM_MAIN_BANKS],
    /// Main banks at which a fetch waits.
    wanted: u16,
    /// Slots with a register to decode, and with one to write back.
    decoding: u32,
    leaving: u32,
    /// Slots in service.
    serving: u32,
}

impl Engine {
    /// No active warp; `cache_banks` registers a warp and `active_warps` warps fit, `width` registers are
    /// decoded a cycle; with `dirty_bits`, what is clean is not written back; with `early_release`, a slot is
    /// free before its registers have left.
    #[must_use]
    pub fn new(
        cache_banks: u8,
        active_warps: u8,
        width: usize,
        dirty_bits: bool,
        early_release: bool,
    ) -> Self {
        debug_assert!(usize::from(cache_banks) <= NUM_CACHE_BANKS);
        Self {
            slots: [Slot::default(); NUM_SLOTS],
            count: usize::from(active_warps).min(NUM_SLOTS),
            offsets: UnusedQueue::new(active_warps),
            in_use: ((1u32 << cache_banks) - 1) as u16,
            dirty_bits,
            early_release,
            width,
            decoder: Rotating::default(),
            readers: [Rotating::default(); NUM_MAIN_BANKS],
            writers: [Rotating::default(); NUM_CACHE_BANKS],
            lanes: [Rotating::default(); NUM_MAIN_BANKS],
            waiting: [0; NUM_MAIN_BANKS],
            fetches: [[Fetch::default(); NUM_SLOTS]; NUM_MAIN_BANKS],
            wanted: 0,
            decoding: 0,
            leaving: 0,
            serving: 0,
        }
    }

    /// Slots in service, one bit each.
    #[inline]
    #[must_use]
    pub fn serving(&self) -> u32 {
        self.serving
    }

    /// Slot `slot`.
    #[inline]
    #[must_use]
    pub fn slot(&self, slot: usize) -> &Slot {
        &self.slots[slot]
    }

    /// The slot of a warp that has one.
    #[must_use]
    pub fn slot_of(&self, warp: u8) -> Option<usize> {
        self.slots[..self.count].iter().rposition(|s| s.state != SlotState::Idle && s.warp == warp)
    }

    /// The warp offset that the next activation gets.
    #[must_use]
    pub fn next_offset(&self) -> Option<u8> {
        self.offsets.next()
    }

    /// The lowest slot that has finished.
    #[inline]
    #[must_use]
    pub fn finished(&self) -> Option<usize> {
        members(self.serving).find(|slot| self.slots[*slot].finished(self.early_release))
    }

    /// Cache bank of warp register `index` in `slot`, if it is there.
    #[inline]
    #[must_use]
    pub fn place(&self, slot: u8, index: u16) -> Option<u8> {
        let s = &self.slots[usize::from(slot)];
        let bank = members(s.occupied).find(|bank| s.held[*bank].index == index)?;
        Some(bank as u8)
    }

    /// Whether registers of the warp are still to be written back.
    #[must_use]
    pub fn leaves(&self, warp: u8) -> bool {
        members(self.leaving).any(|slot| self.slots[slot].leave_warp == warp)
    }

    /// The register that cache bank `bank` holds for slot `slot`.
    #[inline]
    #[must_use]
    pub fn held(&self, slot: u8, bank: usize) -> Held {
        self.slots[usize::from(slot)].held[bank]
    }

    /// A fetched register of the slot is in its cache bank.
    #[inline]
    pub fn filled(&mut self, slot: u8, bank: u8) {
        self.slots[usize::from(slot)].coming &= !(1 << bank);
    }

    /// Results have been located in these cache banks of each slot.
    #[inline]
    pub fn located(&mut self, hits: &[u16; NUM_SLOTS]) {
        for (slot, hits) in self.slots.iter_mut().zip(hits) {
            slot.dirty |= hits;
        }
    }

    /// The clock edge: banks, sets and states. Returns the cache banks whose register is dropped.
    pub fn tick(
        &mut self,
        grants: &Grants,
        decoded: &Decoded,
        reported: Option<usize>,
        start: Option<Start>,
    ) -> Dropped {
        self.take_transfers(grants);
        self.take_decoded(decoded);
        if let Some(slot) = reported {
            let s = &mut self.slots[slot];
            self.serving &= !(1 << slot);
            if matches!(s.state, SlotState::Fill | SlotState::Swap) {
                s.state = SlotState::Ready;
            } else {
                s.state = SlotState::Idle;
                self.offsets.release(slot as u8);
            }
        }
        start.map_or(Dropped::default(), |start| self.start(&start))
    }

    fn start(&mut self, start: &Start) -> Dropped {
        let dirty_bits = self.dirty_bits;
        let s = &mut self.slots[start.slot];
        let leaving = match start.state {
            SlotState::Evict => s.occupied,
            SlotState::Swap => members(s.occupied)
                .filter(|bank| !start.stay.contains(s.held[*bank].register))
                .fold(0, |banks, bank| banks | 1 << bank),
            SlotState::Release => {
                s.occupied = 0;
                0
            }
            SlotState::Fill | SlotState::Idle | SlotState::Ready => 0,
        };
        let live = members(leaving)
            .filter(|bank| start.live.contains(s.held[*bank].register))
            .fold(0, |banks, bank| banks | 1 << bank);
        let leave = if dirty_bits { live & s.dirty } else { live };
        if start.state != SlotState::Fill {
            s.leave = leave;
            s.leave_warp = start.warp;
        }
        let dropped = Dropped { dead: leaving & !live, clean: live & !leave };
        s.occupied &= !(dropped.dead | dropped.clean);
        s.live = start.live;
        s.state = start.state;
        s.warp = start.warp;
        s.interval = start.interval;
        s.base = start.base;
        s.arrive = start.arrive;
        let bit = 1 << start.slot;
        self.serving |= bit;
        self.decoding = self.decoding & !bit | u32::from(!s.arrive.is_empty()) << start.slot;
        self.leaving = self.leaving & !bit | u32::from(s.leave != 0) << start.slot;
        if start.state == SlotState::Fill {
            self.offsets.allocate();
        }
        dropped
    }
}
