//! What an instruction does to the 32 lanes of a warp: pure functions.
//!
//! [`execute`] is the arithmetic, [`addresses`], [`store_data`], [`load_extend`] and [`atomic`] are the
//! parts of a memory access that need no memory, [`plan_texels`] that of a texture fetch, [`guard_mask`] says which lanes take part. All lanes
//! are computed; a caller keeps those of the mask. Where the PTX ISA leaves bits open, the module that
//! computes them says what they are.

mod approx;
mod barrier;
mod bits;
mod compare;
mod context;
mod convert;
mod error;
mod float32;
mod float64;
mod half;
mod host;
mod integer;
mod integer64;
mod members;
mod memory;
mod moment;
mod operand;
mod pack;
mod texture;
mod video;
mod warp;
mod word;

use std::fmt::Debug;

use heddle_port::{LaneData, LaneMask, NUM_DESTINATIONS, NUM_LANES, NUM_SOURCES};

pub use barrier::{BarrierFault, BarrierRequest, NUM_BARRIERS, barrier_request};
pub use context::WarpContext;
pub use error::ExecError;
pub use members::MemberFault;
pub use memory::{AccessSpaces, MAX_ELEMENTS, addresses, atomic, load_extend, resolve_spaces, store_data};
pub use moment::{BarrierTally, Moment};
pub use texture::plan_texels;

use self::host::compiled_twice;
use self::operand::{Sources, put_wide, word};
use crate::instr::Instr;
use crate::modifiers::{Alu, Mods, Space};
use crate::op::Op;
use crate::types::Type;

/// Results of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outputs {
    /// Destination registers, in the order of [`Instr::dsts`].
    pub values: [LaneData; NUM_DESTINATIONS],
    /// Destination predicates, one bit a lane, in the order of [`Instr::pred_dsts`].
    pub preds: [u32; 2],
}

impl Default for Outputs {
    fn default() -> Self {
        Self { values: [[0; NUM_LANES]; NUM_DESTINATIONS], preds: [0; 2] }
    }
}

#[cold]
fn unsupported(op: &dyn Debug, ty: Type) -> ExecError {
    ExecError::Unsupported { op: format!("{op:?}"), ty }
}

compiled_twice! {
    /// Executes a non-memory, non-control instruction (also loads from parameter and constant space) for
    /// the lanes of `mask`.
    ///
    /// `sources` are in slot order ([`Instr::source_regs`]). `preds` holds the lanes of each predicate
    /// register. Results stand in `out` by destination slot; lanes outside `mask` and slots that the
    /// instruction does not have hold no meaning. The guard is not looked at: it is part of `mask`.
    ///
    /// Where [`Moment::is_read_by`] says so, `context.moment` is what held when the instruction issued.
    ///
    /// With `.cc` and the extended-precision forms the carry flag is a predicate: `pred_srcs[0]` in,
    /// `pred_dsts[0]` out.
    ///
    /// # Errors
    /// An operation that is not defined for its type, missing operands, a read outside a bank, a member mask
    /// that cannot be met, a trap, or an instruction that is not arithmetic.
    pub fn execute(
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        preds: &[u32],
        context: &WarpContext,
        mask: LaneMask,
        out: &mut Outputs,
    ) -> Result<(), ExecError> = execute_lanes;
}

/// As [`execute`], without the vector instructions of the processor: what it does elsewhere, bit for bit.
///
/// # Errors
/// As [`execute`].
pub fn execute_portable(
    instr: &Instr,
    sources: &[LaneData; NUM_SOURCES],
    preds: &[u32],
    context: &WarpContext,
    mask: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    execute_lanes(instr, sources, preds, context, mask, out)
}

