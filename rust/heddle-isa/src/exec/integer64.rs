//! Integer arithmetic and logic of 64 bits. Division by zero is defined as in [`super::integer`].

use heddle_port::NUM_LANES;

use super::operand::{Sources, map2, map3, put_wide, word};
use super::{ExecError, Outputs, bits, unsupported};
use crate::modifiers::{Alu, Mods};
use crate::types::Type;

#[inline(always)]
fn divide(signed: bool, a: u64, b: u64) -> u64 {
    if b == 0 {
        u64::MAX
    } else if signed {
        (a as i64).wrapping_div(b as i64) as u64
    } else {
        a / b
    }
}

#[inline(always)]
fn remainder(signed: bool, a: u64, b: u64) -> u64 {
    if b == 0 {
        u64::MAX
    } else if signed {
        (a as i64).wrapping_rem(b as i64) as u64
    } else {
        a % b
    }
}

#[inline(always)]
fn high(signed: bool, a: u64, b: u64) -> u64 {
    if signed {
        ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64
    } else {
        ((u128::from(a) * u128::from(b)) >> 64) as u64
    }
}

/// Addition on 32-bit words, which is how addresses are computed all the time; `false` where the
/// operands are not pairs or immediates.
fn add_words(s: &Sources<'_>, out: &mut Outputs) -> Result<bool, ExecError> {
    let (mut first, mut second) = ([[0; NUM_LANES]; 2], [[0; NUM_LANES]; 2]);
    let (Some((al, ah)), Some((bl, bh))) = (s.halves(0, &mut first)?, s.halves(1, &mut second)?) else {
        return Ok(false);
    };
    let (low, high) = out.values.split_at_mut(1);
    map2(&mut low[0], al, bl, u32::wrapping_add);
    map3(&mut high[0], &low[0], al, ah, |sum, a, h| h.wrapping_add(u32::from(sum < a)));
    for (h, &b) in high[0].iter_mut().zip(bh) {
        *h = h.wrapping_add(b);
    }
    Ok(true)
}

/// Executes `op` on a 64-bit integer type.
#[inline(always)]
pub(super) fn execute(
    op: Alu,
    ty: Type,
    mods: &Mods,
    s: &Sources<'_>,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let signed = ty.is_signed();
    let plain = !mods.carry_in && !mods.carry_out;
    if op == Alu::Add && plain && add_words(s, out)? {
        return Ok(());
    }
    let a = s.wide(0)?;
    let o = &mut out.values;
    match op {
        Alu::Abs => put_wide(o, |l| (a[l] as i64).wrapping_abs() as u64),
        Alu::Neg => put_wide(o, |l| a[l].wrapping_neg()),
        Alu::Not => put_wide(o, |l| !a[l]),
        Alu::Cnot => put_wide(o, |l| u64::from(a[l] == 0)),
        Alu::Brev => put_wide(o, |l| a[l].reverse_bits()),
        Alu::Popc => o[0] = a.map(u64::count_ones),
        Alu::Clz => o[0] = a.map(u64::leading_zeros),
        Alu::Bfind => o[0] = a.map(|a| bits::find64(signed, mods.alternate, a)),
        Alu::Shl | Alu::Shr => {
            word!(n, s, 1, Type::U32);
            match (op, signed) {
                (Alu::Shl, _) => put_wide(o, |l| if n[l] > 63 { 0 } else { a[l] << n[l] }),
                (_, true) => put_wide(o, |l| ((a[l] as i64) >> n[l].min(63)) as u64),
                (_, false) => put_wide(o, |l| if n[l] > 63 { 0 } else { a[l] >> n[l] }),
            }
        }
        Alu::Bfe => {
            word!(p, s, 1, Type::U32);
            word!(n, s, 2, Type::U32);
            put_wide(o, |l| bits::extract64(signed, a[l], p[l], n[l]));
        }
        Alu::Bfi => {
            let b = s.wide(1)?;
            word!(p, s, 2, Type::U32);
            word!(n, s, 3, Type::U32);
            put_wide(o, |l| bits::insert64(a[l], b[l], p[l], n[l]));
        }
        Alu::Add | Alu::Sub | Alu::Mad | Alu::MadHi if mods.carry_in || mods.carry_out => {
            return carry(op, ty, mods, s, out);
        }
        Alu::Mad | Alu::MadHi | Alu::Sad => {
            let (b, c) = (s.wide(1)?, s.wide(2)?);
            match (op, signed) {
                (Alu::Mad, _) => put_wide(o, |l| a[l].wrapping_mul(b[l]).wrapping_add(c[l])),
                (Alu::MadHi, _) => put_wide(o, |l| high(signed, a[l], b[l]).wrapping_add(c[l])),
                (_, true) => put_wide(o, |l| c[l].wrapping_add((a[l] as i64).abs_diff(b[l] as i64))),
                (_, false) => put_wide(o, |l| c[l].wrapping_add(a[l].abs_diff(b[l]))),
            }
        }
        _ => {
            let b = s.wide(1)?;
            match (op, signed) {
                (Alu::Add, _) => put_wide(o, |l| a[l].wrapping_add(b[l])),
                (Alu::Sub, _) => put_wide(o, |l| a[l].wrapping_sub(b[l])),
                (Alu::Mul, _) => put_wide(o, |l| a[l].wrapping_mul(b[l])),
                (Alu::MulHi, _) => put_wide(o, |l| high(signed, a[l], b[l])),
                (Alu::Div, _) => put_wide(o, |l| divide(signed, a[l], b[l])),
                (Alu::Rem, _) => put_wide(o, |l| remainder(signed, a[l], b[l])),
                (Alu::Min, true) => put_wide(o, |l| (a[l] as i64).min(b[l] as i64) as u64),
                (Alu::Min, false) => put_wide(o, |l| a[l].min(b[l])),
                (Alu::Max, true) => put_wide(o, |l| (a[l] as i64).max(b[l] as i64) as u64),
                (Alu::Max, false) => put_wide(o, |l| a[l].max(b[l])),
                (Alu::And, _) => put_wide(o, |l| a[l] & b[l]),
                (Alu::Or, _) => put_wide(o, |l| a[l] | b[l]),
                (Alu::Xor, _) => put_wide(o, |l| a[l] ^ b[l]),
                _ => return Err(unsupported(&op, ty)),
            }
        }
    }
    Ok(())
}

/// As [`super::integer`]'s carry operations, on 64 bits.
fn carry(op: Alu, ty: Type, mods: &Mods, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let (a, b) = (s.wide(0)?, s.wide(1)?);
    let carry_in = if mods.carry_in { s.pred(0)? } else { 0 };
    let c = if matches!(op, Alu::Mad | Alu::MadHi) { s.wide(2)? } else { b };
    let mut carry_out = 0;
    let full = |lane: usize| {
        let flag = u128::from(carry_in >> lane & 1);
        let (x, y, z) = (u128::from(a[lane]), u128::from(b[lane]), u128::from(c[lane]));
        match op {
            Alu::Sub => x + u128::from(!b[lane]) + if mods.carry_in { flag } else { 1 },
            Alu::Mad => u128::from(a[lane].wrapping_mul(b[lane])) + z + flag,
            Alu::MadHi => u128::from(high(ty.is_signed(), a[lane], b[lane])) + z + flag,
            _ => x + y + flag,
        }
    };
    for lane in 0..a.len() {
        carry_out |= ((full(lane) >> 64) as u32 & 1) << lane;
    }
    put_wide(&mut out.values, |lane| full(lane) as u64);
    out.preds[0] = carry_out;
    Ok(())
}
