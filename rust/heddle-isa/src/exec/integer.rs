//! Integer arithmetic and logic of at most 32 bits.
//!
//! Narrower operands are extended to 32 bits, computed there, and the result is extended again from
//! the low bits. Division and remainder by zero give all ones, as the instruction sequences of the
//! hardware do; the quotient of the most negative value and -1 wraps and its remainder is 0.

use super::operand::{Sources, extend, map1, map2, map3, put_wide, word};
use super::{ExecError, Outputs, bits, unsupported};
use crate::modifiers::{Alu, Mods};
use crate::types::Type;

/// Quotient of two 32-bit integers.
#[inline(always)]
fn divide(signed: bool, a: u32, b: u32) -> u32 {
    if b == 0 {
        u32::MAX
    } else if signed {
        (a as i32).wrapping_div(b as i32) as u32
    } else {
        a / b
    }
}

/// Remainder of two 32-bit integers, with the dividend's sign.
#[inline(always)]
fn remainder(signed: bool, a: u32, b: u32) -> u32 {
    if b == 0 {
        u32::MAX
    } else if signed {
        (a as i32).wrapping_rem(b as i32) as u32
    } else {
        a % b
    }
}

/// The bits above the low `bits` of the full product.
#[inline(always)]
fn high(signed: bool, bits: u32, a: u32, b: u32) -> u32 {
    if signed {
        ((i64::from(a as i32) * i64::from(b as i32)) >> bits) as u32
    } else {
        ((u64::from(a) * u64::from(b)) >> bits) as u32
    }
}

#[inline(always)]
fn product(signed: bool, a: u32, b: u32) -> u64 {
    if signed { (i64::from(a as i32) * i64::from(b as i32)) as u64 } else { u64::from(a) * u64::from(b) }
}

#[inline(always)]
fn difference(signed: bool, a: u32, b: u32) -> u32 {
    if signed { (a as i32).abs_diff(b as i32) } else { a.abs_diff(b) }
}

