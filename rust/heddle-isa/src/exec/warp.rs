//! Operations between the lanes of a warp (PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync",
//! "activemask", "elect.sync").
//!
//! Where PTX leaves results open, they are: a `shfl` whose source lane does not execute the instruction, or
//! is not in the member mask, gives 0, whatever that lane's register holds; its predicate is that of the
//! range. `elect` elects the lowest lane.

use heddle_port::{LaneMask, NUM_LANES};

use super::members::groups;
use super::operand::{Sources, word};
use super::{ExecError, Outputs, unsupported};
use crate::types::Type;
use crate::warp_op::{MatchMode, ReduxOp, ShflMode, VoteMode};

/// The lane that `lane` reads, and whether it is in range.
fn source_lane(mode: ShflMode, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let lowest = lane & segment;
    let bound = lowest | (clamp & !segment);
    let (from, in_range) = match mode {
        ShflMode::Up => (lane.wrapping_sub(b), lane >= bound + b),
        ShflMode::Down => (lane + b, lane + b <= bound),
        ShflMode::Bfly => (lane ^ b, lane ^ b <= bound),
        ShflMode::Idx => (lowest | (b & !segment), lowest | (b & !segment) <= bound),
    };
    if in_range { (from, true) } else { (lane, false) }
}

pub(super) fn shfl(
    mode: ShflMode,
    s: &Sources<'_>,
    executing: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    word!(a, s, 0, Type::B32);
    word!(b, s, 1, Type::B32);
    word!(c, s, 2, Type::B32);
    let members = groups(s, 3, executing)?;
    let mut holds = 0;
    for lane in executing.lanes() {
        let (from, in_range) = source_lane(mode, lane as u32, b[lane], c[lane]);
        let there = members[lane] >> from & 1 != 0;
        out.values[0][lane] = if there { a[from as usize] } else { 0 };
        holds |= u32::from(in_range) << lane;
    }
    out.preds[0] = holds;
    Ok(())
}

pub(super) fn vote(
    mode: VoteMode,
    s: &Sources<'_>,
    executing: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let holding = s.pred(0)?;
    let members = groups(s, 0, executing)?;
    let mut holds = 0;
    for lane in executing.lanes() {
        let group = members[lane];
        let yes = group & holding;
        out.values[0][lane] = yes;
        let answer = match mode {
            VoteMode::All => yes == group,
            VoteMode::Any | VoteMode::Ballot => yes != 0,
            VoteMode::Uni => yes == group || yes == 0,
        };
        holds |= u32::from(answer) << lane;
    }
    out.preds[0] = holds;
    Ok(())
}

pub(super) fn matching(
    mode: MatchMode,
    ty: Type,
    s: &Sources<'_>,
    executing: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let values = if ty.words() == 2 { s.wide(0)? } else { s.copied(0, ty)?.map(u64::from) };
    let members = groups(s, 1, executing)?;
    let mut holds = 0;
    for lane in executing.lanes() {
        let group = members[lane];
        let equal = LaneMask(group).lanes().filter(|&other| values[other] == values[lane]);
        let equal = equal.fold(0u32, |mask, other| mask | 1 << other);
        let all = equal == group;
        out.values[0][lane] = if all || mode == MatchMode::Any { equal } else { 0 };
        holds |= u32::from(all) << lane;
    }
    out.preds[0] = holds;
    Ok(())
}

pub(super) fn redux(
    op: ReduxOp,
    ty: Type,
    s: &Sources<'_>,
    executing: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let combine: fn(u32, u32) -> u32 = match (op, ty) {
        (ReduxOp::Add, Type::U32 | Type::S32) => u32::wrapping_add,
        (ReduxOp::Min, Type::U32) => u32::min,
        (ReduxOp::Max, Type::U32) => u32::max,
        (ReduxOp::Min, Type::S32) => |a, b| (a as i32).min(b as i32) as u32,
        (ReduxOp::Max, Type::S32) => |a, b| (a as i32).max(b as i32) as u32,
        (ReduxOp::And, Type::B32) => |a, b| a & b,
        (ReduxOp::Or, Type::B32) => |a, b| a | b,
        (ReduxOp::Xor, Type::B32) => |a, b| a ^ b,
        _ => return Err(unsupported(&op, ty)),
    };
    word!(a, s, 0, ty);
    let members = groups(s, 1, executing)?;
    for lane in executing.lanes() {
        let group = LaneMask(members[lane]).lanes().map(|other| a[other]);
        out.values[0][lane] = group.reduce(combine).unwrap_or(0);
    }
    Ok(())
}

pub(super) fn elect(s: &Sources<'_>, executing: LaneMask, out: &mut Outputs) -> Result<(), ExecError> {
    let members = groups(s, 0, executing)?;
    let mut holds = 0;
    for lane in executing.lanes() {
        let leader = members[lane].trailing_zeros();
        out.values[0][lane] = leader;
        holds |= u32::from(leader == lane as u32) << lane;
    }
    out.preds[0] = holds;
    Ok(())
}

/// `bar.warp.sync`: nothing but the check that the lanes are together.
pub(super) fn sync(s: &Sources<'_>, executing: LaneMask) -> Result<(), ExecError> {
    groups(s, 0, executing).map(|_| ())
}

pub(super) fn activemask(executing: LaneMask, out: &mut Outputs) {
    out.values[0] = [executing.0; NUM_LANES];
}
