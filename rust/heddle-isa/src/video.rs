//! Video instructions: arithmetic on words, half-words or bytes of two operands, and what becomes of the
//! result.
//!
//! The type of the operation is that of the result, `u32` or `s32`. Parts are extended by their signs, and
//! what an operation gives is kept in 34 bits before it is clamped (`Mods::sat`), joined with the third
//! operand, or cut.

use std::fmt;

use crate::types::{Cmp, Signs};

/// One video instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Video {
    /// What is computed of each pair of parts.
    pub op: VideoOp,
    /// Which operand's parts are signed.
    pub signs: Signs,
    /// The parts, and what becomes of the results.
    pub form: VideoForm,
}

impl Video {
    /// Whether there is a third operand.
    #[must_use]
    pub const fn has_third(self) -> bool {
        matches!(self.op, VideoOp::Mad(_))
            || !matches!(self.form, VideoForm::Scalar { then: Then::Nothing, .. })
    }
}

/// What a video instruction computes of a part of each operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum VideoOp {
    Add,
    Sub,
    AbsDiff,
    /// Half of the sum; where that is no integer, the one above for a sum that is not negative and else the
    /// one below.
    Average,
    Min,
    Max,
    /// 1 where the comparison holds, else 0; one of `Eq Ne Lt Le Gt Ge`.
    Set(Cmp),
    /// Shift left by the second operand, modulo 32 or at most 32.
    Shl {
        /// Modulo 32.
        wrap: bool,
    },
    /// Shift right by the second operand, modulo 32 or at most 32.
    Shr {
        /// Modulo 32.
        wrap: bool,
    },
    /// Product plus the third operand; only with [`VideoForm::Scalar`] and [`Then::Nothing`].
    Mad(VideoMad),
}

/// Variants of the video multiply-add. Its sum has 128 bits and is signed where a factor is or something is
/// negated; `Mods::sat` clamps it by that sign, not by the type of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VideoMad {
    /// The product is negated.
    pub negate_product: bool,
    /// The third operand is negated; not together with the product.
    pub negate_addend: bool,
    /// Adds 1.
    pub plus_one: bool,
    /// How far the sum is shifted right.
    pub scale: Scale,
}

/// Scales of the video multiply-add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scale {
    One,
    Shr7,
    Shr15,
}

impl Scale {
    /// Bits of the shift to the right.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::One => 0,
            Self::Shr7 => 7,
            Self::Shr15 => 15,
        }
    }
}

/// A part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    from: u8,
    bits: u8,
}

impl Part {
    /// All of it.
    pub const WORD: Self = Self { from: 0, bits: 32 };

    /// Byte `index` modulo 4.
    #[must_use]
    pub const fn byte(index: u8) -> Self {
        Self { from: 8 * (index & 3), bits: 8 }
    }

    /// Half-word `index` modulo 2.
    #[must_use]
    pub const fn half(index: u8) -> Self {
        Self { from: 16 * (index & 1), bits: 16 }
    }

    /// Its lowest bit.
    #[must_use]
    pub const fn from(self) -> u32 {
        self.from as u32
    }

    /// Its bits: 8, 16 or 32.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits as u32
    }
}

/// What becomes of the one result of a scalar form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Then {
    Nothing,
    Add,
    Min,
    Max,
    /// It replaces this part of the third operand; `Mods::sat` clamps it to the part's size.
    Merge(Part),
}

/// How many results there are, and of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VideoForm {
    /// One, of a part of each operand.
    Scalar {
        /// Part of the first operand.
        first: Part,
        /// Part of the second operand.
        second: Part,
        /// What becomes of the result.
        then: Then,
    },
    /// Two of half-words or four of bytes.
    Simd {
        /// Their size.
        elements: Elements,
        /// Where the first parts come from.
        first: Selection,
        /// Where the second parts come from.
        second: Selection,
        /// Bit `i`: result `i` counts.
        mask: u8,
        /// Results that count are added to the third operand; else each replaces its part of it.
        accumulate: bool,
    },
}

/// Elements of the SIMD forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Elements {
    /// Two half-words.
    Halves,
    /// Four bytes.
    Bytes,
}

