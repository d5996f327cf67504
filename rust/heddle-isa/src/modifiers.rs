//! What an operation is told besides its operands: kinds of arithmetic, modifiers, state spaces.

use crate::types::{Rounding, Signs};
use crate::video::Video;

/// Arithmetic and logic on registers: sources in PTX order, one destination value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Alu {
    Mov,
    Add,
    Sub,
    /// Low half of an integer product; the product of floats.
    Mul,
    MulHi,
    /// Double-width product; `ty` is the type of the sources.
    MulWide,
    Mad,
    MadHi,
    /// Double-width product plus a double-width addend; `ty` is the type of the factors.
    MadWide,
    Fma,
    Div,
    Rem,
    Min,
    Max,
    Abs,
    Neg,
    Sad,
    And,
    Or,
    Xor,
    Not,
    Cnot,
    Shl,
    Shr,
    /// Funnel shift left, three sources: low, high, amount; `Mods::wrap` or clamp.
    ShfL,
    /// Funnel shift right.
    ShfR,
    Popc,
    Clz,
    Bfind,
    Brev,
    Bfe,
    Bfi,
    Prmt,
    /// Byte permutation by one of the patterns of `prmt`: two low bits of the selector choose.
    PrmtMode(Permutation),
    /// Any logic of three operands; the fourth source, an immediate, is its truth table.
    Lop3,
    /// `srcs[1]` ones from bit `srcs[0]` on; `Mods::alternate` takes both modulo 32.
    Bmsk,
    /// Extends the low `srcs[1]` bits; `Mods::alternate` takes their number modulo 32.
    Szext,
    /// Position of the n-th set bit from a base on, in either direction.
    Fns,
    /// Four products of bytes, summed and added to the third operand.
    Dp4a(Signs),
    /// Two products of a half-word and a byte, summed and added to the third operand.
    Dp2a {
        /// Signs of the half-words and of the bytes.
        signs: Signs,
        /// Takes the upper two bytes.
        high: bool,
    },
    /// Product of 24-bit integers: the low 32 bits, or bits 16 to 47.
    Mul24 {
        /// Bits 16 to 47.
        high: bool,
    },
    /// As `Mul24`, plus the third operand.
    Mad24 {
        /// Bits 16 to 47.
        high: bool,
    },
    /// Arithmetic on words, half-words or bytes; two operands, and a third where [`Video::has_third`] says so.
    Video(Video),
    Copysign,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
    /// Joins equal parts, the lowest first: halves or quarters of 64, 32 or 16 bits (`mov.b64 d, {a,b}`).
    Pack,
    /// Splits a source into as many equal parts as there are destinations, the lowest first.
    Unpack,
}

/// Patterns of `prmt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permutation {
    /// Four bytes forward.
    F4e,
    /// Four bytes backward.
    B4e,
    /// One byte replicated.
    Rc8,
    /// Edge clamp left.
    Ecl,
    /// Edge clamp right.
    Ecr,
    /// One half-word replicated.
    Rc16,
}

/// Properties that `testp` tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatTest {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// Modifiers that an operation may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mods {
    /// Rounding, where written; `None` is the PTX default of the operation.
    pub rounding: Option<Rounding>,
    /// Subnormal inputs and results are flushed to zero.
    pub ftz: bool,
    /// Saturation: to [0, 1] for floats, to the type's range for integers.
    pub sat: bool,
    /// Approximate form (`.approx`).
    pub approx: bool,
    /// Full-range approximate division (`.full`).
    pub full: bool,
    /// `bfind.shiftamt`, `shf.wrap`, `bmsk.wrap`, `szext.wrap`.
    pub alternate: bool,
    /// NaN-propagating min and max.
    pub nan: bool,
    /// Min and max of magnitudes, with the product of the signs.
    pub xorsign: bool,
    /// A negative result becomes +0.
    pub relu: bool,
    /// Writes the carry flag (`.cc`).
    pub carry_out: bool,
    /// Reads the carry flag (`addc`, `subc`, `madc`).
    pub carry_in: bool,
}

/// Operations on predicates: sources and destination are predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PredAlu {
    Mov,
    And,
    Or,
    Xor,
    Not,
}

/// State space of a memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Space {
    Global,
    Shared,
    Local,
    Param,
    Const,
    /// Resolved per lane at run time by address window.
    Generic,
}

/// Cache operator of a load or store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum CacheOp {
    #[default]
    Ca,
    Cg,
    Cs,
    Lu,
    Cv,
    /// Read-only data path.
    Nc,
    Volatile,
}

/// Read-modify-write operation of `atom` and `red`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Inc,
    Dec,
}

/// Scope of a memory fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FenceLevel {
    Cta,
    Gpu,
    System,
}
