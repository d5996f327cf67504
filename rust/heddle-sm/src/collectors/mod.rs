//! Operand collectors that the pipelines of a scheduler share.
//!
//! An instruction has a place of its kind from its issue on. When its operands are there it goes into one of
//! the collectors of its scheduler, from there into the register before the pipelines of its kind, both in
//! that cycle if they are free, and in the next one into a pipeline: that cycle is the first of its latency.
//! Two moves fit into a cycle. Where several kinds wait for a collector, single precision goes first, and
//! branches nearly last: a kind whose pipelines are behind fills the collectors, and then the others wait,
//! too. Of a kind the one of each scheduler enters whose operands came first, or the one of the SM, and none behind it while
//! it finds no collector ([`CollectorOrder`]). The design collects the operands meanwhile; here is only how many
//! instructions there can be.

#[cfg(test)]
mod tests;

use heddle_config::CollectorOrder;
use heddle_port::members;

use crate::units::{BRANCH, EXCHANGE, FP32, FP64, INT, KINDS, SFU, TENSOR};

/// Kinds of pipelines in the order in which they get a collector.
const ORDER: [usize; KINDS] = [FP32, SFU, FP64, INT, BRANCH, TENSOR, EXCHANGE];
/// By kind: its place in that order.
const RANK: [usize; KINDS] = {
    let mut rank = [0; KINDS];
    let mut at = 0;
    while at < KINDS {
        rank[ORDER[at]] = at;
        at += 1;
    }
    rank
};
/// Moves that fit into a cycle.
const MOVES: usize = 2;

/// An instruction whose operands are there.
#[derive(Debug, Clone, Copy)]
pub struct Ready {
    /// Who completes; none of an instruction that nothing waits for.
    pub tag: Option<u16>,
    /// Cycles from its begin to its result.
    pub latency: u32,
}

/// Those of a scheduler.
#[derive(Debug, Clone)]
struct SubCore {
    /// By kind: instructions that have issued and have no collector.
    issued: [u8; KINDS],
    /// By kind: of these, the ones whose operands are there, oldest first, and when they came in the order of all.
    arrived: [Vec<(u64, Ready)>; KINDS],
    /// Each has room for an instruction.
    collectors: Vec<Ready>,
    /// Collectors that have none.
    free: u32,
    /// By kind: collectors with an instruction of it.
    of_kind: [u32; KINDS],
    /// Kinds that have collectors.
    collected: u32,
    /// By kind: the register before the pipelines, of the kinds of `full`.
    before: [Ready; KINDS],
    /// Kinds with an instruction before their pipelines.
    full: u32,
}

/// Those of an SM.
#[derive(Debug, Clone)]
pub struct Collectors {
    sub_cores: Vec<SubCore>,
    /// By kind: instructions of a scheduler that have issued and have no collector, at most.
    room: [u8; KINDS],
    order: CollectorOrder,
    /// By kind: schedulers of which an instruction has arrived and has no collector.
    waiting: [u32; KINDS],
    /// Places in [`ORDER`] of the kinds for which there are such schedulers.
    waiting_ranks: u32,
    /// Schedulers with an instruction in a collector.
    collecting: u32,
    /// Schedulers with an instruction before a pipeline.
    beginning: u32,
    /// Instructions that have arrived.
    arrivals: u64,
}

impl Collectors {
    /// As many for each of some schedulers, 1 to 32 of both.
    pub fn new(schedulers: usize, collectors: u32, room: u32, order: CollectorOrder) -> Self {
        let none = Ready { tag: None, latency: 0 };
        let sub_core = SubCore {
            issued: [0; KINDS],
            arrived: std::array::from_fn(|_| Vec::with_capacity(room as usize)),
            collectors: vec![none; collectors as usize],
            free: u32::MAX >> (32 - collectors),
            of_kind: [0; KINDS],
            collected: 0,
            before: [none; KINDS],
            full: 0,
        };
        let mut room = [room.min(u32::from(u8::MAX)) as u8; KINDS];
        // Branches issue with all that they need, so of a scheduler only the register behind issue holds one back.
        room[BRANCH] = 1;
        Self {
            sub_cores: vec![sub_core; schedulers],
            room,
            order,
            waiting: [0; KINDS],
            waiting_ranks: 0,
            collecting: 0,
            beginning: 0,
            arrivals: 0,
        }
    }

    /// The place of an instruction of a kind that `scheduler` issues, if there is one.
    #[inline]
    pub fn place_with_room(&self, kind: u8, scheduler: usize) -> Option<u8> {
        let kind = usize::from(kind);
        (self.sub_cores[scheduler].issued[kind] < self.room[kind]).then_some((scheduler * KINDS + kind) as u8)
    }