impl Elements {
    /// How many there are in a word.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Halves => 2,
            Self::Bytes => 4,
        }
    }

    /// Element `index` of a word, modulo their number.
    #[must_use]
    pub const fn part(self, index: u8) -> Part {
        match self {
            Self::Halves => Part::half(index),
            Self::Bytes => Part::byte(index),
        }
    }
}

/// Which of the parts of both operands, those of the first operand being the lower ones, each result takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Selection(u16);

impl Selection {
    /// For each result, the lowest first, the number of its part, 0 to 7; at most four.
    #[must_use]
    pub fn new(parts: impl IntoIterator<Item = u8>) -> Self {
        Self(parts.into_iter().take(4).enumerate().fold(0, |all, (i, p)| all | u16::from(p & 7) << (4 * i)))
    }

    /// The number of the part that result `index` takes.
    #[must_use]
    pub const fn part(self, index: u8) -> u8 {
        (self.0 >> (4 * (index & 3)) & 7) as u8
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            8 => write!(f, "b{}", self.from / 8),
            16 => write!(f, "h{}", self.from / 16),
            _ => write!(f, "w"),
        }
    }
}

/// The spelling of PTX, then in parentheses the parts that are taken: `vadd.u32.s32.merge.b1(h0, w)` and
/// `vabsdiff4.u32.u32.add(3210 of 3210, 7654)`.
impl fmt::Display for Video {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.op {
            VideoOp::Add => "vadd",
            VideoOp::Sub => "vsub",
            VideoOp::AbsDiff => "vabsdiff",
            VideoOp::Average => "vavrg",
            VideoOp::Min => "vmin",
            VideoOp::Max => "vmax",
            VideoOp::Set(_) => "vset",
            VideoOp::Shl { .. } => "vshl",
            VideoOp::Shr { .. } => "vshr",
            VideoOp::Mad(_) => "vmad",
        };
        f.write_str(name)?;
        if let VideoForm::Simd { elements, .. } = self.form {
            write!(f, "{}", elements.count())?;
        }
        let sign = |signed: bool| if signed { "s32" } else { "u32" };
        write!(f, ".{}.{}", sign(self.signs.first), sign(self.signs.second))?;
        match self.op {
            VideoOp::Set(cmp) => write!(f, ".{}", format!("{cmp:?}").to_lowercase())?,
            VideoOp::Shl { wrap } | VideoOp::Shr { wrap } => {
                write!(f, ".{}", if wrap { "wrap" } else { "clamp" })?
            }
            VideoOp::Mad(mad) => write_mad(f, mad)?,
            _ => {}
        }
        match self.form {
            VideoForm::Scalar { first, second, then } => {
                match then {
                    Then::Nothing => {}
                    Then::Add => f.write_str(".add")?,
                    Then::Min => f.write_str(".min")?,
                    Then::Max => f.write_str(".max")?,
                    Then::Merge(part) => write!(f, ".merge.{part}")?,
                }
                write!(f, "({first}, {second})")
            }
            VideoForm::Simd { elements, first, second, mask, accumulate } => {
                let falling = || (0..elements.count()).rev();
                let digits =
                    |from: Selection| falling().map(|i| from.part(i).to_string()).collect::<String>();
                let counted = falling().filter(|i| mask >> i & 1 != 0).map(|i| i.to_string());
                let add = if accumulate { ".add" } else { "" };
                let mask = counted.collect::<String>();
                write!(f, "{add}({mask} of {}, {})", digits(first), digits(second))
            }
        }
    }
}

fn write_mad(f: &mut fmt::Formatter<'_>, mad: VideoMad) -> fmt::Result {
    let flags = [
        (mad.plus_one, ".po"),
        (mad.negate_product, ".negated"),
        (mad.negate_addend, ".minus"),
        (mad.scale == Scale::Shr7, ".shr7"),
        (mad.scale == Scale::Shr15, ".shr15"),
    ];
    flags.iter().filter(|(set, _)| *set).try_for_each(|(_, name)| f.write_str(name))
}
