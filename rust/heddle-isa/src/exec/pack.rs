//! `mov` between a wide register and its parts.

use super::operand::{Sources, put_wide, word};
use super::{ExecError, Outputs, unsupported};
use crate::types::Type;

/// Type of one of `count` equal parts of `bits` bits.
fn part(bits: u32, count: usize) -> Option<Type> {
    match (bits, count) {
        (64, 4) | (32, 2) => Some(Type::B16),
        (32, 4) | (16, 2) => Some(Type::B8),
        _ => None,
    }
}

/// Joins parts, the lowest first: two or four into 64 or 32 bits, two into 16 bits.
#[inline(always)]
pub(super) fn pack(ty: Type, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let count = s.instr.srcs.len();
    if ty.bits() == 64 && count == 2 {
        word!(a, s, 0, Type::B32);
        word!(b, s, 1, Type::B32);
        out.values[0] = *a;
        out.values[1] = *b;
        return Ok(());
    }
    let Some(part) = part(ty.bits(), count) else {
        return Err(unsupported(&"mov (pack)", ty));
    };
    let mut joined = [0u64; heddle_port::NUM_LANES];
    for index in 0..count {
        let lanes = s.copied(index, part)?;
        for (joined, lane) in joined.iter_mut().zip(lanes) {
            *joined |= u64::from(lane) << (part.bits() * index as u32);
        }
    }
    if ty.bits() == 64 {
        put_wide(&mut out.values, |l| joined[l]);
    } else {
        out.values[0] = joined.map(|lane| lane as u32);
    }
    Ok(())
}

/// Splits into as many parts as there are destinations, the lowest first.
#[inline(always)]
pub(super) fn unpack(ty: Type, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    let count = s.instr.dsts.len();
    if ty.bits() == 64 && count == 2 {
        let a = s.wide(0)?;
        put_wide(&mut out.values, |l| a[l]);
        return Ok(());
    }
    let Some(part) = part(ty.bits(), count) else {
        return Err(unsupported(&"mov (unpack)", ty));
    };
    let a = if ty.bits() == 64 { s.wide(0)? } else { s.copied(0, ty)?.map(u64::from) };
    let mask = (1u32 << part.bits()) - 1;
    for (index, values) in out.values.iter_mut().enumerate().take(count) {
        *values = a.map(|a| (a >> (part.bits() * index as u32)) as u32 & mask);
    }
    Ok(())
}
