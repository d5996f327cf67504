//! Exact binary floating point in every format and rounding mode, by integer arithmetic.
//!
//! Used where the host's arithmetic cannot be: directed roundings, half precision, conversions. A
//! value is taken apart into `mantissa * 2^exponent`, computed with 128 bits and a sticky bit, and
//! rounded once.

use crate::types::Rounding;

/// A binary interchange format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    /// Stored mantissa bits.
    pub mantissa: u32,
    /// Exponent bits.
    pub exponent: u32,
}

/// Half precision.
pub(crate) const F16: Format = Format { mantissa: 10, exponent: 5 };
/// Brain float: the upper half of single precision.
pub(crate) const BF16: Format = Format { mantissa: 7, exponent: 8 };
/// The format of tensor cores: single precision's range with half precision's fraction.
pub(crate) const TF32: Format = Format { mantissa: 10, exponent: 8 };
/// Single precision.
pub(crate) const F32: Format = Format { mantissa: 23, exponent: 8 };
/// Double precision.
pub(crate) const F64: Format = Format { mantissa: 52, exponent: 11 };

/// The NaN that single-precision instructions give.
pub(crate) const NAN32: u32 = 0x7fff_ffff;

/// `0x7fffffff` for a NaN.
#[inline(always)]
pub(crate) fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN32 } else { value.to_bits() }
}

/// The bits of the same number in single precision; NaN becomes `0x7fffffff`.
pub(crate) fn half_to_single(bits: u16) -> u32 {
    convert(F16, F32, bits.into(), Rounding::Rn) as u32
}
/// The NaN that double-precision instructions give where no operand is NaN.
pub(crate) const NAN64: u64 = 0xfff8_0000_0000_0000;
/// The quiet bit of a double-precision NaN.
pub(crate) const QUIET64: u64 = 0x0008_0000_0000_0000;

impl Format {
    /// Exponent bias.
    const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The sign bit.
    pub const fn sign(self) -> u64 {
        1 << (self.mantissa + self.exponent)
    }

    /// Positive infinity.
    pub const fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The NaN that instructions of this format give where no payload is kept.
    pub const fn nan(self) -> u64 {
        if self.mantissa == F64.mantissa { NAN64 } else { self.sign() - 1 }
    }

    /// Whether `bits` is a NaN.
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity()
    }
}

/// A number taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    /// `mantissa * 2^exponent`; the mantissa is 0 for zero.
    Finite {
        negative: bool,
        mantissa: u128,
        exponent: i32,
    },
    Infinite {
        negative: bool,
    },
    Nan,
}

fn unpack(f: Format, bits: u64) -> Number {
    let negative = bits & f.sign() != 0;
    let biased = (bits >> f.mantissa) & ((1 << f.exponent) - 1);
    let fraction = bits & ((1 << f.mantissa) - 1);
    let lowest = 1 - f.bias() - f.mantissa as i32;
    if f.is_nan(bits) {
        Number::Nan
    } else if bits & f.infinity() == f.infinity() {
        Number::Infinite { negative }
    } else if biased == 0 {
        Number::Finite { negative, mantissa: u128::from(fraction), exponent: lowest }
    } else {
        Number::Finite {
            negative,
            mantissa: u128::from(fraction | 1 << f.mantissa),
            exponent: lowest + biased as i32 - 1,
        }
    }
}

/// Whether rounding goes away from zero: `half` is the first bit cut off, `rest` whether any bit
/// below it (or the sticky bit) is set.
fn rounds_up(mode: Rounding, negative: bool, odd: bool, half: bool, rest: bool) -> bool {
    match mode {
        Rounding::Rn | Rounding::Rni => half && (rest || odd),
        Rounding::Rna => half,
        Rounding::Rz | Rounding::Rzi => false,
        Rounding::Rm | Rounding::Rmi => negative && (half || rest),
        Rounding::Rp | Rounding::Rpi => !negative && (half || rest),
    }
}

/// `value >> shift` with the first bit cut off and whether any lower one was set.
fn cut(value: u128, shift: u32) -> (u128, bool, bool) {
    match shift {
        0 => (value, false, false),
        1..=127 => {
            let rest = value & ((1 << (shift - 1)) - 1) != 0;
            (value >> shift, value >> (shift - 1) & 1 != 0, rest)
        }
        128 => (0, value >> 127 != 0, value << 1 != 0),
        _ => (0, false, value != 0),
    }
}

