//! Clean-ups before allocation that keep the order of instructions: reads of a copy become reads of
//! the original, and pure instructions whose result nobody reads go.

use std::collections::HashMap;

use heddle_isa::{Instr, Op, Operand, Space};
use heddle_port::Reg;
use smallvec::{SmallVec, smallvec};

use super::graph::copy;
use super::rewrite::{Work, rename};
use crate::cfg;
use crate::liveness::{Liveness, Place, for_each_def};

/// Propagates copies and removes dead instructions until nothing changes.
pub(super) fn simplify(work: &mut Work) {
    propagate_copies(work);
    while remove_dead(work) {}
}

/// Whether an instruction only writes registers and predicates.
pub(crate) fn is_pure(instr: &Instr) -> bool {
    match instr.op {
        Op::Alu { .. }
        | Op::Cvt { .. }
        | Op::Setp { .. }
        | Op::Set { .. }
        | Op::Testp { .. }
        | Op::Selp { .. }
        | Op::Pred { .. } => true,
        Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
        _ => false,
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
    let mut original: HashMap<Reg, Reg> = HashMap::new();
    for instr in &work.program.instrs {
        let Some((Operand::Reg(s) | Operand::Pair(s), dsts)) = copy(instr) else {
            continue;
        };
        let words = 0..u32::try_from(dsts.len()).unwrap_or(0);
        let single = |r: Reg| writes[r.index()] == 1;
        let aligned = dsts.len() == 1 || (dsts[0].0.is_multiple_of(2) && dsts[1].0 == dsts[0].0 + 1);
        if aligned && dsts.iter().all(|&d| single(d)) && words.clone().all(|w| single(Reg(s.0 + w))) {
            for (d, w) in dsts.iter().zip(words) {
                original.insert(*d, Reg(s.0 + w));
            }
        }
    }
    let resolve = |mut r: Reg| {
        while let Some(&s) = original.get(&r) {
            r = s;
        }
        r
    };
    let mut groups = Vec::with_capacity(work.program.instrs.len());
    for instr in &work.program.instrs {
        let mut instr = instr.clone();
        let dsts = instr.dsts.clone();
        // A pair may only be read through its original when both halves have the same one.
        let split = instr.srcs.iter().any(|source| match *source {
            Operand::Pair(r) => resolve(Reg(r.0 + 1)).0 != resolve(r).0 + 1,
            _ => false,
        });
        if !split {
            rename(&mut instr, resolve, |p| p);
            instr.dsts = dsts;
        }
        groups.push(smallvec![(instr, false)]);
    }
    work.replace(groups);
}

fn remove_dead(work: &mut Work) -> bool {
    let program = &work.program;
    let liveness = Liveness::compute(program);
    let mut dead = vec![false; program.instrs.len()];
    for (b, block) in program.blocks.iter().enumerate() {
        let mut live = liveness.live_out(b).to_bitvec();
        for pc in cfg::pcs(block).rev() {
            let instr = &program.instrs[pc.index()];
            let mut needed = !is_pure(instr);
            for_each_def(instr, |place: Place| needed |= live[liveness.index(place)]);
            dead[pc.index()] = !needed;
            // What only dead instructions read is not live.
            if needed {
                liveness.step(instr, &mut live);
            }
        }
    }
    if !dead.contains(&true) {
        return false;
    }
    let groups = program
        .instrs
        .iter()
        .zip(dead)
        .map(|(instr, dead)| {
            let mut group = SmallVec::new();
            if !dead {
                group.push((instr.clone(), false));
            }
            group
        })
        .collect();
    work.replace(groups);
    true
}
