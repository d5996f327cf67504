//! Clean-ups before allocation that keep the order of instructions: reads of a copy become reads of
//! the original, and pure instructions whose result nobody reads go.

use heddle_isa::{Alu, Instr, Op, Operand, Space};
use heddle_port::Reg;
use smallvec::smallvec;

use super::copies::copies;
use super::rewrite::{Work, rename_parts};
use crate::computes::only_computes;
use crate::liveness::{Place, for_each_def, for_each_use};

/// Propagates copies and removes dead instructions.
pub(super) fn simplify(work: &mut Work) {
    propagate_copies(work);
    remove_dead(work);
}

/// Whether an instruction only writes registers and predicates.
fn is_pure(instr: &Instr) -> bool {
    match instr.op {
        Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
        _ => only_computes(&instr.op),
    }
}

/// Where `d = mov s` is the only write of `d`, and `s` is written once, every read of `d` may read
/// `s`: the write of `s` comes before the move on every path, because what may be read unwritten has
/// a second write at entry.
fn propagate_copies(work: &mut Work) {
    let mut writes = vec![0u32; work.program.num_regs as usize];
    for instr in &work.program.instrs {
        for r in &instr.dsts {
            writes[r.index()] += 1;
        }
    }
    let mut original: Vec<Reg> = (0..work.program.num_regs).map(Reg).collect();
    for instr in &work.program.instrs {
        let Op::Alu { op: Alu::Mov, .. } = instr.op else {
            continue;
        };
        let Some(words) = copies(instr) else {
            continue;
        };
        let aligned =
            words.len() == 1 || (words[0].0.0.is_multiple_of(2) && words[1].0.0 == words[0].0.0 + 1);
        if aligned && words.iter().all(|(to, from)| writes[to.index()] == 1 && writes[from.index()] == 1) {
            for (to, from) in words {
                original[to.index()] = from;
            }
        }
    }
    let mut resolve = |r: Reg| {
        let mut root = r;
        while original[root.index()] != root {
            root = original[root.index()];
        }
        let mut at = r;
        while at != root {
            at = std::mem::replace(&mut original[at.index()], root);
        }
        root
    };
    let mut groups = Vec::with_capacity(work.program.instrs.len());
    for instr in &work.program.instrs {
        let mut instr = instr.clone();
        // A pair may only be read through its original when both halves have the same one.
        let split = instr.srcs.iter().any(|source| match *source {
            Operand::Pair(r) => resolve(Reg(r.0 + 1)).0 != resolve(r).0 + 1,
            _ => false,
        });
        if !split {
            let read = |place| match place {
                Place::Reg(r) => Place::Reg(resolve(r)),
                Place::Pred(_) => place,
            };
            rename_parts(&mut instr, read, |place| place);
        }
        groups.push(smallvec![(instr, false)]);
    }
    work.replace(groups);
}

/// Removes pure instructions whose results reach no instruction with an effect.
pub(super) fn remove_dead(work: &mut Work) {
    let program = &work.program;
    let regs = program.num_regs as usize;
    let index = |place: Place| match place {
        Place::Reg(r) => r.index(),
        Place::Pred(p) => regs + usize::from(p.0),
    };
    let mut writers = vec![Vec::new(); regs + usize::from(program.num_preds)];
    let mut needed = vec![false; program.instrs.len()];
    let mut list = Vec::new();
    for (i, instr) in program.instrs.iter().enumerate() {
        for_each_def(instr, |place| writers[index(place)].push(i));
        if !is_pure(instr) {
            needed[i] = true;
            list.push(i);
        }
    }
    while let Some(i) = list.pop() {
        for_each_use(&program.instrs[i], |place| {
            for writer in std::mem::take(&mut writers[index(place)]) {
                if !std::mem::replace(&mut needed[writer], true) {
                    list.push(writer);
                }
            }
        });
    }
    let keep = |(instr, needed): (&Instr, bool)| needed.then(|| (instr.clone(), false)).into_iter().collect();
    let groups = program.instrs.iter().zip(needed).map(keep).collect();
    work.replace(groups);
}
