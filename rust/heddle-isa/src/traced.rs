//! Instructions that come from a trace or from a disassembly: what they access is known, what they compute is not.
//!
//! In a run, register contents are tags ([`tag_value`]) that say which write of which register of which warp they
//! come from, so that a stale or foreign value is seen.

use crate::modifiers::{CacheOp, FenceLevel, Space};
use crate::operand::Pc;
use crate::unit::Unit;

/// What a traced memory access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TracedAccess {
    Load,
    Store,
    Atomic,
}

/// What a traced instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TracedKind {
    /// Registers to registers, on this unit; also control instructions that read or write registers.
    Compute(Unit),
    /// A memory access.
    Memory {
        /// What it does.
        access: TracedAccess,
        /// State space; with [`Space::Generic`] the recorded addresses lie in the windows of the model.
        space: Space,
        /// Bytes of a lane: 1, 2, 4, 8 or 16.
        bytes: u8,
        /// Cache operator.
        cache: CacheOp,
    },
    /// Barrier of the CTA: waits until all its warps that have not ended have arrived.
    Barrier {
        /// Barrier number, 0 to 15.
        id: u8,
    },
    /// Memory fence.
    Fence(FenceLevel),
    /// Branches, exits, and what else touches no register: the trace says where the warp goes on.
    Control,
}

/// Registers of an instruction that are one operand: consecutive, beginning at a multiple of their number
/// (rounded up to a power of two).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WideOperand {
    /// They are destinations, else sources.
    pub written: bool,
    /// The place of the first among the destination or the source registers.
    pub first: u8,
    /// Their number, at least 2.
    pub registers: u8,
}

impl WideOperand {
    /// Places of its registers among the destination or the source registers.
    #[must_use]
    pub fn places(&self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.first) + usize::from(self.registers)
    }
}

/// An instruction of a trace or of a disassembly.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Traced {
    /// What it does.
    pub kind: TracedKind,
    /// Where a warp may go on, ascending; empty where every warp ends. In a trace, where warps were seen to go on.
    pub next: Vec<Pc>,
    /// A write may leave old values in some lanes: it has a guard, or in a trace not every execution was by all lanes.
    pub partial: bool,
    /// It calls a function, whose registers are others than those of the caller.
    pub calls: bool,
    /// Operands of several registers, as far as they are known: a trace that is to be run needs none, since only
    /// renumbering asks for them.
    pub wide: Vec<WideOperand>,
}

impl Traced {
    /// The memory access, its space and the bytes of a lane, of a memory instruction.
    #[must_use]
    pub fn access(&self) -> Option<(TracedAccess, Space, u8)> {
        match self.kind {
            TracedKind::Memory { access, space, bytes, .. } => Some((access, space, bytes)),
            _ => None,
        }
    }

    /// The unit that executes the instruction.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self.kind {
            TracedKind::Compute(unit) => unit,
            TracedKind::Memory { .. } => Unit::LoadStore,
            TracedKind::Barrier { .. } | TracedKind::Fence(_) | TracedKind::Control => Unit::Control,
        }
    }
}

/// The value that stands for the contents of a lane of a register after its `version`-th write (from 1)
/// by warp `warp_in_cta` of CTA `cta`.
///
/// Lane (5 bits), register (8 bits), warp (6 bits) and the low 13 bits of the version, which begins at
/// another number in each CTA, are packed and then mixed by a bijection of 32 bits. Two values are thus
/// equal only if lane, register and warp are, and the versions are 8192 writes apart.
#[inline]
#[must_use]
pub fn tag_value(cta: u64, warp_in_cta: u32, register: u32, version: u32, lane: usize) -> u32 {
    /// Odd, so that neighbouring CTAs begin far from each other.
    const CTA_STEP: u32 = 2741;
    let version = version.wrapping_add((cta as u32).wrapping_mul(CTA_STEP));
    let packed = (lane as u32 & 31) | (register & 0xff) << 5 | (warp_in_cta & 63) << 13 | version << 19;
    // Each step can be undone: multiplication by an odd number, exclusive or with a shift.
    let mut mixed = packed.wrapping_mul(0x9E37_79B1);
    mixed ^= mixed >> 16;
    mixed = mixed.wrapping_mul(0x85EB_CA6B);
    mixed ^ mixed >> 13
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::tag_value;

    #[test]
    fn values_differ_by_lane_register_warp_and_version() {
        let mut seen = HashSet::new();
        for version in 1..40 {
            for warp in 0..8 {
                for register in 0..32 {
                    for lane in 0..32 {
                        assert!(seen.insert(tag_value(3, warp, register, version, lane)));
                    }
                }
            }
        }
        assert_ne!(tag_value(0, 0, 5, 9, 1), tag_value(1, 0, 5, 9, 1));
        assert_eq!(tag_value(0, 0, 5, 9, 1), tag_value(0, 0, 5, 9 + 8192, 1));
    }
}
