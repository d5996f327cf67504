//! `mov`: registers, constants, addresses, special registers, packing and unpacking.

use heddle_isa::{Alu, Instr, Mods, Op, Operand as IrOperand, PredAlu, Type};

use super::{Table, operands, unsupported};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::special::{self, Named};
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[("mov", mov)];

const MOVED: &[Type] = &[
    Type::Pred,
    Type::B16,
    Type::B32,
    Type::B64,
    Type::B128,
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
    if let OperandKind::Name(name, 0) = &a.kind
        && let Some(Named::Clock(clock)) = special::find(name)
    {
        return l.read_clock(clock, d, a, ty);
    }
    match (&d.kind, &a.kind) {
        (OperandKind::Vector(_), OperandKind::Vector(_)) => Err(unsupported(i, "a move between two vectors")),
        (_, OperandKind::Vector(parts)) => pack(l, i, ty, d, parts),
        (OperandKind::Vector(parts), _) => unpack(l, i, ty, parts, a),
        _ if ty == Type::B128 => {
            let halves = l.quad(a)?;
            copy_halves(l, d, halves)
        }
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
        (Type::B32, 4) | (Type::B16, 2) => Ok(Type::B8),
        (Type::B128, 2) => Ok(Type::B64),
        _ => Err(Diagnostic::new(
            DiagnosticKind::Operand,
            i.span,
            format!("'mov.{}' cannot have {count} parts", ty.name()),
        )
        .help("expected .b16 or .b128 with 2 parts, or .b32 or .b64 with 2 or 4")),
    }
}

fn pack(l: &mut Lowering<'_>, i: &Instruction, ty: Type, d: &Operand, parts: &[Operand]) -> Lowered<()> {
    let part = part_type(i, ty, parts.len())?;
    if ty == Type::B128 {
        let sources = [l.source(&parts[0], part)?, l.source(&parts[1], part)?];
        return copy_halves(l, d, sources);
    }
    let dsts = l.destination(d, ty)?;
    let mut instr = pack_instr(l, Alu::Pack, ty);
    instr.dsts.extend(dsts);
    for operand in parts {
        instr.srcs.push(l.source(operand, part)?);
    }
    l.emit(instr);
    Ok(())
}

fn unpack(l: &mut Lowering<'_>, i: &Instruction, ty: Type, parts: &[Operand], a: &Operand) -> Lowered<()> {
    let part = part_type(i, ty, parts.len())?;
    if ty == Type::B128 {
        for (operand, half) in parts.iter().zip(l.quad(a)?) {
            let dsts = l.destination(operand, part)?;
            l.alu(Alu::Mov, part, Mods::default(), dsts, &[half]);
        }
        return Ok(());
    }
    let mut instr = pack_instr(l, Alu::Unpack, ty);
    instr.srcs.push(l.source(a, ty)?);
    for operand in parts {
        instr.dsts.extend(l.destination(operand, part)?);
    }
    l.emit(instr);
    Ok(())
}

/// Moves two 64-bit values to the halves of a 128-bit register.
fn copy_halves(l: &mut Lowering<'_>, d: &Operand, halves: [IrOperand; 2]) -> Lowered<()> {
    let dsts = l.destination(d, Type::B128)?;
    for (dsts, half) in dsts.chunks(2).zip(halves) {
        l.alu(Alu::Mov, Type::B64, Mods::default(), dsts.into(), &[half]);
    }
    Ok(())
}

fn pack_instr(l: &Lowering<'_>, op: Alu, ty: Type) -> Instr {
    let mods = Mods::default();
    l.new_instr(Op::Alu { op, ty, mods })
}
