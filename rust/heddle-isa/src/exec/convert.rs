//! `cvt`.
//!
//! Without a rounding modifier a float becomes an integer by truncation and a float result is rounded
//! to nearest even. Conversions to integers clamp; NaN becomes 0, or the highest bit alone where
//! source or destination has 64 bits (PTX ISA, `cvt`).

use heddle_port::NUM_LANES;

use super::operand::{Sources, WideData, extend, map1, put_wide, word};
use super::{ExecError, Outputs, float32, half, unsupported};
use crate::modifiers::Mods;
use crate::soft;
use crate::types::{Rounding, Type};

/// A tf32 value stands in the upper bits of its register.
const TF32_SHIFT: u32 = soft::F32.mantissa - soft::TF32.mantissa;

fn format(ty: Type) -> Option<soft::Format> {
    match ty {
        Type::F16 => Some(soft::F16),
        Type::Bf16 => Some(soft::BF16),
        Type::Tf32 => Some(soft::TF32),
        Type::F32 => Some(soft::F32),
        Type::F64 => Some(soft::F64),
        _ => None,
    }
}

/// The source lanes as 64-bit values: integers extended by their sign, floats as their bits.
#[inline(always)]
fn source(from: Type, s: &Sources<'_>) -> Result<WideData, ExecError> {
    Ok(if from.words() == 2 {
        s.wide(0)?
    } else {
        let lanes = s.copied(0, from)?;
        if from.is_signed() { lanes.map(|x| x as i32 as i64 as u64) } else { lanes.map(u64::from) }
    })
}

fn integer_to_integer(to: Type, from: Type, sat: bool, value: u64) -> u64 {
    if !sat {
        return value;
    }
    let wide = if from.is_signed() { i128::from(value as i64) } else { i128::from(value) };
    let (low, high) = if to.is_signed() {
        (-(1i128 << (to.bits() - 1)), (1i128 << (to.bits() - 1)) - 1)
    } else {
        (0, (1i128 << to.bits()) - 1)
    };
    wide.clamp(low, high) as u64
}

fn float_to_integer(to: Type, from: Type, f: soft::Format, mode: Rounding, value: u64) -> u64 {
    let nan = if to.bits() == 64 || from == Type::F64 { 1 << (to.bits() - 1) } else { 0 };
    soft::to_integer(f, value, to.is_signed(), to.bits(), mode).unwrap_or(nan)
}

fn integer_to_float(f: soft::Format, signed: bool, mode: Rounding, value: u64) -> u64 {
    let negative = signed && (value as i64) < 0;
    let magnitude = if negative { value.wrapping_neg() } else { value };
    soft::from_integer(f, negative, magnitude, mode)
}

/// Zero of the same sign for a subnormal, where the flush modifier applies to the format.
fn flush(f: soft::Format, ftz: bool, bits: u64) -> u64 {
    if ftz && f == soft::F32 { float32::flush(bits as u32).into() } else { bits }
}

/// Clamps a float to `[+0, 1]`, NaN to +0.
fn saturate(f: soft::Format, bits: u64) -> u64 {
    let one = soft::from_integer(f, false, 1, Rounding::Rn);
    if bits & f.sign() != 0 || f.is_nan(bits) { 0 } else { bits.min(one) }
}

/// +0 for a negative number.
fn rectify(f: soft::Format, bits: u64) -> u64 {
    if bits & f.sign() != 0 && !f.is_nan(bits) { 0 } else { bits }
}

/// Two single-precision numbers to a packed pair of halves, the first to the upper half.
fn pack_halves(f: soft::Format, mods: &Mods, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let (upper, lower) = (s.copied(0, Type::F32)?, s.copied(1, Type::F32)?);
    let half = |bits: u32| float_to_float(soft::F32, f, mods, bits.into()) as u32;
    for (lane, value) in out.values[0].iter_mut().enumerate() {
        *value = half(upper[lane]) << 16 | half(lower[lane]);
    }
    Ok(())
}

fn float_to_float(ff: soft::Format, tf: soft::Format, mods: &Mods, value: u64) -> u64 {
    let mode = mods.rounding.unwrap_or(Rounding::Rn);
    let value = flush(ff, mods.ftz, value);
    let integral = matches!(mode, Rounding::Rni | Rounding::Rzi | Rounding::Rmi | Rounding::Rpi);
    let keeps_payload = ff == soft::F64 && tf == soft::F64 && ff.is_nan(value);
    let result = if keeps_payload {
        value | soft::QUIET64
    } else {
        let value = if integral { soft::to_integral(ff, value, mode) } else { value };
        soft::convert(ff, tf, value, mode)
    };
    let result = flush(tf, mods.ftz, result);
    let result = if mods.sat { saturate(tf, result) } else { result };
    if mods.relu { rectify(tf, result) } else { result }
}

