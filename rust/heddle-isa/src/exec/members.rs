//! Member masks: the lanes that take part in a `.sync` instruction.
//!
//! PTX makes a thread wait until all threads of its member mask that have not exited execute the same
//! instruction with the same mask. On a reconvergence stack a lane that is elsewhere cannot come while the
//! others wait, so such a wait would never end: it is a [`MemberFault`]. The lanes of one instruction
//! may have different masks, as parts of a warp that work apart have.

use heddle_port::{LaneData, LaneMask, NUM_LANES};

use super::ExecError;
use super::operand::Sources;
use crate::types::Type;

/// A member mask that cannot be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemberFault {
    /// Members are elsewhere.
    #[error(
        "the member mask {mask} of lane {lane} names lanes {missing}, which do not execute the instruction \
         (executing: {executing}); they would wait for each other for ever. Let the lanes meet before it, or \
         name only lanes that come here together"
    )]
    Absent {
        /// The lane.
        lane: usize,
        /// Its member mask.
        mask: LaneMask,
        /// Members that have not ended and do not execute the instruction.
        missing: LaneMask,
        /// Lanes that do.
        executing: LaneMask,
    },
    /// A lane is not in its own mask.
    #[error("lane {lane} executes the instruction, but its member mask {mask} does not name it")]
    NotMember {
        /// The lane.
        lane: usize,
        /// Its member mask.
        mask: LaneMask,
    },
    /// Members have another mask.
    #[error("lane {lane} has the member mask {mask}, but lane {other}, which it names, has {other_mask}")]
    Differs {
        /// The lane.
        lane: usize,
        /// Its member mask.
        mask: LaneMask,
        /// A member.
        other: usize,
        /// The member's mask.
        other_mask: LaneMask,
    },
}

/// By executing lane: the lanes that take part with it, by the member masks in operand `index`; all of
/// `executing` where the instruction has no such operand.
pub(super) fn groups(s: &Sources<'_>, index: usize, executing: LaneMask) -> Result<LaneData, ExecError> {
    if index >= s.instr.srcs.len() {
        return Ok([executing.0; NUM_LANES]);
    }
    let masks = s.copied(index, Type::B32)?;
    check(&masks, executing, s.context.moment.live)?;
    Ok(masks.map(|mask| mask & executing.0))
}

fn check(masks: &LaneData, executing: LaneMask, live: LaneMask) -> Result<(), MemberFault> {
    for lane in executing.lanes() {
        let mask = LaneMask(masks[lane]);
        if !mask.has(lane) {
            return Err(MemberFault::NotMember { lane, mask });
        }
        let missing = mask & live & !executing;
        if !missing.is_empty() {
            return Err(MemberFault::Absent { lane, mask, missing, executing });
        }
        if let Some(other) = (mask & executing).lanes().find(|&other| masks[other] != mask.0) {
            let other_mask = LaneMask(masks[other]);
            return Err(MemberFault::Differs { lane, mask, other, other_mask });
        }
    }
    Ok(())
}
