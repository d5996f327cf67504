//! One warp slot as the bench's scheduler sees it.

use heddle_port::CommandOp;

use crate::rng::Rng;

/// What a warp slot is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// No warp.
    Free,
    /// A command is offered or under way.
    Busy,
    /// A warp without operand collection.
    Inactive,
    /// A warp that may issue, unless it has a plan.
    Active,
}

/// What a warp is working towards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Random instructions, so many more.
    Work(u32),
    /// Read each written register once more, then end.
    ReadBack,
    /// End.
    Leave,
}

/// One warp slot.
#[derive(Debug, Clone)]
pub(crate) struct Warp {
    pub(crate) state: State,
    pub(crate) goal: Goal,
    /// The command that is awaited while busy.
    pub(crate) awaited: Option<CommandOp>,
    pub(crate) awaited_interval: u16,
    /// A command that waits for what is outstanding.
    pub(crate) plan: Option<CommandOp>,
    /// Which part of the main register file the warp has.
    pub(crate) region: usize,
    /// Whether the working set was ever set.
    pub(crate) has_set: bool,
    /// Registers that instructions may name.
    pub(crate) set: Vec<u8>,
    /// Registers that the next prefetch brings.
    pub(crate) next_set: Vec<u8>,
    /// Registers still to be read back.
    pub(crate) unread: Vec<u8>,
    /// Instructions until the next change of set or state.
    pub(crate) until_change: u32,
    /// Instructions offered or issued whose operands are not taken.
    pub(crate) reads: u32,
    /// Results that are not accepted.
    pub(crate) results: u32,
    /// When the command that is awaited was accepted.
    pub(crate) since: u64,
}

impl Warp {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Free,
            goal: Goal::Leave,
            awaited: None,
            awaited_interval: 0,
            plan: None,
            region: 0,
            has_set: false,
            set: Vec::new(),
            next_set: Vec::new(),
            unread: Vec::new(),
            until_change: 0,
            reads: 0,
            results: 0,
            since: 0,
        }
    }

    /// Whether the warp takes one of the places of active warps, now or soon.
    pub(crate) fn holds_place(&self) -> bool {
        match self.state {
            State::Active => true,
            State::Busy => !matches!(self.awaited, Some(CommandOp::WarpBase)),
            State::Free | State::Inactive => false,
        }
    }

    /// Whether the warp may issue.
    pub(crate) fn runs(&self, needs_intervals: bool) -> bool {
        self.state == State::Active && self.plan.is_none() && (self.has_set || !needs_intervals)
    }

    /// Whether the planned command may be offered.
    pub(crate) fn ready_for_plan(&self) -> bool {
        match self.plan {
            Some(CommandOp::Exit) => self.reads == 0 && self.results == 0,
            Some(_) => self.reads == 0,
            None => false,
        }
    }
}

/// Up to `most` different registers below `registers`, some of them from `old`.
pub(crate) fn random_set(rng: &mut Rng, registers: usize, most: usize, old: &[u8]) -> Vec<u8> {
    let size = if rng.chance(96) { most } else { 1 + rng.below(most) };
    let size = size.min(registers);
    let keep = rng.below(257) as u32;
    let mut set: Vec<u8> = Vec::with_capacity(size);
    for &register in old {
        if set.len() < size && usize::from(register) < registers && rng.chance(keep) {
            set.push(register);
        }
    }
    while set.len() < size {
        let register = rng.below(registers) as u8;
        if !set.contains(&register) {
            set.push(register);
        }
    }
    set
}
