//! What a barrier instruction asks for (PTX ISA, "bar, barrier"). Who has arrived and when the barrier opens
//! is the machine's.

use heddle_port::{LaneData, LaneMask, NUM_LANES, NUM_SOURCES};

use super::operand::Sources;
use super::{ExecError, WarpContext};
use crate::instr::Instr;
use crate::op::Op;
use crate::types::Type;
use crate::warp_op::BarrierKind;

/// Barriers of a CTA.
pub const NUM_BARRIERS: usize = 16;

/// A warp's arrival at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BarrierRequest {
    /// What the instruction does.
    pub kind: BarrierKind,
    /// Barrier number, below [`NUM_BARRIERS`].
    pub id: u8,
    /// Warps that take part, where the instruction gives a count of threads; else all of the CTA that have
    /// not ended.
    pub warps: Option<u32>,
    /// Lanes whose predicate holds, of a barrier with reduction.
    pub holding: LaneMask,
}

/// A barrier that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BarrierFault {
    /// Lanes of a warp disagree.
    #[error(
        "the {what} is {first} in lane {lane} and {second} in lane {other}; expected the same in all lanes"
    )]
    NotUniform {
        /// Barrier number or count of threads.
        what: &'static str,
        /// A lane.
        lane: usize,
        /// Its value.
        first: u32,
        /// Another lane.
        other: usize,
        /// Its value.
        second: u32,
    },
    /// There is no such barrier.
    #[error("barrier {number} does not exist; expected a number from 0 to 15")]
    Number {
        /// The number.
        number: u32,
    },
    /// A count that is no whole number of warps or more than the CTA has.
    #[error("the barrier counts {threads} threads; expected a multiple of 32 from 32 to {most}")]
    Count {
        /// Threads.
        threads: u32,
        /// Threads of the CTA, idle lanes of its last warp included.
        most: u32,
    },
    /// Warps that meet at a barrier give different counts.
    #[error("barrier {id} counts {warps} warps here and {others} in the warps that have arrived before")]
    CountDiffers {
        /// Barrier number.
        id: u8,
        /// Warps by this instruction.
        warps: u32,
        /// Warps by those before.
        others: u32,
    },
    /// A warp arrives twice before the barrier opens.
    #[error("the warp has arrived at barrier {id} before, and the barrier has not opened since")]
    ArrivedTwice {
        /// Barrier number.
        id: u8,
    },
    /// A part of a warp arrives.
    #[error("barrier reached by lanes {arrived} while lanes {missing} of the warp are elsewhere")]
    Divergent {
        /// Lanes that arrive.
        arrived: LaneMask,
        /// Live lanes that do not.
        missing: LaneMask,
    },
}

/// What the barrier instruction `instr` asks for in the lanes of `mask`, of which there is at least one.
/// `sources` and `preds` are as for [`super::execute`].
///
/// # Errors
/// A number or count that is not the same in all lanes or does not fit the CTA; an instruction that is no
/// barrier or lacks operands.
pub fn barrier_request(
    instr: &Instr,
    sources: &[LaneData; NUM_SOURCES],
    preds: &[u32],
    context: &WarpContext,
    mask: LaneMask,
) -> Result<BarrierRequest, ExecError> {
    let Op::Bar { kind } = instr.op else {
        return Err(super::not_arithmetic(instr));
    };
    let s = Sources { instr, words: sources, preds, context };
    let number = one_value(&s.copied(0, Type::U32)?, mask, "barrier number")?;
    let id = u8::try_from(number)
        .ok()
        .filter(|&id| usize::from(id) < NUM_BARRIERS)
        .ok_or(BarrierFault::Number { number })?;
    let warps = if instr.srcs.len() > 1 {
        let threads = one_value(&s.copied(1, Type::U32)?, mask, "count of threads")?;
        let most = context.num_warps().saturating_mul(NUM_LANES as u32);
        if threads == 0 || threads % NUM_LANES as u32 != 0 || threads > most {
            return Err(BarrierFault::Count { threads, most }.into());
        }
        Some(threads / NUM_LANES as u32)
    } else {
        None
    };
    let holding = if kind == BarrierKind::Reduce { LaneMask(s.pred(0)?) } else { LaneMask::NONE };
    Ok(BarrierRequest { kind, id, warps, holding })
}

/// The value that all lanes of `mask` have.
fn one_value(lanes: &LaneData, mask: LaneMask, what: &'static str) -> Result<u32, BarrierFault> {
    let lane = mask.lanes().next().unwrap_or(0);
    let first = lanes[lane];
    match mask.lanes().find(|&other| lanes[other] != first) {
        None => Ok(first),
        Some(other) => Err(BarrierFault::NotUniform { what, lane, first, other, second: lanes[other] }),
    }
}
