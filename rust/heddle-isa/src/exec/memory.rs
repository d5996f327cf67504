//! Addresses, store data, load results and atomic operations: all of a memory access but the memory.

use heddle_port::{LaneData, LaneMask, NUM_DESTINATIONS, NUM_LANES, NUM_SOURCES};

use super::host::compiled_twice;
use super::operand::{Sources, extend, read_bank};
use super::{ExecError, Outputs, WarpContext};
use crate::instr::Instr;
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::modifiers::{AtomicOp, Space};
use crate::op::Op;
use crate::operand::Operand;
use crate::soft;
use crate::types::Type;

/// Which lanes of an access go to which space, once generic addresses are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccessSpaces {
    /// Lanes that access global memory.
    pub global: LaneMask,
    /// Lanes that access the CTA's shared memory.
    pub shared: LaneMask,
    /// Lanes that access their thread's local memory.
    pub local: LaneMask,
}

impl AccessSpaces {
    /// The space that lane `lane` accesses, if it takes part.
    #[must_use]
    pub fn of_lane(&self, lane: usize) -> Option<Space> {
        if self.global.has(lane) {
            Some(Space::Global)
        } else if self.shared.has(lane) {
            Some(Space::Shared)
        } else if self.local.has(lane) {
            Some(Space::Local)
        } else {
            None
        }
    }
}

/// Sum of the base operand and the instruction's offset, in 64 bits.
#[inline(always)]
fn sums(s: &Sources<'_>, out: &mut [u64; NUM_LANES]) -> Result<(), ExecError> {
    let offset = i64::from(s.instr.offset) as u64;
    s.widen(0, out)?;
    for address in out.iter_mut() {
        *address = address.wrapping_add(offset);
    }
    Ok(())
}

compiled_twice! {
    /// Computes the byte address of each lane of a load, store or atomic.
    ///
    /// A global address is the 64-bit sum of base and offset. A shared or local address is that sum
    /// truncated to 32 bits and counts from the start of the CTA's shared or the thread's local memory.
    /// Generic addresses are resolved by window ([`SHARED_WINDOW`], [`LOCAL_WINDOW`]): a lane inside a
    /// window gets the address in that space. Lanes outside `mask` hold no meaning. An instruction that
    /// is no memory access has no lanes in any space.
    pub fn addresses(
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        context: &WarpContext,
        mask: LaneMask,
        out: &mut [u64; NUM_LANES],
    ) -> AccessSpaces = address_lanes;
}

#[inline(always)]
fn address_lanes(
    instr: &Instr,
    sources: &[LaneData; NUM_SOURCES],
    context: &WarpContext,
    mask: LaneMask,
    out: &mut [u64; NUM_LANES],
) -> AccessSpaces {
    let Some(space) = instr.memory_space() else {
        return AccessSpaces::default();
    };
    let s = Sources { instr, words: sources, preds: &[], context };
    if sums(&s, out).is_err() {
        return AccessSpaces::default();
    }
    resolve_spaces(space, mask, out)
}

/// Resolves addresses of `space` in place, as [`addresses`] describes it; parameter and constant space
/// have no lanes.
pub fn resolve_spaces(space: Space, mask: LaneMask, out: &mut [u64; NUM_LANES]) -> AccessSpaces {
    let mut spaces = AccessSpaces::default();
    match space {
        Space::Global => spaces.global = mask,
        Space::Shared | Space::Local => {
            for address in out.iter_mut() {
                *address &= 0xffff_ffff;
            }
            if space == Space::Shared {
                spaces.shared = mask;
            } else {
                spaces.local = mask;
            }
        }
        Space::Generic => {
            for lane in mask.lanes() {
                let bit = 1 << lane;
                match u32::try_from(out[lane]) {
                    Ok(a) if a >= LOCAL_WINDOW => {
                        out[lane] = u64::from(a - LOCAL_WINDOW);
                        spaces.local.0 |= bit;
                    }
                    Ok(a) if a >= SHARED_WINDOW => {
                        out[lane] = u64::from(a - SHARED_WINDOW);
                        spaces.shared.0 |= bit;
                    }
                    _ => spaces.global.0 |= bit,
                }
            }
        }
        Space::Param | Space::Const => {}
    }
    spaces
}

/// Most values that a store or an atomic carries.
pub const MAX_ELEMENTS: usize = 4;

