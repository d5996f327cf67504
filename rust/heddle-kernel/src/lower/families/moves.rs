//! `mov`: registers, constants, addresses, special registers, packing and unpacking.

use heddle_isa::{Alu, Mods, Op, Operand as IrOperand, PredAlu, Type};

use super::{Table, operands, unsupported};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[("mov", mov)];

const MOVED: &[Type] = &[
    Type::Pred,
    Type::B16,
    Type::B32,
    Type::B64,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F16,
    Type::F32,
    Type::F64,
];

fn mov(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a] = operands::<2>(i)?;
    let ty = m.ty(MOVED)?;
    if ty == Type::Pred {
        let mut instr = l.new_instr(Op::Pred { op: PredAlu::Mov });
        instr.pred_dsts.push(l.pred_destination(d)?);
        instr.pred_srcs.push(l.pred_source(a)?);
        l.emit(instr);
        return Ok(());
    }
    match (&d.kind, &a.kind) {
        (OperandKind::Vector(_), OperandKind::Vector(_)) => Err(unsupported(i, "a move between two vectors")),
        (_, OperandKind::Vector(parts)) => pack(l, i, ty, d, parts),
        (OperandKind::Vector(parts), _) => unpack(l, i, ty, parts, a),
        _ => {
            let dsts = l.destination(d, ty)?;
            let source = l.source(a, ty)?;
            l.alu(Alu::Mov, ty, Mods::default(), dsts, &[source]);
            Ok(())
        }
    }
}

/// Type of one of `count` equal parts of a value of type `ty`.
fn part_type(i: &Instruction, ty: Type, count: usize) -> Lowered<Type> {
    match (ty, count) {
        (Type::B64, 2) => Ok(Type::B32),
        (Type::B64, 4) | (Type::B32, 2) => Ok(Type::B16),
        (Type::B64 | Type::B32 | Type::B16, 2 | 4 | 8) => {
            Err(unsupported(i, "packing and unpacking of bytes"))
        }
        _ => Err(Diagnostic::new(
            DiagnosticKind::Operand,
            i.span,
            format!("'mov.{}' cannot have {count} parts", ty.name()),
        )
        .help("expected .b32 with 2 parts, or .b64 with 2 or 4")),
    }
}

/// Where a 64-bit value has four parts, two words are made first.
const HALVES: [usize; 2] = [0, 2];

fn pack(l: &mut Lowering<'_>, i: &Instruction, ty: Type, d: &Operand, parts: &[Operand]) -> Lowered<()> {
    let part = part_type(i, ty, parts.len())?;
    let dsts = l.destination(d, ty)?;
    let mut sources = Vec::new();
    for operand in parts {
        sources.push(l.source(operand, part)?);
    }
    if parts.len() == 4 {
        let mut words = Vec::new();
        for first in HALVES {
            let word = l.fresh_regs(Type::B32, i.span)?;
            words.push(IrOperand::Reg(word[0]));
            let halves = &sources[first..first + 2];
            l.unguarded_alu(Alu::Pack, Type::B32, &word, halves);
        }
        sources = words;
    }
    l.alu(Alu::Pack, ty, Mods::default(), dsts, &sources);
    Ok(())
}

fn unpack(l: &mut Lowering<'_>, i: &Instruction, ty: Type, parts: &[Operand], a: &Operand) -> Lowered<()> {
    let part = part_type(i, ty, parts.len())?;
    let source = l.source(a, ty)?;
    let mut dsts = Vec::new();
    for operand in parts {
        dsts.push(l.destination(operand, part)?[0]);
    }
    if parts.len() == 4 {
        let mut words = l.fresh_regs(Type::B32, i.span)?;
        words.extend(l.fresh_regs(Type::B32, i.span)?);
        l.unguarded_alu(Alu::Unpack, Type::B64, &words, &[source]);
        for (word, first) in words.iter().zip(HALVES) {
            let halves = dsts[first..first + 2].iter().copied().collect();
            l.alu(Alu::Unpack, Type::B32, Mods::default(), halves, &[IrOperand::Reg(*word)]);
        }
    } else {
        let dsts = dsts.into_iter().collect();
        l.alu(Alu::Unpack, ty, Mods::default(), dsts, &[source]);
    }
    Ok(())
}

impl Lowering<'_> {
    /// An operation into new registers, which needs no guard whatever the instruction has.
    fn unguarded_alu(&mut self, op: Alu, ty: Type, dsts: &[heddle_port::Reg], srcs: &[IrOperand]) {
        let mods = Mods::default();
        let mut instr = self.new_instr(Op::Alu { op, ty, mods });
        instr.guard = None;
        instr.dsts.extend_from_slice(dsts);
        instr.srcs.extend(srcs.iter().copied());
        self.emit(instr);
    }
}
