//! Single-precision arithmetic.
//!
//! Round-to-nearest-even uses the host's arithmetic, which is IEEE 754; other roundings are exact by
//! [`crate::soft`]. A NaN result is `0x7fffffff` (PTX ISA, floating-point instructions: single
//! precision does not keep payloads). With `.ftz` subnormal operands and results become zero of the
//! same sign; a result is subnormal if it is after rounding. `.sat` clamps to `[+0, 1]`, NaN to +0.

use heddle_port::LaneData;

use super::operand::{Sources, map1, map2, map3, word};
use super::{ExecError, Outputs, approx, unsupported};
use crate::modifiers::{Alu, Mods};
use crate::soft::{self, canonical};
use crate::types::{Rounding, Type};

/// Zero of the same sign for a subnormal.
#[inline(always)]
pub(super) fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// Clamps to `[+0, 1]`, NaN to +0.
#[inline(always)]
pub(super) fn saturate(bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    if value > 0.0 { value.min(1.0).to_bits() } else { 0 }
}

#[inline(always)]
fn before<const FTZ: bool>(bits: u32) -> u32 {
    if FTZ { flush(bits) } else { bits }
}

#[inline(always)]
fn after<const FTZ: bool, const SAT: bool>(bits: u32) -> u32 {
    let bits = if FTZ { flush(bits) } else { bits };
    if SAT { saturate(bits) } else { bits }
}

/// Applies a function on bits with flushing and saturation around it; the flags are constants of the
/// loop so that it stays a vector loop.
macro_rules! with_modifiers {
    ($mods:expr, $map:ident, $out:expr, [$($operand:expr),+], |$($arg:ident),+| $body:expr) => {
        match ($mods.ftz, $mods.sat) {
            (false, false) => $map($out, $($operand,)+ |$($arg),+| $body),
            (true, false) => $map($out, $($operand,)+ |$($arg),+| {
                $(let $arg = before::<true>($arg);)+
                after::<true, false>($body)
            }),
            (false, true) => $map($out, $($operand,)+ |$($arg),+| after::<false, true>($body)),
            (true, true) => $map($out, $($operand,)+ |$($arg),+| {
                $(let $arg = before::<true>($arg);)+
                after::<true, true>($body)
            }),
        }
    };
}

#[inline(always)]
fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// PTX `min`: a NaN loses against a number unless `nan`; -0 is less than +0.
#[inline(always)]
fn minimum(nan: bool, a: u32, b: u32) -> u32 {
    let (x, y) = (float(a), float(b));
    if x.is_nan() || y.is_nan() {
        return if nan || (x.is_nan() && y.is_nan()) {
            soft::NAN32
        } else if x.is_nan() {
            b
        } else {
            a
        };
    }
    if x < y || (x == y && a >> 31 != 0) { a } else { b }
}

/// PTX `max`, by [`minimum`]'s rules.
#[inline(always)]
fn maximum(nan: bool, a: u32, b: u32) -> u32 {
    let (x, y) = (float(a), float(b));
    if x.is_nan() || y.is_nan() {
        return minimum(nan, a, b);
    }
    if x > y || (x == y && a >> 31 == 0) { a } else { b }
}

/// Minimum or maximum of the magnitudes with the product of the signs; a NaN has no sign.
fn xorsign(larger: bool, nan: bool, a: u32, b: u32) -> u32 {
    let (x, y) = (a & 0x7fff_ffff, b & 0x7fff_ffff);
    let magnitude = if larger { maximum(nan, x, y) } else { minimum(nan, x, y) };
    if magnitude == soft::NAN32 { magnitude } else { magnitude | ((a ^ b) & 0x8000_0000) }
}

/// Fused multiply-add of 32 lanes; one rounding, by an instruction or by the library.
#[inline(always)]
fn fused(out: &mut LaneData, a: &LaneData, b: &LaneData, c: &LaneData) {
    map3(out, a, b, c, |a, b, c| canonical(float(a).mul_add(float(b), float(c))));
}

/// Fused multiply-add with the modifiers of the instruction.
#[inline(always)]
fn fma(mods: &Mods, mode: Rounding, o: &mut LaneData, a: &LaneData, b: &LaneData, c: &LaneData) {
    if mode != Rounding::Rn {
        with_modifiers!(mods, map3, o, [a, b, c], |a, b, c| {
            soft::fma(soft::F32, a.into(), b.into(), c.into(), mode) as u32
        });
        return;
    }
    if mods.ftz {
        fused(o, &a.map(flush), &b.map(flush), &c.map(flush));
    } else {
        fused(o, a, b, c);
    }
    for lane in o.iter_mut().filter(|_| mods.ftz || mods.sat) {
        *lane = match (mods.ftz, mods.sat) {
            (true, true) => after::<true, true>(*lane),
            (true, false) => after::<true, false>(*lane),
            _ => after::<false, true>(*lane),
        };
    }
}

