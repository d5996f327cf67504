//! The state machine of one entry of the integrated memory (figure 6).

/// State of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(u8)]
pub enum State {
    /// Vacant.
    #[default]
    Inactive = 0,
    /// Holds a warp register.
    Reg = 1,
    /// Holds a line that is as in L2.
    Cache = 2,
    /// Holds a line that was written since its fill.
    Dirty = 3,
}

impl State {
    /// Whether the entry holds cache data.
    #[inline]
    #[must_use]
    pub fn is_line(self) -> bool {
        matches!(self, Self::Cache | Self::Dirty)
    }
}

/// What a tag bank is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Operand read; `dead` if the register is not read again.
    ReadReg {
        /// The entry is freed.
        dead: bool,
    },
    /// Result of an instruction; `full` if it writes all lanes.
    WriteReg {
        /// Nothing of the old value is left.
        full: bool,
    },
    /// A line that came back from L2.
    Fill,
    /// A spilled register that came back from L2.
    Refill,
    /// Load of global or local memory.
    Load,
    /// Store.
    Store,
    /// Atomic, or access with an operator that goes past the L1: leaves no copy.
    Bypass,
    /// The end of a kernel: no line stays. The line names an entry, {way, set, tag bank}.
    Flush,
}

impl Op {
    /// Whether the operation takes an entry if it finds none.
    #[inline]
    #[must_use]
    pub fn allocates(self) -> bool {
        matches!(self, Self::WriteReg { .. } | Self::Fill | Self::Refill)
    }

    /// Whether it is a load or store of the coalescer.
    #[inline]
    #[must_use]
    pub fn is_access(self) -> bool {
        matches!(self, Self::Load | Self::Store | Self::Bypass)
    }
}

/// State after an operation that concerns an entry in state `state`; `evict` if it only writes back what the
/// entry holds.
#[inline]
#[must_use]
pub fn next_state(op: Op, evict: bool, state: State) -> State {
    if evict {
        return State::Inactive;
    }
    match op {
        Op::ReadReg { dead: true } | Op::Bypass | Op::Flush => State::Inactive,
        Op::ReadReg { dead: false } | Op::Load => state,
        Op::WriteReg { .. } | Op::Refill => State::Reg,
        Op::Fill => State::Cache,
        Op::Store => State::Dirty,
    }
}

#[cfg(test)]
mod tests {
    use super::{Op, State, next_state};

    const WRITE: Op = Op::WriteReg { full: true };

    #[test]
    fn the_transitions_are_those_of_figure_6() {
        let after = |op, state| next_state(op, false, state);
        assert_eq!(after(WRITE, State::Inactive), State::Reg, "a result sets up a register");
        assert_eq!(after(Op::ReadReg { dead: true }, State::Reg), State::Inactive, "the last read");
        assert_eq!(after(Op::ReadReg { dead: false }, State::Reg), State::Reg);
        assert_eq!(after(Op::Fill, State::Inactive), State::Cache, "a load");
        assert_eq!(after(Op::Load, State::Cache), State::Cache);
        assert_eq!(after(Op::Load, State::Dirty), State::Dirty);
        assert_eq!(after(Op::Store, State::Cache), State::Dirty);
        assert_eq!(after(Op::Store, State::Dirty), State::Dirty);
        assert_eq!(after(Op::Refill, State::Inactive), State::Reg, "a spilled register comes back");
        assert_eq!(after(WRITE, State::Cache), State::Reg, "a register takes a clean line's place");
        assert_eq!(after(Op::Fill, State::Cache), State::Cache, "a line takes a clean line's place");
        assert_eq!(after(Op::Bypass, State::Cache), State::Inactive, "no copy is left");
        assert_eq!(after(Op::Flush, State::Cache), State::Inactive, "the end of a kernel");
    }

    #[test]
    fn what_is_written_back_goes_through_inactive() {
        for op in [WRITE, Op::Fill, Op::Refill, Op::Bypass, Op::Flush] {
            assert_eq!(next_state(op, true, State::Dirty), State::Inactive);
        }
        assert_eq!(next_state(Op::Fill, true, State::Reg), State::Inactive, "a spill");
    }
}
