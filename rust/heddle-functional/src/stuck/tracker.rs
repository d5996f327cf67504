//! Whether one warp stays in a loop that reads memory, while memory does not change.

use heddle_isa::loops::{PcSet, left_by_memory_alone};
use heddle_isa::{Pc, Program, SimtStack, Space};
use heddle_port::LaneData;

use crate::expected::Expected;
use crate::site::AccessKind;
use crate::warp::Warp;

/// Most polled places that are noted of a warp.
const MOST_PLACES: usize = 8;

/// What a warp is, but for memory that others see.
struct Snapshot {
    stack: SimtStack,
    preds: Vec<u32>,
    regs: Vec<LaneData>,
    clock: u64,
    local: Vec<u8>,
}

impl Snapshot {
    fn of(warp: &Warp) -> Self {
        Self {
            stack: warp.stack.clone(),
            preds: warp.preds.clone(),
            regs: warp.regs.clone(),
            clock: warp.context.moment.clock,
            local: warp.local.data.clone(),
        }
    }

    fn is(&self, warp: &Warp) -> bool {
        self.stack == warp.stack
            && self.clock == warp.context.moment.clock
            && self.preds == warp.preds
            && self.regs == warp.regs
            && self.local == warp.local.data
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Watched,
    Waits,
    GoesOn,
}

/// Watches one warp for a number of instructions: a first half in which it comes into its loop, a quarter that says
/// which instructions are the loop, and another in which it must execute the same ones.
///
/// With memory as it is, the warp waits when its state comes back, registers and local memory included, or when
/// nothing that leads out of the loop depends on anything but what it reads ([`left_by_memory_alone`]).
pub(super) struct Tracker {
    window: u32,
    count: u32,
    first: PcSet,
    second: PcSet,
    snapshot: Option<Box<Snapshot>>,
    polled: Vec<(Pc, Space, u64)>,
    verdict: Verdict,
}

impl Tracker {
    pub fn new(instructions: usize, window: u32) -> Self {
        Self {
            window,
            count: 0,
            first: PcSet::new(instructions),
            second: PcSet::new(instructions),
            snapshot: None,
            polled: Vec::new(),
            verdict: Verdict::Watched,
        }
    }

    pub fn is_judged(&self) -> bool {
        self.verdict != Verdict::Watched
    }

    pub fn waits(&self) -> bool {
        self.verdict == Verdict::Waits
    }

    /// Instruction, space and address of what the warp reads in its loop.
    pub fn polled(&self) -> &[(Pc, Space, u64)] {
        &self.polled
    }

    /// The warp has executed `e`.
    pub fn stepped(&mut self, program: &Program, warp: &Warp, e: &Expected) {
        self.count += 1;
        let (half, three_quarters) = (self.window / 2, self.window / 4 * 3);
        if self.count <= half {
            if self.count == half {
                self.snapshot = Some(Box::new(Snapshot::of(warp)));
            }
            return;
        }
        let set = if self.count <= three_quarters { &mut self.first } else { &mut self.second };
        set.insert(e.pc);
        if matches!(e.kind, AccessKind::Load | AccessKind::Atomic) {
            self.note(e);
        }
        let came_back = self.snapshot.as_ref().is_some_and(|s| s.is(warp));
        if came_back && !self.polled.is_empty() {
            self.verdict = Verdict::Waits;
        } else if self.count >= self.window {
            let stays = self.first == self.second
                && !self.polled.is_empty()
                && left_by_memory_alone(program, &self.first);
            self.verdict = if stays { Verdict::Waits } else { Verdict::GoesOn };
            self.snapshot = None;
        }
    }

    fn note(&mut self, e: &Expected) {
        let others = e.seen_by_others();
        for lane in others.lanes() {
            let Some(space) = e.spaces.of_lane(lane) else { continue };
            let place = (e.pc, space, e.addresses[lane]);
            if self.polled.len() < MOST_PLACES && !self.polled.contains(&place) {
                self.polled.push(place);
            }
        }
    }
}