/// Executes `op` on `f32`.
#[inline(always)]
pub(super) fn execute(op: Alu, mods: &Mods, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let mode = mods.rounding.unwrap_or(Rounding::Rn);
    let nearest = mode == Rounding::Rn;
    let o = &mut out.values[0];
    word!(a, s, 0, Type::F32);
    match op {
        Alu::Abs => with_modifiers!(mods, map1, o, [a], |a| canonical(float(a & 0x7fff_ffff))),
        Alu::Neg => with_modifiers!(mods, map1, o, [a], |a| canonical(float(a ^ 0x8000_0000))),
        Alu::Rcp if mods.approx => {
            with_modifiers!(mods, map1, o, [a], |a| canonical(approx::rcp(float(a))))
        }
        Alu::Rcp if nearest => with_modifiers!(mods, map1, o, [a], |a| canonical(1.0 / float(a))),
        Alu::Rcp => with_modifiers!(mods, map1, o, [a], |a| {
            soft::div(soft::F32, 1.0f32.to_bits().into(), a.into(), mode) as u32
        }),
        Alu::Sqrt if mods.approx || nearest => {
            with_modifiers!(mods, map1, o, [a], |a| canonical(float(a).sqrt()));
        }
        Alu::Sqrt => {
            with_modifiers!(mods, map1, o, [a], |a| soft::sqrt(soft::F32, a.into(), mode) as u32)
        }
        Alu::Rsqrt => with_modifiers!(mods, map1, o, [a], |a| canonical(approx::rsqrt(float(a)))),
        Alu::Sin => with_modifiers!(mods, map1, o, [a], |a| canonical(approx::sin(float(a)))),
        Alu::Cos => with_modifiers!(mods, map1, o, [a], |a| canonical(approx::cos(float(a)))),
        Alu::Ex2 => with_modifiers!(mods, map1, o, [a], |a| canonical(approx::ex2(float(a)))),
        Alu::Lg2 => with_modifiers!(mods, map1, o, [a], |a| canonical(approx::lg2(float(a)))),
        Alu::Tanh => {
            with_modifiers!(mods, map1, o, [a], |a| canonical(approx::tanh(f64::from(float(a))) as f32));
        }
        Alu::Fma | Alu::Mad => {
            word!(b, s, 1, Type::F32);
            word!(c, s, 2, Type::F32);
            fma(mods, mode, o, a, b, c);
        }
        _ => {
            word!(b, s, 1, Type::F32);
            match (op, nearest) {
                (Alu::Add, true) => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| canonical(float(a) + float(b)));
                }
                (Alu::Sub, true) => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| canonical(float(a) - float(b)));
                }
                (Alu::Mul, true) => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| canonical(float(a) * float(b)));
                }
                (Alu::Div, _) if mods.approx && !mods.full => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| {
                        canonical(approx::div(float(a), float(b)))
                    });
                }
                (Alu::Div, true) => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| canonical(float(a) / float(b)));
                }
                (Alu::Add, false) => with_modifiers!(mods, map2, o, [a, b], |a, b| {
                    soft::add(soft::F32, a.into(), b.into(), mode) as u32
                }),
                (Alu::Sub, false) => with_modifiers!(mods, map2, o, [a, b], |a, b| {
                    let b = b ^ 0x8000_0000;
                    soft::add(soft::F32, a.into(), b.into(), mode) as u32
                }),
                (Alu::Mul, false) => with_modifiers!(mods, map2, o, [a, b], |a, b| {
                    soft::mul(soft::F32, a.into(), b.into(), mode) as u32
                }),
                (Alu::Div, false) => with_modifiers!(mods, map2, o, [a, b], |a, b| {
                    soft::div(soft::F32, a.into(), b.into(), mode) as u32
                }),
                (Alu::Min | Alu::Max, _) if mods.xorsign => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| xorsign(op == Alu::Max, mods.nan, a, b));
                }
                (Alu::Min, _) => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| minimum(mods.nan, a, b));
                }
                (Alu::Max, _) => {
                    with_modifiers!(mods, map2, o, [a, b], |a, b| maximum(mods.nan, a, b));
                }
                (Alu::Copysign, _) => {
                    map2(o, a, b, |a, b| (a & 0x8000_0000) | (b & 0x7fff_ffff));
                }
                _ => return Err(unsupported(&op, Type::F32)),
            }
        }
    }
    Ok(())
}
