//! The order of a stretch.

use std::collections::HashMap;

use bitvec::slice::BitSlice;
use heddle_isa::{Instr, Op};

use super::dependences::{Dependences, Value};
use super::motion::is_long_load;
use super::pressure::Pressure;
use crate::liveness::Liveness;

/// How far behind the next instruction of the text a load may be that comes before it.
pub(super) const AHEAD: usize = 256;
/// Most instructions that come early together with a load.
const MOST_WITH_A_LOAD: usize = 32;

/// A stretch that is being put in order.
pub(super) struct Schedule<'a> {
    instrs: &'a [Instr],
    dependences: Dependences,
    registers: u32,
}

/// What has its place so far.
struct Placed {
    order: Vec<usize>,
    done: Vec<bool>,
    /// The loads that write values: how many loads came before, by value.
    loads: HashMap<Value, usize>,
    begun: usize,
    /// Loads that have surely ended: all before this one.
    ended: usize,
}

impl<'a> Schedule<'a> {
    /// Of `instrs`, around which `before` and `after` are live; loads come early while at most `registers` are live.
    pub(super) fn new(
        instrs: &'a [Instr],
        liveness: &Liveness,
        before: &BitSlice,
        after: &BitSlice,
        registers: u32,
    ) -> Self {
        Self { instrs, dependences: Dependences::of(instrs, liveness, before, after), registers }
    }

    /// The instructions in their order, by index in the text.
    pub(super) fn run(&self) -> Vec<usize> {
        let count = self.instrs.len();
        let loads: Vec<usize> = (0..count).filter(|&at| is_long_load(&self.instrs[at])).collect();
        let mut pressure = Pressure::new(&self.dependences);
        let mut placed = Placed {
            order: Vec::with_capacity(count),
            done: vec![false; count],
            loads: HashMap::new(),
            begun: 0,
            ended: 0,
        };
        for next in 0..count {
            if placed.done[next] {
                continue;
            }
            let from = loads.partition_point(|&load| load <= next);
            for &load in loads[from..].iter().take_while(|&&load| load <= next + AHEAD) {
                if placed.done[load] {
                    continue;
                }
                let Some(group) = self.early(load, &placed) else { continue };
                // What it comes before must fit beside its result too.
                let passed = (next..load).filter(|at| !placed.done[*at] && !group.contains(at));
                let all: Vec<usize> = group.iter().copied().chain(passed).collect();
                if !pressure.fits(&all, self.registers) {
                    break;
                }
                for at in group {
                    pressure.add(at);
                    self.place(at, &mut placed);
                }
            }
            if !placed.done[next] {
                pressure.add(next);
                self.place(next, &mut placed);
            }
        }
        placed.order
    }

    /// `load` and what must come before it, in the order of the text, if all of that can come now and waits for nothing.
    fn early(&self, load: usize, placed: &Placed) -> Option<Vec<usize>> {
        let mut group = vec![load];
        let mut seen = 0;
        while let Some(&at) = group.get(seen) {
            seen += 1;
            if (at != load && !self.comes_along(at)) || self.waits(at, placed) {
                return None;
            }
            for &before in self.dependences.follows[at].iter().filter(|&&before| !placed.done[before]) {
                if !group.contains(&before) {
                    group.push(before);
                }
                if group.len() > MOST_WITH_A_LOAD {
                    return None;
                }
            }
        }
        group.sort_unstable();
        Some(group)
    }

    /// Whether instruction `at` may come early with a load: it only computes in registers, of which there are enough,
    /// not in predicates.
    fn comes_along(&self, at: usize) -> bool {
        let instr = &self.instrs[at];
        let computes = !matches!(instr.op, Op::St { .. }) && !is_long_load(instr);
        computes && instr.pred_dsts.is_empty()
    }

    /// Whether instruction `at` reads what a load brings that may still be under way.
    fn waits(&self, at: usize, placed: &Placed) -> bool {
        let under_way = |value| placed.loads.get(value).is_some_and(|&load| load >= placed.ended);
        self.dependences.reads[at].iter().any(under_way)
    }

    fn place(&self, at: usize, placed: &mut Placed) {
        for value in &self.dependences.reads[at] {
            if let Some(&load) = placed.loads.get(value) {
                placed.ended = placed.ended.max(load + 1);
            }
        }
        if is_long_load(&self.instrs[at]) {
            placed.loads.extend(self.dependences.writes[at].iter().map(|&value| (value, placed.begun)));
            placed.begun += 1;
        }
        placed.done[at] = true;
        placed.order.push(at);
    }
}