/// Executes `op` on an integer type of at most 32 bits.
#[inline(always)]
pub(super) fn execute(
    op: Alu,
    ty: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let signed = ty.is_signed();
    let o = &mut out.values[0];
    word!(a, s, 0, ty);
    match op {
        Alu::Abs => map1(o, a, |a| (a as i32).wrapping_abs() as u32),
        Alu::Neg => map1(o, a, u32::wrapping_neg),
        Alu::Not => map1(o, a, |a| !a),
        Alu::Cnot => map1(o, a, |a| u32::from(a == 0)),
        Alu::Popc => map1(o, a, u32::count_ones),
        Alu::Clz => map1(o, a, u32::leading_zeros),
        Alu::Brev => map1(o, a, u32::reverse_bits),
        Alu::Bfind => map1(o, a, |a| bits::find32(signed, mods.alternate, a)),
        Alu::Shl | Alu::Shr if s.immediate(1).is_some_and(|n| n < 32) => {
            let n = s.immediate(1).unwrap_or(0) as u32;
            match (op, signed) {
                (Alu::Shl, _) => map1(o, a, |a| a << n),
                (_, true) => map1(o, a, |a| ((a as i32) >> n) as u32),
                (_, false) => map1(o, a, |a| a >> n),
            }
        }
        Alu::Shl | Alu::Shr => {
            word!(n, s, 1, Type::U32);
            match (op, signed) {
                (Alu::Shl, _) => map2(o, a, n, |a, n| if n > 31 { 0 } else { a << n }),
                (_, true) => map2(o, a, n, |a, n| ((a as i32) >> n.min(31)) as u32),
                (_, false) => map2(o, a, n, |a, n| if n > 31 { 0 } else { a >> n }),
            }
        }
        Alu::ShfL | Alu::ShfR | Alu::Bfe | Alu::Prmt => {
            word!(b, s, 1, Type::U32);
            word!(c, s, 2, Type::U32);
            match op {
                Alu::ShfL => map3(o, a, b, c, |a, b, n| bits::funnel_left(mods.alternate, a, b, n)),
                Alu::ShfR => map3(o, a, b, c, |a, b, n| bits::funnel_right(mods.alternate, a, b, n)),
                Alu::Bfe => map3(o, a, b, c, |a, p, n| bits::extract32(signed, a, p, n)),
                _ => map3(o, a, b, c, bits::permute),
            }
        }
        Alu::Bfi => {
            word!(b, s, 1, ty);
            word!(c, s, 2, Type::U32);
            word!(d, s, 3, Type::U32);
            for (lane, o) in o.iter_mut().enumerate() {
                *o = bits::insert32(a[lane], b[lane], c[lane], d[lane]);
            }
        }
        Alu::Add if mods.sat => {
            word!(b, s, 1, ty);
            map2(o, a, b, |a, b| (a as i32).saturating_add(b as i32) as u32);
        }
        Alu::Sub if mods.sat => {
            word!(b, s, 1, ty);
            map2(o, a, b, |a, b| (a as i32).saturating_sub(b as i32) as u32);
        }
        Alu::Add | Alu::Sub | Alu::Mad | Alu::MadHi if mods.carry_in || mods.carry_out => {
            return carry(op, ty, mods, s, out);
        }
        Alu::MulWide | Alu::MadWide => {
            word!(b, s, 1, ty);
            if ty.bits() == 16 {
                if op == Alu::MulWide {
                    map2(o, a, b, u32::wrapping_mul);
                } else {
                    word!(c, s, 2, Type::U32);
                    map3(o, a, b, c, |a, b, c| a.wrapping_mul(b).wrapping_add(c));
                }
            } else if op == Alu::MulWide {
                if signed {
                    put_wide(&mut out.values, |l| product(true, a[l], b[l]));
                } else {
                    put_wide(&mut out.values, |l| product(false, a[l], b[l]));
                }
            } else {
                let c = s.wide(2)?;
                put_wide(&mut out.values, |l| product(signed, a[l], b[l]).wrapping_add(c[l]));
            }
            return Ok(());
        }
        Alu::Mad | Alu::MadHi | Alu::Sad => {
            word!(b, s, 1, ty);
            word!(c, s, 2, ty);
            let width = ty.bits();
            match op {
                Alu::Mad => map3(o, a, b, c, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
                Alu::MadHi if mods.sat => {
                    map3(o, a, b, c, |a, b, c| (high(true, 32, a, b) as i32).saturating_add(c as i32) as u32)
                }
                Alu::MadHi => map3(o, a, b, c, |a, b, c| high(signed, width, a, b).wrapping_add(c)),
                _ => map3(o, a, b, c, |a, b, c| c.wrapping_add(difference(signed, a, b))),
            }
        }
        _ => {
            word!(b, s, 1, ty);
            let width = ty.bits();
            match (op, signed) {
                (Alu::Add, _) => map2(o, a, b, u32::wrapping_add),
                (Alu::Sub, _) => map2(o, a, b, u32::wrapping_sub),
                (Alu::Mul, _) => map2(o, a, b, u32::wrapping_mul),
                (Alu::MulHi, true) => map2(o, a, b, |a, b| high(true, width, a, b)),
                (Alu::MulHi, false) => map2(o, a, b, |a, b| high(false, width, a, b)),
                (Alu::Div, _) => map2(o, a, b, |a, b| divide(signed, a, b)),
                (Alu::Rem, _) => map2(o, a, b, |a, b| remainder(signed, a, b)),
                (Alu::Min, true) => map2(o, a, b, |a, b| (a as i32).min(b as i32) as u32),
                (Alu::Min, false) => map2(o, a, b, u32::min),
                (Alu::Max, true) => map2(o, a, b, |a, b| (a as i32).max(b as i32) as u32),
                (Alu::Max, false) => map2(o, a, b, u32::max),
                (Alu::And, _) => map2(o, a, b, |a, b| a & b),
                (Alu::Or, _) => map2(o, a, b, |a, b| a | b),
                (Alu::Xor, _) => map2(o, a, b, |a, b| a ^ b),
                _ => return Err(unsupported(&op, ty)),
            }
        }
    }
    if ty.bits() < 32 && !matches!(op, Alu::Popc | Alu::Clz | Alu::Bfind) {
        for lane in &mut out.values[0] {
            *lane = extend(ty, *lane);
        }
    }
    Ok(())
}

/// Addition, subtraction and multiply-add with the carry flag: read from `pred_srcs[0]`, written to
/// `pred_dsts[0]`. A subtraction adds the complement, and its flag is the carry of that sum: 1 where nothing
/// is borrowed. The PTX ISA calls the flag of `sub.cc` the borrow, which is the same for `subc`; machine code
/// has one carry flag, and nvcc's 128-bit division reads that of a subtraction with `addc`.
fn carry(op: Alu, ty: Type, mods: &Mods, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    word!(a, s, 0, ty);
    word!(b, s, 1, ty);
    let carry_in = if mods.carry_in { s.pred(0)? } else { 0 };
    let third = matches!(op, Alu::Mad | Alu::MadHi);
    let c = if third { s.copied(2, ty)? } else { *b };
    let mut carry_out = 0;
    for lane in 0..a.len() {
        let flag = u64::from(carry_in >> lane & 1);
        let x = u64::from(a[lane]);
        let full = match op {
            Alu::Sub => x + u64::from(!b[lane]) + if mods.carry_in { flag } else { 1 },
            Alu::Mad => u64::from(a[lane].wrapping_mul(b[lane])) + u64::from(c[lane]) + flag,
            Alu::MadHi => u64::from(high(ty.is_signed(), 32, a[lane], b[lane])) + u64::from(c[lane]) + flag,
            _ => x + u64::from(b[lane]) + flag,
        };
        out.values[0][lane] = full as u32;
        carry_out |= ((full >> 32) as u32 & 1) << lane;
    }
    out.preds[0] = carry_out;
    Ok(())
}
