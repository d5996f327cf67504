//! One warp slot.

use std::collections::VecDeque;

use heddle_isa::{IntervalId, Moment, WarpContext};

use crate::flow::Flow;

/// What a warp slot does, as the design knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum State {
    /// No warp.
    Empty,
    /// The design learns the warp's base in the register file.
    Base,
    /// Resident, not active.
    Inactive,
    /// Activate under way.
    Activating,
    /// May issue.
    Active,
    /// Prefetch under way or waiting for operands to be collected.
    Prefetching,
    /// Deactivate under way or waiting for operands to be collected.
    Deactivating,
    /// All lanes have ended; the last instructions drain, then exit.
    Exiting,
}

/// Warp slots by state.
#[derive(Debug, Clone)]
pub struct States {
    of: [State; 64],
    masks: [u64; 8],
}

impl States {
    pub fn new() -> Self {
        let mut masks = [0; 8];
        masks[State::Empty as usize] = u64::MAX;
        Self { of: [State::Empty; 64], masks }
    }

    #[inline]
    pub fn set(&mut self, warp: usize, state: State) {
        self.masks[self.of[warp] as usize] &= !(1 << warp);
        self.masks[state as usize] |= 1 << warp;
        self.of[warp] = state;
    }

    #[inline]
    pub fn get(&self, warp: usize) -> State {
        self.of[warp]
    }

    /// Slots in a state.
    #[inline]
    pub fn in_state(&self, state: State) -> u64 {
        self.masks[state as usize]
    }

    #[inline]
    pub fn resident(&self) -> u64 {
        !self.masks[State::Empty as usize]
    }

    /// Slots that hold a place among the active warps of the design.
    #[inline]
    pub fn holding_place(&self) -> u64 {
        !(self.masks[State::Empty as usize]
            | self.masks[State::Base as usize]
            | self.masks[State::Inactive as usize])
    }
}

/// The warp in a slot; meaningless while the slot is empty.
#[derive(Debug, Clone)]
pub struct Warp {
    pub cta: u64,
    pub cta_slot: u8,
    pub warp_in_cta: u32,
    pub context: WarpContext,
    pub flow: Flow,
    pub preds: Vec<u32>,
    /// Which of the places for a warp's registers it has.
    pub place: u16,
    /// When its last active period ended.
    pub left: Option<u64>,
    /// First register in the register file, in warp registers.
    pub base: u16,
    /// Places of its memory instructions in the load-store unit that are not queued yet, oldest first.
    pub memory_order: VecDeque<u8>,
    /// The interval whose working set the design holds.
    pub interval: Option<IntervalId>,
    /// The interval of the prefetch under way.
    pub target: IntervalId,
    /// Barrier at which it waits; `None` while the design still collects the barrier's operands.
    pub barrier: Option<u8>,
    /// What the next instruction that reads it will see.
    pub moment: Moment,
    /// When the prefetch under way was sent.
    pub prefetch_sent: u64,
    /// It was waiting at a barrier when it was chosen to become inactive.
    pub leaves_barrier: bool,
}

impl Warp {
    pub fn new(context: WarpContext, preds: usize) -> Self {
        Self {
            cta: 0,
            cta_slot: 0,
            warp_in_cta: 0,
            context,
            flow: Flow::ended(),
            preds: vec![0; preds],
            place: 0,
            left: None,
            base: 0,
            memory_order: VecDeque::with_capacity(32),
            interval: None,
            target: IntervalId(0),
            barrier: None,
            moment: Moment::default(),
            prefetch_sent: 0,
            leaves_barrier: false,
        }
    }
}
