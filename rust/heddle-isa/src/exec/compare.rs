//! Comparisons, selection and predicate logic.

use super::operand::{Sources, WideData, lanes_where, put_wide, word};
use super::{ExecError, Outputs, float32, soft, unsupported};
use crate::op::PredAlu;
use crate::types::{BoolOp, Cmp, Rounding, Type};

fn combined(combine: Option<BoolOp>, mask: u32, s: &Sources<'_>) -> Result<u32, ExecError> {
    Ok(match combine {
        None => mask,
        Some(BoolOp::And) => mask & s.pred(0)?,
        Some(BoolOp::Or) => mask | s.pred(0)?,
        Some(BoolOp::Xor) => mask ^ s.pred(0)?,
    })
}

/// Lanes in which an integer comparison holds; `None` for comparisons that integers do not have.
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

/// Lanes in which `srcs[0] cmp srcs[1]` holds.
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
        Type::F16 => {
            let single = |lanes: heddle_port::LaneData| {
                lanes.map(|x| {
                    let x = if ftz && x & 0x7c00 == 0 { x & 0x8000 } else { x };
                    let bits = soft::convert(soft::F16, soft::F32, x.into(), Rounding::Rn);
                    f32::from_bits(bits as u32)
                })
            };
            let (a, b) = (single(s.copied(0, ty)?), single(s.copied(1, ty)?));
            Some(floats(cmp, |l| (a[l], b[l])))
        }
        Type::F64 => {
            let (a, b): (WideData, WideData) = (s.wide(0)?, s.wide(1)?);
            Some(floats(cmp, |l| (f64::from_bits(a[l]), f64::from_bits(b[l]))))
        }
        Type::Pred | Type::F16x2 => None,
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
pub(super) fn setp(
    cmp: Cmp,
    ty: Type,
    ftz: bool,
    combine: Option<BoolOp>,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let mask = compare(cmp, ty, ftz, s)?;
    out.preds = [combined(combine, mask, s)?, combined(combine, !mask, s)?];
    Ok(())
}

/// `set`: all ones (1.0 for a float destination) where the comparison holds, else zero.
pub(super) fn set(
    cmp: Cmp,
    (ty, to): (Type, Type),
    ftz: bool,
    combine: Option<BoolOp>,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let mask = combined(combine, compare(cmp, ty, ftz, s)?, s)?;
    let set = match to {
        Type::F32 => 1.0f32.to_bits(),
        Type::U32 | Type::S32 | Type::B32 => u32::MAX,
        _ => return Err(unsupported(&("set", cmp), to)),
    };
    for (lane, value) in out.values[0].iter_mut().enumerate() {
        *value = if mask >> lane & 1 != 0 { set } else { 0 };
    }
    Ok(())
}

/// `selp`.
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
