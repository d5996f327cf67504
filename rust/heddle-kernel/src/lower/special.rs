//! Special registers by name (PTX ISA, "Special Registers").

use heddle_isa::{Op, Special, Type};

use super::operand::Registers;
use super::{Lowered, Lowering};
use crate::ast::Operand;

/// What a special register is to the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// An operand of any instruction, of 32 bits.
    Special(Special),
    /// The same in every launch: this model has one SM, no clusters and no graphs, and launches are not
    /// numbered.
    Constant(u64, Type),
    /// Shared memory of a CTA without the reserved region.
    UserShared,
    /// The warp's clock, which only `mov` reads.
    Clock(Clock),
    /// PTX has it, the model not.
    Missing,
}

/// Bytes at the start of shared memory that an operating system of the GPU takes from each CTA, in kernels
/// that ask where they are (CUDA programming guide: 1 KB from compute capability 8.0 on).
pub(super) const RESERVED_SHARED_BYTES: u32 = 1024;

/// A part of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    Low,
    High,
    Both,
}

impl Clock {
    const fn ty(self) -> Type {
        if matches!(self, Self::Both) { Type::U64 } else { Type::U32 }
    }
}

/// The special register `name`, if it is one.
pub(super) fn find(name: &str) -> Option<Named> {
    if let Some((base, component)) = name.split_once('.') {
        // "The fourth element is unused and always returns zero."
        if component == "w" {
            return find(&format!("{base}.x")).map(|_| Named::Constant(0, Type::U32));
        }
        let axis = match component {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return None,
        };
        return Some(match base {
            "%tid" => Named::Special(Special::Tid(axis)),
            "%ntid" => Named::Special(Special::Ntid(axis)),
            "%ctaid" | "%clusterid" => Named::Special(Special::Ctaid(axis)),
            "%nctaid" | "%nclusterid" => Named::Special(Special::Nctaid(axis)),
            "%cluster_ctaid" => Named::Constant(0, Type::U32),
            "%cluster_nctaid" => Named::Constant(1, Type::U32),
            _ => return None,
        });
    }
    Some(match name {
        "%laneid" => Named::Special(Special::LaneId),
        "%warpid" => Named::Special(Special::WarpId),
        "%nwarpid" => Named::Special(Special::NwarpId),
        "%lanemask_eq" => Named::Special(Special::LanemaskEq),
        "%lanemask_lt" => Named::Special(Special::LanemaskLt),
        "%lanemask_le" => Named::Special(Special::LanemaskLe),
        "%lanemask_gt" => Named::Special(Special::LanemaskGt),
        "%lanemask_ge" => Named::Special(Special::LanemaskGe),
        "%dynamic_smem_size" => Named::Special(Special::DynamicSharedBytes),
        "%aggr_smem_size" => Named::Special(Special::TotalSharedBytes),
        "%total_smem_size" => Named::UserShared,
        "%clock" | "%globaltimer_lo" => Named::Clock(Clock::Low),
        "%clock_hi" | "%globaltimer_hi" => Named::Clock(Clock::High),
        "%clock64" | "%globaltimer" => Named::Clock(Clock::Both),
        "%smid" | "%cluster_ctarank" => Named::Constant(0, Type::U32),
        "%nsmid" | "%cluster_nctarank" => Named::Constant(1, Type::U32),
        "%gridid" | "%current_graph_exec" => Named::Constant(0, Type::U64),
        "%is_explicit_cluster" => Named::Missing,
        // The driver's grid workspace; its high half, %envreg1, is 0.
        "%envreg2" => Named::Special(Special::GridWorkspace),
        _ if numbered(name, "%envreg", 32) => Named::Constant(0, Type::U32),
        _ if numbered(name.strip_suffix("_64").unwrap_or(name), "%pm", 8) => Named::Missing,
        _ => return Some(Named::Constant(reserved_shared(name)?.into(), Type::U32)),
    })
}

/// The value of a register that describes the reserved region of shared memory, if `name` is one. Which
/// of its bytes serve whom is not told; cooperative groups take 288 bytes at the second offset.
pub(super) fn reserved_shared(name: &str) -> Option<u32> {
    match name.strip_prefix("%reserved_smem_offset_")? {
        "begin" | "0" => Some(0),
        "1" => Some(RESERVED_SHARED_BYTES / 2),
        "end" | "cap" => Some(RESERVED_SHARED_BYTES),
        _ => None,
    }
}

/// Whether `name` is `prefix` and a number below `count`, written without leading zeros.
fn numbered(name: &str, prefix: &str, count: u32) -> bool {
    name.strip_prefix(prefix)
        .and_then(|digits| Some((digits, digits.parse::<u32>().ok()?)))
        .is_some_and(|(digits, number)| number < count && number.to_string() == digits)
}

impl Lowering<'_> {
    /// `mov d, %clock` and its like.
    pub(super) fn read_clock(&mut self, clock: Clock, d: &Operand, a: &Operand, ty: Type) -> Lowered<()> {
        if ty.bits() != clock.ty().bits() || ty.is_float() {
            return Err(self.mismatch(a, ty, clock.ty()));
        }
        let value = self.destination(d, ty)?;
        let mut dsts = Registers::new();
        if clock == Clock::High {
            dsts.push(self.fresh_word(a.span)?);
        }
        dsts.extend(value);
        let mut instr = self.new_instr(Op::Clock);
        instr.dsts.extend(dsts);
        self.emit(instr);
        Ok(())
    }
}
