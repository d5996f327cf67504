//! Where values are that are in no register, and the instructions that bring them there and back.

use heddle_isa::{Alu, CacheOp, Cmp, Instr, Loc, Op, Operand, Pred, PredOperand, Program, Space, Type};
use heddle_port::Reg;
use smallvec::SmallVec;

use crate::alloc::live::Words;
use crate::alloc::rewrite::Work;
use crate::alloc::units::{Unit, UnitId, Units};

/// The home of a unit.
#[derive(Debug, Clone)]
pub(super) enum Home {
    /// Computed again by this instruction, which reads no register.
    Again(Instr),
    /// The words of a register or pair, in local memory from this address.
    Local(SmallVec<[Reg; 2]>, u32),
    /// A predicate, as 1 or 0 in a register.
    Register(Pred, Reg),
}

/// For each unit the instruction that computes it from nothing, if it has one writer and that is one.
pub(super) fn recomputable(program: &Program, units: &Units) -> Vec<Option<Instr>> {
    let mut writers: Vec<Option<&Instr>> = vec![None; units.list.len()];
    let mut several = vec![false; units.list.len()];
    for instr in &program.instrs {
        let mut seen: SmallVec<[UnitId; 4]> = SmallVec::new();
        crate::liveness::for_each_def(instr, |place| {
            let unit = units.of(place);
            if !seen.contains(&unit) {
                seen.push(unit);
                several[unit] |= writers[unit].replace(instr).is_some();
            }
        });
    }
    let one = |(unit, several): (usize, bool)| {
        let writer = writers[unit].filter(|_| !several)?;
        let whole = registers(units.list[unit]).as_slice() == writer.dsts.as_slice();
        (whole && from_nothing(writer)).then(|| writer.clone())
    };
    several.into_iter().enumerate().map(one).collect()
}

/// Whether `instr` always gives the same value and reads no register.
fn from_nothing(instr: &Instr) -> bool {
    let operation = match instr.op {
        Op::Alu { op: Alu::Mov, .. } => true,
        Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
        _ => false,
    };
    operation && instr.guard.is_none() && instr.srcs.iter().all(is_fixed)
}

/// Whether an operand has one value as long as the thread lives.
fn is_fixed(operand: &Operand) -> bool {
    match operand {
        Operand::Imm(_) | Operand::Constant(_) => true,
        Operand::Special(special) => special.is_constant(),
        _ => false,
    }
}

impl Home {
    /// A new home for `unit` of `work`.
    pub(super) fn new(work: &mut Work, unit: Unit) -> Self {
        if let Unit::Pred(pred) = unit {
            return Self::Register(pred, work.fresh());
        }
        let bytes = unit.width() * 4;
        let address = work.program.local_bytes.next_multiple_of(bytes);
        work.program.local_bytes = address + bytes;
        Self::Local(registers(unit), address)
    }

    /// The instruction that takes the words `which` home, if they are not computed again.
    pub(super) fn store(&self, which: Words, loc: Loc) -> Option<Instr> {
        match self {
            Self::Again(_) => None,
            Self::Register(pred, home) => {
                let mut instr = Instr::new(Op::Selp { ty: Type::B32 }, loc);
                instr.dsts.push(*home);
                instr.srcs.extend([Operand::Imm(1), Operand::Imm(0)]);
                instr.pred_srcs.push(PredOperand::Reg { pred: *pred, negated: false });
                Some(instr)
            }
            Self::Local(registers, address) => {
                let (ty, address, words) = part(registers, *address, which);
                let op = Op::St { space: Space::Local, ty, vector: 1, cache: CacheOp::Ca };
                let mut instr = Instr::new(op, loc);
                let source = if words.len() == 2 { Operand::Pair(words[0]) } else { Operand::Reg(words[0]) };
                instr.srcs.extend([Operand::Imm(u64::from(address)), source]);
                Some(instr)
            }
        }
    }

    /// The instruction that brings the words `which` back.
    pub(super) fn load(&self, which: Words, loc: Loc) -> Instr {
        match self {
            Self::Again(instr) => Instr { loc, ..instr.clone() },
            Self::Register(pred, home) => {
                let op = Op::Setp { cmp: Cmp::Ne, ty: Type::U32, ftz: false, combine: None };
                let mut instr = Instr::new(op, loc);
                instr.pred_dsts.push(*pred);
                instr.srcs.extend([Operand::Reg(*home), Operand::Imm(0)]);
                instr
            }
            Self::Local(registers, address) => {
                let (ty, address, words) = part(registers, *address, which);
                let op = Op::Ld { space: Space::Local, ty, vector: 1, cache: CacheOp::Ca };
                let mut instr = Instr::new(op, loc);
                instr.srcs.push(Operand::Imm(u64::from(address)));
                instr.dsts.extend_from_slice(words);
                instr
            }
        }
    }
}

/// Type, address and registers of the words `which` of a home at `address`.
fn part(registers: &[Reg], address: u32, which: Words) -> (Type, u32, &[Reg]) {
    match (registers, which) {
        ([low, _], 1) => (Type::B32, address, std::slice::from_ref(low)),
        ([_, high], 2) => (Type::B32, address + 4, std::slice::from_ref(high)),
        ([_, _], _) => (Type::B64, address, registers),
        _ => (Type::B32, address, registers),
    }
}

/// The registers of `unit`.
fn registers(unit: Unit) -> SmallVec<[Reg; 2]> {
    match unit {
        Unit::Single(r) => smallvec::smallvec![r],
        Unit::Pair(r) => smallvec::smallvec![r, Reg(r.0 + 1)],
        Unit::Pred(_) => SmallVec::new(),
    }
}
