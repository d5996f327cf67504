//! The prefetch engine, as in `prefetch_engine.sv`.

mod transfers;

use super::addresses::UnusedQueue;
use super::commands::Start;
use super::control_block::ControlBlocks;
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
    /// Prefetch: writes back what leaves the working set, fetches what is missing.
    Swap,
    /// Activation: fetches the working set.
    Fill,
    /// Deactivation: writes everything back.
    Evict,
    /// Exit: gives the cache banks back.
    Release,
}

/// The next register of one of a slot's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Candidate {
    /// Architectural register.
    pub register: u8,
    /// Warp register.
    pub index: u16,
    /// Cache bank of a register that leaves the cache.
    pub cache_bank: u8,
}

/// Registers that a slot moves in one direction.
#[derive(Debug, Clone, Copy, Default)]
struct Direction {
    list: RegVector,
    candidate: Option<Candidate>,
    /// Transfers under way.
    under_way: u8,
}

impl Direction {
    /// Nothing left to hand to the allocator.
    #[inline]
    fn quiet(&self) -> bool {
        self.candidate.is_none() && self.list.is_empty()
    }

    /// Decodes the next register, if the candidate is gone or goes.
    #[inline]
    fn decode(&mut self, granted: bool, base: u16, cache_bank: impl Fn(u8) -> u8) {
        if self.candidate.is_some() && !granted {
            return;
        }
        self.candidate = self.list.first().map(|register| {
            self.list.remove(register);
            Candidate {
                register,
                index: base.wrapping_add(register.into()),
                cache_bank: cache_bank(register),
            }
        });
    }
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
    leave: Direction,
    arrive: Direction,
}

impl Slot {
    /// The command has been carried out.
    #[inline]
    #[must_use]
    pub fn finished(&self) -> bool {
        self.leave.quiet()
            && self.arrive.quiet()
            && match self.state {
                SlotState::Swap | SlotState::Fill => self.arrive.under_way == 0,
                SlotState::Evict => self.leave.under_way == 0,
                SlotState::Release => true,
                SlotState::Idle | SlotState::Ready => false,
            }
    }
}

/// What the allocator grants in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grants {
    /// Slots whose leaving register goes.
    pub releases: u32,
    /// Of these, write-backs.
    pub write_backs: u32,
    /// Slots whose arriving register is fetched.
    pub fetches: u32,
    /// Slots with a candidate that waits.
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
    /// Slots with a register that leaves, that arrives.
    leaving: u32,
    arriving: u32,
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
            leaving: 0,
            arriving: 0,
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
        bits(self.serving & !(self.leaving | self.arriving)).find(|slot| self.slots[*slot].finished())
    }

    fn leaving(&self, slot: usize) -> Candidate {
        self.slots[slot].leave.candidate.unwrap_or_default()
    }

    fn arriving(&self, slot: usize) -> Candidate {
        self.slots[slot].arrive.candidate.unwrap_or_default()
    }

    /// Whether a granted transfer moves warp register `index`.
    #[inline]
    #[must_use]
    pub fn moves(&self, grants: &Grants, index: u16) -> bool {
        bits(grants.releases).any(|slot| self.leaving(slot).index == index)
            || bits(grants.fetches).any(|slot| self.arriving(slot).index == index)
    }

    /// A write-back of the slot is written.
    #[inline]
    pub fn written(&mut self, slot: u8) {
        self.slots[usize::from(slot)].leave.under_way -= 1;
    }

    /// A fetched register of the slot is in the cache.
    #[inline]
    pub fn filled(&mut self, slot: u8) {
        self.slots[usize::from(slot)].arrive.under_way -= 1;
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
        if grants.waiting >> self.top & 1 == 0 {
            self.top = (self.top + 1) % NUM_SLOTS;
        }
        (self.leaving, self.arriving) = (0, 0);
        for slot in bits(self.serving) {
            let s = &mut self.slots[slot];
            let warp = s.warp;
            s.leave.decode(grants.releases >> slot & 1 != 0, s.base, |r| blocks.bank(warp, r));
            s.arrive.decode(grants.fetches >> slot & 1 != 0, s.base, |_| 0);
            self.leaving |= u32::from(s.leave.candidate.is_some()) << slot;
            self.arriving |= u32::from(s.arrive.candidate.is_some()) << slot;
            for candidate in [s.leave.candidate, s.arrive.candidate].into_iter().flatten() {
                if candidate.index / 16 >= rows {
                    return Err((warp, candidate.register));
                }
            }
        }
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
        if let Some(start) = start {
            let s = &mut self.slots[start.slot];
            s.state = start.state;
            s.warp = start.warp;
            s.interval = start.interval;
            s.base = start.base;
            s.leave.list = start.leave;
            s.arrive.list = start.arrive;
            self.serving |= 1 << start.slot;
            if start.state == SlotState::Fill {
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
