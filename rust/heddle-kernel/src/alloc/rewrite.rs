//! The program while it is being allocated, and what becomes of it.

use heddle_isa::{Instr, Operand, Pc, Pred, PredOperand, Program};
use heddle_port::Reg;
use smallvec::SmallVec;

use super::color::Coloring;
use super::copies::copies;
use super::graph::Graph;
use super::units::Unit;
use crate::edit;
use crate::liveness::{Place, for_each_def, for_each_use};

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
    /// Most registers live at once before anything was spilled; at least so many are needed without
    /// spilling.
    pub pressure: u32,
}

/// An instruction and whether the allocator added it.
pub(super) type Placed = (Instr, bool);

/// A program on virtual registers in the making.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) program: Program,
    pub(super) origins: Vec<Origin>,
}

impl Work {
    pub(super) fn new(program: &Program) -> Self {
        let origins = (0..program.instrs.len())
            .map(|i| Origin { pc: Pc(u32::try_from(i).unwrap_or(u32::MAX)), inserted: false })
            .collect();
        Self { program: program.clone(), origins }
    }

    /// A new register.
    pub(super) fn fresh(&mut self) -> Reg {
        self.program.num_regs += 1;
        Reg(self.program.num_regs - 1)
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
    pub(super) fn finish(mut self, graph: &Graph, coloring: &Coloring, pressure: u32) -> Allocation {
        let name = |place: Place| {
            let unit = graph.units.of(place);
            let color = coloring[unit];
            match (place, graph.units.list[unit]) {
                (Place::Reg(r), Unit::Pair(low)) => Place::Reg(Reg(color + (r.0 - low.0))),
                (Place::Reg(_), _) => Place::Reg(Reg(color)),
                (Place::Pred(_), _) => Place::Pred(Pred(u16::try_from(color).unwrap_or(u16::MAX))),
            }
        };
        let mut groups = Vec::with_capacity(self.program.instrs.len());
        let (mut num_regs, mut num_preds) = (0, 0);
        for instr in &self.program.instrs {
            let mut instr = instr.clone();
            rename_parts(&mut instr, name, name);
            let mut group = SmallVec::new();
            if !copies(&instr).is_some_and(|words| words.iter().all(|(to, from)| to == from)) {
                for_each_use(&instr, |p| count(p, &mut num_regs, &mut num_preds));
                for_each_def(&instr, |p| count(p, &mut num_regs, &mut num_preds));
                group.push((instr, false));
            }
            groups.push(group);
        }
        self.replace(groups);
        self.program.num_regs = num_regs;
        self.program.num_preds = num_preds;
        self.program.allocated = true;
        Allocation { program: self.program, origins: self.origins, pressure }
    }
}

fn count(place: Place, num_regs: &mut u32, num_preds: &mut u16) {
    match place {
        Place::Reg(r) => *num_regs = (*num_regs).max(r.0 + 1),
        Place::Pred(p) => *num_preds = (*num_preds).max(p.0 + 1),
    }
}

/// Renames what `instr` reads by `read` and what it writes by `write`; both keep the kind of a place.
pub(super) fn rename_parts(
    instr: &mut Instr,
    mut read: impl FnMut(Place) -> Place,
    mut write: impl FnMut(Place) -> Place,
) {
    let reg = |r: &mut Reg, name: &mut dyn FnMut(Place) -> Place| {
        if let Place::Reg(new) = name(Place::Reg(*r)) {
            *r = new;
        }
    };
    let pred = |p: &mut Pred, name: &mut dyn FnMut(Place) -> Place| {
        if let Place::Pred(new) = name(Place::Pred(*p)) {
            *p = new;
        }
    };
    if let Some(guard) = &mut instr.guard {
        pred(&mut guard.pred, &mut read);
    }
    for source in &mut instr.srcs {
        if let Operand::Reg(r) | Operand::Pair(r) = source {
            reg(r, &mut read);
        }
    }
    for source in &mut instr.pred_srcs {
        if let PredOperand::Reg { pred: p, .. } = source {
            pred(p, &mut read);
        }
    }
    for r in &mut instr.dsts {
        reg(r, &mut write);
    }
    for p in &mut instr.pred_dsts {
        pred(p, &mut write);
    }
}
