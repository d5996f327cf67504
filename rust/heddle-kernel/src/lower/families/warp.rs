//! Operations between the lanes of a warp, and traps.

use heddle_isa::{MatchMode, Op, Operand, Pred, ReduxOp, ShflMode, Type, VoteMode};
use heddle_port::Reg;

use super::{Table, operands, unsupported};
use crate::ast::{self, Instruction, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("shfl", shfl),
    ("vote", vote),
    ("match", matching),
    ("redux", redux),
    ("activemask", activemask),
    ("elect", elect),
    ("trap", trap),
    ("brkpt", trap),
];

fn shfl(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let mode = m.required(
        &[("up", ShflMode::Up), ("down", ShflMode::Down), ("bfly", ShflMode::Bfly), ("idx", ShflMode::Idx)],
        "a mode",
    )?;
    let (d, sources, members) = if m.flag("sync") {
        let [d, a, b, c, members] = operands::<5>(i)?;
        (d, [a, b, c], Some(members))
    } else {
        let [d, a, b, c] = operands::<4>(i)?;
        (d, [a, b, c], None)
    };
    m.ty(&[Type::B32])?;
    let (value, holds) = value_and_pred(l, d)?;
    let mut instr = l.new_instr(Op::Shfl { mode });
    instr.dsts.push(value);
    instr.pred_dsts.extend(holds);
    for source in sources {
        instr.srcs.push(l.source(source, Type::B32)?);
    }
    if let Some(members) = members {
        instr.srcs.push(member_mask(l, members)?);
    }
    l.emit(instr);
    Ok(())
}

/// The destination `d` or `d|p`.
fn value_and_pred(l: &mut Lowering<'_>, operand: &ast::Operand) -> Lowered<(Reg, Option<Pred>)> {
    let (value, pred) = match &operand.kind {
        OperandKind::Pair(value, pred) => (value.as_ref(), Some(l.pred_destination(pred)?)),
        _ => (operand, None),
    };
    Ok((word(l, value)?, pred))
}

/// A 32-bit destination.
fn word(l: &mut Lowering<'_>, operand: &ast::Operand) -> Lowered<Reg> {
    let registers = l.destination(operand, Type::B32)?;
    registers.first().copied().ok_or_else(|| wrong_form(operand, "a 32-bit register"))
}

fn vote(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let mode = m.required(
        &[
            ("all", VoteMode::All),
            ("any", VoteMode::Any),
            ("uni", VoteMode::Uni),
            ("ballot", VoteMode::Ballot),
        ],
        "a mode",
    )?;
    let (d, a, members) = if m.flag("sync") {
        let [d, a, members] = operands::<3>(i)?;
        (d, a, Some(members))
    } else {
        let [d, a] = operands::<2>(i)?;
        (d, a, None)
    };
    let mut instr = l.new_instr(Op::Vote { mode });
    if mode == VoteMode::Ballot {
        m.ty(&[Type::B32])?;
        instr.dsts.push(word(l, d)?);
    } else {
        m.ty(&[Type::Pred])?;
        instr.pred_dsts.push(l.pred_destination(d)?);
    }
    instr.pred_srcs.push(l.pred_source(a)?);
    if let Some(members) = members {
        instr.srcs.push(member_mask(l, members)?);
    }
    l.emit(instr);
    Ok(())
}

fn matching(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let mode = m.required(&[("any", MatchMode::Any), ("all", MatchMode::All)], "a mode")?;
    m.required(&[("sync", ())], "a member mask")?;
    let ty = m.ty(&[Type::B32, Type::B64])?;
    let [d, a, members] = operands::<3>(i)?;
    let (value, holds) = match mode {
        MatchMode::Any => (word(l, d)?, None),
        MatchMode::All => value_and_pred(l, d)?,
    };
    let mut instr = l.new_instr(Op::Match { mode, ty });
    instr.dsts.push(value);
    instr.pred_dsts.extend(holds);
    instr.srcs.push(l.source(a, ty)?);
    instr.srcs.push(member_mask(l, members)?);
    l.emit(instr);
    Ok(())
}

fn redux(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    m.required(&[("sync", ())], "a member mask")?;
    let op = m.required(
        &[
            ("add", ReduxOp::Add),
            ("min", ReduxOp::Min),
            ("max", ReduxOp::Max),
            ("and", ReduxOp::And),
            ("or", ReduxOp::Or),
            ("xor", ReduxOp::Xor),
        ],
        "an operation",
    )?;
    if m.flag("f32") {
        return Err(unsupported(i, "a reduction of floats"));
    }
    let ty = m.ty(match op {
        ReduxOp::Add | ReduxOp::Min | ReduxOp::Max => &[Type::U32, Type::S32],
        ReduxOp::And | ReduxOp::Or | ReduxOp::Xor => &[Type::B32],
    })?;
    let [d, a, members] = operands::<3>(i)?;
    let mut instr = l.new_instr(Op::Redux { op, ty });
    instr.dsts.extend(l.destination(d, ty)?);
    instr.srcs.push(l.source(a, ty)?);
    instr.srcs.push(member_mask(l, members)?);
    l.emit(instr);
    Ok(())
}

fn activemask(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d] = operands::<1>(i)?;
    m.ty(&[Type::B32])?;
    let mut instr = l.new_instr(Op::Activemask);
    instr.dsts.push(word(l, d)?);
    l.emit(instr);
    Ok(())
}

fn elect(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    m.required(&[("sync", ())], "a member mask")?;
    let [d, members] = operands::<2>(i)?;
    let OperandKind::Pair(lane, leader) = &d.kind else {
        return Err(wrong_form(d, "a register and a predicate: d|p"));
    };
    let mut instr = l.new_instr(Op::Elect);
    if lane.kind != OperandKind::Sink {
        instr.dsts.push(word(l, lane)?);
    }
    instr.pred_dsts.push(l.pred_destination(leader)?);
    instr.srcs.push(member_mask(l, members)?);
    l.emit(instr);
    Ok(())
}

/// Without a debugger a breakpoint ends the kernel as a trap does.
fn trap(l: &mut Lowering<'_>, i: &Instruction, _: &Modifiers<'_>) -> Lowered<()> {
    operands::<0>(i)?;
    let instr = l.new_instr(Op::Trap);
    l.emit(instr);
    Ok(())
}

/// A constant member mask, where it is one, must name a lane.
pub(super) fn member_mask(l: &mut Lowering<'_>, operand: &ast::Operand) -> Lowered<Operand> {
    let mask = l.source(operand, Type::B32)?;
    if mask == Operand::Imm(0) {
        return Err(Diagnostic::new(
            DiagnosticKind::OutOfRange,
            operand.span,
            "the member mask names no lane",
        ));
    }
    Ok(mask)
}
