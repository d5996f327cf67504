//! Registers that a design spills to memory, against a shadow of what was written last.
//!
//! What L2 takes of a warp register is judged lane by lane, whether it is ever read again or not. A register that
//! is spilled was last written a while ago, but the port does not show when it left the design's array: a result
//! that the design has accepted may still wait in front of the array, and a write-back may wait for L2. So a lane
//! must hold the value of a write that may have been the last one then. That is the last write known to have been in
//! the array when the oldest request that L2 had not taken was made, or one after it.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use heddle_port::{
    Command, CommandOp, Cycle, Done, LINE_BYTES, LaneData, LineData, LowerKind, MemLowerRequest, NUM_WARPS,
    REGISTER_LINES,
};

use super::{Checker, HISTORY};
use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};

/// Most results that a design has accepted and not yet written. One with that many accepted after it is in the array.
const QUEUED_RESULTS: u64 = 32;
/// Most cycles in which a design offers L2 no request although it has one: the data of a write-back are on their way.
const HIDDEN_CYCLES: usize = 8;
/// Most writes of a register that are kept; with more of them open, the lanes of the oldest are not judged.
const OPEN_WRITES: usize = 64;

/// What the memory port of a design drives towards L2 in one cycle.
#[derive(Debug, Clone, Copy)]
pub struct LowerOffer {
    /// The request.
    pub request: MemLowerRequest,
    /// L2 takes it in this cycle.
    pub taken: bool,
    /// What it writes.
    pub data: LineData,
}

/// A result that the design has accepted.
#[derive(Debug, Clone)]
struct Write {
    /// Results of the launch up to it.
    number: u64,
    mask: u32,
    data: LaneData,
}

/// One warp register.
#[derive(Debug, Clone)]
struct Register {
    /// Warp slot and architectural register, of the last write.
    owner: (u8, u32),
    /// The lanes `known` hold `data`, or something from `open`.
    data: LaneData,
    known: u32,
    /// Writes of which a spill may hold nothing yet, oldest first.
    open: VecDeque<Write>,
    /// The exit of the warp was carried out in this cycle, and nothing was written since.
    freed: Option<u64>,
}

/// A lane of a spilled register with a value that was not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongSpill {
    /// Hardware warp slot.
    pub warp: u8,
    /// Architectural register.
    pub register: u32,
    /// Lane.
    pub lane: usize,
    /// What was written into it last.
    pub expected: u32,
    /// What L2 takes.
    pub actual: u32,
}

/// What L2 takes that is no spill of a register that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpillError {
    /// A wrong value.
    Value(WrongSpill),
    /// A line among the registers that belongs to none that was written; its byte address.
    NoRegister(u32),
}

/// The shadow of all warp registers of a launch.
#[derive(Debug, Clone)]
pub struct SpillCheck {
    bases: [u16; NUM_WARPS],
    registers: Vec<Option<Box<Register>>>,
    /// Results accepted.
    results: u64,
    /// Results accepted up to each of the last cycles, the oldest first.
    recent: VecDeque<u64>,
    /// Every request to L2 made before this cycle has been taken.
    drained: u64,
    /// Results accepted before that cycle.
    drained_results: u64,
}

impl Default for SpillCheck {
    fn default() -> Self {
        let registers = (u32::MAX - REGISTER_LINES) as usize / LINE_BYTES + 1;
        Self {
            bases: [0; NUM_WARPS],
            registers: vec![None; registers],
            results: 0,
            recent: VecDeque::with_capacity(HIDDEN_CYCLES + 1),
            drained: 0,
            drained_results: 0,
        }
    }
}

impl SpillCheck {
    /// The design accepts a command.
    pub fn command(&mut self, command: &Command) {
        if command.op == CommandOp::WarpBase as u8
            && let Some(base) = self.bases.get_mut(usize::from(command.warp))
        {
            *base = command.value;
        }
    }

    /// The design has carried out a command in `cycle`. A warp that has ended leaves its registers without a value.
    pub fn done(&mut self, cycle: u64, done: &Done) {
        if done.op != CommandOp::Exit as u8 {
            return;
        }
        for register in self.registers.iter_mut().flatten().filter(|r| r.owner.0 == done.warp) {
            register.known = 0;
            register.open.clear();
            register.freed = Some(cycle);
        }
    }

