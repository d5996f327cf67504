//! The load-store unit: addresses, coalescing and the way to the memory port.
//!
//! A memory instruction takes its place in the unit when it issues. Designs may collect operands out of
//! order; the unit sends the accesses of a warp in program order all the same, and those of different
//! warps in the order in which they could be sent.

mod lanes;
mod request;

use std::collections::VecDeque;

use heddle_isa::{ExecError, Instr, Lanes, Op, Space, WarpContext};
use heddle_mem::space;
use heddle_port::{HeldSpaces, LaneData, LaneMask, NUM_SOURCES};

pub use self::lanes::{LaneAccess, kind_of};
pub use self::request::Origin;
use crate::coalescer::Transaction;
use crate::inflight::Asked;
use crate::off_chip::atomic_code;

/// A memory instruction from its issue until all its lanes are performed.
#[derive(Debug, Clone)]
struct Access {
    tag: u16,
    warp: u8,
    /// Its operands are there.
    ready: bool,
    lanes: LaneAccess,
    requests: Vec<Transaction>,
    /// Next request to send.
    next: usize,
    /// Lanes not yet performed.
    unperformed: LaneMask,
    /// Lanes of the requests not yet performed: a lane counts in each request that it is in.
    to_perform: usize,
}

impl Access {
    fn new() -> Self {
        Self {
            tag: 0,
            warp: 0,
            ready: false,
            lanes: LaneAccess::new(),
            requests: Vec::with_capacity(128),
            next: 0,
            unperformed: LaneMask::NONE,
            to_perform: 0,
        }
    }

    /// Everything of it has been sent and performed.
    fn is_over(&self) -> bool {
        self.to_perform == 0 && self.unperformed.is_empty() && self.next == self.requests.len()
    }

    /// Some of it has been sent, and not all of it is performed.
    fn is_under_way(&self) -> bool {
        self.next > 0 && !self.is_over()
    }

    /// Its lanes access local memory in several requests each.
    fn is_wide_local(&self) -> bool {
        self.requests.iter().any(|t| t.space == space::LOCAL && t.word > 0)
    }
}

/// Why a memory instruction cannot be carried out.
#[derive(Debug)]
pub enum Impossible {
    /// Its operands make no access.
    Execution(ExecError),
    /// The design does not have it.
    Unsupported(String),
}

/// What the memory side says it has performed, and cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// These lanes were performed before.
    Twice(LaneMask),
    /// There were no such lanes in a request any more.
    TooOften,
}

/// The accesses under way.
#[derive(Debug, Clone)]
pub struct LoadStore {
    /// What the design holds behind its memory port.
    held: HeldSpaces,
    accesses: Vec<Access>,
    free: Vec<u8>,
    /// By warp slot: places of its instructions that are not queued yet, oldest first.
    orders: Vec<VecDeque<u8>>,
    queue: VecDeque<u8>,
}

impl LoadStore {
    /// With `places` places, 1 to 255, for as many warp slots, before a design that holds `held`.
    pub fn new(places: u32, warp_slots: usize, held: HeldSpaces) -> Self {
        Self {
            held,
            accesses: (0..places).map(|_| Access::new()).collect(),
            free: (0..places as u8).rev().collect(),
            orders: (0..warp_slots).map(|_| VecDeque::with_capacity(32)).collect(),
            queue: VecDeque::with_capacity(places as usize),
        }
    }

    /// Whether another memory instruction can issue.
    #[inline]
    pub fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    /// Takes a place for an instruction of warp slot `w` that issues, behind the warp's others.
    pub fn reserve(&mut self, tag: u16, w: usize) -> Option<u8> {
        let index = self.reserve_alone(tag, w)?;
        self.orders[w].push_back(index);
        Some(index)
    }

    /// Takes a place for an instruction beside which nothing is under way.
    pub fn reserve_alone(&mut self, tag: u16, w: usize) -> Option<u8> {
        let index = self.free.pop()?;
        let access = &mut self.accesses[usize::from(index)];
        (access.tag, access.warp, access.ready) = (tag, w as u8, false);
        Some(index)
    }

    /// What the lanes of an access are about.
    #[inline]
    pub fn lanes(&self, index: u8) -> &LaneAccess {
        &self.accesses[usize::from(index)].lanes
    }

