//! What a split puts into the program, and putting it there.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::{Splitter, weight};
use crate::alloc::live::Words;
use crate::alloc::rewrite::{Placed, Work};
use crate::alloc::units::UnitId;
use crate::cfg;

/// A store or load of words of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) unit: UnitId,
    pub(super) words: Words,
    pub(super) is_load: bool,
}

impl Action {
    pub(super) fn store(unit: UnitId, words: Words) -> Self {
        Self { unit, words, is_load: false }
    }

    pub(super) fn load(unit: UnitId, words: Words) -> Self {
        Self { unit, words, is_load: true }
    }
}

pub(super) type Actions = SmallVec<[Action; 1]>;

/// Stores and loads and their places.
pub(super) struct Plan {
    pub(super) before: Vec<Actions>,
    pub(super) at_start: Vec<Actions>,
    pub(super) at_end: Vec<Actions>,
    /// (Instruction, unit, live words after it) of every definition that is live after it.
    defined: Vec<(usize, UnitId, Words)>,
}

impl Plan {
    pub(super) fn new(instrs: usize, blocks: usize) -> Self {
        Self {
            before: vec![Actions::new(); instrs],
            at_start: vec![Actions::new(); blocks],
            at_end: vec![Actions::new(); blocks],
            defined: Vec::new(),
        }
    }

    pub(super) fn before(&mut self, instr: usize, action: Action) {
        self.before[instr].push(action);
    }

    pub(super) fn defined(&mut self, instr: usize, unit: UnitId, words: Words) {
        self.defined.push((instr, unit, words));
    }

    pub(super) fn at_start(&mut self, block: usize, action: Action) {
        self.at_start[block].push(action);
    }

    /// At the end of a block, or before the branch that ends it.
    pub(super) fn at_end(&mut self, block: usize, action: Action) {
        if !self.at_end[block].contains(&action) {
            self.at_end[block].push(action);
        }
    }

    /// All stores and loads, in no order.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Actions> {
        self.before.iter().chain(&self.at_start).chain(&self.at_end)
    }

    /// Puts everything into `work`. A unit that would be stored more often where it leaves its register
    /// than where it is written is stored where it is written.
    pub(super) fn apply(mut self, splitter: &Splitter, work: &mut Work) {
        self.drop_repeated_stores(splitter);
        let stored = self.stored_where_written(splitter);
        for list in self.before.iter_mut().chain(&mut self.at_start).chain(&mut self.at_end) {
            list.retain(|a| a.is_load || !stored.contains_key(&a.unit));
        }
        // On an edge stores come first: they make room.
        for list in self.at_start.iter_mut().chain(&mut self.at_end) {
            list.sort_by_key(|a| a.is_load);
        }
        let mut after: HashMap<usize, Actions> = HashMap::new();
        for &(instr, unit, words) in &self.defined {
            if stored.contains_key(&unit) {
                after.entry(instr).or_default().push(Action::store(unit, words));
            }
        }
        let mut homes = HashMap::new();
        let program = &splitter.program;
        let mut groups = Vec::with_capacity(program.instrs.len());
        for (b, block) in program.blocks.iter().enumerate() {
            let last = cfg::last(block).index();
            for pc in cfg::pcs(block) {
                let i = pc.index();
                let instr = &program.instrs[i];
                let branches = i == last && cfg::ends_block(instr);
                let mut group: SmallVec<[Placed; 1]> = SmallVec::new();
                let mut put = |actions: &[Action], group: &mut SmallVec<[Placed; 1]>| {
                    for action in actions {
                        let home =
                            homes.entry(action.unit).or_insert_with(|| splitter.home(work, action.unit));
                        if action.is_load {
                            group.push((home.load(action.words, instr.loc), true));
                        } else {
                            group.extend(home.store(action.words, instr.loc).map(|store| (store, true)));
                        }
                    }
                };
                if pc == block.first {
                    put(&self.at_start[b], &mut group);
                }
                put(&self.before[i], &mut group);
                if branches {
                    put(&self.at_end[b], &mut group);
                }
                group.push((instr.clone(), false));
                put(after.get(&i).map_or(&[], |list| list), &mut group);
                if i == last && !branches {
                    put(&self.at_end[b], &mut group);
                }
                groups.push(group);
            }
        }
        work.replace(groups);
    }

    fn stored_where_written(&self, splitter: &Splitter) -> HashMap<UnitId, f32> {
        let mut cost: HashMap<UnitId, f32> = HashMap::new();
        let program = &splitter.program;
        for (b, block) in program.blocks.iter().enumerate() {
            let inside = cfg::pcs(block).flat_map(|pc| &self.before[pc.index()]);
            for action in inside.chain(&self.at_start[b]).chain(&self.at_end[b]).filter(|a| !a.is_load) {
                *cost.entry(action.unit).or_default() += weight(splitter.loops.depth(b));
            }
        }
        for &(instr, unit, _) in &self.defined {
            if let Some(cost) = cost.get_mut(&unit) {
                *cost -= weight(splitter.loops.depth(splitter.block_of[instr]));
            }
        }
        cost.retain(|_, difference| *difference >= 0.0);
        cost
    }
}
