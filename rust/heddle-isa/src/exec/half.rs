//! Half-precision arithmetic, single and packed, exact by [`super::soft`]. NaN results are `0x7fff`.

use super::operand::{Sources, word};
use super::{ExecError, Outputs, soft, unsupported};
use crate::op::{Alu, Mods};
use crate::types::{Rounding, Type};

const SIGN: u16 = 0x8000;

fn flush(ftz: bool, a: u16) -> u16 {
    if ftz && a & 0x7c00 == 0 { a & SIGN } else { a }
}

/// Order of two numbers as integers, -0 below +0.
fn key(a: u16) -> i32 {
    if a & SIGN != 0 { -i32::from(a & !SIGN) - 1 } else { i32::from(a) }
}

/// The smaller (or larger) operand; a NaN loses against a number unless `nan`.
fn extreme(larger: bool, nan: bool, a: u16, b: u16) -> u16 {
    let is_nan = |x: u16| soft::F16.is_nan(x.into());
    match (is_nan(a), is_nan(b)) {
        (false, false) if (key(a) > key(b)) == larger => a,
        (false, false) => b,
        (true, false) if !nan => b,
        (false, true) if !nan => a,
        _ => 0x7fff,
    }
}

fn saturate(a: u16) -> u16 {
    const ONE: u16 = 0x3c00;
    if a & SIGN != 0 || soft::F16.is_nan(a.into()) { 0 } else { a.min(ONE) }
}

fn lane(op: Alu, mods: &Mods, a: u16, b: u16, c: u16) -> Option<u16> {
    let [a, b, c] = [a, b, c].map(|x| flush(mods.ftz, x));
    let (x, y, z) = (u64::from(a), u64::from(b), u64::from(c));
    let quiet = |x: u16| {
        if soft::F16.is_nan(x.into()) { 0x7fff } else { x }
    };
    let result = match op {
        Alu::Add => soft::add(soft::F16, x, y, Rounding::Rn) as u16,
        Alu::Sub => soft::add(soft::F16, x, u64::from(b ^ SIGN), Rounding::Rn) as u16,
        Alu::Mul => soft::mul(soft::F16, x, y, Rounding::Rn) as u16,
        Alu::Fma | Alu::Mad => soft::fma(soft::F16, x, y, z, Rounding::Rn) as u16,
        Alu::Abs => quiet(a & !SIGN),
        Alu::Neg => quiet(a ^ SIGN),
        Alu::Min => extreme(false, mods.nan, a, b),
        Alu::Max => extreme(true, mods.nan, a, b),
        _ => return None,
    };
    let result = flush(mods.ftz, result);
    Some(if mods.sat { saturate(result) } else { result })
}

/// Executes `op` on `f16` or `f16x2`.
pub(super) fn execute(
    op: Alu,
    ty: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let operands = match op {
        Alu::Abs | Alu::Neg => 1,
        Alu::Fma | Alu::Mad => 3,
        _ => 2,
    };
    word!(a, s, 0, ty);
    word!(b, s, 1.min(operands - 1), ty);
    word!(c, s, operands - 1, ty);
    for l in 0..a.len() {
        let low = lane(op, mods, a[l] as u16, b[l] as u16, c[l] as u16);
        let high = if ty == Type::F16x2 {
            let upper = |x: u32| (x >> 16) as u16;
            lane(op, mods, upper(a[l]), upper(b[l]), upper(c[l]))
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