    /// The addresses of a recorded instruction.
    pub fn replay(&mut self, index: u8, space: Space, exec: LaneMask, recorded: &Lanes) {
        self.accesses[usize::from(index)].lanes.replay(space, exec, recorded);
    }

    /// The operands of the access of `instr` are there: its addresses, stored values and requests.
    ///
    /// # Errors
    /// It cannot be carried out.
    pub fn prepare(
        &mut self,
        index: u8,
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        context: &WarpContext,
        exec: LaneMask,
    ) -> Result<Asked, Impossible> {
        let held = self.held.shared;
        let a = &mut self.accesses[usize::from(index)];
        a.ready = true;
        a.next = 0;
        a.lanes.prepare(instr, sources, context, exec, &mut a.requests).map_err(Impossible::Execution)?;
        let spaces = a.lanes.spaces;
        if held
            && !spaces.shared.is_empty()
            && let Op::Atom { op, ty, .. } = instr.op
            && atomic_code(op, ty).is_none()
        {
            return Err(Impossible::Unsupported(format!(
                "off-chip shared memory has no atomic {op:?} of type {ty:?}; designs with shared memory on chip, such as \
                 baseline, have it"
            )));
        }
        a.unperformed = spaces.global | spaces.shared | spaces.local;
        // What a design holds of shared memory is performed lane by lane.
        let apart = a.requests.iter().filter(|t| !held || t.space != space::SHARED);
        a.to_perform = apart.map(|t| t.mask.count_ones() as usize).sum();
        Ok(Asked { responses: a.requests.len() as u16, spaces, fetch: None })
    }

    /// Queues the oldest accesses of a warp, up to the first that still lacks its operands or has no request.
    /// The tag of that one, which is over; then there may be more.
    #[inline]
    pub fn queue_ready(&mut self, w: usize) -> Option<u16> {
        while let Some(&index) = self.orders[w].front() {
            let access = &self.accesses[usize::from(index)];
            if !access.ready {
                return None;
            }
            self.orders[w].pop_front();
            if access.requests.is_empty() {
                self.free.push(index);
                return Some(access.tag);
            }
            self.queue.push_back(index);
        }
        None
    }

    /// The lanes `mask` of an access take their place in the memory order. Those of them that do so now.
    ///
    /// # Errors
    /// They have done so before.
    pub fn perform(&mut self, index: u8, mask: LaneMask) -> Result<LaneMask, Wrong> {
        let access = &mut self.accesses[usize::from(index)];
        let spaces = &access.lanes.spaces;
        // A wide local access and a texture fetch are several requests and are performed with the first
        // of them, and each request may be performed in parts; any other lane is performed once.
        let several = if access.lanes.texels.is_some() { LaneMask(u32::MAX) } else { spaces.local };
        let again = mask & !access.unperformed & !several;
        if !again.is_empty() {
            return Err(Wrong::Twice(again));
        }
        if !self.held.shared || (mask & spaces.shared).is_empty() {
            let left = access.to_perform.checked_sub(mask.count() as usize);
            access.to_perform = left.ok_or(Wrong::TooOften)?;
        }
        let lanes = mask & access.unperformed;
        access.unperformed = access.unperformed & !mask;
        Ok(lanes)
    }

    /// All lanes of the access are performed.
    #[inline]
    pub fn is_performed(&self, index: u8) -> bool {
        self.accesses[usize::from(index)].unperformed.is_empty()
    }

    /// The place of the access is free if everything of it has been sent and performed; whether it is.
    pub fn release_if_over(&mut self, index: u8) -> bool {
        let over = self.accesses[usize::from(index)].is_over();
        if over {
            self.free.push(index);
        }
        over
    }

    /// All requests of an access count as sent, between two cycles; the lanes that are to be performed.
    pub fn send_at_once(&mut self, index: u8) -> LaneMask {
        let access = &mut self.accesses[usize::from(index)];
        access.next = access.requests.len();
        let apart = self.held.shared && !access.lanes.spaces.shared.is_empty();
        access.to_perform = if apart { 0 } else { access.unperformed.count() as usize };
        access.unperformed
    }
}
