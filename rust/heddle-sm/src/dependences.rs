//! What the next instruction of each warp depends on: the scoreboards, and the instructions that are
//! outstanding.
//!
//! A warp whose next instruction lacks something is blocked until something of its own changes. One that lacks nothing but a
//! place in its pipeline or in the load-store unit is known as such until it issues.

use heddle_port::members;

use crate::decode::{Decoded, Kind};
use crate::scoreboard::{Footprint, Hazard, Scoreboard};
use crate::stalls::Stall;
use crate::units::KINDS;

/// What one warp has outstanding.
#[derive(Debug, Clone)]
struct Outstanding {
    board: Scoreboard,
    /// Instructions whose operands the design still collects.
    reads: u32,
    /// Instructions not yet retired.
    in_flight: u32,
    /// Memory instructions with lanes not yet performed.
    unperformed: u32,
    /// Memory instructions not yet answered.
    unanswered: u32,
    /// The first cycle in which its next instruction was found to wait for memory.
    waits_since: Option<u64>,
    /// A register whose outstanding write its next instruction was found to wait for, and why it waits until then.
    waits_for: Option<(u8, Stall)>,
}

impl Outstanding {
    fn new() -> Self {
        Self {
            board: Scoreboard::new(),
            reads: 0,
            in_flight: 0,
            unperformed: 0,
            unanswered: 0,
            waits_since: None,
            waits_for: None,
        }
    }

    /// What `footprint`, that of its next instruction, waits for in the scoreboard.
    #[inline]
    fn waits(&mut self, footprint: &Footprint) -> Option<Stall> {
        if let Some((register, stall)) = self.waits_for
            && self.board.is_pending(register.into())
        {
            return Some(stall);
        }
        if !self.board.blocks(footprint) {
            return None;
        }
        let (register, stall) = match self.board.hazard(footprint) {
            Some(Hazard::Load(register)) => (Some(register), Stall::Memory),
            Some(Hazard::Register(register)) if self.board.is_pending(register) => {
                (Some(register), Stall::Result)
            }
            _ => (None, Stall::Result),
        };
        self.waits_for = register.map(|register| (register as u8, stall));
        Some(stall)
    }
}

/// Where an instruction needs a place when it issues: by kind of pipeline, and behind them the load-store unit.
pub const LOAD_STORE: usize = KINDS;
const ROOMS: usize = KINDS + 1;

/// The dependences of all warp slots.
#[derive(Debug, Clone)]
pub struct Dependences {
    warps: Vec<Outstanding>,
    /// By room: slots whose next instruction has all it depends on and found no place there. What it depends on it goes on
    /// having, so this holds until the warp has another next instruction.
    crowded_out: [u64; ROOMS],
    /// All of these.
    crowded: u64,
    /// Slots whose next instruction waits for the scoreboard or for the warp's memory accesses.
    blocked: u64,
    /// Of these, slots that wait for a load or atomic of global or local memory, or a fence.
    long: u64,
    /// Of these, slots at a barrier or at their end that wait until the warp's accesses are performed.
    performing: u64,
}

impl Dependences {
    /// Of as many warp slots.
    pub fn new(slots: usize) -> Self {
        let warps = vec![Outstanding::new(); slots];
        Self { warps, crowded_out: [0; ROOMS], crowded: 0, blocked: 0, long: 0, performing: 0 }
    }

    /// Slots whose next instruction was found to lack something.
    #[inline]
    pub fn blocked(&self) -> u64 {
        self.blocked
    }

    /// Of `candidates`, slots that wait for nothing but a place where `is_full` says there is none.
    #[inline]
    pub fn without_place(&self, candidates: u64, is_full: impl Fn(usize) -> bool) -> u64 {
        let mut without = 0;
        if candidates & self.crowded == 0 {
            return without;
        }
        for (room, slots) in self.crowded_out.iter().enumerate() {
            let here = slots & candidates;
            if here != 0 && is_full(room) {
                without |= here;
            }
        }
        without
    }

    /// The next instruction of the warp has all it depends on and found no place in `room`.
    #[inline]
    pub fn crowd_out(&mut self, w: usize, room: usize) {
        self.crowded_out[room] |= 1 << w;
        self.crowded |= 1 << w;
    }

    /// The warp has another next instruction.
    #[inline]
    fn look_anew(&mut self, w: usize) {
        self.warps[w].waits_for = None;
        if self.crowded >> w & 1 != 0 {
            self.crowded_out.iter_mut().for_each(|slots| *slots &= !(1 << w));
            self.crowded &= !(1 << w);
        }
    }

    /// Slots that wait for memory: for a load, for an atomic, or until their accesses are performed.
    #[inline]
    pub fn for_memory(&self) -> u64 {
        self.long | self.performing
    }

    /// Whether the design collects operands of the warp.
    #[inline]
    pub fn is_collecting(&self, w: usize) -> bool {
        self.warps[w].reads > 0
    }

