//! Address spaces: generic addresses, prefetches, and hints to the caches.
//!
//! Global addresses are generic as they stand. Shared and local memory have a window each. Constant
//! memory has a copy in global memory where a module asks for a generic address of it, and a kernel's
//! parameters one in local memory, made at entry. `isspacep` counts the copies to the spaces that they stand
//! for.

use heddle_isa::{
    Alu, BoolOp, Cmp, Mods, Op, Operand as IrOperand, PredAlu, PredOperand, Space, Type, memory,
};

use super::memory::SPACES;
use super::{Table, count_fault, operands, unsupported};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::lower::layout::CONSTANT_LIMIT;
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("cvta", cvta),
    ("isspacep", isspacep),
    ("prefetch", prefetch),
    ("prefetchu", prefetch),
    ("applypriority", hint),
    ("discard", hint),
    ("createpolicy", policy),
];

/// A space that generic addresses can lie in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Window {
    Global,
    Shared,
    Local,
    Const,
    Param,
}

const WINDOWS: &[(&str, Window)] = &[
    ("global", Window::Global),
    ("shared", Window::Shared),
    ("shared::cta", Window::Shared),
    ("shared::cluster", Window::Shared),
    ("local", Window::Local),
    ("const", Window::Const),
    ("param", Window::Param),
    ("param::entry", Window::Param),
];

/// A comparison with a window: the address is to lie inside, or outside.
type Bounds = ((u64, u64), bool);

impl Lowering<'_> {
    /// First generic address of a space and the first after it, in 64 bits; `None` for global memory,
    /// and for parameters where the kernel never asks for their address.
    fn window(&self, window: Window) -> Option<(u64, u64)> {
        let start = |address: u32, bytes: u64| (u64::from(address), u64::from(address) + bytes);
        match window {
            Window::Global => None,
            Window::Shared => Some((memory::SHARED_WINDOW.into(), memory::LOCAL_WINDOW.into())),
            Window::Local => Some((memory::LOCAL_WINDOW.into(), 1 << 32)),
            Window::Const => Some(start(memory::CONSTANT_WINDOW, CONSTANT_LIMIT)),
            Window::Param => self
                .frame
                .param_copy
                .map(|offset| start(memory::LOCAL_WINDOW + offset, self.frame.param_bytes.into())),
        }
    }

    /// What an address of `space` fulfils; nothing where the kernel has no such address. Global memory is
    /// what no window holds, and the copy of the parameters is no local memory.
    fn bounds(&self, space: Window) -> Vec<Bounds> {
        let (inside, outside): (&[Window], &[Window]) = match space {
            Window::Global => (&[], &[Window::Const, Window::Shared, Window::Local]),
            Window::Local => (&[Window::Local], &[Window::Param]),
            Window::Shared | Window::Const | Window::Param => (&[space], &[]),
        };
        let given = |windows: &[Window], is_inside: bool| -> Vec<Bounds> {
            windows.iter().filter_map(|&w| Some((self.window(w)?, is_inside))).collect()
        };
        [given(inside, true), given(outside, false)].concat()
    }
}

fn cvta(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a] = operands::<2>(i)?;
    let to_space = m.flag("to");
    let window = m.required(WINDOWS, "a state space")?;
    let ty = m.ty(&[Type::U64, Type::U32])?;
    let dsts = l.destination(d, ty)?;
    let source = l.source(a, ty)?;
    match l.window(window) {
        None => l.alu(Alu::Mov, ty, Mods::default(), dsts, &[source]),
        Some((start, _)) => {
            let op = if to_space { Alu::Sub } else { Alu::Add };
            l.alu(op, ty, Mods::default(), dsts, &[source, IrOperand::Imm(start)]);
        }
    }
    Ok(())
}

/// A generic address and its type, which the instruction does not name.
fn generic(l: &mut Lowering<'_>, operand: &Operand) -> Lowered<(IrOperand, Type)> {
    match l.source(operand, Type::U64) {
        Ok(source) => Ok((source, Type::U64)),
        Err(_) => Ok((l.source(operand, Type::U32)?, Type::U32)),
    }
}

