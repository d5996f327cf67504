//! `mov` between a wide register and its parts.

use super::operand::{Sources, put_wide, word};
use super::{ExecError, Outputs, unsupported};
use crate::types::Type;

/// Joins parts, the lowest first: two or four into 64 bits, two into 32 bits.
pub(super) fn pack(ty: Type, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    match (ty.bits(), s.instr.srcs.len()) {
        (64, 4) => {
            let mut joined = [0u64; heddle_port::NUM_LANES];
            for part in 0..4 {
                let lanes = s.copied(part, Type::B16)?;
                for (joined, lane) in joined.iter_mut().zip(lanes) {
                    *joined |= u64::from(lane) << (16 * part);
                }
            }
            put_wide(&mut out.values, |l| joined[l]);
        }
        (64, _) => {
            word!(a, s, 0, Type::B32);
            word!(b, s, 1, Type::B32);
            out.values[0] = *a;
            out.values[1] = *b;
        }
        (32, _) => {
            let (a, b) = (s.copied(0, Type::B16)?, s.copied(1, Type::B16)?);
            for (lane, value) in out.values[0].iter_mut().enumerate() {
                *value = a[lane] | b[lane] << 16;
            }
        }
        _ => return Err(unsupported(&"mov (pack)", ty)),
    }
    Ok(())
}

/// Splits into as many parts as there are destinations, the lowest first.
pub(super) fn unpack(ty: Type, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    match (ty.bits(), s.instr.dsts.len()) {
        (64, 4) => {
            let a = s.wide(0)?;
            for (part, values) in out.values.iter_mut().enumerate() {
                *values = a.map(|a| (a >> (16 * part)) as u32 & 0xffff);
            }
        }
        (64, _) => {
            let a = s.wide(0)?;
            put_wide(&mut out.values, |l| a[l]);
        }
        (32, _) => {
            word!(a, s, 0, Type::B32);
            out.values[0] = a.map(|a| a & 0xffff);
            out.values[1] = a.map(|a| a >> 16);
        }
        _ => return Err(unsupported(&"mov (unpack)", ty)),
    }
    Ok(())
}
