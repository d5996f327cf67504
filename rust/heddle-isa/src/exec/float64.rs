//! Double-precision arithmetic.
//!
//! Round-to-nearest-even uses the host's arithmetic; other roundings are exact by [`crate::soft`]. A
//! NaN operand is passed on with its payload, quieted, the first operand's first (the PTX ISA says
//! that double precision keeps payloads, not which); other NaN results are `0xfff8000000000000`.

use heddle_port::NUM_LANES;

use super::operand::{Sources, WideData, put_wide};
use super::{ExecError, Outputs, approx, unsupported};
use crate::modifiers::{Alu, Mods};
use crate::soft;
use crate::types::{Rounding, Type};

#[inline(always)]
fn float(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// `result`, or where it is NaN the NaN that the operands determine.
#[inline(always)]
fn settle(result: f64, operands: &[u64]) -> u64 {
    if result.is_nan() { chosen(operands) } else { result.to_bits() }
}

#[cold]
fn chosen(operands: &[u64]) -> u64 {
    operands.iter().find(|&&bits| float(bits).is_nan()).map_or(soft::NAN64, |bits| bits | soft::QUIET64)
}

/// As [`settle`], for bits.
#[inline(always)]
fn settle_bits(result: u64, operands: &[u64]) -> u64 {
    settle(float(result), operands)
}

#[inline(always)]
fn fused(a: &WideData, b: &WideData, c: &WideData) -> WideData {
    let mut out = [0; NUM_LANES];
    for (((o, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *o = float(a).mul_add(float(b), float(c)).to_bits();
    }
    for (l, o) in out.iter_mut().enumerate() {
        *o = settle_bits(*o, &[a[l], b[l], c[l]]);
    }
    out
}

fn minimum(nan: bool, a: u64, b: u64) -> u64 {
    let (x, y) = (float(a), float(b));
    match (x.is_nan(), y.is_nan()) {
        (false, false) if x < y || (x == y && a >> 63 != 0) => a,
        (false, false) => b,
        (true, false) if !nan => b,
        (false, true) if !nan => a,
        _ => chosen(&[a, b]),
    }
}

fn maximum(nan: bool, a: u64, b: u64) -> u64 {
    let (x, y) = (float(a), float(b));
    if x.is_nan() || y.is_nan() {
        minimum(nan, a, b)
    } else if x > y || (x == y && a >> 63 == 0) {
        a
    } else {
        b
    }
}

/// Clamps to `[+0, 1]`, NaN to +0.
fn saturate(bits: u64) -> u64 {
    let value = float(bits);
    if value > 0.0 { value.min(1.0).to_bits() } else { 0 }
}

/// Executes `op` on `f64`.
#[inline(always)]
pub(super) fn execute(op: Alu, mods: &Mods, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    const SIGN: u64 = 1 << 63;
    const ONE: u64 = 1.0f64.to_bits();
    let mode = mods.rounding.unwrap_or(Rounding::Rn);
    let nearest = mode == Rounding::Rn;
    let a = s.wide(0)?;
    let o = &mut out.values;
    match op {
        Alu::Abs => put_wide(o, |l| a[l] & !SIGN),
        Alu::Neg => put_wide(o, |l| a[l] ^ SIGN),
        Alu::Rcp if mods.approx => put_wide(o, |l| approx::upper(a[l], |x| 1.0 / x)),
        Alu::Rcp if nearest => put_wide(o, |l| settle(1.0 / float(a[l]), &[a[l]])),
        Alu::Rcp => put_wide(o, |l| settle_bits(soft::div(soft::F64, ONE, a[l], mode), &[a[l]])),
        Alu::Sqrt if nearest => put_wide(o, |l| settle(float(a[l]).sqrt(), &[a[l]])),
        Alu::Sqrt => put_wide(o, |l| settle_bits(soft::sqrt(soft::F64, a[l], mode), &[a[l]])),
        Alu::Rsqrt if mods.ftz => put_wide(o, |l| approx::upper(a[l], |x| 1.0 / x.sqrt())),
        Alu::Rsqrt => put_wide(o, |l| settle(1.0 / float(a[l]).sqrt(), &[a[l]])),
        Alu::Fma | Alu::Mad => {
            let (b, c) = (s.wide(1)?, s.wide(2)?);
            let result = if nearest {
                fused(&a, &b, &c)
            } else {
                std::array::from_fn(|l| {
                    let result = soft::fma(soft::F64, a[l], b[l], c[l], mode);
                    settle_bits(result, &[a[l], b[l], c[l]])
                })
            };
            put_wide(o, |l| if mods.sat { saturate(result[l]) } else { result[l] });
        }
        _ => {
            let b = s.wide(1)?;
            let native = |f: fn(f64, f64) -> f64| -> WideData {
                std::array::from_fn(|l| settle(f(float(a[l]), float(b[l])), &[a[l], b[l]]))
            };
            let exact = |f: fn(soft::Format, u64, u64, Rounding) -> u64, flip: u64| -> WideData {
                std::array::from_fn(|l| settle_bits(f(soft::F64, a[l], b[l] ^ flip, mode), &[a[l], b[l]]))
            };
            let result = match (op, nearest) {
                (Alu::Add, true) => native(|a, b| a + b),
                (Alu::Sub, true) => native(|a, b| a - b),
                (Alu::Mul, true) => native(|a, b| a * b),
                (Alu::Div, true) => native(|a, b| a / b),
                (Alu::Add, false) => exact(soft::add, 0),
                (Alu::Sub, false) => exact(soft::add, SIGN),
                (Alu::Mul, false) => exact(soft::mul, 0),
                (Alu::Div, false) => exact(soft::div, 0),
                (Alu::Min, _) => std::array::from_fn(|l| minimum(mods.nan, a[l], b[l])),
                (Alu::Max, _) => std::array::from_fn(|l| maximum(mods.nan, a[l], b[l])),
                (Alu::Copysign, _) => std::array::from_fn(|l| (a[l] & SIGN) | (b[l] & !SIGN)),
                _ => return Err(unsupported(&op, Type::F64)),
            };
            put_wide(o, |l| if mods.sat { saturate(result[l]) } else { result[l] });
        }
    }
    Ok(())
}

/// The sum of an atomic addition.
pub(super) fn add(a: u64, b: u64) -> u64 {
    settle(float(a) + float(b), &[a, b])
}
