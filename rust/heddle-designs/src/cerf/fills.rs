//! Lines that come back from L2, and the response register.

use std::collections::VecDeque;

use heddle_port::MemResponse;

use super::FIRST_REGISTER_LINE;
use super::mshrs::{Mshrs, NUM_MSHRS};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Idle,
    /// The tag bank is to place the line.
    Place,
    /// The waiting requests are answered, one a cycle.
    Answer,
}

/// One line at a time is placed and then answered.
#[derive(Debug, Clone, Default)]
pub struct FillUnit {
    queue: VecDeque<u8>,
    phase: Phase,
    id: u8,
    slot: u8,
}

impl FillUnit {
    /// Nothing has come back.
    #[must_use]
    pub fn new() -> Self {
        Self { queue: VecDeque::with_capacity(NUM_MSHRS), ..Self::default() }
    }

    /// The MSHR whose line the tag bank is to place.
    #[inline]
    #[must_use]
    pub fn places(&self) -> Option<u8> {
        (self.phase == Phase::Place).then_some(self.id)
    }

    /// The MSHR whose line the unit takes up in this cycle.
    #[inline]
    #[must_use]
    pub fn starting(&self) -> Option<u8> {
        if self.phase == Phase::Idle { self.queue.front().copied() } else { None }
    }

    /// Nothing is under way.
    #[inline]
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle && self.queue.is_empty()
    }

    /// One cycle: `filled` if the tag bank carried out the fill, `free` if the response register can be
    /// taken. Returns the response that goes into it, and whether an MSHR was released.
    #[inline]
    pub fn step(&mut self, filled: bool, free: bool, mshrs: &mut Mshrs) -> (MemResponse, bool) {
        match self.phase {
            Phase::Idle => {
                if let Some(id) = self.queue.pop_front() {
                    self.id = id;
                    self.slot = 0;
                    self.phase = if mshrs.close(id) { Phase::Place } else { Phase::Answer };
                }
            }
            // Nobody is answered for a register.
            Phase::Place if filled && mshrs.line(self.id) >= FIRST_REGISTER_LINE => {
                mshrs.release(self.id);
                self.phase = Phase::Idle;
                return (MemResponse::default(), true);
            }
            Phase::Place if filled => self.phase = Phase::Answer,
            Phase::Answer if free => {
                let (response, last) = mshrs.waiting(self.id, self.slot);
                self.slot += 1;
                if last {
                    mshrs.release(self.id);
                    self.phase = Phase::Idle;
                }
                return (response, last);
            }
            Phase::Place | Phase::Answer => {}
        }
        (MemResponse::default(), false)
    }

    /// L2 answers for an MSHR.
    #[inline]
    pub fn arrive(&mut self, id: u8) {
        self.queue.push_back(id);
    }
}

/// The way of a hit, or of the acknowledgement of a store, beside the data banks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Responses {
    /// Its row is being accessed.
    access: MemResponse,
    /// Its data are there.
    data: MemResponse,
}

impl Responses {
    /// Whether the response register is free for what waits in the MSHRs.
    #[inline]
    #[must_use]
    pub fn free(&self) -> bool {
        !self.data.valid
    }

    /// Nothing is on its way.
    #[inline]
    #[must_use]
    pub fn is_idle(&self) -> bool {
        !self.access.valid && !self.data.valid
    }

    /// The clock edge; returns what goes into the response register.
    #[inline]
    pub fn step(&mut self, hit: MemResponse) -> MemResponse {
        let leaves = self.data;
        self.data = self.access;
        self.access = hit;
        leaves
    }
}
