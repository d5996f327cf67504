//! Atomics and reductions.

use heddle_isa::{AtomicOp, FenceLevel, Op, Space, Type};

use super::memory::{SCOPES, SPACES};
use super::{Table, operands};
use crate::ast::{Instruction, Operand};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[("atom", atom), ("red", red)];

const OPERATIONS: &[(&str, AtomicOp)] = &[
    ("add", AtomicOp::Add),
    ("min", AtomicOp::Min),
    ("max", AtomicOp::Max),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
    ("exch", AtomicOp::Exch),
    ("cas", AtomicOp::Cas),
    ("inc", AtomicOp::Inc),
    ("dec", AtomicOp::Dec),
];

/// Fences that a memory order asks for: before and after the access.
const ORDERS: &[(&str, (bool, bool))] = &[
    ("relaxed", (false, false)),
    ("acquire", (false, true)),
    ("release", (true, false)),
    ("acq_rel", (true, true)),
];

fn allowed(op: AtomicOp) -> &'static [Type] {
    match op {
        AtomicOp::Add => &[Type::U32, Type::S32, Type::U64, Type::F32, Type::F64],
        AtomicOp::Min | AtomicOp::Max => &[Type::U32, Type::S32, Type::U64, Type::S64],
        AtomicOp::Inc | AtomicOp::Dec => &[Type::U32],
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Exch | AtomicOp::Cas => {
            &[Type::B32, Type::B64]
        }
    }
}

fn atom(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    if i.modifiers.iter().any(|w| w.text == "cas") {
        let [d, address, compare, new] = operands::<4>(i)?;
        return access(l, i, m, Some(d), address, &[compare, new]);
    }
    let [d, address, value] = operands::<3>(i)?;
    access(l, i, m, Some(d), address, &[value])
}

fn red(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [address, value] = operands::<2>(i)?;
    access(l, i, m, None, address, &[value])
}

fn access(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    destination: Option<&Operand>,
    address: &Operand,
    values: &[&Operand],
) -> Lowered<()> {
    let (before, after) = m.choice(ORDERS).unwrap_or_default();
    let level = m.choice(SCOPES).unwrap_or(FenceLevel::Gpu);
    let space = m.choice(SPACES).unwrap_or(Space::Generic);
    let op = m.required(OPERATIONS, "an operation")?;
    m.flag("noftz");
    let ty = m.ty(allowed(op))?;
    let returns_only = matches!(op, AtomicOp::Exch | AtomicOp::Cas);
    if matches!(space, Space::Const | Space::Param | Space::Local) || (destination.is_none() && returns_only)
    {
        return Err(Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            format!("'{}' has no such form", i.opcode.text),
        ));
    }
    let (base, offset) = l.address(address, space)?;
    let mut instr = l.new_instr(Op::Atom { space, op, ty });
    instr.srcs.push(base);
    instr.offset = offset;
    if let Some(d) = destination {
        instr.dsts.extend(l.destination(d, ty)?);
    }
    for value in values {
        instr.srcs.push(l.source(value, ty)?);
    }
    let fence = l.new_instr(Op::Fence { level });
    if before {
        l.emit(fence.clone());
    }
    l.emit(instr);
    if after {
        l.emit(fence);
    }
    Ok(())
}