#[inline(always)]
fn put(to: Type, out: &mut Outputs, f: impl Fn(usize) -> u64) {
    if to.words() == 2 {
        put_wide(&mut out.values, f);
    } else {
        for (lane, value) in out.values[0].iter_mut().enumerate() {
            *value = extend(to, f(lane) as u32);
        }
    }
}

/// The conversions that kernels use most, on the host's arithmetic; `false` where it is another.
#[inline(always)]
fn common(to: Type, from: Type, mods: &Mods, x: &WideData, out: &mut Outputs) -> bool {
    let nearest = matches!(mods.rounding, None | Some(Rounding::Rn));
    let truncated = matches!(mods.rounding, None | Some(Rounding::Rzi | Rounding::Rz));
    if mods.ftz || mods.sat {
        return false;
    }
    match (from, to) {
        (Type::S32, Type::F32) if nearest => put(to, out, |l| (x[l] as i64 as i32 as f32).to_bits().into()),
        (Type::U32, Type::F32) if nearest => put(to, out, |l| (x[l] as u32 as f32).to_bits().into()),
        (Type::S32, Type::F64) => put(to, out, |l| f64::from(x[l] as i32).to_bits()),
        (Type::U32, Type::F64) => put(to, out, |l| f64::from(x[l] as u32).to_bits()),
        (Type::F32, Type::S32) if truncated => {
            put(to, out, |l| f32::from_bits(x[l] as u32) as i32 as u32 as u64)
        }
        (Type::F32, Type::U32) if truncated => {
            put(to, out, |l| u64::from(f32::from_bits(x[l] as u32) as u32))
        }
        (Type::F32, Type::F64) if nearest => put(to, out, |l| {
            let value = f32::from_bits(x[l] as u32);
            if value.is_nan() { soft::NAN64 } else { f64::from(value).to_bits() }
        }),
        (Type::F64, Type::F32) if nearest => {
            put(to, out, |l| soft::canonical(f64::from_bits(x[l]) as f32).into())
        }
        _ => return false,
    }
    true
}

/// Executes a conversion. `tf32` is only a destination.
#[inline(always)]
pub(super) fn execute(
    to: Type,
    from: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    if let (Type::F16x2 | Type::Bf16x2, Type::F32, Some(f)) = (to, from, half::format(to)) {
        return pack_halves(f, mods, s, out);
    }
    for ty in [to, from] {
        if matches!(ty, Type::Pred | Type::F16x2 | Type::Bf16x2 | Type::B128) {
            return Err(unsupported(&"cvt", ty));
        }
    }
    if to.words() == 2 && from.words() == 1 && !to.is_float() && !from.is_float() && !mods.sat {
        word!(a, s, 0, from);
        let (low, high) = out.values.split_at_mut(1);
        low[0] = *a;
        if from.is_signed() {
            map1(&mut high[0], a, |a| ((a as i32) >> 31) as u32);
        } else {
            high[0] = [0; NUM_LANES];
        }
        return Ok(());
    }
    let x = source(from, s)?;
    if common(to, from, mods, &x, out) {
        return Ok(());
    }
    match (format(from), format(to)) {
        (None, None) => put(to, out, |l| integer_to_integer(to, from, mods.sat, x[l])),
        (None, Some(f)) => {
            let mode = mods.rounding.unwrap_or(Rounding::Rn);
            put(to, out, |l| {
                let result = integer_to_float(f, from.is_signed(), mode, x[l]);
                if mods.sat { saturate(f, result) } else { result }
            });
        }
        (Some(f), None) => {
            let mode = mods.rounding.unwrap_or(Rounding::Rzi);
            put(to, out, |l| float_to_integer(to, from, f, mode, flush(f, mods.ftz, x[l])));
        }
        (Some(ff), Some(tf)) if to == Type::Tf32 => put(to, out, |l| {
            let bits = float_to_float(ff, tf, mods, x[l]);
            // The NaN is that of single precision, all bits of the fraction set.
            if tf.is_nan(bits) { soft::NAN32.into() } else { bits << TF32_SHIFT }
        }),
        (Some(ff), Some(tf)) => put(to, out, |l| float_to_float(ff, tf, mods, x[l])),
    }
    Ok(())
}
