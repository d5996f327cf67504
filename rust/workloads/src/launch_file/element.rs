//! Scalars and elements of buffers.

use std::fmt;

use super::error::LaunchFileError;
use super::table::Value;
use crate::random::SplitMix64;

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
    F32,
    F64,
}

/// Names in launch files.
pub(super) const NAMES: [(&str, ElementType); 10] = [
    ("u8", ElementType::U8),
    ("i8", ElementType::I8),
    ("u16", ElementType::U16),
    ("i16", ElementType::I16),
    ("u32", ElementType::U32),
    ("i32", ElementType::I32),
    ("u64", ElementType::U64),
    ("i64", ElementType::I64),
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
    /// Size in bytes.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Smallest and largest value, when it is an integer type.
    fn range(self) -> (i128, i128) {
        let bits = self.bytes() * 8;
        match self {
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            _ => (0, (1 << bits) - 1),
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

    /// The little-endian bytes of element `index` of a buffer filled with its indices.
    pub(super) fn iota(self, index: u64, bytes: &mut Vec<u8>) {
        let number = if self.is_float() {
            #[allow(clippy::cast_precision_loss)]
            Number::Float(index as f64)
        } else {
            Number::Integer(i128::from(index))
        };
        self.put(number, bytes);
    }

    /// The bytes of a random element in `range`, without one in -1 .. 1 for floats and any integer.
    pub(super) fn random(
        self,
        random: &mut SplitMix64,
        range: Option<(Scalar, Scalar)>,
        bytes: &mut Vec<u8>,
    ) {
        let draw = random.next_u64();
        let number = match range.map(|(low, high)| (low.number, high.number)) {
            None if self.is_float() => Number::Float(unit(draw) * 2.0 - 1.0),
            None => Number::Integer(i128::from(draw)),
            Some((Number::Integer(low), Number::Integer(high))) => {
                let span = high.abs_diff(low);
                // span < 2^64 and draw < 2^64, so the product fits and the quotient is below span.
                let offset = (u128::from(draw) * span) >> 64;
                Number::Integer(low.wrapping_add_unsigned(offset))
            }
            Some((low, high)) => Number::Float(low.float() + unit(draw) * (high.float() - low.float())),
        };
        self.put(number, bytes);
    }

    #[allow(clippy::cast_possible_truncation)]
    fn put(self, number: Number, bytes: &mut Vec<u8>) {
        match (self, number) {
            (Self::F32, n) => bytes.extend((n.float() as f32).to_le_bytes()),
            (Self::F64, n) => bytes.extend(n.float().to_le_bytes()),
            (_, Number::Integer(i)) => {
                bytes.extend(&i.to_le_bytes()[..self.bytes() as usize]);
            }
            (_, Number::Float(f)) => {
                bytes.extend(&(f as i128).to_le_bytes()[..self.bytes() as usize]);
            }
        }
    }

    /// The element that begins `bytes`, as text.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        let word = self.word(bytes);
        match self {
            Self::F32 | Self::F64 => {
                format!("{} ({word:#x})", self.float(bytes))
            }
            _ => {
                let (low, _) = self.range();
                let bits = self.bytes() * 8;
                let value = i128::from(word);
                let negative = low < 0 && value >> (bits - 1) == 1;
                let value = if negative { value - (1 << bits) } else { value };
                format!("{value} ({word:#x})")
            }
        }
    }

    fn word(self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        let n = self.bytes() as usize;
        word[..n].copy_from_slice(&bytes[..n]);
        u64::from_le_bytes(word)
    }

    /// The float that begins `bytes`; 0 for integer types.
    pub(super) fn float(self, bytes: &[u8]) -> f64 {
        let word = self.word(bytes);
        match self {
            #[allow(clippy::cast_possible_truncation)]
            Self::F32 => f64::from(f32::from_bits(word as u32)),
            Self::F64 => f64::from_bits(word),
            _ => 0.0,
        }
    }
}

/// A float in 0 .. 1 from 53 bits.
#[allow(clippy::cast_precision_loss)]
fn unit(draw: u64) -> f64 {
    (draw >> 11) as f64 / (1_u64 << 53) as f64
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    #[allow(clippy::cast_precision_loss)]
    fn float(self) -> f64 {
        match self {
            Self::Integer(i) => i as f64,
            Self::Float(f) => f,
        }
    }
}

/// A number of an element type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scalar {
    element: ElementType,
    number: Number,
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
