//! Bitwise logic on registers and on predicates, and shifts.

use heddle_isa::{Alu, Mods, Op, PredAlu, Type};

use super::{Table, operands};
use crate::ast::Instruction;
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("and", |l, i, m| binary(l, i, m, Alu::And, PredAlu::And)),
    ("or", |l, i, m| binary(l, i, m, Alu::Or, PredAlu::Or)),
    ("xor", |l, i, m| binary(l, i, m, Alu::Xor, PredAlu::Xor)),
    ("not", not),
    ("cnot", |l, i, m| {
        operands::<2>(i)?;
        let ty = m.ty(&[Type::B16, Type::B32, Type::B64])?;
        l.uniform(i, Alu::Cnot, ty, Mods::default())
    }),
    ("shl", |l, i, m| {
        let ty = m.ty(&[Type::B16, Type::B32, Type::B64])?;
        shift(l, i, Alu::Shl, ty)
    }),
    ("shr", |l, i, m| {
        let ty = m.ty(SHIFTED_RIGHT)?;
        shift(l, i, Alu::Shr, ty)
    }),
    ("shf", funnel),
];

const LOGIC: &[Type] = &[Type::Pred, Type::B16, Type::B32, Type::B64];
const SHIFTED_RIGHT: &[Type] =
    &[Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64];

fn binary(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    op: Alu,
    on_preds: PredAlu,
) -> Lowered<()> {
    let [d, a, b] = operands::<3>(i)?;
    let ty = m.ty(LOGIC)?;
    if ty != Type::Pred {
        return l.uniform(i, op, ty, Mods::default());
    }
    let mut instr = l.new_instr(Op::Pred { op: on_preds });
    instr.pred_dsts.push(l.pred_destination(d)?);
    instr.pred_srcs.push(l.pred_source(a)?);
    instr.pred_srcs.push(l.pred_source(b)?);
    l.emit(instr);
    Ok(())
}

fn not(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a] = operands::<2>(i)?;
    let ty = m.ty(LOGIC)?;
    if ty != Type::Pred {
        return l.uniform(i, Alu::Not, ty, Mods::default());
    }
    let mut instr = l.new_instr(Op::Pred { op: PredAlu::Not });
    instr.pred_dsts.push(l.pred_destination(d)?);
    instr.pred_srcs.push(l.pred_source(a)?);
    l.emit(instr);
    Ok(())
}

fn shift(l: &mut Lowering<'_>, i: &Instruction, op: Alu, ty: Type) -> Lowered<()> {
    let [d, a, amount] = operands::<3>(i)?;
    let dsts = l.destination(d, ty)?;
    let srcs = [l.source(a, ty)?, l.source(amount, Type::U32)?];
    l.alu(op, ty, Mods::default(), dsts, &srcs);
    Ok(())
}

fn funnel(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let op = m.required(&[("l", Alu::ShfL), ("r", Alu::ShfR)], "a direction")?;
    let wrap = m.required(&[("clamp", false), ("wrap", true)], "a rule for amounts above 32")?;
    let ty = m.ty(&[Type::B32])?;
    let mods = Mods { alternate: wrap, ..Mods::default() };
    l.uniform(i, op, ty, mods)
}
