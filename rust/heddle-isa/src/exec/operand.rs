//! Source operands as lanes.

use heddle_port::{LaneData, NUM_LANES, NUM_SOURCES};

use super::{ExecError, WarpContext};
use crate::instr::Instr;
use crate::modifiers::Space;
use crate::operand::{Constant, Operand, PredOperand};
use crate::types::Type;

/// 32 lanes of a 64-bit value.
pub(super) type WideData = [u64; NUM_LANES];

/// The sources of one instruction.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub instr: &'a Instr,
    pub words: &'a [LaneData; NUM_SOURCES],
    pub preds: &'a [u32],
    pub context: &'a WarpContext,
}

#[inline(always)]
fn zero_extend(from: &LaneData, to: &mut WideData) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = u64::from(from);
    }
}

/// Sign- or zero-extends the low bits of `value` as the type says.
#[inline(always)]
pub(super) fn extend(ty: Type, value: u32) -> u32 {
    match ty {
        Type::U8 | Type::B8 => value & 0xff,
        Type::S8 => value as u8 as i8 as i32 as u32,
        Type::U16 | Type::B16 | Type::F16 | Type::Bf16 => value & 0xffff,
        Type::S16 => value as u16 as i16 as i32 as u32,
        Type::Pred => value & 1,
        _ => value,
    }
}

/// `bytes` bytes at `address`, little endian; `None` outside the bank.
pub(super) fn read_bank(bank: &[u8], address: u64, bytes: u32) -> Option<u64> {
    let start = usize::try_from(address).ok()?;
    let end = start.checked_add(bytes as usize)?;
    let slice = bank.get(start..end)?;
    let mut word = [0; 8];
    word.get_mut(..slice.len())?.copy_from_slice(slice);
    Some(u64::from_le_bytes(word))
}

impl<'a> Sources<'a> {
    #[cold]
    fn missing(&self, what: &'static str, index: usize) -> ExecError {
        ExecError::Operand { op: format!("{:?}", self.instr.op), what, index }
    }

    /// The value of an operand in the parameter block or the constant bank.
    fn constant(&self, constant: Constant) -> Result<u64, ExecError> {
        let bank = self.bank(constant.space);
        let (address, bytes) = (u64::from(constant.offset), 4 * u32::from(constant.words));
        read_bank(bank, address, bytes).ok_or(ExecError::Bank {
            space: constant.space,
            address,
            bytes,
            size: bank.len(),
            lane: 0,
        })
    }

