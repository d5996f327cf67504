//! Scalar types, rounding modes and comparisons, with the names of the PTX ISA.

/// A PTX scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Type {
    Pred,
    B8,
    U8,
    S8,
    B16,
    U16,
    S16,
    F16,
    Bf16,
    B32,
    U32,
    S32,
    F32,
    F16x2,
    Bf16x2,
    /// 8 exponent and 10 mantissa bits in the upper bits of a word; only converted to.
    Tf32,
    B64,
    U64,
    S64,
    F64,
    /// Two 64-bit values; loads, stores and moves split it.
    B128,
}

impl Type {
    /// Size in bits; a predicate has 1.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Pred => 1,
            Self::B8 | Self::U8 | Self::S8 => 8,
            Self::B16 | Self::U16 | Self::S16 | Self::F16 | Self::Bf16 => 16,
            Self::B32 | Self::U32 | Self::S32 | Self::F32 | Self::F16x2 | Self::Bf16x2 | Self::Tf32 => 32,
            Self::B64 | Self::U64 | Self::S64 | Self::F64 => 64,
            Self::B128 => 128,
        }
    }

    /// Size in memory, in bytes; a predicate has none.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        self.bits() / 8
    }

    /// 32-bit registers that hold one value: 2 for 64-bit types, 4 for 128 bits, else 1.
    #[must_use]
    pub const fn words(self) -> usize {
        match self.bits() {
            128 => 4,
            64 => 2,
            _ => 1,
        }
    }

    /// Signed integer.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32 | Self::S64)
    }

    /// Floating point.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::F16 | Self::F16x2 | Self::Bf16 | Self::Bf16x2 | Self::Tf32 | Self::F32 | Self::F64
        )
    }

    /// The PTX spelling, without the dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pred => "pred",
            Self::B8 => "b8",
            Self::U8 => "u8",
            Self::S8 => "s8",
            Self::B16 => "b16",
            Self::U16 => "u16",
            Self::S16 => "s16",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::B32 => "b32",
            Self::U32 => "u32",
            Self::S32 => "s32",
            Self::F32 => "f32",
            Self::F16x2 => "f16x2",
            Self::Bf16x2 => "bf16x2",
            Self::Tf32 => "tf32",
            Self::B64 => "b64",
            Self::U64 => "u64",
            Self::S64 => "s64",
            Self::F64 => "f64",
            Self::B128 => "b128",
        }
    }
}

/// Rounding of a floating-point result (`Rn` to `Rp`) or to an integral value (`Rni` to `Rpi`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Rounding {
    Rn,
    /// To nearest, ties away from zero.
    Rna,
    Rz,
    Rm,
    Rp,
    Rni,
    Rzi,
    Rmi,
    Rpi,
}

/// Comparison of `setp` and `set`; the `u` forms are true when an operand is NaN. `lo ls hi hs` are
/// `Lt Le Gt Ge` of an unsigned type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

/// How a comparison's result is combined with a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BoolOp {
    And,
    Or,
    Xor,
}

/// Which factors of a dot product are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signs {
    /// Parts of the first operand.
    pub first: bool,
    /// Parts of the second operand.
    pub second: bool,
}
