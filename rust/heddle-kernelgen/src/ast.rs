//! Generated code as a tree. Any tree prints to a valid kernel, which is what makes shrinking simple.

use crate::forms::{Class, Compare, Form, Gather};

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

/// A slot in a memory that a thread has for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Slot number.
    Fixed(u32),
    /// The low bits of an integer variable.
    Dynamic(Var),
}

/// A memory that a thread has for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Private {
    /// Its part of a global buffer.
    Global,
    /// Its local memory.
    Local,
}

/// A load or a store, and the variables that it moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) load: bool,
    pub(crate) private: Private,
    /// By a generic address.
    pub(crate) generic: bool,
    /// Cache operator with its dot, `.volatile`, or nothing.
    pub(crate) cache: &'static str,
    /// Vector and type, such as `v2.u32`.
    pub(crate) suffix: &'static str,
    pub(crate) slot: Slot,
    pub(crate) vars: Vec<Var>,
    pub(crate) guard: Option<PredRef>,
}

/// Counters of the CTA or of the grid, one for each operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counters {
    Shared,
    Global,
}

/// The way of an exchange between threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Through {
    Shared,
    /// Shared memory by generic addresses.
    SharedGeneric,
    /// A global buffer.
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
    /// A predicate variable takes a new value, and another the complement of the comparison.
    Decide {
        index: u16,
        complement: Option<u16>,
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
    Access(Access),
    /// Reads a constant table.
    Lookup {
        destination: Var,
        index: Var,
    },
    /// Applies the operation of that number to its counter.
    Count {
        counters: Counters,
        operation: usize,
        var: Var,
        guard: Option<PredRef>,
    },
    /// Shows a variable to the CTA and takes that of the thread `distance` further.
    Exchange {
        through: Through,
        shown: Var,
        taken: Var,
        distance: u32,
    },
    /// The threads of a warp, or of the CTA, put a value together.
    Gather {
        gather: &'static Gather,
        destination: Var,
        /// What each thread adds: an integer, or a predicate.
        source: Var,
        pred: PredRef,
        /// Lane, distance or clamp of a shuffle.
        choice: Source,
    },
    /// A fence at the level of that name.
    Fence(&'static str),
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
