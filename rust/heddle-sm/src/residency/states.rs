//! What the warp slots do, as the design knows it.

/// What a warp slot does.
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
    /// The design has let the warp go; its slot is taken until L2 has its stores.
    Storing,
}

/// Warp slots by state.
#[derive(Debug, Clone)]
pub struct States {
    of: [State; 64],
    masks: [u64; 9],
}

impl States {
    pub fn new() -> Self {
        let mut masks = [0; 9];
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
            | self.masks[State::Inactive as usize]
            | self.masks[State::Storing as usize])
    }
}
