//! Branches, ends, barriers and fences.

use heddle_isa::{BarrierKind, FenceLevel, Op, Pc, Type};

use super::memory::SCOPES;
use super::{Table, operands, unsupported};
use crate::ast::{Constant, Instruction, Operand, OperandKind, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("bra", bra),
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

fn barrier_id(operand: &Operand) -> Lowered<u8> {
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
