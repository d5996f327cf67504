//! The program while it is being allocated, and what becomes of it.

use heddle_isa::{Instr, Operand, Pc, Pred, PredOperand, Program};
use heddle_port::Reg;
use smallvec::SmallVec;

use super::color::Coloring;
use super::graph::{Graph, copy};
use crate::edit;
use crate::liveness::Place;

/// Where an instruction of the allocated program comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The instruction of the virtual program that it is, or that it serves.
    pub pc: Pc,
    /// Added by the allocator: a spill, a reload or a value computed again.
    pub inserted: bool,
}

/// An allocated program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The program on architectural registers.
    pub program: Program,
    /// Origin of each of its instructions, ascending.
    pub origins: Vec<Origin>,
}

/// An instruction and whether the allocator added it.
pub(super) type Placed = (Instr, bool);

/// A program on virtual registers in the making.
pub(super) struct Work {
    pub(super) program: Program,
    pub(super) origins: Vec<Origin>,
    /// Registers made by spilling, whose ranges cannot become shorter.
    pub(super) temporaries: Vec<Reg>,
}

impl Work {
    pub(super) fn new(program: &Program) -> Self {
        let origins = (0..program.instrs.len())
            .map(|i| Origin { pc: Pc(u32::try_from(i).unwrap_or(u32::MAX)), inserted: false })
            .collect();
        Self { program: program.clone(), origins, temporaries: Vec::new() }
    }

    /// A new register, or the low one of a new pair.
    pub(super) fn fresh(&mut self, width: u32) -> Reg {
        let first = self.program.num_regs.next_multiple_of(width);
        self.program.num_regs = first + width;
        Reg(first)
    }

    /// Puts `groups[i]` in the place of instruction `i`.
    pub(super) fn replace(&mut self, groups: Vec<SmallVec<[Placed; 1]>>) {
        let mut origins = Vec::with_capacity(self.origins.len());
        let mut instrs = Vec::with_capacity(groups.len());
        for (group, origin) in groups.into_iter().zip(&self.origins) {
            let mut list = edit::Group::new();
            for (instr, inserted) in group {
                origins.push(Origin { pc: origin.pc, inserted: inserted || origin.inserted });
                list.push(instr);
            }
            instrs.push(list);
        }
        self.program = edit::rebuild(&self.program, Vec::new(), instrs);
        self.origins = origins;
    }

    /// Puts colours in the place of virtual registers and removes moves to the same place.
    pub(super) fn finish(mut self, graph: &Graph, coloring: &Coloring) -> Allocation {
        let reg = |r: Reg| {
            let unit = graph.units.of(Place::Reg(r));
            let low = match graph.units.list[unit] {
                super::units::Unit::Pair(low) => low,
                _ => r,
            };
            Reg(coloring[unit] + (r.0 - low.0))
        };
        let pred = |p: Pred| {
            let color = coloring[graph.units.of(Place::Pred(p))];
            Pred(u16::try_from(color).unwrap_or(u16::MAX))
        };
        let mut groups = Vec::with_capacity(self.program.instrs.len());
        let (mut num_regs, mut num_preds) = (0, 0);
        for instr in &self.program.instrs {
            let mut instr = instr.clone();
            rename(&mut instr, reg, pred);
            let is_identity = copy(&instr).is_some_and(|(source, dsts)| match source {
                Operand::Reg(r) | Operand::Pair(r) => dsts[0] == r,
                Operand::Imm(_) | Operand::Special(_) => false,
            });
            let mut group = SmallVec::new();
            if !is_identity {
                crate::liveness::for_each_use(&instr, |p| count(p, &mut num_regs, &mut num_preds));
                crate::liveness::for_each_def(&instr, |p| count(p, &mut num_regs, &mut num_preds));
                group.push((instr, false));
            }
            groups.push(group);
        }
        self.replace(groups);
        self.program.num_regs = num_regs;
        self.program.num_preds = num_preds;
        self.program.allocated = true;
        Allocation { program: self.program, origins: self.origins }
    }
}

fn count(place: Place, num_regs: &mut u32, num_preds: &mut u16) {
    match place {
        Place::Reg(r) => *num_regs = (*num_regs).max(r.0 + 1),
        Place::Pred(p) => *num_preds = (*num_preds).max(p.0 + 1),
    }
}

/// Renames all registers and predicates of `instr`.
pub(super) fn rename(instr: &mut Instr, mut reg: impl FnMut(Reg) -> Reg, mut pred: impl FnMut(Pred) -> Pred) {
    if let Some(guard) = &mut instr.guard {
        guard.pred = pred(guard.pred);
    }
    for source in &mut instr.srcs {
        if let Operand::Reg(r) | Operand::Pair(r) = source {
            *r = reg(*r);
        }
    }
    for source in &mut instr.pred_srcs {
        if let PredOperand::Reg { pred: p, .. } = source {
            *p = pred(*p);
        }
    }
    for r in &mut instr.dsts {
        *r = reg(*r);
    }
    for p in &mut instr.pred_dsts {
        *p = pred(*p);
    }
}