/// Rounds `±mantissa * 2^exponent` (plus something smaller than one unit when `sticky`) to `f`.
fn pack(f: Format, negative: bool, mantissa: u128, exponent: i32, sticky: bool, mode: Rounding) -> u64 {
    let sign = if negative { f.sign() } else { 0 };
    if mantissa == 0 && !sticky {
        return sign;
    }
    let top = exponent + 127 - mantissa.leading_zeros() as i32;
    let mut quantum = top.max(1 - f.bias()) - f.mantissa as i32;
    let mut kept;
    if quantum > exponent {
        let (whole, half, rest) = cut(mantissa, (quantum - exponent) as u32);
        let up = rounds_up(mode, negative, whole & 1 != 0, half, rest || sticky);
        kept = whole + u128::from(up);
    } else {
        kept = mantissa << (exponent - quantum);
        kept += u128::from(rounds_up(mode, negative, false, false, sticky));
    }
    if kept >> (f.mantissa + 1) != 0 {
        kept >>= 1;
        quantum += 1;
    }
    if kept >> f.mantissa == 0 {
        return sign | kept as u64;
    }
    let biased = quantum + f.mantissa as i32 + f.bias();
    if biased >= (1 << f.exponent) - 1 {
        let to_infinity = rounds_up(mode, negative, true, true, true);
        return sign | (f.infinity() - u64::from(!to_infinity));
    }
    sign | (biased as u64) << f.mantissa | (kept as u64 & ((1 << f.mantissa) - 1))
}

/// Brings the highest set bit to bit 124.
fn normalise(mantissa: u128, exponent: i32) -> (u128, i32) {
    if mantissa == 0 {
        return (0, i32::MIN / 2);
    }
    let shift = mantissa.leading_zeros() as i32 - 3;
    (mantissa << shift, exponent - shift)
}

/// Sum of two finite numbers, mantissas of at most 106 bits.
fn sum(f: Format, a: (bool, u128, i32), b: (bool, u128, i32), mode: Rounding) -> u64 {
    let down = matches!(mode, Rounding::Rm | Rounding::Rmi);
    if a.1 == 0 && b.1 == 0 {
        let negative = if a.0 == b.0 { a.0 } else { down };
        return pack(f, negative, 0, 0, false, mode);
    }
    let (am, ae) = normalise(a.1, a.2);
    let (bm, be) = normalise(b.1, b.2);
    let (big, small) =
        if (ae, am) >= (be, bm) { ((a.0, am, ae), (b.0, bm, be)) } else { ((b.0, bm, be), (a.0, am, ae)) };
    let distance = (i64::from(big.2) - i64::from(small.2)).min(200) as u32;
    let (aligned, half, rest) = cut(small.1, distance);
    let sticky = half || rest;
    let mantissa = if big.0 == small.0 { big.1 + aligned } else { big.1 - aligned - u128::from(sticky) };
    if mantissa == 0 && !sticky {
        return pack(f, down, 0, 0, false, mode);
    }
    pack(f, big.0, mantissa, big.2, sticky, mode)
}

/// `a + b`; a NaN operand or `inf - inf` gives the format's NaN.
pub(crate) fn add(f: Format, a: u64, b: u64, mode: Rounding) -> u64 {
    match (unpack(f, a), unpack(f, b)) {
        (
            Number::Finite { negative: an, mantissa: am, exponent: ae },
            Number::Finite { negative: bn, mantissa: bm, exponent: be },
        ) => sum(f, (an, am, ae), (bn, bm, be), mode),
        (Number::Nan, _) | (_, Number::Nan) => f.nan(),
        (Number::Infinite { negative: x }, Number::Infinite { negative: y }) if x != y => f.nan(),
        (Number::Infinite { .. }, _) => a,
        _ => b,
    }
}

/// `a * b`.
pub(crate) fn mul(f: Format, a: u64, b: u64, mode: Rounding) -> u64 {
    let sign = (a ^ b) & f.sign();
    match product(f, a, b) {
        Number::Finite { negative, mantissa, exponent } => pack(f, negative, mantissa, exponent, false, mode),
        Number::Infinite { .. } => sign | f.infinity(),
        Number::Nan => f.nan(),
    }
}

fn product(f: Format, a: u64, b: u64) -> Number {
    let negative = (a ^ b) & f.sign() != 0;
    match (unpack(f, a), unpack(f, b)) {
        (
            Number::Finite { mantissa: am, exponent: ae, .. },
            Number::Finite { mantissa: bm, exponent: be, .. },
        ) => Number::Finite { negative, mantissa: am * bm, exponent: ae + be },
        (Number::Nan, _)
        | (_, Number::Nan)
        | (Number::Infinite { .. }, Number::Finite { mantissa: 0, .. })
        | (Number::Finite { mantissa: 0, .. }, Number::Infinite { .. }) => Number::Nan,
        _ => Number::Infinite { negative },
    }
}

