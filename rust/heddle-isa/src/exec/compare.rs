//! Comparisons, selection and predicate logic.

use heddle_port::{LaneData, NUM_LANES};

use super::operand::{Sources, WideData, lanes_where, put_wide, word};
use super::{ExecError, Outputs, float32, half, unsupported};
use crate::modifiers::{FloatTest, PredAlu};
use crate::soft;
use crate::types::{BoolOp, Cmp, Rounding, Type};

#[inline(always)]
fn combined(combine: Option<BoolOp>, mask: u32, s: &Sources<'_>) -> Result<u32, ExecError> {
    Ok(match combine {
        None => mask,
        Some(BoolOp::And) => mask & s.pred(0)?,
        Some(BoolOp::Or) => mask | s.pred(0)?,
        Some(BoolOp::Xor) => mask ^ s.pred(0)?,
    })
}

/// Lanes in which an integer comparison holds; `None` for comparisons that integers do not have.
#[inline(always)]
fn integers<T: Copy + Ord>(cmp: Cmp, get: impl Fn(usize) -> (T, T)) -> Option<u32> {
    Some(match cmp {
        Cmp::Eq | Cmp::Equ => lanes_where(|l| get(l).0 == get(l).1),
        Cmp::Ne | Cmp::Neu => lanes_where(|l| get(l).0 != get(l).1),
        Cmp::Lt | Cmp::Ltu => lanes_where(|l| get(l).0 < get(l).1),
        Cmp::Le | Cmp::Leu => lanes_where(|l| get(l).0 <= get(l).1),
        Cmp::Gt | Cmp::Gtu => lanes_where(|l| get(l).0 > get(l).1),
        Cmp::Ge | Cmp::Geu => lanes_where(|l| get(l).0 >= get(l).1),
        Cmp::Num | Cmp::Nan => return None,
    })
}

/// Lanes in which a floating-point comparison holds.
// The negated comparisons are the unordered forms, true for NaN.
#[allow(clippy::neg_cmp_op_on_partial_ord)]
#[inline(always)]
fn floats<T: Copy + PartialOrd>(cmp: Cmp, get: impl Fn(usize) -> (T, T)) -> u32 {
    let ordered = |a: T, b: T| a.partial_cmp(&b).is_some();
    match cmp {
        Cmp::Eq => lanes_where(|l| get(l).0 == get(l).1),
        Cmp::Ne => lanes_where(|l| get(l).0 != get(l).1 && ordered(get(l).0, get(l).1)),
        Cmp::Lt => lanes_where(|l| get(l).0 < get(l).1),
        Cmp::Le => lanes_where(|l| get(l).0 <= get(l).1),
        Cmp::Gt => lanes_where(|l| get(l).0 > get(l).1),
        Cmp::Ge => lanes_where(|l| get(l).0 >= get(l).1),
        Cmp::Equ => lanes_where(|l| get(l).0 == get(l).1 || !ordered(get(l).0, get(l).1)),
        Cmp::Neu => lanes_where(|l| get(l).0 != get(l).1),
        Cmp::Ltu => lanes_where(|l| !(get(l).0 >= get(l).1)),
        Cmp::Leu => lanes_where(|l| !(get(l).0 > get(l).1)),
        Cmp::Gtu => lanes_where(|l| !(get(l).0 <= get(l).1)),
        Cmp::Geu => lanes_where(|l| !(get(l).0 < get(l).1)),
        Cmp::Num => lanes_where(|l| ordered(get(l).0, get(l).1)),
        Cmp::Nan => lanes_where(|l| !ordered(get(l).0, get(l).1)),
    }
}

fn half_format(cmp: Cmp, ty: Type) -> Result<soft::Format, ExecError> {
    half::format(ty).ok_or_else(|| unsupported(&("setp", cmp), ty))
}

/// The 16-bit floats at bit `shift` of each lane, in single precision.
fn halves(f: soft::Format, ftz: bool, lanes: &LaneData, shift: u32) -> [f32; NUM_LANES] {
    lanes.map(|x| {
        let x = half::flush(f, ftz, (x >> shift) as u16);
        f32::from_bits(soft::convert(f, soft::F32, x.into(), Rounding::Rn) as u32)
    })
}

/// As [`compare`], for the lower and the upper halves of packed floats.
fn compare_packed(cmp: Cmp, ty: Type, ftz: bool, s: &Sources<'_>) -> Result<[u32; 2], ExecError> {
    let f = half_format(cmp, ty)?;
    let (a, b) = (s.copied(0, ty)?, s.copied(1, ty)?);
    Ok([0, 16].map(|shift| {
        let (a, b) = (halves(f, ftz, &a, shift), halves(f, ftz, &b, shift));
        floats(cmp, |l| (a[l], b[l]))
    }))
}

fn is_packed(ty: Type) -> bool {
    matches!(ty, Type::F16x2 | Type::Bf16x2)
}

