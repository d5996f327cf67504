//! Less common operations on 32-bit words: permutation patterns, logic by truth table, masks, dot
//! products and 24-bit products, each as the PTX ISA defines it.

use super::operand::{Sources, map2, map3, word};
use super::{ExecError, Outputs, unsupported};
use crate::modifiers::{Alu, Mods, Permutation};
use crate::types::{Signs, Type};

/// `prmt` by pattern: byte `i` of the result is this byte of `{b, a}`.
fn permute(mode: Permutation, a: u32, b: u32, selector: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let k = selector & 3;
    (0..4).fold(0, |result, i: u32| {
        let byte = match mode {
            Permutation::F4e => k + i,
            Permutation::B4e => k.wrapping_sub(i) & 7,
            Permutation::Rc8 => k,
            Permutation::Ecl => k.max(i),
            Permutation::Ecr => k.min(i),
            Permutation::Rc16 => 2 * (k & 1) + (i & 1),
        };
        result | ((bytes >> (8 * byte)) as u32 & 0xff) << (8 * i)
    })
}

/// `lop3`: bit `4a + 2b + c` of the table, for each bit position.
fn by_table(table: u32, a: u32, b: u32, c: u32) -> u32 {
    (0..8).filter(|i| table >> i & 1 != 0).fold(0, |result, i| {
        let pick = |operand: u32, bit: u32| if i & bit != 0 { operand } else { !operand };
        result | (pick(a, 4) & pick(b, 2) & pick(c, 1))
    })
}

/// `bmsk`: `width` ones from `position` on.
fn bit_mask(wrap: bool, position: u32, width: u32) -> u32 {
    if !wrap && position >= 32 {
        return 0;
    }
    let (first, bits) = (position & 31, width & 31);
    let from = u32::MAX << first;
    let beyond = if first + bits >= 32 || (!wrap && width >= 32) { 0 } else { u32::MAX << (first + bits) };
    from & !beyond
}

/// `szext`: the low `bits` bits, extended.
fn extend_from(wrap: bool, signed: bool, a: u32, bits: u32) -> u32 {
    let kept = bits & 31;
    if !wrap && bits >= 32 {
        return a;
    }
    let above = u32::MAX << kept;
    let negative = signed && kept > 0 && a >> (kept - 1) & 1 != 0;
    (a & !above) | if negative { above } else { 0 }
}

/// `fns`: the position of the |offset|-th set bit from `base` on, upwards for a positive offset; all
/// ones where there is none. A base above 31 finds nothing.
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    const NONE: u32 = u32::MAX;
    if base > 31 {
        return NONE;
    }
    let set = |at: &u32| mask >> at & 1 != 0;
    let skipped = (offset.unsigned_abs() as usize).saturating_sub(1);
    match offset {
        0 => (base..=base).find(set),
        1.. => (base..32).filter(set).nth(skipped),
        _ => (0..=base).rev().filter(set).nth(skipped),
    }
    .unwrap_or(NONE)
}

/// Byte `i` of a word as a number.
fn byte(signed: bool, word: u32, i: u32) -> i32 {
    let byte = (word >> (8 * i)) as u8;
    if signed { i32::from(byte as i8) } else { i32::from(byte) }
}

/// Half-word `i` of a word as a number.
fn half(signed: bool, word: u32, i: u32) -> i32 {
    let half = (word >> (16 * i)) as u16;
    if signed { i32::from(half as i16) } else { i32::from(half) }
}

fn dot4(signs: Signs, a: u32, b: u32, c: u32) -> u32 {
    (0..4).fold(c, |sum, i| sum.wrapping_add((byte(signs.first, a, i) * byte(signs.second, b, i)) as u32))
}

fn dot2(signs: Signs, high: bool, a: u32, b: u32, c: u32) -> u32 {
    let from = if high { 2 } else { 0 };
    (0..2).fold(c, |sum, i| {
        sum.wrapping_add((half(signs.first, a, i) * byte(signs.second, b, from + i)) as u32)
    })
}

/// The low 32 bits, or bits 16 to 47, of the product of the low 24 bits.
fn product24(signed: bool, high: bool, a: u32, b: u32) -> u32 {
    let number = |x: u32| {
        if signed { i64::from((x << 8) as i32 >> 8) } else { i64::from(x & 0xff_ffff) }
    };
    let product = number(a) * number(b);
    (if high { product >> 16 } else { product }) as u32
}

/// Executes one of these operations.
pub(super) fn execute(
    op: Alu,
    ty: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    if ty.bits() != 32 || ty.is_float() {
        return Err(unsupported(&op, ty));
    }
    let signed = ty.is_signed();
    let o = &mut out.values[0];
    word!(a, s, 0, ty);
    word!(b, s, 1, ty);
    match op {
        Alu::Bmsk => map2(o, a, b, |a, b| bit_mask(mods.alternate, a, b)),
        Alu::Szext => map2(o, a, b, |a, b| extend_from(mods.alternate, signed, a, b)),
        Alu::Mul24 { high } => map2(o, a, b, |a, b| product24(signed, high, a, b)),
        _ => {
            word!(c, s, 2, ty);
            match op {
                Alu::PrmtMode(mode) => map3(o, a, b, c, |a, b, c| permute(mode, a, b, c)),
                Alu::Fns => map3(o, a, b, c, |a, b, c| nth_set(a, b, c as i32)),
                Alu::Dp4a(signs) => map3(o, a, b, c, |a, b, c| dot4(signs, a, b, c)),
                Alu::Dp2a { signs, high } => map3(o, a, b, c, |a, b, c| dot2(signs, high, a, b, c)),
                Alu::Mad24 { high } if mods.sat => map3(o, a, b, c, |a, b, c| {
                    (product24(signed, high, a, b) as i32).saturating_add(c as i32) as u32
                }),
                Alu::Mad24 { high } => {
                    map3(o, a, b, c, |a, b, c| product24(signed, high, a, b).wrapping_add(c));
                }
                Alu::Lop3 => {
                    let table = s.copied(3, Type::B32)?[0];
                    map3(o, a, b, c, |a, b, c| by_table(table, a, b, c));
                }
                _ => return Err(unsupported(&op, ty)),
            }
        }
    }
    Ok(())
}