    /// The bytes of the parameter block or of the constant bank.
    pub fn bank(&self, space: Space) -> &'a [u8] {
        if space == Space::Param { &self.context.params } else { &self.context.constants }
    }

    /// The first slot of operand `index`, and the operand.
    #[inline(always)]
    fn locate(&self, index: usize) -> Result<(usize, Operand), ExecError> {
        let mut slot = 0;
        for (i, &operand) in self.instr.srcs.iter().enumerate() {
            let words = match operand {
                Operand::Reg(_) => 1,
                Operand::Pair(_) => 2,
                Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => 0,
            };
            if slot + words > NUM_SOURCES {
                break;
            }
            if i == index {
                return Ok((slot, operand));
            }
            slot += words;
        }
        Err(self.missing("source", index))
    }

    /// The lanes of operand `index` where they can be used as they stand in the register.
    #[inline(always)]
    pub fn direct(&self, index: usize, ty: Type) -> Result<Option<&'a LaneData>, ExecError> {
        if ty.bits() < 32 {
            return Ok(None);
        }
        Ok(match self.locate(index)? {
            (slot, Operand::Reg(_) | Operand::Pair(_)) => Some(&self.words[slot]),
            _ => None,
        })
    }

    /// The lanes of operand `index`, extended to 32 bits as the type says.
    #[inline(always)]
    pub fn copied(&self, index: usize, ty: Type) -> Result<LaneData, ExecError> {
        let (slot, operand) = self.locate(index)?;
        let mut lanes = match operand {
            Operand::Reg(_) | Operand::Pair(_) => self.words[slot],
            Operand::Imm(value) => [value as u32; NUM_LANES],
            Operand::Special(special) => self.context.special(special),
            Operand::Constant(constant) => [self.constant(constant)? as u32; NUM_LANES],
        };
        if ty.bits() < 32 {
            for lane in &mut lanes {
                *lane = extend(ty, *lane);
            }
        }
        Ok(lanes)
    }

    /// The lanes of a 64-bit operand; 32-bit registers are zero-extended.
    #[inline(always)]
    pub fn wide(&self, index: usize) -> Result<WideData, ExecError> {
        let mut lanes = [0; NUM_LANES];
        self.widen(index, &mut lanes)?;
        Ok(lanes)
    }

    /// Writes the lanes of a 64-bit operand to `lanes`; 32-bit registers are zero-extended.
    #[inline(always)]
    pub fn widen(&self, index: usize, lanes: &mut WideData) -> Result<(), ExecError> {
        let (slot, operand) = self.locate(index)?;
        match operand {
            Operand::Pair(_) => {
                let (low, high) = (&self.words[slot], &self.words[slot + 1]);
                for ((lane, &l), &h) in lanes.iter_mut().zip(low).zip(high) {
                    *lane = u64::from(l) | u64::from(h) << 32;
                }
            }
            Operand::Reg(_) => zero_extend(&self.words[slot], lanes),
            Operand::Imm(value) => *lanes = [value; NUM_LANES],
            Operand::Special(special) => zero_extend(&self.context.special(special), lanes),
            Operand::Constant(constant) => *lanes = [self.constant(constant)?; NUM_LANES],
        }
        Ok(())
    }

    /// The value of operand `index` where it is the same in all lanes and known.
    #[inline(always)]
    pub fn immediate(&self, index: usize) -> Option<u64> {
        match self.instr.srcs.get(index) {
            Some(&Operand::Imm(value)) => Some(value),
            _ => None,
        }
    }

    /// The low and high words of a 64-bit operand, where it is a pair or an immediate (for which
    /// `splat` is filled).
    #[inline(always)]
    pub fn halves<'b>(
        &self,
        index: usize,
        splat: &'b mut [LaneData; 2],
    ) -> Result<Option<(&'b LaneData, &'b LaneData)>, ExecError>
    where
        'a: 'b,
    {
        Ok(match self.locate(index)? {
            (slot, Operand::Pair(_)) => Some((&self.words[slot], &self.words[slot + 1])),
            (_, Operand::Imm(value)) => {
                *splat = [[value as u32; NUM_LANES], [(value >> 32) as u32; NUM_LANES]];
                Some((&splat[0], &splat[1]))
            }
            _ => None,
        })
    }

    /// Lanes in which source predicate `index` holds.
    #[inline(always)]
    pub fn pred(&self, index: usize) -> Result<u32, ExecError> {
        match self.instr.pred_srcs.get(index) {
            Some(&PredOperand::Const(value)) => Ok(if value { u32::MAX } else { 0 }),
            Some(&PredOperand::Reg { pred, negated }) => {
                let mask = self
                    .preds
                    .get(usize::from(pred.0))
                    .copied()
                    .ok_or_else(|| self.missing("predicate register", usize::from(pred.0)))?;
                Ok(if negated { !mask } else { mask })
            }
            None => Err(self.missing("source predicate", index)),
        }
    }
}

/// Binds `$name` to the 32-bit lanes of operand `$index` without a copy where possible.
macro_rules! word {
    ($name:ident, $sources:expr, $index:expr, $ty:expr) => {
        let lanes;
        let $name: &heddle_port::LaneData = match $sources.direct($index, $ty)? {
            Some(register) => register,
            None => {
                lanes = $sources.copied($index, $ty)?;
                &lanes
            }
        };
    };
}
pub(super) use word;

/// `out[i] = f(a[i])`.
#[inline(always)]
pub(super) fn map1(out: &mut LaneData, a: &LaneData, f: impl Fn(u32) -> u32) {
    for (o, &a) in out.iter_mut().zip(a) {
        *o = f(a);
    }
}

/// `out[i] = f(a[i], b[i])`.
#[inline(always)]
pub(super) fn map2(out: &mut LaneData, a: &LaneData, b: &LaneData, f: impl Fn(u32, u32) -> u32) {
    for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *o = f(a, b);
    }
}

/// `out[i] = f(a[i], b[i], c[i])`.
#[inline(always)]
pub(super) fn map3(
    out: &mut LaneData,
    a: &LaneData,
    b: &LaneData,
    c: &LaneData,
    f: impl Fn(u32, u32, u32) -> u32,
) {
    for (((o, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *o = f(a, b, c);
    }
}

/// Writes 64-bit lanes as low and high words.
#[inline(always)]
pub(super) fn put_wide(values: &mut [LaneData; heddle_port::NUM_DESTINATIONS], f: impl Fn(usize) -> u64) {
    let (low, high) = values.split_at_mut(1);
    for (lane, (l, h)) in low[0].iter_mut().zip(high[0].iter_mut()).enumerate() {
        let value = f(lane);
        *l = value as u32;
        *h = (value >> 32) as u32;
    }
}

/// One bit a lane: lanes in which `f` holds.
#[inline(always)]
pub(super) fn lanes_where(f: impl Fn(usize) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..NUM_LANES {
        mask |= u32::from(f(lane)) << lane;
    }
    mask
}
