//! How far away the next read of each live unit is.

use heddle_isa::Program;

use crate::alloc::live::Accesses;
use crate::alloc::units::{Class, UnitId, Units};
use crate::cfg;
use crate::dominators::Loops;
use crate::liveness::Liveness;

/// What leaving a loop adds to a distance: reads inside come first.
pub(super) const OUTSIDE: u32 = 1_000_000;

/// Walks over the program after which distances are near enough; they only guide choices.
const ROUNDS: usize = 6;

/// Distances in instructions, from the begin of each block.
pub(super) struct NextUse {
    /// For each block its live units, ascending, with the distance.
    live_in: Vec<Vec<(UnitId, u32)>>,
}

impl NextUse {
    pub(super) fn new(
        program: &Program,
        units: &Units,
        liveness: &Liveness,
        loops: &Loops,
        class: Class,
    ) -> Self {
        let blocks = &program.blocks;
        let mut live_in = Vec::with_capacity(blocks.len());
        for b in 0..blocks.len() {
            let indices = liveness.live_in(b).iter_ones();
            let mut list: Vec<_> = indices.map(|i| (units.of(liveness.place(i)), u32::MAX)).collect();
            list.retain(|&(unit, _)| units.list[unit].class() == class);
            list.sort_unstable();
            list.dedup();
            live_in.push(list);
        }
        let mut next = Self { live_in };
        let mut order = cfg::reverse_post_order(blocks);
        order.reverse();
        let mut distance = vec![u32::MAX; units.list.len()];
        for _ in 0..ROUNDS {
            let mut changed = false;
            for &b in &order {
                let len = blocks[b].len;
                let at_end = next.at_end(program, loops, b);
                for &(unit, d) in &at_end {
                    distance[unit] = d.saturating_add(len);
                }
                for (pc, position) in cfg::pcs(&blocks[b]).rev().zip((0..len).rev()) {
                    let instr = &program.instrs[pc.index()];
                    let accesses = Accesses::of(instr, units);
                    if instr.guard.is_none() {
                        for (unit, _) in accesses.defs {
                            distance[unit] = u32::MAX;
                        }
                    }
                    for (unit, _) in accesses.uses {
                        distance[unit] = position;
                    }
                }
                for (unit, known) in &mut next.live_in[b] {
                    changed |= *known != distance[*unit];
                    *known = distance[*unit];
                }
                for (unit, _) in at_end {
                    distance[unit] = u32::MAX;
                }
            }
            if !changed {
                break;
            }
        }
        next
    }

    /// Live units of the class at the begin of `block`, ascending, with the distance of the next read.
    pub(super) fn live_in(&self, block: usize) -> &[(UnitId, u32)] {
        &self.live_in[block]
    }

    /// Live units at the end of `block`, ascending, with the distance of the next read from there.
    pub(super) fn at_end(&self, program: &Program, loops: &Loops, block: usize) -> Vec<(UnitId, u32)> {
        let mut list = Vec::new();
        for &s in &program.blocks[block].successors {
            let leaves = loops.depth(s) < loops.depth(block);
            let extra = if leaves { OUTSIDE } else { 0 };
            list.extend(self.live_in[s].iter().map(|&(unit, d)| (unit, d.saturating_add(extra))));
        }
        list.sort_unstable();
        list.dedup_by_key(|(unit, _)| *unit);
        list
    }
}
