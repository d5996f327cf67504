//! Scalars and elements of buffers.

use std::fmt;

use half::{bf16, f16};
use heddle_isa::Type;

use super::error::LaunchFileError;
use super::table::Value;

/// Type of a scalar or of the elements of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ElementType {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    Bf16,
    F32,
    F64,
}

/// Names in launch files.
pub(super) const NAMES: [(&str, ElementType); 12] = [
    ("u8", ElementType::U8),
    ("i8", ElementType::I8),
    ("u16", ElementType::U16),
    ("i16", ElementType::I16),
    ("u32", ElementType::U32),
    ("i32", ElementType::I32),
    ("u64", ElementType::U64),
    ("i64", ElementType::I64),
    ("f16", ElementType::F16),
    ("bf16", ElementType::Bf16),
    ("f32", ElementType::F32),
    ("f64", ElementType::F64),
];

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, t)| t == self).map_or("", |(n, _)| n);
        f.write_str(name)
    }
}

impl ElementType {
    /// All types.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(_, element)| element)
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether a scalar of this type, or several of them, can be given for a parameter of PTX type `ty` of the
    /// same size: floats of its own kind for a float, integers for an integer, anything for bits.
    #[must_use]
    pub fn fits(self, ty: Type) -> bool {
        match ty {
            Type::Pred | Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::B128 => true,
            Type::F16 | Type::F16x2 => self == Self::F16,
            Type::Bf16 | Type::Bf16x2 => self == Self::Bf16,
            Type::F32 | Type::Tf32 => self == Self::F32,
            Type::F64 => self == Self::F64,
            _ => !self.is_float(),
        }
    }

    /// Whether it is a floating-point type.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Smallest and largest value, when it is an integer type.
    fn range(self) -> (i128, i128) {
        let bits = self.bytes() * 8;
        match self {
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            _ => (0, (1 << bits) - 1),
        }
    }

    /// How many whole numbers from 0 on it holds exactly, each apart from the others.
    pub(super) fn counts_to(self) -> u64 {
        match self {
            Self::F16 => 1 << 11,
            Self::Bf16 => 1 << 8,
            Self::F32 => 1 << 24,
            Self::F64 => 1 << 53,
            _ => u64::try_from(self.range().1 + 1).unwrap_or(u64::MAX),
        }
    }

    /// Reads a value of this type.
    pub(super) fn scalar(self, value: &Value<'_>) -> Result<Scalar, LaunchFileError> {
        if self.is_float() {
            return Ok(Scalar { element: self, number: Number::Float(value.float()?) });
        }
        let (low, high) = self.range();
        let i = value.integer()?;
        if !(low..=high).contains(&i) {
            return Err(value.out_of_range(i.to_string(), format!("{low} to {high} ({self})")));
        }
        Ok(Scalar { element: self, number: Number::Integer(i) })
    }

    /// A number of this type that is 0 or 1.
    pub(super) fn small(self, value: u8) -> Scalar {
        let number =
            if self.is_float() { Number::Float(value.into()) } else { Number::Integer(value.into()) };
        Scalar { element: self, number }
    }

    /// A number that is not checked against the range of this type.
    pub(super) fn exactly(self, value: f64) -> Scalar {
        Scalar { element: self, number: Number::Float(value) }
    }

    /// Appends a number: integers modulo 2^bits, floats rounded to nearest, ties to even.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn put(self, number: Number, bytes: &mut Vec<u8>) {
        match self {
            Self::F16 => bytes.extend(f16::from_f64(number.float()).to_le_bytes()),
            Self::Bf16 => bytes.extend(bf16::from_f64(number.float()).to_le_bytes()),
            Self::F32 => bytes.extend((number.float() as f32).to_le_bytes()),
            Self::F64 => bytes.extend(number.float().to_le_bytes()),
            _ => {
                let integer = match number {
                    Number::Integer(i) => i,
                    Number::Float(f) => f.round() as i128,
                };
                bytes.extend(&integer.to_le_bytes()[..self.bytes() as usize]);
            }
        }
    }

    /// The element that begins `bytes`, as text.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        let word = self.word(bytes);
        if self.is_float() {
            return format!("{} ({word:#x})", self.float(bytes));
        }
        let (low, _) = self.range();
        let bits = self.bytes() * 8;
        let value = i128::from(word);
        let negative = low < 0 && value >> (bits - 1) == 1;
        let value = if negative { value - (1 << bits) } else { value };
        format!("{value} ({word:#x})")
    }

    fn word(self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        let n = self.bytes() as usize;
        if let Some(bytes) = bytes.get(..n) {
            word[..n].copy_from_slice(bytes);
        }
        u64::from_le_bytes(word)
    }

    /// The float that begins `bytes`; 0 for integer types.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn float(self, bytes: &[u8]) -> f64 {
        let word = self.word(bytes);
        match self {
            Self::F16 => f16::from_bits(word as u16).to_f64(),
            Self::Bf16 => bf16::from_bits(word as u16).to_f64(),
            Self::F32 => f64::from(f32::from_bits(word as u32)),
            Self::F64 => f64::from_bits(word),
            _ => 0.0,
        }
    }
}

/// A number of any type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    #[allow(clippy::cast_precision_loss)]
    pub(super) fn float(self) -> f64 {
        match self {
            Self::Integer(i) => i as f64,
            Self::Float(f) => f,
        }
    }
}

/// A number of an element type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scalar {
    pub(super) element: ElementType,
    pub(super) number: Number,
}

impl Scalar {
    pub(super) fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.element.put(self.number, &mut bytes);
        bytes
    }

    pub(super) fn is_below(self, other: Self) -> bool {
        match (self.number, other.number) {
            (Number::Integer(a), Number::Integer(b)) => a < b,
            (a, b) => a.float() < b.float(),
        }
    }
}