    /// Nothing of the warp is in flight.
    #[inline]
    pub fn is_drained(&self, w: usize) -> bool {
        self.warps[w].in_flight == 0
    }

    /// Whether one of `warps` has memory instructions that are not answered.
    pub fn awaits_memory(&self, warps: u64) -> bool {
        members(warps).any(|w| self.warps[w].unanswered > 0)
    }

    /// Slots that have waited for memory for `patience` cycles.
    pub fn waited(&self, cycle: u64, patience: u64) -> u64 {
        let mut waiting = self.blocked & self.long;
        if patience != 0 {
            for w in members(waiting) {
                if self.warps[w].waits_since.is_none_or(|since| cycle - since < patience) {
                    waiting &= !(1 << w);
                }
            }
        }
        waiting
    }

    /// What an instruction of the warp waits for in the scoreboard.
    pub fn hazard(&self, w: usize, footprint: &Footprint) -> Option<Hazard> {
        self.warps[w].board.hazard(footprint)
    }

    /// Whether `d`, the next instruction of the warp, has all it depends on; the warp is blocked if not.
    ///
    /// # Errors
    /// What it lacks.
    #[inline]
    pub fn check(&mut self, w: usize, d: &Decoded, cycle: u64) -> Result<(), Stall> {
        let warp = &mut self.warps[w];
        let bit = 1u64 << w;
        if let Some(stall) = warp.waits(&d.footprint) {
            self.blocked |= bit;
            if stall == Stall::Memory {
                self.wait_for_memory(w, cycle);
            }
            return Err(stall);
        }
        match d.kind {
            Kind::Barrier { .. } | Kind::WarpSync | Kind::Exit if warp.unperformed > 0 => {
                self.blocked |= bit;
                self.performing |= bit;
                Err(Stall::Memory)
            }
            Kind::Fence { .. } if warp.unanswered > 0 => {
                self.blocked |= bit;
                self.wait_for_memory(w, cycle);
                Err(Stall::Memory)
            }
            _ => Ok(()),
        }
    }

    /// The next instruction of `w` waits for memory, since the first cycle in which that was found.
    fn wait_for_memory(&mut self, w: usize, cycle: u64) {
        self.long |= 1 << w;
        self.warps[w].waits_since.get_or_insert(cycle);
    }

    /// Something that the next instruction of the warp may have waited for has changed.
    #[inline]
    fn wake(&mut self, w: usize) {
        self.blocked &= !(1 << w);
        self.long &= !(1 << w);
        self.performing &= !(1 << w);
    }

    /// A warp starts in the slot.
    pub fn start(&mut self, w: usize) {
        self.warps[w].board = Scoreboard::new();
        self.look_anew(w);
        self.wake(w);
    }

    /// An instruction issues.
    #[inline]
    pub fn issued(&mut self, w: usize, d: &Decoded) {
        self.look_anew(w);
        let warp = &mut self.warps[w];
        warp.in_flight += 1;
        warp.waits_since = None;
        warp.board.issue(&d.footprint, d.long);
        warp.reads += u32::from(d.through_port);
        if d.kind == Kind::Memory {
            warp.unperformed += 1;
            warp.unanswered += 1;
        }
    }

    /// Its operands are there.
    #[inline]
    pub fn collected(&mut self, w: usize, d: &Decoded) {
        let warp = &mut self.warps[w];
        warp.reads -= u32::from(d.through_port);
        warp.board.collected(&d.footprint);
        self.wake(w);
    }

    /// All lanes of a memory instruction are performed.
    #[inline]
    pub fn performed(&mut self, w: usize) {
        self.warps[w].unperformed -= 1;
        self.wake(w);
    }

    /// An instruction has left its pipeline or memory: its predicates are there.
    #[inline]
    pub fn completed(&mut self, w: usize, d: &Decoded) {
        let warp = &mut self.warps[w];
        if d.kind == Kind::Memory {
            warp.unanswered -= 1;
        } else {
            warp.board.predicates_written(&d.footprint);
        }
        self.wake(w);
    }

    /// A register has been written.
    #[inline]
    pub fn written(&mut self, w: usize, register: u8) {
        self.warps[w].board.written(usize::from(register));
        self.wake(w);
    }

    /// Nothing of an instruction is outstanding any more.
    #[inline]
    pub fn retired(&mut self, w: usize) {
        self.warps[w].in_flight -= 1;
    }

    /// An instruction is executed between two cycles: it depends on nothing that is outstanding.
    pub fn executes(&mut self, w: usize, kind: Kind) {
        self.warps[w].in_flight += 1;
        self.warps[w].unperformed += u32::from(kind == Kind::Memory);
    }

    /// The warp stands elsewhere than when its next instruction was looked at.
    pub fn moved(&mut self, w: usize) {
        self.look_anew(w);
        self.warps[w].waits_since = None;
        self.wake(w);
    }
}

#[cfg(test)]
mod tests;
