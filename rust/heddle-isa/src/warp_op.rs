//! Modifiers of the operations between the threads of a warp or a CTA, with the names of the PTX ISA.

/// How `shfl` chooses the lane that a value comes from (PTX ISA, "shfl.sync").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShflMode {
    /// The lane that many below.
    Up,
    /// The lane that many above.
    Down,
    /// The lane whose number differs in those bits.
    Bfly,
    /// The lane of that number.
    Idx,
}

/// What `vote` asks (PTX ISA, "vote.sync").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoteMode {
    /// Whether the predicate holds in all lanes.
    All,
    /// Whether it holds in a lane.
    Any,
    /// Whether it is the same in all lanes.
    Uni,
    /// In which lanes it holds.
    Ballot,
}

/// What `match` asks (PTX ISA, "match.sync").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatchMode {
    /// The lanes with the same value as this one.
    Any,
    /// All lanes if their values are equal, else none.
    All,
}

/// Operation of `redux` (PTX ISA, "redux.sync").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ReduxOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// What a barrier instruction does (PTX ISA, "bar, barrier").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// Waits until all threads of the CTA, or the given count, have arrived.
    Sync,
    /// Arrives without waiting.
    Arrive,
    /// As [`BarrierKind::Sync`], with a predicate of each thread.
    Reduce,
}

impl BarrierKind {
    /// Whether the warp waits until the barrier opens.
    #[must_use]
    pub const fn waits(self) -> bool {
        !matches!(self, Self::Arrive)
    }
}

/// Which result of a barrier with reduction is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BarrierReduction {
    /// Number of threads whose predicate held.
    Popc,
    /// Whether it held in all threads.
    And,
    /// Whether it held in a thread.
    Or,
}
