//! Branches, ends, barriers and fences.

use heddle_isa::{BarrierKind, BoolOp, Cmp, FenceLevel, Guard, Op, Operand, Pc, PredOperand, Type};

use super::memory::SCOPES;
use super::{Table, operands, unsupported};
use crate::ast::{self, Constant, Instruction, OperandKind, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
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
    ("bar", barrier),
    ("barrier", barrier),
    ("membar", membar),
    ("fence", fence),
    ("nanosleep", nanosleep),
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

fn barrier_id(operand: &ast::Operand) -> Lowered<u8> {
    let OperandKind::Constant(Constant::Integer { magnitude, negative }) = operand.kind else {
        return Err(Diagnostic::new(
            DiagnosticKind::Unsupported,
            operand.span,
            "a barrier number that is no constant is not supported",
        ));
    };
    u8::try_from(magnitude).ok().filter(|&id| id < 16 && (!negative || id == 0)).ok_or_else(|| {
        Diagnostic::new(DiagnosticKind::OutOfRange, operand.span, "there are 16 barriers")
            .help("expected a number from 0 to 15")
    })
}

fn barrier(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    m.flag("cta");
    m.flag("aligned");
    if m.flag("warp") {
        m.required(&[("sync", ())], "an action")?;
        let [mask] = operands::<1>(i)?;
        let mask = l.source(mask, Type::B32)?;
        let mut instr = l.new_instr(Op::Bar { kind: BarrierKind::Warp, id: 0 });
        instr.srcs.push(mask);
        l.emit(instr);
        return Ok(());
    }
    if m.flag("red") || m.flag("arrive") {
        return Err(unsupported(i, "this form of barrier"));
    }
    if m.flag("cluster") {
        return Err(unsupported(i, "a barrier of a cluster"));
    }
    m.required(&[("sync", ())], "an action")?;
    if i.operands.len() == 2 {
        return Err(unsupported(i, "a barrier for a part of the threads"));
    }
    let [id] = operands::<1>(i)?;
    let id = barrier_id(id)?;
    let instr = l.new_instr(Op::Bar { kind: BarrierKind::Sync, id });
    l.emit(instr);
    Ok(())
}

fn membar(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<0>(i)?;
    let level = m.required(
        &[("cta", FenceLevel::Cta), ("gl", FenceLevel::Gpu), ("sys", FenceLevel::System)],
        "a level",
    )?;
    let instr = l.new_instr(Op::Fence { level });
    l.emit(instr);
    Ok(())
}

fn fence(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<0>(i)?;
    if m.flag("proxy") || m.flag("mbarrier_init") {
        return Err(unsupported(i, "this form of fence"));
    }
    m.choice(&[("sc", ()), ("acq_rel", ()), ("acquire", ()), ("release", ())]);
    let level = m.required(SCOPES, "a scope")?;
    let instr = l.new_instr(Op::Fence { level });
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