/// Comparisons whose conjunction says whether an address lies in the space.
fn isspacep(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [p, a] = operands::<2>(i)?;
    let window = m.required(WINDOWS, "a state space")?;
    let dst = l.pred_destination(p)?;
    let (address, ty) = generic(l, a)?;
    let bounds = l.bounds(window);
    let mut so_far = PredOperand::Const(!bounds.is_empty());
    for ((start, end), inside) in bounds {
        // From the start on and below the end; or below the start or from the end on.
        let (first, second, joined) =
            if inside { (Cmp::Ge, Cmp::Lt, BoolOp::And) } else { (Cmp::Lt, Cmp::Ge, BoolOp::Or) };
        let beyond = ty == Type::U32 && end > u64::from(u32::MAX);
        let mut holds = compare(l, i, (first, ty), address, start, None)?;
        if !beyond {
            holds = compare(l, i, (second, ty), address, end, Some((joined, holds)))?;
        }
        so_far = if so_far == PredOperand::Const(true) { holds } else { both(l, i, so_far, holds)? };
    }
    let mut result = l.new_instr(Op::Pred { op: PredAlu::Mov });
    result.pred_dsts.push(dst);
    result.pred_srcs.push(so_far);
    l.emit(result);
    Ok(())
}

/// `address cmp bound`, combined, to a new predicate.
fn compare(
    l: &mut Lowering<'_>,
    i: &Instruction,
    (cmp, ty): (Cmp, Type),
    address: IrOperand,
    bound: u64,
    combine: Option<(BoolOp, PredOperand)>,
) -> Lowered<PredOperand> {
    let pred = l.fresh_pred(i.span)?;
    let mut instr =
        l.unguarded(|l| l.new_instr(Op::Setp { cmp, ty, ftz: false, combine: combine.map(|c| c.0) }));
    instr.pred_dsts.push(pred);
    instr.srcs.extend([address, IrOperand::Imm(bound)]);
    instr.pred_srcs.extend(combine.map(|c| c.1));
    l.emit(instr);
    Ok(PredOperand::Reg { pred, negated: false })
}

/// The conjunction of two predicates in a new one.
fn both(l: &mut Lowering<'_>, i: &Instruction, a: PredOperand, b: PredOperand) -> Lowered<PredOperand> {
    let pred = l.fresh_pred(i.span)?;
    let mut instr = l.unguarded(|l| l.new_instr(Op::Pred { op: PredAlu::And }));
    instr.pred_dsts.push(pred);
    instr.pred_srcs.extend([a, b]);
    l.emit(instr);
    Ok(PredOperand::Reg { pred, negated: false })
}

fn nothing(l: &mut Lowering<'_>) {
    let nop = l.new_instr(Op::Nop);
    l.emit(nop);
}

const LEVELS: &[(&str, ())] = &[("L1", ()), ("L2", ()), ("L2::evict_last", ()), ("L2::evict_normal", ())];

/// A prefetch changes no value and becomes an instruction that does nothing.
fn prefetch(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [address] = operands::<1>(i)?;
    if m.flag("tensormap") {
        return Err(unsupported(i, "a prefetch of a tensor map"));
    }
    let space = m.choice(SPACES).unwrap_or(Space::Generic);
    m.required(LEVELS, "a cache level")?;
    l.address(address, space)?;
    nothing(l);
    Ok(())
}

/// `applypriority` and `discard`: eviction is not modelled by priority, and data that may be discarded
/// is kept.
fn hint(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [address, bytes] = operands::<2>(i)?;
    m.flag("global");
    m.required(if i.opcode.text == "discard" { &LEVELS[1..2] } else { &LEVELS[3..] }, "a cache level")?;
    l.address(address, Space::Generic)?;
    if l.source(bytes, Type::U32)? != IrOperand::Imm(128) {
        return Err(wrong_form(bytes, "128, the bytes of a line"));
    }
    nothing(l);
    Ok(())
}

const PRIORITIES: &[(&str, ())] =
    &[("L2::evict_last", ()), ("L2::evict_normal", ()), ("L2::evict_first", ()), ("L2::evict_unchanged", ())];

/// A cache policy is a number without meaning here: 0.
fn policy(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let Some((d, rest)) = i.operands.split_first() else {
        return Err(count_fault(i, 2));
    };
    let kind = m.required(&[("fractional", 0), ("range", 1), ("cvt", 2)], "a kind of policy")?;
    match (kind, rest) {
        (0, []) => {}
        (0, [fraction]) => {
            l.source(fraction, Type::F32)?;
        }
        (1, [address, primary, total]) if matches!(address.kind, OperandKind::Address { .. }) => {
            m.flag("global");
            l.address(address, Space::Generic)?;
            l.source(primary, Type::U32)?;
            l.source(total, Type::U32)?;
        }
        (2, [property]) => {
            m.required(&LEVELS[1..2], "a cache level")?;
            l.source(property, Type::B64)?;
        }
        _ => return Err(count_fault(i, [2, 4, 2][kind])),
    }
    while m.choice(PRIORITIES).is_some() {}
    let ty = m.ty(&[Type::B64])?;
    let dsts = l.destination(d, ty)?;
    l.alu(Alu::Mov, ty, Mods::default(), dsts, &[IrOperand::Imm(0)]);
    Ok(())
}
