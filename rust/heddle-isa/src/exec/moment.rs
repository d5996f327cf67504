//! What a warp knows at the instant in which an instruction issues.

use heddle_port::{LaneMask, NUM_LANES};

use super::Outputs;
use crate::op::Op;
use crate::warp_op::BarrierReduction;

/// What the threads of a barrier with reduction have contributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BarrierTally {
    /// Threads whose predicate holds.
    pub count: u32,
    /// It holds in all of them.
    pub all: bool,
    /// It holds in one of them.
    pub any: bool,
}

impl Default for BarrierTally {
    /// No thread yet.
    fn default() -> Self {
        Self { count: 0, all: true, any: false }
    }
}

impl BarrierTally {
    /// Adds the threads `lanes`, of which the predicate holds in `holding`.
    pub fn add(&mut self, lanes: LaneMask, holding: LaneMask) {
        self.count += (lanes & holding).count();
        self.all &= (lanes & !holding).is_empty();
        self.any |= !(lanes & holding).is_empty();
    }
}

/// State of a warp that changes while it runs, and that a few instructions read. A machine sets it before it
/// calls [`super::execute`], to what held when the instruction issued; [`Moment::is_read_by`] tells
/// which instructions need it.
///
/// The **clock** stands for `%clock`, `%clock64` and `%globaltimer`. PTX promises no more than that they do
/// not go back, and a machine without timing cannot know cycles. So the clock counts its own reads: the
/// first [`Op::Clock`] of a warp reads 1, and each later one 1 more. That is the same on every
/// machine and before and after register allocation, and loops that wait for time to pass end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// Reads of the clock that the warp has issued, this one included.
    pub clock: u64,
    /// Result of the warp's last barrier with reduction.
    pub barrier: BarrierTally,
    /// Lanes of the warp that have not ended.
    pub live: LaneMask,
}

impl Moment {
    /// Whether the result of `op` depends on the moment.
    #[must_use]
    pub const fn is_read_by(op: &Op) -> bool {
        matches!(
            op,
            Op::Clock
                | Op::BarrierResult { .. }
                | Op::WarpSync
                | Op::Shfl { .. }
                | Op::Vote { .. }
                | Op::Match { .. }
                | Op::Redux { .. }
                | Op::Elect
        )
    }
}

pub(super) fn clock(moment: &Moment, out: &mut Outputs) {
    out.values[0] = [moment.clock as u32; NUM_LANES];
    out.values[1] = [(moment.clock >> 32) as u32; NUM_LANES];
}

pub(super) fn barrier_result(reduction: BarrierReduction, moment: &Moment, out: &mut Outputs) {
    let BarrierTally { count, all, any } = moment.barrier;
    match reduction {
        BarrierReduction::Popc => out.values[0] = [count; NUM_LANES],
        BarrierReduction::And => out.preds[0] = if all { u32::MAX } else { 0 },
        BarrierReduction::Or => out.preds[0] = if any { u32::MAX } else { 0 },
    }
}