#[inline(always)]
fn execute_lanes(
    instr: &Instr,
    sources: &[LaneData; NUM_SOURCES],
    preds: &[u32],
    context: &WarpContext,
    mask: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let s = Sources { instr, words: sources, preds, context };
    match &instr.op {
        Op::Alu { op, ty, mods } => alu(*op, *ty, mods, &s, out),
        Op::Cvt { to, from, mods } => convert::execute(*to, *from, mods, &s, out),
        Op::Setp { cmp, ty, ftz, combine } => compare::setp(*cmp, *ty, *ftz, *combine, &s, out),
        Op::Set { cmp, ty, to, ftz, combine } => compare::set(*cmp, (*ty, *to), *ftz, *combine, &s, out),
        Op::Testp { test, ty } => compare::testp(*test, *ty, &s, out),
        Op::Selp { ty } => compare::selp(*ty, &s, out),
        Op::Pred { op } => compare::logic(*op, &s, out),
        Op::Ld { space: space @ (Space::Param | Space::Const), ty, vector, .. } => {
            memory::load_bank(*space, *ty, *vector, &s, mask, out)
        }
        Op::SurfaceAddress { geometry, boundary, bytes } => {
            texture::surface_address(*geometry, *boundary, *bytes, &s, mask, out)
        }
        Op::Nop => Ok(()),
        _ => between_lanes(&s, mask, out),
    }
}

/// Instructions that look at other lanes or at the warp.
fn between_lanes(s: &Sources<'_>, mask: LaneMask, out: &mut Outputs) -> Result<(), ExecError> {
    match s.instr.op {
        Op::Shfl { mode } => warp::shfl(mode, s, mask, out),
        Op::Vote { mode } => warp::vote(mode, s, mask, out),
        Op::Match { mode, ty } => warp::matching(mode, ty, s, mask, out),
        Op::Redux { op, ty } => warp::redux(op, ty, s, mask, out),
        Op::Elect => warp::elect(s, mask, out),
        Op::WarpSync => warp::sync(s, mask),
        Op::Activemask => {
            warp::activemask(mask, out);
            Ok(())
        }
        Op::Clock => {
            moment::clock(&s.context.moment, out);
            Ok(())
        }
        Op::BarrierResult { reduction } => {
            moment::barrier_result(reduction, &s.context.moment, out);
            Ok(())
        }
        Op::Trap => Err(ExecError::Trap { lanes: mask }),
        _ => Err(not_arithmetic(s.instr)),
    }
}

#[cold]
fn not_arithmetic(instr: &Instr) -> ExecError {
    ExecError::NotArithmetic { op: format!("{:?}", instr.op) }
}

#[inline(always)]
fn alu(op: Alu, ty: Type, mods: &Mods, s: &Sources<'_>, out: &mut Outputs) -> Result<(), ExecError> {
    match op {
        Alu::Mov if ty.words() == 2 => {
            let a = s.wide(0)?;
            put_wide(&mut out.values, |l| a[l]);
            Ok(())
        }
        Alu::Mov => {
            word!(a, s, 0, ty);
            out.values[0] = *a;
            Ok(())
        }
        Alu::PrmtMode(_)
        | Alu::Lop3
        | Alu::Bmsk
        | Alu::Szext
        | Alu::Fns
        | Alu::Dp4a(_)
        | Alu::Dp2a { .. }
        | Alu::Mul24 { .. }
        | Alu::Mad24 { .. } => word::execute(op, ty, mods, s, out),
        Alu::Video(ref video) => video::execute(video, ty, mods, s, out),
        Alu::Pack => pack::pack(ty, s, out),
        Alu::Unpack => pack::unpack(ty, s, out),
        _ => match ty {
            Type::F32 => float32::execute(op, mods, s, out),
            Type::F64 => float64::execute(op, mods, s, out),
            Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 => half::execute(op, ty, mods, s, out),
            Type::B64 | Type::U64 | Type::S64 => integer64::execute(op, ty, mods, s, out),
            Type::Pred | Type::Tf32 | Type::B128 => Err(unsupported(&op, ty)),
            _ => integer::execute(op, ty, mods, s, out),
        },
    }
}

/// Lanes that execute: active lanes where the guard holds. A guard on a predicate register that
/// `preds` does not have holds nowhere.
#[inline]
#[must_use]
pub fn guard_mask(instr: &Instr, preds: &[u32], active: LaneMask) -> LaneMask {
    match instr.guard {
        None => active,
        // The lanes that are recorded are those in which the guard held.
        Some(_) if matches!(instr.op, Op::Traced(_)) => active,
        Some(guard) => match preds.get(usize::from(guard.pred.0)) {
            Some(&mask) if guard.negated => LaneMask(active.0 & !mask),
            Some(&mask) => LaneMask(active.0 & mask),
            None => LaneMask::NONE,
        },
    }
}
