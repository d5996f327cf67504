//! Instructions and operands.

use std::fmt;

use heddle_port::{NUM_DESTINATIONS, NUM_SOURCES, Reg};
use smallvec::SmallVec;

use crate::op::{Op, Space};

/// Index of an instruction in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pc(pub u32);

impl Pc {
    /// As an array index.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The next instruction in program order.
    #[inline]
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Pc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A predicate register of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pred(pub u16);

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.0)
    }
}

/// A predicate source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PredOperand {
    /// A predicate register, negated or not.
    Reg {
        /// The predicate.
        pred: Pred,
        /// Read as its complement.
        negated: bool,
    },
    /// A constant.
    Const(bool),
}

/// The guard `@p` or `@!p`: lanes where it fails do not execute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The predicate.
    pub pred: Pred,
    /// Execute where the predicate is false.
    pub negated: bool,
}

/// Special registers that an instruction can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NwarpId,
    LanemaskEq,
    LanemaskLt,
    LanemaskLe,
    LanemaskGt,
    LanemaskGe,
    DynamicSharedBytes,
    TotalSharedBytes,
}

impl Special {
    /// Whether it has one value as long as the thread lives (PTX ISA, "Special Registers": `%warpid` and
    /// `%nwarpid` are volatile).
    #[must_use]
    pub const fn is_constant(self) -> bool {
        match self {
            Self::WarpId | Self::NwarpId => false,
            Self::Tid(_)
            | Self::Ntid(_)
            | Self::Ctaid(_)
            | Self::Nctaid(_)
            | Self::LaneId
            | Self::LanemaskEq
            | Self::LanemaskLt
            | Self::LanemaskLe
            | Self::LanemaskGt
            | Self::LanemaskGe
            | Self::DynamicSharedBytes
            | Self::TotalSharedBytes => true,
        }
    }
}

/// A source operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A 32-bit register (narrower values are zero- or sign-extended as PTX leaves them).
    Reg(Reg),
    /// A 64-bit value in the registers `r` (low, even) and `r + 1`.
    Pair(Reg),
    /// An immediate, the bits of the operation's type; addresses of variables are immediates.
    Imm(u64),
    /// A special register.
    Special(Special),
}

/// Place in the PTX text: 1-based line and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Loc {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// Lanes that do it.
    pub guard: Option<Guard>,
    /// Destination registers, 32 bits each, low word first, elements in order.
    pub dsts: SmallVec<[Reg; NUM_DESTINATIONS]>,
    /// Source operands in PTX order.
    pub srcs: SmallVec<[Operand; 4]>,
    /// Destination predicates.
    pub pred_dsts: SmallVec<[Pred; 2]>,
    /// Source predicates other than the guard.
    pub pred_srcs: SmallVec<[PredOperand; 2]>,
    /// Byte offset added to the address of a memory access.
    pub offset: i32,
    /// Place in the PTX text.
    pub loc: Loc,
}

impl Instr {
    /// An instruction without operands.
    #[must_use]
    pub fn new(op: Op, loc: Loc) -> Self {
        Self {
            op,
            guard: None,
            dsts: SmallVec::new(),
            srcs: SmallVec::new(),
            pred_dsts: SmallVec::new(),
            pred_srcs: SmallVec::new(),
            offset: 0,
            loc,
        }
    }

    /// Source registers in slot order: the register operands in PTX order, a pair as low, high. This
    /// is the order of the port's source slots; at most [`NUM_SOURCES`].
    #[must_use]
    pub fn source_regs(&self) -> SmallVec<[Reg; NUM_SOURCES]> {
        let mut slots = SmallVec::new();
        for operand in &self.srcs {
            match *operand {
                Operand::Reg(r) => slots.push(r),
                Operand::Pair(r) => slots.extend([r, Reg(r.0 + 1)]),
                Operand::Imm(_) | Operand::Special(_) => {}
            }
        }
        slots
    }

    /// Whether the instruction reads or writes registers, and so passes through the register port.
    #[must_use]
    pub fn uses_registers(&self) -> bool {
        !self.dsts.is_empty() || self.srcs.iter().any(|s| matches!(s, Operand::Reg(_) | Operand::Pair(_)))
    }

    /// The space of a memory access that goes through the load-store unit (global, shared, local or
    /// generic); parameter and constant loads do not.
    #[must_use]
    pub fn memory_space(&self) -> Option<Space> {
        match self.op {
            Op::Ld { space: Space::Param | Space::Const, .. } => None,
            Op::Ld { space, .. } | Op::St { space, .. } | Op::Atom { space, .. } => Some(space),
            Op::Tex { .. } => Some(Space::Global),
            Op::Traced(ref traced) => traced.access().map(|(_, space, _)| space),
            _ => None,
        }
    }
}