/// Lanes in which `srcs[0] cmp srcs[1]` holds.
#[inline(always)]
fn compare(cmp: Cmp, ty: Type, ftz: bool, s: &Sources<'_>) -> Result<u32, ExecError> {
    let mask = match ty {
        Type::F32 => {
            word!(a, s, 0, ty);
            word!(b, s, 1, ty);
            if ftz {
                let (a, b) = (a.map(float32::flush), b.map(float32::flush));
                Some(floats(cmp, |l| (f32::from_bits(a[l]), f32::from_bits(b[l]))))
            } else {
                Some(floats(cmp, |l| (f32::from_bits(a[l]), f32::from_bits(b[l]))))
            }
        }
        Type::F16 | Type::Bf16 => {
            let f = half_format(cmp, ty)?;
            let (a, b) = (halves(f, ftz, &s.copied(0, ty)?, 0), halves(f, ftz, &s.copied(1, ty)?, 0));
            Some(floats(cmp, |l| (a[l], b[l])))
        }
        Type::F64 => {
            let (a, b): (WideData, WideData) = (s.wide(0)?, s.wide(1)?);
            Some(floats(cmp, |l| (f64::from_bits(a[l]), f64::from_bits(b[l]))))
        }
        Type::Pred | Type::F16x2 | Type::Bf16x2 | Type::Tf32 | Type::B128 => None,
        _ if ty.bits() == 64 => {
            let (a, b) = (s.wide(0)?, s.wide(1)?);
            if ty.is_signed() {
                integers(cmp, |l| (a[l] as i64, b[l] as i64))
            } else {
                integers(cmp, |l| (a[l], b[l]))
            }
        }
        _ => {
            word!(a, s, 0, ty);
            word!(b, s, 1, ty);
            if ty.is_signed() {
                integers(cmp, |l| (a[l] as i32, b[l] as i32))
            } else {
                integers(cmp, |l| (a[l], b[l]))
            }
        }
    };
    mask.ok_or_else(|| unsupported(&("setp", cmp), ty))
}

/// `setp`.
#[inline(always)]
pub(super) fn setp(
    cmp: Cmp,
    ty: Type,
    ftz: bool,
    combine: Option<BoolOp>,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    if is_packed(ty) {
        let [low, high] = compare_packed(cmp, ty, ftz, s)?;
        out.preds = [combined(combine, low, s)?, combined(combine, high, s)?];
        return Ok(());
    }
    let mask = compare(cmp, ty, ftz, s)?;
    out.preds = [combined(combine, mask, s)?, combined(combine, !mask, s)?];
    Ok(())
}

/// What `set` writes where the comparison holds: 1.0 of a float, all ones of an integer.
fn true_value(cmp: Cmp, to: Type) -> Result<u32, ExecError> {
    Ok(match to {
        Type::F32 => 1.0f32.to_bits(),
        Type::F16 | Type::F16x2 => 0x3c00,
        Type::Bf16 | Type::Bf16x2 => 0x3f80,
        Type::U16 => 0xffff,
        Type::U32 | Type::S32 | Type::B32 | Type::S16 => u32::MAX,
        _ => return Err(unsupported(&("set", cmp), to)),
    })
}

/// `set`: [`true_value`] where the comparison holds, else zero; by halves where the sources are packed.
#[inline(always)]
pub(super) fn set(
    cmp: Cmp,
    (ty, to): (Type, Type),
    ftz: bool,
    combine: Option<BoolOp>,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let value = true_value(cmp, to)?;
    let parts: &[(u32, u32)] = if is_packed(ty) {
        let [low, high] = compare_packed(cmp, ty, ftz, s)?;
        &[(low, value & 0xffff), (high, value << 16)]
    } else {
        &[(compare(cmp, ty, ftz, s)?, value)]
    };
    out.values[0].fill(0);
    for &(mask, value) in parts {
        let mask = combined(combine, mask, s)?;
        for (lane, out) in out.values[0].iter_mut().enumerate() {
            *out |= if mask >> lane & 1 != 0 { value } else { 0 };
        }
    }
    Ok(())
}

/// Whether a float of the given exponent and fraction has the property; `exponent` is all ones for
/// infinities and NaN.
fn has_property(test: FloatTest, exponent_zero: bool, exponent_ones: bool, fraction_zero: bool) -> bool {
    match test {
        FloatTest::Finite => !exponent_ones,
        FloatTest::Infinite => exponent_ones && fraction_zero,
        FloatTest::Number => !exponent_ones || fraction_zero,
        FloatTest::NotANumber => exponent_ones && !fraction_zero,
        // Zero is normal (PTX ISA, testp).
        FloatTest::Normal => !exponent_ones && (!exponent_zero || fraction_zero),
        FloatTest::Subnormal => exponent_zero && !fraction_zero,
    }
}

/// `testp`.
pub(super) fn testp(test: FloatTest, ty: Type, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let (f, bits) = match ty {
        Type::F32 => (soft::F32, s.copied(0, ty)?.map(u64::from)),
        Type::F64 => (soft::F64, s.wide(0)?),
        _ => return Err(unsupported(&("testp", test), ty)),
    };
    out.preds[0] = lanes_where(|l| {
        let exponent = bits[l] & f.infinity();
        let fraction_zero = bits[l] & ((1 << f.mantissa) - 1) == 0;
        has_property(test, exponent == 0, exponent == f.infinity(), fraction_zero)
    });
    Ok(())
}

/// `selp`.
#[inline(always)]
pub(super) fn selp(ty: Type, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let mask = s.pred(0)?;
    if ty.words() == 2 {
        let (a, b) = (s.wide(0)?, s.wide(1)?);
        put_wide(&mut out.values, |l| if mask >> l & 1 != 0 { a[l] } else { b[l] });
    } else {
        word!(a, s, 0, ty);
        word!(b, s, 1, ty);
        for (lane, value) in out.values[0].iter_mut().enumerate() {
            *value = if mask >> lane & 1 != 0 { a[lane] } else { b[lane] };
        }
    }
    Ok(())
}

/// Predicate logic.
#[inline(always)]
pub(super) fn logic(op: PredAlu, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let a = s.pred(0)?;
    out.preds[0] = match op {
        PredAlu::Mov => a,
        PredAlu::Not => !a,
        PredAlu::And => a & s.pred(1)?,
        PredAlu::Or => a | s.pred(1)?,
        PredAlu::Xor => a ^ s.pred(1)?,
    };
    Ok(())
}
