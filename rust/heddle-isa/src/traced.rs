//! Instructions that come from a trace: what they access is known, what they compute is not.
//!
//! Register contents are tags ([`tag_value`]) that say which write of which register of which warp they
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

/// An instruction of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Traced {
    /// What it does.
    pub kind: TracedKind,
    /// Where warps were seen to go on, ascending; empty where every warp ended.
    pub next: Vec<Pc>,
    /// Not every execution was by all lanes of the warp, so a write may leave old values in some lanes.
    pub partial: bool,
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
