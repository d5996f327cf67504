//! The prefetch engine and the transfer allocator, as in `prefetch_engine.sv` and
//! `transfer_allocator.sv`.

use super::addresses::UnusedQueue;
use super::commands::Start;
use super::control_block::ControlBlocks;
use super::lanes::Lanes;
use super::main_file::{Inbound, Outbound};
use super::results::{Pin, Results};
use super::vector::RegVector;
use super::{NUM_CACHE_BANKS, NUM_SLOTS};

/// What the engine does for the warp of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SlotState {
    /// No warp.
    #[default]
    Idle,
    /// Active, nothing under way.
    Ready,
    /// Prefetch: writes back what leaves the working set.
    Drain,
    /// Prefetch, activation: fetches what is missing.
    Fill,
    /// Deactivation: writes everything back.
    Evict,
    /// Exit: gives the cache banks back.
    Release,
}

/// The next register of a slot's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Candidate {
    /// Architectural register.
    pub register: u8,
    /// Warp register.
    pub index: u16,
    /// Its cache bank, for write-back and release.
    pub cache_bank: u8,
}

/// One active warp.
#[derive(Debug, Clone, Copy, Default)]
pub struct Slot {
    /// What is done for it.
    pub state: SlotState,
    /// `Fill` on behalf of an activation.
    pub activation: bool,
    /// Warp slot of the SM.
    pub warp: u8,
    /// Register-interval of the command.
    pub interval: u16,
    base: u16,
    list: RegVector,
    outstanding: u8,
    candidate: Option<Candidate>,
}

impl Slot {
    /// Nothing left to hand to the allocator.
    #[inline]
    fn quiet(&self) -> bool {
        self.candidate.is_none() && self.list.is_empty()
    }

    /// The command has been carried out.
    #[inline]
    #[must_use]
    pub fn finished(&self) -> bool {
        matches!(self.state, SlotState::Fill | SlotState::Evict | SlotState::Release)
            && self.outstanding == 0
            && self.quiet()
    }
}

/// What the allocator grants in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grants {
    /// Slots that go ahead.
    pub slots: u32,
    /// Of these, write-backs.
    pub write_backs: u32,
    /// Of these, fetches.
    pub fetches: u32,
    /// Slots with a candidate that wait.
    pub waiting: u32,
    /// Main banks whose inbound lane takes a write-back.
    pub inbound: u16,
    /// Main banks that start a fetch.
    pub reads: u16,
    /// Cache banks read for a write-back.
    pub cache_reads: u16,
}

/// All slots.
#[derive(Debug, Clone)]
pub struct Engine {
    slots: [Slot; NUM_SLOTS],
    banks: [UnusedQueue; NUM_SLOTS],
    offsets: UnusedQueue,
    top: usize,
    /// Slots with a candidate.
    candidates: u32,
    /// Slots in service.
    serving: u32,
}

