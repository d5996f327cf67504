//! Video instructions, as the pseudo-code of the PTX ISA defines them.
//!
//! A result has 34 bits before anything else happens to it, so a shift to the left loses what lies above
//! them, also before a saturation. A secondary minimum or maximum compares the whole of the result with the
//! third operand, which is extended by the sign of the operation's type.

use heddle_port::NUM_LANES;

use super::operand::{Sources, word};
use super::{ExecError, Outputs, unsupported};
use crate::modifiers::{Alu, Mods};
use crate::types::{Cmp, Type};
use crate::video::{Elements, Part, Selection, Then, Video, VideoForm, VideoMad, VideoOp};

/// The low `bits` bits as a number.
#[inline(always)]
fn number(signed: bool, bits: u32, value: u32) -> i64 {
    let above = 32 - bits;
    if signed { i64::from((value << above) as i32 >> above) } else { i64::from(value << above >> above) }
}

#[inline(always)]
fn part_of(signed: bool, part: Part, word: u32) -> i64 {
    number(signed, part.bits(), word >> part.from())
}

#[inline(always)]
fn clamp(signed: bool, bits: u32, value: i128) -> i128 {
    let top = 1i128 << bits;
    if signed { value.clamp(-top / 2, top / 2 - 1) } else { value.clamp(0, top - 1) }
}

/// The result of one pair of parts; `None` for a comparison of floats.
#[inline(always)]
fn compute(op: VideoOp, a: i64, b: i64) -> Option<i64> {
    let amount = |wrap: bool| if wrap { b & 31 } else { b.min(32) };
    Some(match op {
        VideoOp::Add => a + b,
        VideoOp::Sub => a - b,
        VideoOp::AbsDiff => (a - b).abs(),
        VideoOp::Average => (a + b + i64::from(a + b >= 0)) >> 1,
        VideoOp::Min => a.min(b),
        VideoOp::Max => a.max(b),
        VideoOp::Set(cmp) => i64::from(match cmp {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
            _ => return None,
        }),
        VideoOp::Shl { wrap } => a << amount(wrap) << 30 >> 30,
        VideoOp::Shr { wrap } => a >> amount(wrap),
        VideoOp::Mad(_) => return None,
    })
}

/// Product of two parts plus `c`.
#[inline(always)]
fn multiply_add(mad: VideoMad, sat: bool, signed: bool, a: i64, b: i64, c: u32) -> u32 {
    let signed = signed || mad.negate_product || mad.negate_addend;
    let addend = |c: u32| i128::from(number(signed, 32, c));
    let product = i128::from(a) * i128::from(b);
    let sum = match mad {
        VideoMad { plus_one: true, .. } => product + addend(c) + 1,
        VideoMad { negate_product: true, .. } => addend(c) - product,
        // The complement plus one, so that the most negative number stays what it is.
        VideoMad { negate_addend: true, .. } => product + addend(!c) + 1,
        _ => product + addend(c),
    };
    let scaled = sum >> mad.scale.bits();
    (if sat { clamp(signed, 32, scaled) } else { scaled }) as u32
}

/// What becomes of a result.
#[inline(always)]
fn finish(then: Then, signed: bool, result: i64, c: u32) -> u32 {
    let third = number(signed, 32, c);
    match then {
        Then::Nothing => result as u32,
        Then::Add => (result + third) as u32,
        Then::Min => result.min(third) as u32,
        Then::Max => result.max(third) as u32,
        Then::Merge(part) => {
            let mask = (u32::MAX >> (32 - part.bits())) << part.from();
            ((result as u32) << part.from() & mask) | (c & !mask)
        }
    }
}

#[inline(always)]
fn lane(video: &Video, ty: Type, sat: bool, [a, b, c]: [u32; 3]) -> Option<u32> {
    let (signs, signed) = (video.signs, ty.is_signed());
    let saturate = |bits: u32, value: i64| {
        if sat { clamp(signed, bits, value.into()) as i64 } else { value }
    };
    match video.form {
        VideoForm::Scalar { first, second, then } => {
            let (x, y) = (part_of(signs.first, first, a), part_of(signs.second, second, b));
            if let VideoOp::Mad(mad) = video.op {
                return Some(multiply_add(mad, sat, signs.first || signs.second, x, y, c));
            }
            let bits = if let Then::Merge(part) = then { part.bits() } else { 32 };
            Some(finish(then, signed, saturate(bits, compute(video.op, x, y)?), c))
        }
        VideoForm::Simd { elements, first, second, mask, accumulate } => {
            let mut result = c;
            for i in (0..elements.count()).filter(|i| mask >> i & 1 != 0) {
                let x = pick(signs.first, elements, first, i, [a, b]);
                let y = pick(signs.second, elements, second, i, [a, b]);
                let part = elements.part(i);
                let value = saturate(part.bits(), compute(video.op, x, y)?);
                if accumulate {
                    result = result.wrapping_add(value as u32);
                } else {
                    result = finish(Then::Merge(part), signed, value, result);
                }
            }
            Some(result)
        }
    }
}

/// The element of both operands that result `i` takes.
#[inline(always)]
fn pick(signed: bool, elements: Elements, selection: Selection, i: u8, words: [u32; 2]) -> i64 {
    let index = selection.part(i) % (2 * elements.count());
    part_of(signed, elements.part(index), words[usize::from(index / elements.count())])
}

/// Executes a video instruction.
#[inline(never)]
pub(super) fn execute(
    video: &Video,
    ty: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    if !matches!(ty, Type::U32 | Type::S32) {
        return Err(unsupported(&Alu::Video(*video), ty));
    }
    word!(a, s, 0, ty);
    word!(b, s, 1, ty);
    let c = if video.has_third() { s.copied(2, ty)? } else { [0; NUM_LANES] };
    for (i, o) in out.values[0].iter_mut().enumerate() {
        *o = lane(video, ty, mods.sat, [a[i], b[i], c[i]])
            .ok_or_else(|| unsupported(&Alu::Video(*video), ty))?;
    }
    Ok(())
}