    /// An instruction takes a place.
    #[inline]
    pub fn issued(&mut self, place: u8) {
        let place = usize::from(place);
        self.sub_cores[place / KINDS].issued[place % KINDS] += 1;
    }

    /// Its operands are there.
    #[inline]
    pub fn arrive(&mut self, place: u8, ready: Ready) {
        let (scheduler, kind) = (usize::from(place) / KINDS, usize::from(place) % KINDS);
        let sub_core = &mut self.sub_cores[scheduler];
        sub_core.arrived[kind].push((self.arrivals, ready));
        self.waiting[kind] |= 1 << scheduler;
        self.waiting_ranks |= 1 << RANK[kind];
        self.arrivals += 1;
    }

    /// Nothing is inside.
    #[cfg(test)]
    fn is_empty(&self) -> bool {
        self.waiting_ranks | self.collecting | self.beginning == 0
    }

    /// The moves of a cycle. `begin` says whether a pipeline of a kind and scheduler takes an instruction.
    #[inline]
    pub fn step(&mut self, mut begin: impl FnMut(usize, usize, Ready) -> bool) {
        for scheduler in members(self.beginning) {
            let sub_core = &mut self.sub_cores[scheduler];
            for kind in members(sub_core.full) {
                if begin(kind, scheduler, sub_core.before[kind]) {
                    sub_core.full &= !(1 << kind);
                }
            }
            if sub_core.full == 0 {
                self.beginning &= !(1 << scheduler);
            }
        }
        for _ in 0..MOVES {
            self.leave();
            match self.order {
                CollectorOrder::SubCore => self.enter_each(),
                CollectorOrder::Sm => self.enter_by_age(),
            }
        }
    }

    /// Of each kind whose register before the pipelines is free, the instruction in the lowest collector goes there.
    fn leave(&mut self) {
        for scheduler in members(self.collecting) {
            let sub_core = &mut self.sub_cores[scheduler];
            for kind in members(sub_core.collected & !sub_core.full) {
                let collectors = &mut sub_core.of_kind[kind];
                let collector = collectors.trailing_zeros() as usize;
                *collectors &= *collectors - 1;
                if *collectors == 0 {
                    sub_core.collected &= !(1 << kind);
                }
                sub_core.before[kind] = sub_core.collectors[collector];
                sub_core.full |= 1 << kind;
                sub_core.free |= 1 << collector;
                self.beginning |= 1 << scheduler;
            }
            if sub_core.collected == 0 {
                self.collecting &= !(1 << scheduler);
            }
        }
    }

    /// Of each kind and scheduler the oldest instruction enters, if there is a collector.
    fn enter_each(&mut self) {
        for kind in members(self.waiting_ranks).map(|rank| ORDER[rank]) {
            for scheduler in members(self.waiting[kind]) {
                self.enter(scheduler, kind);
            }
        }
    }

    /// In turn the oldest instruction of each kind enters, until none of the oldest finds a collector; of a kind and
    /// scheduler one at most.
    fn enter_by_age(&mut self) {
        let (mut left, mut ranks) = (self.waiting, self.waiting_ranks);
        let mut moved = true;
        while moved {
            moved = false;
            for rank in members(ranks) {
                let kind = ORDER[rank];
                let age = |&s: &usize| self.sub_cores[s].arrived[kind].first().map(|(arrival, _)| *arrival);
                if let Some(oldest) = members(left[kind]).min_by_key(age)
                    && self.enter(oldest, kind)
                {
                    left[kind] &= !(1 << oldest);
                    if left[kind] == 0 {
                        ranks &= !(1 << rank);
                    }
                    moved = true;
                }
            }
        }
    }

    /// The oldest instruction of a kind and scheduler goes into a collector: whether there was one for it.
    fn enter(&mut self, scheduler: usize, kind: usize) -> bool {
        let sub_core = &mut self.sub_cores[scheduler];
        if sub_core.free == 0 {
            return false;
        }
        let collector = sub_core.free.trailing_zeros() as usize;
        sub_core.free &= !(1 << collector);
        sub_core.of_kind[kind] |= 1 << collector;
        sub_core.collected |= 1 << kind;
        sub_core.collectors[collector] = sub_core.arrived[kind].remove(0).1;
        self.collecting |= 1 << scheduler;
        sub_core.issued[kind] -= 1;
        if sub_core.arrived[kind].is_empty() {
            self.waiting[kind] &= !(1 << scheduler);
            if self.waiting[kind] == 0 {
                self.waiting_ranks &= !(1 << RANK[kind]);
            }
        }
        true
    }
}
