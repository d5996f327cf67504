//! Stores of values that are at home already.
//!
//! A store at the end of a block is there for one successor and serves the others too; a loop stores for its
//! exit what an earlier exit has stored. The walk over the blocks sees neither, this forward analysis of
//! the whole plan does.

use std::collections::HashMap;

use bitvec::bitvec;
use bitvec::vec::BitVec;
use heddle_isa::Program;

use super::Splitter;
use super::plan::{Actions, Plan};
use crate::alloc::units::UnitId;
use crate::cfg;
use crate::liveness::for_each_def;

/// What a block does, in order.
enum Event<'p> {
    /// Stores and loads of the plan.
    Actions(&'p mut Actions),
    /// An instruction of the program.
    Instr(usize),
}

/// What a block does to the homes of the stored units, by number.
#[derive(Clone)]
struct Effect {
    /// Homes that hold the value at the end, whatever they held before.
    filled: BitVec,
    /// Homes that do not.
    outdated: BitVec,
}

impl Plan {
    /// Leaves out every store that finds its value at home on all ways that lead to it.
    pub(super) fn drop_repeated_stores(&mut self, splitter: &Splitter) {
        let program = splitter.program;
        let mut numbers: HashMap<UnitId, usize> = HashMap::new();
        for action in self.lists().flatten().filter(|a| !a.is_load) {
            let next = numbers.len();
            numbers.entry(action.unit).or_insert(next);
        }
        let effects: Vec<Effect> =
            (0..program.blocks.len()).map(|b| self.effect(splitter, b, &numbers)).collect();
        let at_start = at_home(program, &effects, numbers.len());
        for (b, mut at_home) in at_start.into_iter().enumerate() {
            self.for_each_event(program, b, |event| match event {
                Event::Actions(list) => list.retain(|action| {
                    let known = numbers.get(&action.unit);
                    known.is_none_or(|&n| !at_home.replace(n, true) || action.is_load)
                }),
                Event::Instr(i) => for_each_def(&program.instrs[i], |place| {
                    if let Some(&n) = numbers.get(&splitter.units.of(place)) {
                        at_home.set(n, false);
                    }
                }),
            });
        }
    }

    fn effect(&mut self, splitter: &Splitter, b: usize, numbers: &HashMap<UnitId, usize>) -> Effect {
        let nothing = bitvec![0; numbers.len()];
        let mut effect = Effect { filled: nothing.clone(), outdated: nothing };
        let mut set = |unit: UnitId, is_home: bool| {
            if let Some(&n) = numbers.get(&unit) {
                effect.filled.set(n, is_home);
                effect.outdated.set(n, !is_home);
            }
        };
        self.for_each_event(splitter.program, b, |event| match event {
            Event::Actions(list) => list.iter().for_each(|action| set(action.unit, true)),
            Event::Instr(i) => {
                for_each_def(&splitter.program.instrs[i], |place| set(splitter.units.of(place), false));
            }
        });
        effect
    }

    fn for_each_event(&mut self, program: &Program, b: usize, mut act: impl FnMut(Event<'_>)) {
        let block = &program.blocks[b];
        let last = cfg::last(block).index();
        let branches = cfg::ends_block(&program.instrs[last]);
        act(Event::Actions(&mut self.at_start[b]));
        for pc in cfg::pcs(block) {
            let i = pc.index();
            act(Event::Actions(&mut self.before[i]));
            if i == last && branches {
                act(Event::Actions(&mut self.at_end[b]));
            }
            act(Event::Instr(i));
        }
        if !branches {
            act(Event::Actions(&mut self.at_end[b]));
        }
    }
}

/// The homes that hold their values at the begin of each block, on all ways to it.
fn at_home(program: &Program, effects: &[Effect], count: usize) -> Vec<BitVec> {
    let blocks = &program.blocks;
    let mut at_end = vec![bitvec![1; count]; blocks.len()];
    let at_start = |b: usize, at_end: &[BitVec]| {
        let mut state = BitVec::repeat(b != 0, count);
        for &p in &blocks[b].predecessors {
            state &= &at_end[p];
        }
        state
    };
    let order = cfg::reverse_post_order(blocks);
    let mut changed = true;
    while changed {
        changed = false;
        for &b in &order {
            let mut state = at_start(b, &at_end);
            state &= !effects[b].outdated.clone();
            state |= &effects[b].filled;
            if state != at_end[b] {
                at_end[b] = state;
                changed = true;
            }
        }
    }
    (0..blocks.len()).map(|b| at_start(b, &at_end)).collect()
}
