//! What instructions name: program counters, predicates, operands, places in the text.

use std::fmt;

use heddle_port::Reg;

use crate::modifiers::Space;

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
    /// Low half of the address of the grid's workspace; 0 unless the launch is cooperative.
    GridWorkspace,
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
            | Self::TotalSharedBytes
            | Self::GridWorkspace => true,
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
    /// A value of the parameter block or the constant bank, the same in all lanes.
    Constant(Constant),
}

/// Where an operand lies that an instruction takes from the parameter block or the constant bank instead of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant {
    /// [`Space::Param`] or [`Space::Const`].
    pub space: Space,
    /// Byte offset in it.
    pub offset: u32,
    /// Its 32-bit words, 1 or 2.
    pub words: u8,
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
