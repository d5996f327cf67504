//! Which registers and predicates may still be read.
//!
//! Liveness is per thread: the graph's paths are the paths of one thread. That is enough to share
//! registers between values: lanes are private, and an instruction writes only the lanes that
//! execute it, so what the lanes of one side of a branch do to a register is never seen by the lanes
//! of the other side. (What one *warp* may still read is a wider question; the dead-operand pass
//! answers it.) A guarded write does not end a live range: lanes where the guard fails keep the old
//! value.
//!
//! A shuffle reads registers of other lanes. Only lanes that execute it give a value, so the use of the
//! register by each executing thread keeps alive what the others read, and per thread is enough here too.
//! Such instructions must not move across branches; no pass moves them.

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use heddle_isa::{Instr, Operand, Pred, PredOperand, Program};
use heddle_port::Reg;

use crate::cfg;

/// A register or predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A register.
    Reg(Reg),
    /// A predicate.
    Pred(Pred),
}

/// Calls `f` for everything that `instr` reads, guard included.
pub fn for_each_use(instr: &Instr, mut f: impl FnMut(Place)) {
    if let Some(guard) = instr.guard {
        f(Place::Pred(guard.pred));
    }
    for source in &instr.srcs {
        match *source {
            Operand::Reg(r) => f(Place::Reg(r)),
            Operand::Pair(r) => {
                f(Place::Reg(r));
                f(Place::Reg(Reg(r.0 + 1)));
            }
            Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => {}
        }
    }
    for source in &instr.pred_srcs {
        if let PredOperand::Reg { pred, .. } = *source {
            f(Place::Pred(pred));
        }
    }
}

/// Calls `f` for everything that `instr` writes.
pub fn for_each_def(instr: &Instr, mut f: impl FnMut(Place)) {
    for &r in &instr.dsts {
        f(Place::Reg(r));
    }
    for &p in &instr.pred_dsts {
        f(Place::Pred(p));
    }
}

/// Sets of live places at the block borders of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Liveness {
    num_regs: usize,
    live_in: Vec<BitVec>,
    live_out: Vec<BitVec>,
}

impl Liveness {
    /// Solves the data-flow equations for `program`.
    #[must_use]
    pub fn compute(program: &Program) -> Self {
        let num_regs = program.num_regs as usize;
        let places = num_regs + usize::from(program.num_preds);
        let blocks = &program.blocks;
        let empty = || BitVec::repeat(false, places);
        let mut result =
            Self { num_regs, live_in: vec![empty(); blocks.len()], live_out: vec![empty(); blocks.len()] };
        let mut order = cfg::reverse_post_order(blocks);
        order.reverse();
        let mut changed = true;
        while changed {
            changed = false;
            for &b in &order {
                let mut live = empty();
                for &s in &blocks[b].successors {
                    live |= &result.live_in[s];
                }
                result.live_out[b].clone_from(&live);
                for pc in cfg::pcs(&blocks[b]).rev() {
                    result.step(&program.instrs[pc.index()], &mut live);
                }
                if live != result.live_in[b] {
                    result.live_in[b] = live;
                    changed = true;
                }
            }
        }
        result
    }

    /// Index of a place in the sets: registers first, then predicates.
    #[must_use]
    pub fn index(&self, place: Place) -> usize {
        match place {
            Place::Reg(r) => r.index(),
            Place::Pred(p) => self.num_regs + usize::from(p.0),
        }
    }

    /// The place at an index of the sets.
    #[must_use]
    pub fn place(&self, index: usize) -> Place {
        let narrow = |v: usize| u32::try_from(v).unwrap_or(u32::MAX);
        match index.checked_sub(self.num_regs) {
            None => Place::Reg(Reg(narrow(index))),
            Some(p) => Place::Pred(Pred(u16::try_from(p).unwrap_or(u16::MAX))),
        }
    }

    /// What is live before the first instruction of `block`.
    #[must_use]
    pub fn live_in(&self, block: usize) -> &BitSlice {
        &self.live_in[block]
    }

    /// What is live after the last instruction of `block`.
    #[must_use]
    pub fn live_out(&self, block: usize) -> &BitSlice {
        &self.live_out[block]
    }

    /// Turns the set after `instr` into the set before it.
    pub fn step(&self, instr: &Instr, live: &mut BitVec) {
        if instr.guard.is_none() {
            for_each_def(instr, |place| live.set(self.index(place), false));
        }
        for_each_use(instr, |place| live.set(self.index(place), true));
    }

    /// The sets before and after every instruction.
    #[must_use]
    pub fn per_instruction(&self, program: &Program) -> Vec<InstrLiveness> {
        let mut all = Vec::with_capacity(program.instrs.len());
        for (b, block) in program.blocks.iter().enumerate().rev() {
            let mut live = self.live_out[b].clone();
            for pc in cfg::pcs(block).rev() {
                let live_out = live.clone();
                self.step(&program.instrs[pc.index()], &mut live);
                all.push(InstrLiveness { live_in: live.clone(), live_out });
            }
        }
        all.reverse();
        all
    }
}

/// What is live around one instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstrLiveness {
    /// Before it.
    pub live_in: BitVec,
    /// After it.
    pub live_out: BitVec,
}
