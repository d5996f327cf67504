//! Half precision and brain float, single and packed, exact by [`crate::soft`]. NaN results are
//! `0x7fff`. `ex2` and `tanh` are evaluated in double precision and rounded once.

use super::operand::{Sources, word};
use super::{ExecError, Outputs, approx, unsupported};
use crate::modifiers::{Alu, Mods};
use crate::soft;
use crate::types::{Rounding, Type};

const SIGN: u16 = 0x8000;
const NAN: u16 = 0x7fff;

/// The format of the lanes or halves of a type, if they have 16 bits.
pub(super) fn format(ty: Type) -> Option<soft::Format> {
    match ty {
        Type::F16 | Type::F16x2 => Some(soft::F16),
        Type::Bf16 | Type::Bf16x2 => Some(soft::BF16),
        _ => None,
    }
}

/// Zero of the same sign for a subnormal.
pub(super) fn flush(f: soft::Format, ftz: bool, a: u16) -> u16 {
    if ftz && u64::from(a) & f.infinity() == 0 { a & SIGN } else { a }
}

/// Order of two numbers as integers, -0 below +0.
fn key(a: u16) -> i32 {
    if a & SIGN != 0 { -i32::from(a & !SIGN) - 1 } else { i32::from(a) }
}

/// The smaller (or larger) operand; a NaN loses against a number unless `nan`.
fn extreme(f: soft::Format, larger: bool, nan: bool, a: u16, b: u16) -> u16 {
    let is_nan = |x: u16| f.is_nan(x.into());
    match (is_nan(a), is_nan(b)) {
        (false, false) if (key(a) > key(b)) == larger => a,
        (false, false) => b,
        (true, false) if !nan => b,
        (false, true) if !nan => a,
        _ => NAN,
    }
}

/// [`extreme`], by magnitudes and with the product of the signs where the modifier says so.
fn extremum(f: soft::Format, larger: bool, mods: &Mods, a: u16, b: u16) -> u16 {
    if !mods.xorsign {
        return extreme(f, larger, mods.nan, a, b);
    }
    let magnitude = extreme(f, larger, mods.nan, a & !SIGN, b & !SIGN);
    if magnitude == NAN { NAN } else { magnitude | ((a ^ b) & SIGN) }
}

fn saturate(f: soft::Format, a: u16) -> u16 {
    let one = soft::from_integer(f, false, 1, Rounding::Rn) as u16;
    if a & SIGN != 0 || f.is_nan(a.into()) { 0 } else { a.min(one) }
}

/// +0 for a negative number.
pub(super) fn rectify(f: soft::Format, a: u16) -> u16 {
    if a & SIGN != 0 && !f.is_nan(a.into()) { 0 } else { a }
}

/// A function of double precision, rounded once.
fn rounded(f: soft::Format, function: fn(f64) -> f64, a: u16) -> u16 {
    let x = f64::from_bits(soft::convert(f, soft::F64, a.into(), Rounding::Rn));
    soft::convert(soft::F64, f, function(x).to_bits(), Rounding::Rn) as u16
}

fn lane(f: soft::Format, op: Alu, mods: &Mods, a: u16, b: u16, c: u16) -> Option<u16> {
    let [a, b, c] = [a, b, c].map(|x| flush(f, mods.ftz, x));
    let (x, y, z) = (u64::from(a), u64::from(b), u64::from(c));
    let quiet = |x: u16| if f.is_nan(x.into()) { NAN } else { x };
    let result = match op {
        Alu::Add => soft::add(f, x, y, Rounding::Rn) as u16,
        Alu::Sub => soft::add(f, x, u64::from(b ^ SIGN), Rounding::Rn) as u16,
        Alu::Mul => soft::mul(f, x, y, Rounding::Rn) as u16,
        Alu::Fma | Alu::Mad => soft::fma(f, x, y, z, Rounding::Rn) as u16,
        Alu::Abs => quiet(a & !SIGN),
        Alu::Neg => quiet(a ^ SIGN),
        Alu::Min => extremum(f, false, mods, a, b),
        Alu::Max => extremum(f, true, mods, a, b),
        Alu::Ex2 => rounded(f, approx::exp2, a),
        Alu::Tanh => rounded(f, approx::tanh, a),
        _ => return None,
    };
    let result = flush(f, mods.ftz, result);
    let result = if mods.sat { saturate(f, result) } else { result };
    Some(if mods.relu { rectify(f, result) } else { result })
}

/// Executes `op` on a type of 16-bit floats.
pub(super) fn execute(
    op: Alu,
    ty: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let Some(f) = format(ty) else {
        return Err(unsupported(&op, ty));
    };
    let operands = match op {
        Alu::Abs | Alu::Neg | Alu::Ex2 | Alu::Tanh => 1,
        Alu::Fma | Alu::Mad => 3,
        _ => 2,
    };
    let packed = ty.bits() == 32;
    word!(a, s, 0, ty);
    word!(b, s, 1.min(operands - 1), ty);
    word!(c, s, operands - 1, ty);
    for l in 0..a.len() {
        let low = lane(f, op, mods, a[l] as u16, b[l] as u16, c[l] as u16);
        let high = if packed {
            let upper = |x: u32| (x >> 16) as u16;
            lane(f, op, mods, upper(a[l]), upper(b[l]), upper(c[l]))
        } else {
            Some(0)
        };
        let (Some(low), Some(high)) = (low, high) else {
            return Err(unsupported(&op, ty));
        };
        out.values[0][l] = u32::from(low) | u32::from(high) << 16;
    }
    Ok(())
}

/// The sum of an atomic addition, of each half where the type is packed; subnormals are kept.
pub(super) fn add(f: soft::Format, packed: bool, a: u64, b: u64) -> u64 {
    let low = soft::add(f, a & 0xffff, b & 0xffff, Rounding::Rn);
    if packed { low | soft::add(f, a >> 16 & 0xffff, b >> 16 & 0xffff, Rounding::Rn) << 16 } else { low }
}
