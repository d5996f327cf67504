//! Atomics and reductions.

use heddle_isa::{AtomicOp, FenceLevel, Op, Space, Type};

use super::memory::{SCOPES, SPACES, two, without_policy};
use super::{Table, count_fault};
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
        AtomicOp::Add => &[
            Type::U32,
            Type::S32,
            Type::U64,
            Type::F32,
            Type::F64,
            Type::F16,
            Type::F16x2,
            Type::Bf16,
            Type::Bf16x2,
        ],
        AtomicOp::Min | AtomicOp::Max => &[Type::U32, Type::S32, Type::U64, Type::S64],
        AtomicOp::Inc | AtomicOp::Dec => &[Type::U32],
        AtomicOp::Cas => &[Type::B16, Type::B32, Type::B64],
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Exch => &[Type::B32, Type::B64],
    }
}

fn atom(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let compares = i.modifiers.iter().any(|w| w.text == "cas");
    match without_policy(l, i, m.flag("L2::cache_hint"))? {
        [d, address, compare, new] if compares => access(l, i, m, Some(d), address, &[compare, new]),
        [d, address, value] if !compares => access(l, i, m, Some(d), address, &[value]),
        _ => Err(count_fault(i, if compares { 4 } else { 3 })),
    }
}

fn red(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [address, value] = two(i, without_policy(l, i, m.flag("L2::cache_hint"))?)?;
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
    let noftz = m.flag("noftz");
    let b128 = i.modifiers.iter().find(|w| w.text == "b128");
    if let (Some(word), AtomicOp::Exch | AtomicOp::Cas) = (b128, op) {
        let message = "a 128-bit atomic needs more operands than an instruction can have here";
        return Err(Diagnostic::new(DiagnosticKind::Unsupported, word.span, message));
    }
    let ty = m.ty(allowed(op))?;
    let half = matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2);
    if half != noftz {
        let verb = if half { "must stand" } else { "does not go" };
        let message = format!(".noftz {verb} with type .{}", ty.name());
        return Err(Diagnostic::new(DiagnosticKind::Modifier, m.span(), message));
    }
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
