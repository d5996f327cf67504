//! Where a warp goes: computed by execution, or recorded in a trace.

use std::sync::Arc;

use heddle_isa::{Lanes, Pc, RecordedWarp, SimtStack};
use heddle_port::LaneMask;

/// The control flow of a warp.
#[derive(Debug, Clone)]
pub enum Flow {
    /// Branches and exits decide.
    Executed(SimtStack),
    /// The record decides.
    Recorded(Record),
}

/// A warp's place in its record.
#[derive(Debug, Clone)]
pub struct Record {
    warp: Arc<RecordedWarp>,
    next: usize,
    /// By register: writes so far.
    versions: Vec<u32>,
}

impl Record {
    /// The beginning of a record of a warp with `registers` registers.
    pub fn new(warp: Arc<RecordedWarp>, registers: usize) -> Self {
        Self { warp, next: 0, versions: vec![0; registers] }
    }

    /// Addresses of the next instruction.
    pub fn addresses(&self) -> Option<&Lanes> {
        self.warp.addresses(self.next)
    }

    /// Number of the write of `register` that begins now, from 1.
    pub fn new_version(&mut self, register: u8) -> u32 {
        match self.versions.get_mut(usize::from(register)) {
            Some(version) => {
                *version = version.wrapping_add(1);
                *version
            }
            None => 0,
        }
    }
}

impl Flow {
    /// No lanes: a warp that has ended.
    pub fn ended() -> Self {
        Self::Executed(SimtStack::new(LaneMask::NONE))
    }

    /// The next instruction; 0 when the warp is done.
    #[inline]
    pub fn pc(&self) -> Pc {
        match self {
            Self::Executed(stack) => stack.pc(),
            Self::Recorded(record) => record.warp.steps.get(record.next).map_or(Pc(0), |s| s.pc),
        }
    }

    /// The lanes that execute the next instruction; none when the warp is done.
    #[inline]
    pub fn mask(&self) -> LaneMask {
        match self {
            Self::Executed(stack) => stack.mask(),
            Self::Recorded(record) => record.warp.steps.get(record.next).map_or(LaneMask::NONE, |s| s.mask),
        }
    }

    /// Lanes that have not ended. A record does not tell: none.
    pub fn live(&self) -> LaneMask {
        match self {
            Self::Executed(stack) => stack.live(),
            Self::Recorded(_) => LaneMask::NONE,
        }
    }

    /// Whether every lane has ended.
    #[inline]
    pub fn is_done(&self) -> bool {
        match self {
            Self::Executed(stack) => stack.is_done(),
            Self::Recorded(record) => record.next >= record.warp.steps.len(),
        }
    }

    /// Goes to the next instruction: in program order, or of the record.
    #[inline]
    pub fn advance(&mut self) {
        match self {
            Self::Executed(stack) => stack.advance(),
            Self::Recorded(record) => record.next += 1,
        }
    }

    /// Executes a branch, as [`SimtStack::branch`].
    pub fn branch(&mut self, taken: LaneMask, target: Pc, reconvergence: Option<Pc>) {
        match self {
            Self::Executed(stack) => stack.branch(taken, target, reconvergence),
            Self::Recorded(record) => record.next += 1,
        }
    }

    /// Ends `lanes`, as [`SimtStack::exit`].
    pub fn exit(&mut self, lanes: LaneMask) {
        match self {
            Self::Executed(stack) => stack.exit(lanes),
            Self::Recorded(record) => record.next += 1,
        }
    }
}
