//! Allocation units: single registers, and pairs that some instruction reads as one value.

use heddle_isa::{Operand, Program};
use heddle_port::Reg;

use super::live::Words;
use crate::liveness::Place;

/// Index of a unit.
pub(super) type UnitId = usize;

/// What a unit takes: registers or predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Reg,
    Pred,
}

impl Class {
    pub(super) const ALL: [Self; 2] = [Self::Reg, Self::Pred];
}

/// What is given a colour as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// One register.
    Single(Reg),
    /// `r` and `r + 1`, in an even-aligned pair of registers.
    Pair(Reg),
    /// A predicate.
    Pred(heddle_isa::Pred),
}

impl Unit {
    /// Registers that it takes; predicates are counted apart and take one.
    pub(super) fn width(self) -> u32 {
        match self {
            Self::Pair(_) => 2,
            Self::Single(_) | Self::Pred(_) => 1,
        }
    }

    pub(super) fn class(self) -> Class {
        match self {
            Self::Single(_) | Self::Pair(_) => Class::Reg,
            Self::Pred(_) => Class::Pred,
        }
    }
}

/// The units of a program. A written pair that nobody reads as a pair is two singles.
#[derive(Debug, Clone)]
pub(super) struct Units {
    pub(super) list: Vec<Unit>,
    of_reg: Vec<UnitId>,
    first_pred: usize,
}

impl Units {
    pub(super) fn new(program: &Program) -> Self {
        let num_regs = program.num_regs as usize;
        let mut pair_low = vec![false; num_regs];
        for instr in &program.instrs {
            for source in &instr.srcs {
                if let Operand::Pair(r) = source {
                    pair_low[r.index()] = true;
                }
            }
        }
        let mut list = Vec::new();
        let mut of_reg = vec![0; num_regs];
        let mut i = 0;
        while i < num_regs {
            let reg = Reg(u32::try_from(i).unwrap_or(u32::MAX));
            of_reg[i] = list.len();
            if pair_low[i] && i + 1 < num_regs {
                of_reg[i + 1] = list.len();
                list.push(Unit::Pair(reg));
                i += 2;
            } else {
                list.push(Unit::Single(reg));
                i += 1;
            }
        }
        let first_pred = list.len();
        list.extend((0..program.num_preds).map(|p| Unit::Pred(heddle_isa::Pred(p))));
        Self { list, of_reg, first_pred }
    }

    /// The bit of `place` among the words of its unit.
    pub(super) fn word(&self, place: Place) -> Words {
        match (place, self.list[self.of(place)]) {
            (Place::Reg(r), Unit::Pair(low)) if r != low => 2,
            _ => 1,
        }
    }

    pub(super) fn of(&self, place: Place) -> UnitId {
        match place {
            Place::Reg(r) => self.of_reg[r.index()],
            Place::Pred(p) => self.first_pred + usize::from(p.0),
        }
    }
}
