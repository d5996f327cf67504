//! Barriers and fences.

use heddle_isa::exec::NUM_BARRIERS;
use heddle_isa::{BarrierKind, BarrierReduction, FenceLevel, Op, Operand, Type};
use heddle_port::NUM_LANES;

use super::memory::SCOPES;
use super::warp::member_mask;
use super::{Table, operands, unsupported};
use crate::ast::{self, Instruction};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table =
    &[("bar", barrier), ("barrier", barrier), ("membar", membar), ("fence", fence)];

fn barrier(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    m.flag("cta");
    m.flag("aligned");
    if m.flag("warp") {
        m.required(&[("sync", ())], "an action")?;
        let [mask] = operands::<1>(i)?;
        let mut instr = l.new_instr(Op::WarpSync);
        instr.srcs.push(member_mask(l, mask)?);
        l.emit(instr);
        return Ok(());
    }
    if m.flag("cluster") {
        return Err(unsupported(i, "a barrier of a cluster"));
    }
    let kind = m.required(
        &[("sync", BarrierKind::Sync), ("arrive", BarrierKind::Arrive), ("red", BarrierKind::Reduce)],
        "an action",
    )?;
    match (kind, i.operands.as_slice()) {
        (BarrierKind::Reduce, [d, id, rest @ ..]) => reduce(l, i, m, d, id, rest),
        (BarrierKind::Sync, [id]) => arrival(l, kind, id, None),
        (BarrierKind::Sync | BarrierKind::Arrive, [id, threads]) => arrival(l, kind, id, Some(threads)),
        _ => Err(Diagnostic::new(
            DiagnosticKind::Operand,
            i.span,
            format!("this barrier does not take {} operands", i.operands.len()),
        )
        .help("expected 'sync a', 'sync a, b', 'arrive a, b', 'red d, a, c' or 'red d, a, b, c'")),
    }
}

fn arrival(
    l: &mut Lowering<'_>,
    kind: BarrierKind,
    id: &ast::Operand,
    threads: Option<&ast::Operand>,
) -> Lowered<()> {
    let mut instr = l.new_instr(Op::Bar { kind });
    instr.srcs.push(barrier_number(l, id)?);
    if let Some(threads) = threads {
        instr.srcs.push(thread_count(l, threads)?);
    }
    l.emit(instr);
    Ok(())
}

/// As machine code does it: the barrier with the thread's predicate, then an instruction that reads what
/// the barrier gave.
fn reduce(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    d: &ast::Operand,
    id: &ast::Operand,
    rest: &[ast::Operand],
) -> Lowered<()> {
    let (threads, contribution) = match rest {
        [contribution] => (None, contribution),
        [threads, contribution] => (Some(threads), contribution),
        _ => {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                i.span,
                format!("'{}.red' takes 3 or 4 operands, found {}", i.opcode.text, i.operands.len()),
            ));
        }
    };
    let reduction = m.required(
        &[("popc", BarrierReduction::Popc), ("and", BarrierReduction::And), ("or", BarrierReduction::Or)],
        "an operation",
    )?;
    let mut result = l.new_instr(Op::BarrierResult { reduction });
    if reduction == BarrierReduction::Popc {
        let ty = m.ty(&[Type::U32])?;
        result.dsts.extend(l.destination(d, ty)?);
    } else {
        m.ty(&[Type::Pred])?;
        result.pred_dsts.push(l.pred_destination(d)?);
    }
    let contribution = l.pred_source(contribution)?;
    arrival(l, BarrierKind::Reduce, id, threads)?;
    if let Some(barrier) = l.instrs.last_mut() {
        barrier.pred_srcs.push(contribution);
    }
    l.emit(result);
    Ok(())
}

fn barrier_number(l: &mut Lowering<'_>, operand: &ast::Operand) -> Lowered<Operand> {
    let id = l.source(operand, Type::U32)?;
    match id {
        Operand::Imm(number) if number >= NUM_BARRIERS as u64 => {
            Err(Diagnostic::new(DiagnosticKind::OutOfRange, operand.span, "there are 16 barriers")
                .help("expected a number from 0 to 15"))
        }
        _ => Ok(id),
    }
}

fn thread_count(l: &mut Lowering<'_>, operand: &ast::Operand) -> Lowered<Operand> {
    let threads = l.source(operand, Type::U32)?;
    match threads {
        Operand::Imm(count) if count == 0 || count % NUM_LANES as u64 != 0 => Err(Diagnostic::new(
            DiagnosticKind::OutOfRange,
            operand.span,
            format!("a barrier cannot count {count} threads"),
        )
        .help("expected a multiple of the warp size, 32")),
        _ => Ok(threads),
    }
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