    /// The design accepts a result.
    pub fn result(&mut self, warp: u8, register: u32, mask: u32, data: &LaneData) {
        self.results += 1;
        let write = Write { number: self.results, mask, data: *data };
        let base = self.bases.get(usize::from(warp)).copied().unwrap_or(0);
        let Some(place) = self.registers.get_mut(usize::from(base) + register as usize) else { return };
        let drained = self.drained;
        let entry = place.get_or_insert_with(|| {
            let open = VecDeque::new();
            Box::new(Register { owner: (warp, register), data: *data, known: 0, open, freed: Some(0) })
        });
        entry.owner = (warp, register);
        // A register is in the array from its first write on: with no older spill before L2, there is nothing else.
        let first = entry.freed.take().is_some_and(|cycle| drained >= cycle);
        entry.settle(self.drained_results);
        if first {
            entry.put(&write);
            return;
        }
        entry.open.push_back(write);
        if entry.open.len() > OPEN_WRITES
            && let Some(oldest) = entry.open.pop_front()
        {
            entry.known &= !oldest.mask;
        }
    }

    /// What the design offers to L2 in `cycle`. Returns how many lanes were compared, if it is a spill that L2 takes.
    ///
    /// # Errors
    /// A register is spilled with another value than it had.
    pub fn lower(&mut self, cycle: u64, offer: &LowerOffer) -> Result<Option<u64>, SpillError> {
        let LowerOffer { request, taken, data } = offer;
        self.recent.push_back(self.results);
        if self.recent.len() > HIDDEN_CYCLES {
            let results = self.recent.pop_front().unwrap_or(0);
            if !request.valid {
                self.drained = cycle.saturating_sub(HIDDEN_CYCLES as u64);
                self.drained_results = results;
            }
        }
        let spill = request.kind == LowerKind::WriteBack as u8 && request.line >= REGISTER_LINES;
        if !(request.valid && *taken && spill) {
            return Ok(None);
        }
        let index = (request.line - REGISTER_LINES) as usize / LINE_BYTES;
        let Some(Some(register)) = self.registers.get_mut(index) else {
            return Err(SpillError::NoRegister(request.line));
        };
        register.settle(self.drained_results);
        register.judge(data).map(Some).map_err(SpillError::Value)
    }
}

impl Register {
    /// The writes that every spill from now on holds, `results` being those accepted before the oldest request on its
    /// way to L2 was made.
    fn settle(&mut self, results: u64) {
        while self.open.front().is_some_and(|w| w.number + QUEUED_RESULTS <= results) {
            if let Some(write) = self.open.pop_front() {
                self.put(&write);
            }
        }
    }

    fn put(&mut self, write: &Write) {
        for lane in lanes(write.mask) {
            self.data[lane] = write.data[lane];
        }
        self.known |= write.mask;
    }

    fn judge(&self, data: &LineData) -> Result<u64, WrongSpill> {
        for lane in lanes(self.known) {
            let actual = data[lane];
            if actual == self.data[lane] {
                continue;
            }
            let mut last = self.data[lane];
            let found = self.open.iter().filter(|w| w.mask >> lane & 1 != 0).try_for_each(|write| {
                last = write.data[lane];
                if last == actual { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if found.is_continue() {
                let (warp, register) = self.owner;
                return Err(WrongSpill { warp, register, lane, expected: last, actual });
            }
        }
        Ok(u64::from(self.known.count_ones()))
    }
}

fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |lane| mask >> lane & 1 != 0)
}

impl Checker<'_> {
    /// Judges what L2 takes of spilled registers.
    pub(super) fn check_lower(&mut self, cycle: Cycle, offer: &LowerOffer) -> Result<(), RunError> {
        let Some(spills) = &mut self.spills else { return Ok(()) };
        match spills.lower(cycle.0, offer) {
            Ok(lanes) => {
                self.compared.spilled += lanes.unwrap_or(0);
                self.compared.spills_judged += u64::from(lanes.is_some());
                Ok(())
            }
            Err(error) => Err(self.wrong_spill(cycle, &error)),
        }
    }

    #[cold]
    fn wrong_spill(&self, cycle: Cycle, error: &SpillError) -> RunError {
        let place = self.place(cycle, None, None);
        let mut mismatch;
        match *error {
            SpillError::Value(WrongSpill { warp, register, lane, expected, actual }) => {
                let place = Place {
                    warp: Some(warp),
                    register: Some(register),
                    lane: u8::try_from(lane).ok(),
                    ..place
                };
                let what = format!("R{register} is spilled with a value that was not in it");
                mismatch = Mismatch::new(Check::Spill, place, what).side(
                    format!("lane {lane}"),
                    format!("{expected:#010x}"),
                    format!("{actual:#010x}"),
                );
                mismatch.history = self.history.of_register(warp, register, u16::MAX, HISTORY);
            }
            SpillError::NoRegister(line) => {
                let place = Place { signal: Some("memory.lower_request.line".to_owned()), ..place };
                let what = format!("line {line:#x} is spilled, where no register was written");
                mismatch = Mismatch::new(Check::Spill, place, what);
                mismatch.history = self.history.recent(HISTORY);
            }
        }
        mismatch.into()
    }
}

#[cfg(test)]
mod tests;