compiled_twice! {
    /// Fetches the values of a store, by element and lane, or of an atomic (operand, then the new value
    /// of a compare-and-swap), in the low bits. Returns how many there are; an instruction that is
    /// neither, or that lacks operands, has none.
    pub fn store_data(
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        context: &WarpContext,
        out: &mut [[u64; NUM_LANES]; MAX_ELEMENTS],
    ) -> usize = store_lanes;
}

#[inline(always)]
fn store_lanes(
    instr: &Instr,
    sources: &[LaneData; NUM_SOURCES],
    context: &WarpContext,
    out: &mut [[u64; NUM_LANES]; MAX_ELEMENTS],
) -> usize {
    let (ty, elements) = match instr.op {
        Op::St { ty, vector, .. } => (ty, usize::from(vector)),
        Op::Atom { ty, op, .. } => (ty, if op == AtomicOp::Cas { 2 } else { 1 }),
        _ => return 0,
    };
    let s = Sources { instr, words: sources, preds: &[], context };
    let elements = elements.min(MAX_ELEMENTS);
    for (index, element) in out.iter_mut().take(elements).enumerate() {
        if s.widen(index + 1, element).is_err() {
            return 0;
        }
        if ty.bits() < 64 {
            for value in element.iter_mut() {
                *value &= (1 << ty.bits()) - 1;
            }
        }
    }
    elements
}

/// The destination words (low, high) of a loaded element: narrower than 32 bits is extended by its
/// sign, the high word of narrower than 64 bits is 0.
#[inline]
#[must_use]
pub fn load_extend(ty: Type, raw: u64) -> (u32, u32) {
    if ty.words() == 2 { (raw as u32, (raw >> 32) as u32) } else { (extend(ty, raw as u32), 0) }
}

/// The new memory value of an atomic operation on `old`: with the low bits of `operand`, and for
/// `Cas` `new` where `old` equals `operand`. Floating-point addition rounds to nearest even and keeps
/// subnormals.
#[must_use]
pub fn atomic(op: AtomicOp, ty: Type, old: u64, operand: u64, new: u64) -> u64 {
    let mask = if ty.bits() == 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
    let (old, operand, new) = (old & mask, operand & mask, new & mask);
    let signed = |x: u64| {
        let shift = 64 - ty.bits();
        ((x << shift) as i64) >> shift
    };
    let less = if ty.is_signed() { signed(operand) < signed(old) } else { operand < old };
    let result = match op {
        AtomicOp::Add => match ty {
            Type::F32 => {
                let sum = f32::from_bits(old as u32) + f32::from_bits(operand as u32);
                crate::soft::canonical(sum).into()
            }
            Type::F64 => super::float64::add(old, operand),
            Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 => {
                let format = if matches!(ty, Type::F16 | Type::F16x2) { soft::F16 } else { soft::BF16 };
                super::half::add(format, ty.bits() == 32, old, operand)
            }
            _ => old.wrapping_add(operand),
        },
        AtomicOp::Min => {
            if less {
                operand
            } else {
                old
            }
        }
        AtomicOp::Max => {
            if less {
                old
            } else {
                operand
            }
        }
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::Exch => operand,
        AtomicOp::Cas => {
            if old == operand {
                new
            } else {
                old
            }
        }
        AtomicOp::Inc => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
    };
    result & mask
}

/// Loads from the parameter block or the constant bank.
pub(super) fn load_bank(
    space: Space,
    ty: Type,
    vector: u8,
    s: &Sources<'_>,
    mask: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let bank = s.bank(space);
    let mut base = [0; NUM_LANES];
    sums(s, &mut base)?;
    let uniform = matches!(s.instr.srcs.first(), Some(Operand::Imm(_)));
    let lanes = if uniform { LaneMask(mask.0 & mask.0.wrapping_neg()) } else { mask };
    let elements = usize::from(vector).min(NUM_DESTINATIONS / ty.words());
    let bytes = ty.bytes();
    for element in 0..elements {
        let at = element * ty.words();
        for lane in lanes.lanes() {
            let address = base[lane].wrapping_add(element as u64 * u64::from(bytes));
            let raw = read_bank(bank, address, bytes).ok_or(ExecError::Bank {
                space,
                address,
                bytes,
                size: bank.len(),
                lane,
            })?;
            let (low, high) = load_extend(ty, raw);
            if uniform {
                out.values[at] = [low; NUM_LANES];
            } else {
                out.values[at][lane] = low;
            }
            if ty.words() == 2 {
                if uniform {
                    out.values[at + 1] = [high; NUM_LANES];
                } else {
                    out.values[at + 1][lane] = high;
                }
            }
        }
    }
    Ok(())
}
