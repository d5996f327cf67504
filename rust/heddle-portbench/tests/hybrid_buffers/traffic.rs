//! Random traffic, such as the command unit and the collectors may give.

use heddle_designs::hybrid::buffer::{Buffer, Change, State};
use heddle_designs::hybrid::write_buffers::WriteBuffers;
use heddle_designs::hybrid::{NUM_BANKS, NUM_BUFFERS};
use heddle_port::NUM_SOURCES;

use super::{ARRAYS, Data};

pub struct Words(pub u64);

impl Words {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * u64::from(n)) >> 31) as u32
    }

    fn word(&mut self) -> u32 {
        (self.below(1 << 16) << 16) | self.below(1 << 16)
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// A result that waits at the head of the queue.
#[derive(Clone)]
pub struct Oldest {
    pub warp: u8,
    pub number: u8,
    pub mask: u32,
    pub data: Data,
}

/// What the traffic is like for a while.
pub struct Phase {
    pub cycles: u32,
    /// Registers that results and sources are about.
    pub registers: u32,
    /// Cycles of an active period, on the average.
    pub stay: u32,
    /// Of 8 cycles, those in which a bank is open.
    pub open: u32,
    /// A result comes in one of so many cycles.
    pub results: u32,
}

/// What one cycle drives.
pub struct Stimulus {
    pub changes: [Change; NUM_BUFFERS],
    pub youngest: usize,
    pub open: [bool; NUM_BANKS],
    pub numbers: [u8; NUM_SOURCES],
    pub grant: u32,
}

pub struct Traffic {
    pub words: Words,
    pub phase: Phase,
    pub oldest: Option<Oldest>,
    pub youngest: usize,
}

impl Traffic {
    pub fn new(seed: u64) -> Self {
        let phase = Phase { cycles: 0, registers: 1, stay: 1, open: 1, results: 1 };
        Self { words: Words(seed), phase, oldest: None, youngest: 1 }
    }

    pub fn next(&mut self, model: &WriteBuffers) -> Stimulus {
        let w = &mut self.words;
        self.phase.cycles = self.phase.cycles.saturating_sub(1);
        if self.phase.cycles == 0 {
            self.phase = Phase {
                cycles: 500 + w.below(3000),
                registers: [4, 20, 64][w.below(3) as usize],
                stay: [10, 60, 600][w.below(3) as usize],
                open: 1 + w.below(8),
                results: 1 + w.below(3),
            };
        }
        let buffers = model.buffers();
        let filling = buffers.iter().position(|b| b.state == State::Fill);
        if self.oldest.is_none() && w.one_in(self.phase.results) {
            let draining = buffers.iter().find(|b| b.state == State::Drain);
            let warp = match (filling, draining, w.below(16)) {
                (Some(b), _, 0..12) => buffers[b].owner,
                (_, Some(buffer), 0..15) => buffer.owner,
                _ => w.below(32) as u8,
            };
            let mask = if w.one_in(2) { u32::MAX } else { w.word() };
            let number = w.below(self.phase.registers) as u8;
            self.oldest = Some(Oldest { warp, number, mask, data: std::array::from_fn(|_| w.word()) });
        }
        let changes = self.command(buffers, filling);
        let w = &mut self.words;
        let open = std::array::from_fn(|_| w.below(8) < self.phase.open);
        let numbers = std::array::from_fn(|_| w.below(self.phase.registers) as u8);
        let grant = if changes == [Change::None; NUM_BUFFERS] { filling } else { None };
        let grant = grant.map_or(0, |b| self.grant(model, buffers[b].owner, &numbers));
        Stimulus { changes, youngest: self.youngest, open, numbers, grant }
    }

    /// At most one command, as the command unit gives them. A warp ends when no result of it waits.
    fn command(&mut self, buffers: &[Buffer; NUM_BUFFERS], filling: Option<usize>) -> [Change; NUM_BUFFERS] {
        let mut changes = [Change::None; NUM_BUFFERS];
        let w = &mut self.words;
        let waits = |warp: u8| self.oldest.as_ref().is_some_and(|o| o.warp == warp);
        if let Some(b) = filling {
            if w.one_in(self.phase.stay) {
                let ends = w.one_in(3) && !waits(buffers[b].owner);
                changes[b] = if ends { Change::Drop } else { Change::Close };
                return changes;
            }
        } else if w.one_in(3) {
            let warp = w.below(32) as u8;
            let other = 1 - self.youngest;
            let free = |b: usize| buffers[b].state == State::Free;
            let own = buffers.iter().any(|b| b.state != State::Free && b.owner == warp);
            if !own && (free(0) || free(1)) {
                let choice = if free(other) { other } else { self.youngest };
                changes[choice] = Change::Open(warp);
                return changes;
            }
        }
        let draining = (0..NUM_BUFFERS).find(|&b| buffers[b].state == State::Drain);
        if let Some(b) = draining
            && w.one_in(300)
            && !waits(buffers[b].owner)
        {
            changes[b] = Change::Drop;
        }
        changes
    }

    /// Sources of `warp` that are read: none whose result waits, entries of different arrays.
    fn grant(&mut self, model: &WriteBuffers, warp: u8, numbers: &[u8; NUM_SOURCES]) -> u32 {
        let (mut grant, mut arrays) = (0, 0_u32);
        for (s, &number) in numbers.iter().enumerate() {
            let waits = self.oldest.as_ref().is_some_and(|o| o.warp == warp && o.number == number);
            let array = model.find(number).map_or(0, |slot| 1 << (usize::from(slot) % ARRAYS));
            if !waits && arrays & array == 0 && !self.words.one_in(4) {
                grant |= 1 << s;
                arrays |= array;
            }
        }
        grant
    }
}
