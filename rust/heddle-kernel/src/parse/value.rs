//! Values of constant expressions and what the operators make of them (PTX ISA, "Integer Constant Expression
//! Evaluation").
//!
//! Integers have 64 bits, signed or unsigned; what overflows wraps. Of floating-point numbers only the sign can be
//! changed.

use crate::ast::Constant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Signed(i64),
    Unsigned(u64),
    Float32(u32),
    Float64(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Plus,
    Minus,
    /// `!`
    Not,
    /// `~`
    Complement,
    /// `(.s64)`
    ToSigned,
    /// `(.u64)`
    ToUnsigned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    BothHold,
    OneHolds,
}

/// Why an operator has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoValue {
    #[error("a division by zero")]
    DivisionByZero,
    #[error("an operator other than a sign on a floating-point constant is not supported")]
    Float,
}

impl Value {
    /// An integer as it is written: signed where it fits and nothing says otherwise.
    pub(super) fn literal(magnitude: u64, unsigned: bool) -> Self {
        match i64::try_from(magnitude) {
            Ok(value) if !unsigned => Self::Signed(value),
            _ => Self::Unsigned(magnitude),
        }
    }

    pub(super) fn constant(self) -> Constant {
        match self {
            Self::Signed(value) => Constant::Integer { magnitude: value.unsigned_abs(), negative: value < 0 },
            Self::Unsigned(magnitude) => Constant::Integer { magnitude, negative: false },
            Self::Float32(bits) => Constant::Float32(bits),
            Self::Float64(bits) => Constant::Float64(bits),
        }
    }

    /// The bits of an integer.
    fn bits(self) -> Result<u64, NoValue> {
        match self {
            Self::Signed(value) => Ok(value.cast_unsigned()),
            Self::Unsigned(value) => Ok(value),
            Self::Float32(_) | Self::Float64(_) => Err(NoValue::Float),
        }
    }

    /// Whether an integer is not zero.
    pub(super) fn holds(self) -> Result<bool, NoValue> {
        Ok(self.bits()? != 0)
    }

    pub(super) fn unary(self, op: Unary) -> Result<Self, NoValue> {
        Ok(match (op, self) {
            (Unary::Plus, value) => value,
            (Unary::Minus, Self::Signed(value)) => Self::Signed(value.wrapping_neg()),
            (Unary::Minus, Self::Unsigned(value)) => Self::Unsigned(value.wrapping_neg()),
            (Unary::Minus, Self::Float32(bits)) => Self::Float32(bits ^ 1 << 31),
            (Unary::Minus, Self::Float64(bits)) => Self::Float64(bits ^ 1 << 63),
            (Unary::Not, value) => truth(!value.holds()?),
            (Unary::Complement, value) => Self::Unsigned(!value.bits()?),
            (Unary::ToSigned, value) => Self::Signed(value.bits()?.cast_signed()),
            (Unary::ToUnsigned, value) => Self::Unsigned(value.bits()?),
        })
    }

    pub(super) fn binary(self, op: Binary, other: Self) -> Result<Self, NoValue> {
        let (a, b) = (self.bits()?, other.bits()?);
        let unsigned = matches!(self, Self::Unsigned(_)) || matches!(other, Self::Unsigned(_));
        let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
        // The same bits whether signed or not.
        let usual =
            |bits: u64| if unsigned { Self::Unsigned(bits) } else { Self::Signed(bits.cast_signed()) };
        let less = |a: u64, b: u64| if unsigned { a < b } else { a.cast_signed() < b.cast_signed() };
        Ok(match op {
            Binary::Divide | Binary::Remainder if b == 0 => return Err(NoValue::DivisionByZero),
            Binary::Multiply => usual(a.wrapping_mul(b)),
            Binary::Divide if unsigned => Self::Unsigned(a / b),
            Binary::Divide => Self::Signed(signed_a.wrapping_div(signed_b)),
            Binary::Remainder => Self::Signed((a % b).cast_signed()),
            Binary::Add => usual(a.wrapping_add(b)),
            Binary::Subtract => usual(a.wrapping_sub(b)),
            Binary::ShiftLeft => self.shifted(|value| value.checked_shl(amount(b)).unwrap_or(0)),
            Binary::ShiftRight => match self {
                Self::Signed(value) => Self::Signed(value >> amount(b).min(63)),
                _ => self.shifted(|value| value.checked_shr(amount(b)).unwrap_or(0)),
            },
            Binary::Less => truth(less(a, b)),
            Binary::LessEqual => truth(!less(b, a)),
            Binary::Greater => truth(less(b, a)),
            Binary::GreaterEqual => truth(!less(a, b)),
            Binary::Equal => truth(a == b),
            Binary::NotEqual => truth(a != b),
            Binary::And => usual(a & b),
            Binary::Xor => usual(a ^ b),
            Binary::Or => usual(a | b),
            Binary::BothHold => truth(a != 0 && b != 0),
            Binary::OneHolds => truth(a != 0 || b != 0),
        })
    }

    /// This value where `condition` holds, the other one where it does not, in the type that both go with.
    pub(super) fn or_else(self, other: Self, condition: bool) -> Result<Self, NoValue> {
        let (chosen, left) = if condition { (self, other) } else { (other, self) };
        let bits = chosen.bits()?;
        left.bits()?;
        match (chosen, left) {
            (Self::Signed(_), Self::Signed(_)) => Ok(chosen),
            _ => Ok(Self::Unsigned(bits)),
        }
    }

    /// The integer with its bits changed and the same type.
    fn shifted(self, change: impl Fn(u64) -> u64) -> Self {
        match self {
            Self::Signed(value) => Self::Signed(change(value.cast_unsigned()).cast_signed()),
            Self::Unsigned(value) => Self::Unsigned(change(value)),
            other => other,
        }
    }
}

fn truth(value: bool) -> Value {
    Value::Signed(value.into())
}

/// The places of a shift; 64 and more move every bit out.
fn amount(bits: u64) -> u32 {
    bits.min(64) as u32
}