impl Engine {
    /// No active warp; `cache_banks` registers a warp and `active_warps` warps fit.
    #[must_use]
    pub fn new(cache_banks: u8, active_warps: u8) -> Self {
        debug_assert!(usize::from(cache_banks) <= NUM_CACHE_BANKS);
        Self {
            slots: [Slot::default(); NUM_SLOTS],
            banks: std::array::from_fn(|_| UnusedQueue::new(cache_banks)),
            offsets: UnusedQueue::new(active_warps),
            top: 0,
            candidates: 0,
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
        self.slots.iter().rposition(|s| s.state != SlotState::Idle && s.warp == warp)
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
        bits(self.serving & !self.candidates).find(|slot| self.slots[*slot].finished())
    }

    /// The slot that turns from write-back to fetch in this cycle; it has the vector port.
    #[inline]
    #[must_use]
    pub fn drained(&self) -> Option<usize> {
        bits(self.serving & !self.candidates).find(|slot| {
            let slot = &self.slots[*slot];
            slot.state == SlotState::Drain && slot.quiet()
        })
    }

    /// The candidate of a slot that was granted.
    #[inline]
    #[must_use]
    pub fn candidate(&self, slot: usize) -> Candidate {
        self.slots[slot].candidate.unwrap_or_default()
    }

    /// Whether a granted slot moves warp register `index`.
    #[inline]
    #[must_use]
    pub fn moves(&self, grants: &Grants, index: u16) -> bool {
        bits(grants.slots).any(|slot| self.candidate(slot).index == index)
    }

    /// Chooses among the candidates. `lanes_taken` are the inbound lanes that are busy or taken by
    /// results, `read_ready` the main banks that can start a read.
    #[must_use]
    pub fn allocate(
        &self,
        lanes_taken: u16,
        read_ready: u16,
        inbound: &Lanes<Inbound>,
        results: &Results,
    ) -> Grants {
        let mut grants = Grants::default();
        let mut order = rotate(self.candidates, self.top);
        while order != 0 {
            let slot = (self.top + order.trailing_zeros() as usize) % NUM_SLOTS;
            order &= order - 1;
            let candidate = self.candidate(slot);
            let bank = usize::from(candidate.index % 16);
            let (bit, slot_bit) = (1u16 << bank, 1u32 << slot);
            match self.slots[slot].state {
                SlotState::Drain | SlotState::Evict => {
                    let cache_bit = 1 << candidate.cache_bank;
                    if (lanes_taken | grants.inbound) & bit == 0
                        && grants.cache_reads & cache_bit == 0
                        && !matches!(results.pin(candidate.index), Pin::InCache | Pin::Both)
                    {
                        grants.slots |= slot_bit;
                        grants.write_backs |= slot_bit;
                        grants.inbound |= bit;
                        grants.cache_reads |= cache_bit;
                    }
                }
                SlotState::Fill => {
                    if read_ready & !grants.reads & bit != 0
                        && !inbound.holds(bank, candidate.index / 16)
                        && !matches!(results.pin(candidate.index), Pin::InMain | Pin::Both)
                    {
                        grants.slots |= slot_bit;
                        grants.fetches |= slot_bit;
                        grants.reads |= bit;
                    }
                }
                SlotState::Idle | SlotState::Ready | SlotState::Release => grants.slots |= slot_bit,
            }
        }
        grants.waiting = self.candidates & !grants.slots;
        grants
    }

    /// Starts the granted transfers in the lanes.
    pub fn start_transfers(
        &mut self,
        grants: &Grants,
        blocks: &mut ControlBlocks,
        inbound: &mut Lanes<Inbound>,
        outbound: &mut Lanes<Outbound>,
        bank_cycles: u8,
    ) {
        for slot in bits(grants.slots) {
            let candidate = self.candidate(slot);
            let warp = self.slots[slot].warp;
            let (bank, row) = (usize::from(candidate.index % 16), candidate.index / 16);
            if grants.fetches >> slot & 1 != 0 {
                let cache_bank = self.banks[slot].next().unwrap_or_default();
                self.banks[slot].allocate();
                blocks.allocate(warp, candidate.register, cache_bank);
                let meta = Outbound { slot: slot as u8, register: candidate.register, cache_bank };
                outbound.start(bank, row, meta, bank_cycles - 1);
                self.slots[slot].outstanding += 1;
            } else {
                self.banks[slot].release(candidate.cache_bank);
                blocks.clear(warp, candidate.register);
                if grants.write_backs >> slot & 1 != 0 {
                    inbound.start(bank, row, Inbound { write_back: true, slot: slot as u8 }, 1);
                    self.slots[slot].outstanding += 1;
                }
            }
        }
    }

    /// A transfer of the slot has arrived.
    #[inline]
    pub fn arrived(&mut self, slot: u8) {
        self.slots[usize::from(slot)].outstanding -= 1;
    }

    /// The clock edge: candidates, states and lists; the granted transfers have been started.
    ///
    /// # Errors
    /// Warp and register of a candidate that lies beyond the `rows` of a main bank.
    pub fn tick(
        &mut self,
        grants: &Grants,
        reported: Option<usize>,
        start: Option<Start>,
        blocks: &ControlBlocks,
        rows: u16,
    ) -> Result<(), (u8, u8)> {
        let top_waits = grants.waiting >> self.top & 1 != 0;
        if !top_waits {
            self.top = (self.top + 1) % NUM_SLOTS;
        }
        let drained = self.drained();
        for slot in bits(self.serving) {
            let granted = grants.slots >> slot & 1 != 0;
            let s = &mut self.slots[slot];
            if s.candidate.is_some() && !granted {
                continue;
            }
            s.candidate = s.list.first().map(|register| Candidate {
                register,
                index: s.base.wrapping_add(register.into()),
                cache_bank: blocks.bank(s.warp, register),
            });
            self.candidates &= !(1 << slot);
            if let Some(candidate) = s.candidate {
                s.list.remove(candidate.register);
                self.candidates |= 1 << slot;
                if candidate.index / 16 >= rows {
                    return Err((s.warp, candidate.register));
                }
            }
        }
        if let Some(slot) = reported {
            let s = &mut self.slots[slot];
            self.serving &= !(1 << slot);
            if s.state == SlotState::Fill {
                s.state = SlotState::Ready;
            } else {
                s.state = SlotState::Idle;
                self.offsets.release(slot as u8);
            }
        }
        if let Some(slot) = drained {
            let s = &mut self.slots[slot];
            s.state = SlotState::Fill;
            s.list = blocks.set(s.warp).without(&blocks.valid(s.warp));
        }
        if let Some(start) = start {
            let s = &mut self.slots[start.slot];
            s.state = start.state;
            s.activation = start.activation;
            s.warp = start.warp;
            s.interval = start.interval;
            s.base = start.base;
            s.list = start.list;
            self.serving |= 1 << start.slot;
            if start.activation {
                self.offsets.allocate();
            }
        }
        Ok(())
    }
}

/// The set bits, lowest first.
#[inline]
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// `mask` of slots, with slot `top` in bit 0.
#[inline]
fn rotate(mask: u32, top: usize) -> u32 {
    (mask >> top | mask << (NUM_SLOTS - top)) & 0xff
}
