//! Counting, finding, extracting and permuting bits.

use heddle_isa::{Alu, BoolOp, Cmp, Mods, Op, Operand as IrOperand, Permutation, Type};

use super::{Table, operands};
use crate::ast::{Constant, Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("popc", |l, i, m| count(l, i, m, Alu::Popc, BITS)),
    ("clz", |l, i, m| count(l, i, m, Alu::Clz, BITS)),
    ("bfind", |l, i, m| count(l, i, m, Alu::Bfind, WORDS)),
    ("brev", |l, i, m| {
        operands::<2>(i)?;
        let ty = m.ty(BITS)?;
        l.uniform(i, Alu::Brev, ty, Mods::default())
    }),
    ("bfe", extract),
    ("bfi", insert),
    ("prmt", permute),
    ("bmsk", mask),
    ("szext", extend),
    ("fns", nth_set),
    ("lop3", logic_of_three),
];

const BITS: &[Type] = &[Type::B32, Type::B64];
const WORDS: &[Type] = &[Type::U32, Type::S32, Type::U64, Type::S64];

fn count(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: Alu, allowed: &[Type]) -> Lowered<()> {
    let [d, a] = operands::<2>(i)?;
    let mods = Mods { alternate: op == Alu::Bfind && m.flag("shiftamt"), ..Mods::default() };
    let ty = m.ty(allowed)?;
    let dsts = l.destination(d, Type::U32)?;
    let srcs = [l.source(a, ty)?];
    l.alu(op, ty, mods, dsts, &srcs);
    Ok(())
}

fn extract(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, position, length] = operands::<4>(i)?;
    let ty = m.ty(WORDS)?;
    let dsts = l.destination(d, ty)?;
    let srcs = [l.source(a, ty)?, l.source(position, Type::U32)?, l.source(length, Type::U32)?];
    l.alu(Alu::Bfe, ty, Mods::default(), dsts, &srcs);
    Ok(())
}

fn insert(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, field, into, position, length] = operands::<5>(i)?;
    let ty = m.ty(BITS)?;
    let dsts = l.destination(d, ty)?;
    let srcs = [
        l.source(field, ty)?,
        l.source(into, ty)?,
        l.source(position, Type::U32)?,
        l.source(length, Type::U32)?,
    ];
    l.alu(Alu::Bfi, ty, Mods::default(), dsts, &srcs);
    Ok(())
}

/// Whether amounts above 32 wrap or clamp.
fn wraps(m: &Modifiers<'_>) -> Lowered<Mods> {
    let wrap = m.required(&[("clamp", false), ("wrap", true)], "a rule for amounts above 32")?;
    Ok(Mods { alternate: wrap, ..Mods::default() })
}

fn mask(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<3>(i)?;
    let mods = wraps(m)?;
    let ty = m.ty(&[Type::B32])?;
    l.uniform(i, Alu::Bmsk, ty, mods)
}

fn extend(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, bits] = operands::<3>(i)?;
    let mods = wraps(m)?;
    let ty = m.ty(&[Type::U32, Type::S32])?;
    let dsts = l.destination(d, ty)?;
    let srcs = [l.source(a, ty)?, l.source(bits, Type::U32)?];
    l.alu(Alu::Szext, ty, mods, dsts, &srcs);
    Ok(())
}

fn nth_set(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, mask, base, offset] = operands::<4>(i)?;
    let ty = m.ty(&[Type::B32])?;
    let dsts = l.destination(d, ty)?;
    let srcs = [l.source(mask, ty)?, l.source(base, ty)?, l.source(offset, Type::S32)?];
    l.alu(Alu::Fns, ty, Mods::default(), dsts, &srcs);
    Ok(())
}

const PERMUTATIONS: &[(&str, Permutation)] = &[
    ("f4e", Permutation::F4e),
    ("b4e", Permutation::B4e),
    ("rc8", Permutation::Rc8),
    ("ecl", Permutation::Ecl),
    ("ecr", Permutation::Ecr),
    ("rc16", Permutation::Rc16),
];

fn permute(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let ty = m.ty(&[Type::B32])?;
    let op = m.choice(PERMUTATIONS).map_or(Alu::Prmt, Alu::PrmtMode);
    l.uniform(i, op, ty, Mods::default())
}

/// `lop3.b32 d, a, b, c, table`, and with a combination `lop3.or.b32 d|p, a, b, c, table, q`, where
/// `p = (d != 0) or q`.
fn logic_of_three(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let combine = m.choice(&[("or", BoolOp::Or), ("and", BoolOp::And)]);
    let ty = m.ty(&[Type::B32])?;
    let (d, a, b, c, table, combined) = match (combine, i.operands.as_slice()) {
        (None, [d, a, b, c, table]) => (d, a, b, c, table, None),
        (Some(op), [Operand { kind: OperandKind::Pair(d, p), .. }, a, b, c, table, q]) => {
            (&**d, a, b, c, table, Some((op, p, q)))
        }
        _ => {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                i.span,
                "these are not the operands of 'lop3'",
            )
            .help("expected d, a, b, c, table; with .or or .and d|p, a, b, c, table, q"));
        }
    };
    let OperandKind::Constant(Constant::Integer { magnitude: 0..=255, negative: false }) = table.kind else {
        return Err(wrong_form(table, "a truth table, a number from 0 to 255"));
    };
    let dsts = l.destination(d, ty)?;
    let srcs = [l.source(a, ty)?, l.source(b, ty)?, l.source(c, ty)?, l.source(table, ty)?];
    let Some((op, p, q)) = combined else {
        l.alu(Alu::Lop3, ty, Mods::default(), dsts, &srcs);
        return Ok(());
    };
    let mut test = l.new_instr(Op::Setp { cmp: Cmp::Ne, ty, ftz: false, combine: Some(op) });
    test.pred_dsts.push(l.pred_destination(p)?);
    test.pred_srcs.push(l.pred_source(q)?);
    test.srcs.extend([IrOperand::Reg(dsts[0]), IrOperand::Imm(0)]);
    l.alu(Alu::Lop3, ty, Mods::default(), dsts, &srcs);
    l.emit(test);
    Ok(())
}