/// `a * b + c` with one rounding.
pub(crate) fn fma(f: Format, a: u64, b: u64, c: u64, mode: Rounding) -> u64 {
    match (product(f, a, b), unpack(f, c)) {
        (
            Number::Finite { negative: pn, mantissa: pm, exponent: pe },
            Number::Finite { negative: cn, mantissa: cm, exponent: ce },
        ) => sum(f, (pn, pm, pe), (cn, cm, ce), mode),
        (Number::Nan, _) | (_, Number::Nan) => f.nan(),
        (Number::Infinite { negative: x }, Number::Infinite { negative: y }) if x != y => f.nan(),
        (Number::Infinite { negative }, _) => f.infinity() | if negative { f.sign() } else { 0 },
        _ => c,
    }
}

/// `a / b`.
pub(crate) fn div(f: Format, a: u64, b: u64, mode: Rounding) -> u64 {
    let sign = (a ^ b) & f.sign();
    match (unpack(f, a), unpack(f, b)) {
        (
            Number::Finite { mantissa: am, exponent: ae, .. },
            Number::Finite { mantissa: bm, exponent: be, .. },
        ) => {
            if bm == 0 {
                return if am == 0 { f.nan() } else { sign | f.infinity() };
            }
            let (am, ae) = if am == 0 { (0, 0) } else { normalise(am, ae) };
            let (quotient, rest) = (am / bm, am % bm);
            pack(f, sign != 0, quotient, ae - be, rest != 0, mode)
        }
        (Number::Nan, _) | (_, Number::Nan) | (Number::Infinite { .. }, Number::Infinite { .. }) => f.nan(),
        (Number::Infinite { .. }, _) => sign | f.infinity(),
        _ => sign,
    }
}

/// Square root; of a number below zero the format's NaN.
pub(crate) fn sqrt(f: Format, a: u64, mode: Rounding) -> u64 {
    match unpack(f, a) {
        Number::Finite { mantissa: 0, .. } | Number::Infinite { negative: false } => a,
        Number::Finite { negative: false, mantissa, exponent } => {
            let (mut mantissa, mut exponent) = normalise(mantissa, exponent);
            if exponent & 1 != 0 {
                mantissa <<= 1;
                exponent -= 1;
            }
            let root = mantissa.isqrt();
            pack(f, false, root, exponent / 2, root * root != mantissa, mode)
        }
        _ => f.nan(),
    }
}

/// Changes format; a NaN becomes the NaN of the new format.
pub(crate) fn convert(from: Format, to: Format, a: u64, mode: Rounding) -> u64 {
    match unpack(from, a) {
        Number::Finite { negative, mantissa, exponent } => {
            pack(to, negative, mantissa, exponent, false, mode)
        }
        Number::Infinite { negative } => to.infinity() | if negative { to.sign() } else { 0 },
        Number::Nan => to.nan(),
    }
}

/// An integer as a floating-point number.
pub(crate) fn from_integer(to: Format, negative: bool, magnitude: u64, mode: Rounding) -> u64 {
    pack(to, negative, u128::from(magnitude), 0, false, mode)
}

/// Rounds to an integral value of the same format; a NaN becomes the format's NaN.
pub(crate) fn to_integral(f: Format, a: u64, mode: Rounding) -> u64 {
    match unpack(f, a) {
        Number::Finite { negative, mantissa, exponent } if exponent < 0 => {
            let (whole, half, rest) = cut(mantissa, exponent.unsigned_abs());
            let up = rounds_up(mode, negative, whole & 1 != 0, half, rest);
            pack(f, negative, whole + u128::from(up), 0, false, Rounding::Rn)
        }
        Number::Nan => f.nan(),
        _ => a,
    }
}

/// Rounds to an integer and clamps it to `bits` (at most 64) bits; `None` for a NaN.
pub(crate) fn to_integer(f: Format, a: u64, signed: bool, bits: u32, mode: Rounding) -> Option<u64> {
    let (low, high): (i128, i128) =
        if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let value = match unpack(f, to_integral(f, a, mode)) {
        Number::Finite { negative, mantissa, exponent } => {
            let magnitude = if mantissa == 0 {
                0
            } else if exponent > 70 {
                i128::from(u64::MAX)
            } else if exponent >= 0 {
                (mantissa << exponent) as i128
            } else {
                cut(mantissa, exponent.unsigned_abs()).0 as i128
            };
            if negative { -magnitude } else { magnitude }
        }
        Number::Infinite { negative: true } => low,
        Number::Infinite { negative: false } => high,
        Number::Nan => return None,
    };
    Some(value.clamp(low, high) as u64)
}
