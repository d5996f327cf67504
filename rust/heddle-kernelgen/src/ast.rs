//! Generated code as a tree. Any tree prints to a valid kernel, which is what makes shrinking simple.

use crate::forms::{Class, Compare, Form};

/// A whole kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Code {
    /// Statements that all threads run to the end.
    pub(crate) body: Vec<Stmt>,
    /// Statements after the last barrier, where threads may exit.
    pub(crate) tail: Vec<Stmt>,
    /// Variables that the kernel stores at its end.
    pub(crate) outputs: Vec<Var>,
}

/// A variable: its class and its number in the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Var {
    pub(crate) class: Class,
    pub(crate) index: u16,
}

/// A source of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Var(Var),
    Imm(i32),
    /// A special register, by name.
    Special(&'static str),
}

/// A predicate variable, negated or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PredRef {
    pub(crate) index: u16,
    pub(crate) negated: bool,
}

/// A condition of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cond {
    Pred(PredRef),
    Compare {
        compare: Compare,
        sources: [Source; 2],
        /// Combined with a predicate variable by `and`, `or` or `xor`.
        combine: Option<(&'static str, PredRef)>,
    },
}

/// How often a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trips {
    Const(u32),
    /// The low bits of an integer variable at entry.
    Lane {
        var: Var,
        mask: u32,
    },
}

/// A slot in the memory that a thread has for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Slot number.
    Fixed(u32),
    /// The low bits of an integer variable.
    Dynamic(Var),
}

/// Type of an access, and the variables that it moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    /// Suffix of the instruction, such as `v2.u32`.
    pub(crate) suffix: &'static str,
    pub(crate) slot: Slot,
    pub(crate) vars: Vec<Var>,
    pub(crate) guard: Option<PredRef>,
}

/// A counter of the CTA or of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counter {
    Shared,
    Global,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stmt {
    /// `destination = form(sources)`.
    Assign {
        form: &'static Form,
        destination: Var,
        sources: Vec<Source>,
        /// The predicate that a `selp` takes.
        select: PredRef,
        guard: Option<PredRef>,
    },
    /// The halves of a 64-bit variable.
    Unpack {
        low: Var,
        high: Var,
        wide: Var,
    },
    /// A predicate variable takes a new value.
    Decide {
        index: u16,
        cond: Cond,
    },
    If {
        cond: Cond,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Loop {
        trips: Trips,
        body: Vec<Stmt>,
        /// Leaves the loop behind the first `.0` statements.
        leave: Option<(usize, Cond)>,
    },
    Store(Access),
    Load(Access),
    /// Adds a variable to a counter.
    Add {
        counter: Counter,
        var: Var,
        guard: Option<PredRef>,
    },
    /// Shows a variable to the CTA and takes that of the thread `distance` further.
    Exchange {
        shown: Var,
        taken: Var,
        distance: u32,
    },
    /// The thread ends.
    Exit {
        cond: Cond,
    },
}

/// Number of statements in `list`, those in branches and loops included.
pub(crate) fn count(list: &[Stmt]) -> usize {
    list.iter()
        .map(|s| match s {
            Stmt::If { then, otherwise, .. } => 1 + count(then) + count(otherwise),
            Stmt::Loop { body, .. } => 1 + count(body),
            _ => 1,
        })
        .sum()
}
