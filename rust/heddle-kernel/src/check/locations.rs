//! Names of places and locations, and what instructions read.

use heddle_isa::{Instr, Operand, PredOperand, Program};
use heddle_port::Reg;
use smallvec::SmallVec;

use super::CheckFault;
use super::facts::{Location, Place};
use crate::alloc::{MAX_PREDICATES, MAX_REGISTERS};

/// The numbers of places of the virtual program and of locations of the allocated one: registers,
/// predicates, and for locations spill words and results of constants, in this order.
pub(super) struct Locations {
    virtual_regs: u32,
    regs: u32,
    preds: u32,
    /// Where spill words begin and end in local memory.
    spills: std::ops::Range<u64>,
}

impl Locations {
    pub(super) fn new(original: &Program, allocated: &Program) -> Self {
        Self {
            virtual_regs: original.num_regs,
            regs: allocated.num_regs.min(MAX_REGISTERS),
            preds: u32::from(allocated.num_preds).min(MAX_PREDICATES),
            spills: u64::from(original.local_bytes)..u64::from(allocated.local_bytes),
        }
    }

    /// The first location after registers, predicates and spill words.
    pub(super) fn end(&self) -> Location {
        let words = (self.spills.end - self.spills.start) / 4 + 1;
        self.regs + self.preds + u32::try_from(words).unwrap_or(u32::MAX / 2)
    }

    pub(super) fn reg(&self, r: Reg) -> Result<Location, CheckFault> {
        if r.0 < self.regs { Ok(r.0) } else { Err(CheckFault::Place { place: r.to_string() }) }
    }

    pub(super) fn pred(&self, pred: u16) -> Result<Location, CheckFault> {
        if u32::from(pred) < self.preds {
            Ok(self.regs + u32::from(pred))
        } else {
            Err(CheckFault::Place { place: format!("P{pred}") })
        }
    }

    /// Word `word` of a spill at `address`, which must lie behind the kernel's own local memory.
    pub(super) fn spill(&self, instr: &Instr, address: u64, word: u32) -> Result<Location, CheckFault> {
        let at = address.checked_add(u64::from(word) * 4).ok_or(CheckFault::Inserted)?;
        let inside = self.spills.contains(&at) && self.spills.contains(&(at + 3));
        if !inside || !at.is_multiple_of(4) || instr.offset != 0 {
            return Err(CheckFault::Inserted);
        }
        let index = at / 4 - self.spills.start / 4;
        Ok(self.regs + self.preds + u32::try_from(index).map_err(|_| CheckFault::Inserted)?)
    }

    pub(super) fn place_of_pred(&self, pred: u16) -> Place {
        self.virtual_regs + u32::from(pred)
    }

    pub(super) fn is_pred(&self, place: Place) -> bool {
        place >= self.virtual_regs
    }

    /// What an instruction of the virtual program writes.
    pub(super) fn written_places(&self, instr: &Instr) -> Vec<Place> {
        let regs = instr.dsts.iter().map(|r| r.0);
        regs.chain(instr.pred_dsts.iter().map(|p| self.place_of_pred(p.0))).collect()
    }

    /// What an instruction of the allocated program writes; every location once.
    pub(super) fn written(&self, instr: &Instr) -> Result<Vec<Location>, CheckFault> {
        let mut list = Vec::new();
        for d in &instr.dsts {
            list.push(self.reg(*d)?);
        }
        for p in &instr.pred_dsts {
            list.push(self.pred(p.0)?);
        }
        for (i, location) in list.iter().enumerate() {
            if list[..i].contains(location) {
                return Err(CheckFault::Place { place: self.location_name(*location) });
            }
        }
        Ok(list)
    }

    /// Every read as (location in the allocated program, virtual place that must be there).
    pub(super) fn reads(
        &self,
        original: &Instr,
        allocated: &Instr,
    ) -> Result<Vec<(Location, Place)>, CheckFault> {
        let mut reads = Vec::new();
        if let (Some(a), Some(b)) = (original.guard, allocated.guard) {
            reads.push((self.pred(b.pred.0)?, self.place_of_pred(a.pred.0)));
        }
        for (a, b) in original.srcs.iter().zip(&allocated.srcs) {
            match (a, b) {
                (Operand::Reg(a), Operand::Reg(b)) => reads.push((self.reg(*b)?, a.0)),
                (Operand::Pair(a), Operand::Pair(b)) => {
                    if b.0 % 2 != 0 {
                        return Err(CheckFault::Place { place: b.to_string() });
                    }
                    reads.push((self.reg(*b)?, a.0));
                    reads.push((self.reg(Reg(b.0 + 1))?, a.0 + 1));
                }
                (a, b) if a == b && words(a).is_empty() => {}
                _ => return Err(CheckFault::Differs { what: "sources" }),
            }
        }
        for (a, b) in original.pred_srcs.iter().zip(&allocated.pred_srcs) {
            match (*a, *b) {
                (PredOperand::Reg { pred: a, negated: x }, PredOperand::Reg { pred: b, negated: y })
                    if x == y =>
                {
                    reads.push((self.pred(b.0)?, self.place_of_pred(a.0)));
                }
                (PredOperand::Const(x), PredOperand::Const(y)) if x == y => {}
                _ => return Err(CheckFault::Differs { what: "predicate sources" }),
            }
        }
        Ok(reads)
    }

    pub(super) fn location_name(&self, location: Location) -> String {
        if location < self.regs {
            format!("R{location}")
        } else if location < self.regs + self.preds {
            format!("P{}", location - self.regs)
        } else {
            format!("spill word {}", location - self.regs - self.preds)
        }
    }

    pub(super) fn place_name(&self, place: Place) -> String {
        match place.checked_sub(self.virtual_regs) {
            None => format!("R{place}"),
            Some(pred) => format!("P{pred}"),
        }
    }
}

/// The registers of an operand.
pub(super) fn words(operand: &Operand) -> SmallVec<[Reg; 2]> {
    match *operand {
        Operand::Reg(r) => smallvec::smallvec![r],
        Operand::Pair(r) => smallvec::smallvec![r, Reg(r.0 + 1)],
        Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => SmallVec::new(),
    }
}
