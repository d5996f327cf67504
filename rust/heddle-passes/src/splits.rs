//! Branches that can split a warp, and what is executed while lanes wait for each other. What the sides of a branch
//! are, and why lanes wait nowhere else, is derived in `dead.rs`.

use heddle_isa::{Op, Pc, Program};

use crate::flow::Flow;

/// A branch that can split a warp.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Split {
    /// The branch itself.
    pub pc: Pc,
    /// Where lanes go for which the guard holds.
    pub target: Pc,
    /// Where the other lanes go.
    pub next: Pc,
    /// Where they meet.
    pub reconvergence: Option<Pc>,
}

/// By instruction: whether it is in the side of the target, and in that of the next instruction.
pub(crate) type Sides = [Vec<bool>; 2];

/// All branches that can split a warp, with their sides; where branches are not well nested, a side is all that can be
/// reached from the branch.
pub(crate) fn splits(program: &Program, flow: &Flow) -> Vec<(Split, Sides)> {
    let splits: Vec<Split> = flow.pcs().filter_map(|pc| split(program, pc)).collect();
    let mut sides: Vec<Sides> = Vec::with_capacity(splits.len());
    for split in &splits {
        sides.push([split.target, split.next].map(|s| side(flow, s, split.reconvergence)));
    }
    if !well_nested(&splits, &sides) {
        for (split, sides) in splits.iter().zip(&mut sides) {
            let mut all = side(flow, split.target, None);
            for (a, b) in all.iter_mut().zip(side(flow, split.next, None)) {
                *a |= b;
            }
            *sides = [all.clone(), all];
        }
    }
    splits.into_iter().zip(sides).collect()
}

/// The branch at `pc`, if it can split a warp.
fn split(program: &Program, pc: Pc) -> Option<Split> {
    let instr = &program.instrs[pc.index()];
    match instr.op {
        Op::Bra { target, reconvergence } if instr.guard.is_some() => {
            let inside = |c: &Pc| c.index() < program.instrs.len();
            Some(Split { pc, target, next: pc.next(), reconvergence: reconvergence.filter(inside) })
        }
        _ => None,
    }
}

/// By instruction: whether it can be reached from `start` without passing `stop`.
fn side(flow: &Flow, start: Pc, stop: Option<Pc>) -> Vec<bool> {
    let mut reached = vec![false; flow.pcs().count()];
    let mut pending = vec![start];
    while let Some(pc) = pending.pop() {
        if Some(pc) != stop && !reached[pc.index()] {
            reached[pc.index()] = true;
            pending.extend_from_slice(flow.successors(pc));
        }
    }
    reached
}

/// Whether no branch inside a side lets its lanes run over the reconvergence point of the outer branch
/// before they meet at their own.
fn well_nested(splits: &[Split], sides: &[[Vec<bool>; 2]]) -> bool {
    let within = |sides: &[Vec<bool>; 2], pc: Pc| sides.iter().any(|side| side[pc.index()]);
    splits.iter().zip(sides).all(|(outer, of_outer)| {
        let Some(meeting) = outer.reconvergence else { return true };
        splits.iter().zip(sides).all(|(inner, of_inner)| {
            inner.reconvergence == Some(meeting) || !within(of_outer, inner.pc) || !within(of_inner, meeting)
        })
    })
}
