//! Shared memory that lies off chip, behind a cache in the design.

use std::collections::VecDeque;

use heddle_isa::{AtomicOp, Type};
use heddle_mem::{kind, space};
use heddle_port::memory::MemRequest;

/// CTA slots whose CTA has ended and whose lines are still to be dropped. Until then no CTA starts there.
#[derive(Debug, Clone, Default)]
pub struct Releases {
    waiting: VecDeque<u8>,
    /// Tag and slot of those that the design has been told.
    told: Vec<(u16, u8)>,
}

impl Releases {
    /// Every slot that has ended is free again.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.told.is_empty()
    }

    /// The CTA in a slot has ended.
    pub fn push(&mut self, slot: usize) {
        self.waiting.push_back(slot as u8);
    }

    /// Some CTA has ended of which the design has not been told.
    #[inline]
    pub fn any_waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The design is told of the oldest of them, under `tag`.
    pub fn tell(&mut self, tag: u16, request: &mut MemRequest) {
        let Some(slot) = self.waiting.pop_front() else { return };
        self.told.push((tag, slot));
        request.valid = true;
        request.tag = tag;
        request.space = space::SHARED;
        request.kind = kind::FENCE;
        request.cta_slot = slot;
        request.mask = 0;
        request.part = 0;
    }

    /// The CTA slot whose lines the design has dropped, if that is what an answer says.
    #[inline]
    pub fn answered(&mut self, tag: u16) -> Option<usize> {
        let at = self.told.iter().position(|(told, _)| *told == tag)?;
        Some(usize::from(self.told.swap_remove(at).1))
    }
}

/// How a request names an atomic operation that the design carries out; `None` if it has none such. To the port's
/// ten operations, on unsigned integers, come the signed minimum and maximum, and the sums of single or double precision,
/// of halves and of brain floats, which the size tells apart. PTX has no minimum and maximum of floating-point numbers, and
/// of 16 bits beyond the sums the compare-and-swap alone.
pub fn atomic_code(op: AtomicOp, ty: Type) -> Option<u8> {
    match (op, ty) {
        (AtomicOp::Add, Type::F32 | Type::F64) => Some(12),
        (AtomicOp::Add, Type::F16 | Type::F16x2) => Some(13),
        (AtomicOp::Add, Type::Bf16 | Type::Bf16x2) => Some(14),
        (
            AtomicOp::Min | AtomicOp::Max,
            Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::F32 | Type::F64,
        ) => None,
        (op, ty) if !matches!(ty.bits(), 32 | 64) && (op != AtomicOp::Cas || ty.bits() != 16) => None,
        (AtomicOp::Min, ty) if ty.is_signed() => Some(10),
        (AtomicOp::Max, ty) if ty.is_signed() => Some(11),
        (op, _) => Some(op as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::atomic_code;
    use heddle_isa::{AtomicOp, Type};

    #[test]
    fn codes_tell_signed_and_float_operations_apart() {
        assert_eq!(atomic_code(AtomicOp::Add, Type::U32), Some(0));
        assert_eq!(atomic_code(AtomicOp::Add, Type::F32), Some(12));
        assert_eq!(atomic_code(AtomicOp::Min, Type::S32), Some(10));
        assert_eq!(atomic_code(AtomicOp::Max, Type::S64), Some(11));
        assert_eq!(atomic_code(AtomicOp::Max, Type::U64), Some(2));
        assert_eq!(atomic_code(AtomicOp::Cas, Type::B64), Some(7));
        assert_eq!(atomic_code(AtomicOp::Add, Type::F64), Some(12));
        for (ty, code) in [(Type::F16, 13), (Type::F16x2, 13), (Type::Bf16, 14), (Type::Bf16x2, 14)] {
            assert_eq!(atomic_code(AtomicOp::Add, ty), Some(code));
            assert_eq!(atomic_code(AtomicOp::Min, ty), None);
        }
        assert_eq!(atomic_code(AtomicOp::Cas, Type::B16), Some(7));
        assert_eq!(atomic_code(AtomicOp::Add, Type::U16), None);
    }
}
