//! Branches, ends, and instructions that change nothing.

use heddle_isa::{BoolOp, Cmp, Guard, Op, Operand, Pc, PredOperand, Type};

use super::{Table, operands};
use crate::ast::{Instruction, OperandKind, Word};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::symbols::Symbol;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("bra", bra),
    ("brx", indexed),
    ("call", |l, i, m| {
        m.flag("uni");
        l.call(i)
    }),
    ("ret", end),
    ("exit", end),
    ("nanosleep", nanosleep),
    ("pmevent", event),
    ("griddepcontrol", dependence),
];

fn bra(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [target] = operands::<1>(i)?;
    m.flag("uni");
    let OperandKind::Name(text, 0) = &target.kind else {
        return Err(wrong_form(target, "a label"));
    };
    let word = Word { text: text.clone(), span: target.span };
    let target = l.label(&word)?;
    let instr = l.new_instr(Op::Bra { target, reconvergence: None });
    l.emit(instr);
    Ok(())
}

/// `brx.idx index, targets`: a chain of comparisons. An index past the last target, which PTX leaves
/// undefined, goes to the last.
fn indexed(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [index, list] = operands::<2>(i)?;
    m.required(&[("idx", ())], "a kind of target")?;
    m.flag("uni");
    let index = l.source(index, Type::U32)?;
    let OperandKind::Name(text, 0) = &list.kind else {
        return Err(wrong_form(list, "the name of a list of branch targets"));
    };
    let word = Word { text: text.clone(), span: list.span };
    let Symbol::BranchTargets(id) = l.symbols.find(&word)? else {
        return Err(wrong_form(list, "the name of a list of branch targets"));
    };
    let mut targets = Vec::new();
    for word in l.branch_targets[id].clone() {
        targets.push(l.label(&word)?);
    }
    let guard = l.guard;
    let last = targets.len() - 1;
    for (n, &target) in (0u64..).zip(&targets[..last]) {
        let chosen = l.fresh_pred(i.span)?;
        let mut compare = l.new_instr(Op::Setp {
            cmp: Cmp::Eq,
            ty: Type::U32,
            ftz: false,
            combine: guard.map(|_| BoolOp::And),
        });
        // Lanes that fail the guard take no branch of the chain.
        compare.guard = None;
        compare.pred_dsts.push(chosen);
        compare.srcs.extend([index, Operand::Imm(n)]);
        compare.pred_srcs.extend(guard.map(|g| PredOperand::Reg { pred: g.pred, negated: g.negated }));
        l.emit(compare);
        let mut branch = l.new_instr(Op::Bra { target, reconvergence: None });
        branch.guard = Some(Guard { pred: chosen, negated: false });
        l.emit(branch);
    }
    let rest = l.new_instr(Op::Bra { target: targets[last], reconvergence: None });
    l.emit(rest);
    Ok(())
}

/// A kernel's `ret` ends its threads, as `exit` does; that of a function that is called goes on after
/// the call.
fn end(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<0>(i)?;
    m.flag("uni");
    let op = match l.calls.last() {
        Some((_, after)) if i.opcode.text == "ret" => Op::Bra { target: Pc(after.0), reconvergence: None },
        _ => Op::Exit,
    };
    let instr = l.new_instr(op);
    l.emit(instr);
    Ok(())
}

/// A pause changes no value.
fn nanosleep(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [time] = operands::<1>(i)?;
    let ty = m.ty(&[Type::U32])?;
    l.source(time, ty)?;
    let instr = l.new_instr(Op::Nop);
    l.emit(instr);
    Ok(())
}

/// Nobody counts the event.
fn event(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [number] = operands::<1>(i)?;
    m.flag("mask");
    l.source(number, Type::U32)?;
    let instr = l.new_instr(Op::Nop);
    l.emit(instr);
    Ok(())
}

/// Launches run one after the other, so no grid waits for another.
fn dependence(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<0>(i)?;
    m.required(&[("launch_dependents", ()), ("wait", ())], "an action")?;
    let instr = l.new_instr(Op::Nop);
    l.emit(instr);
    Ok(())
}
