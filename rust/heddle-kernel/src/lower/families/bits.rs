//! Counting, finding, extracting and permuting bits.

use heddle_isa::{Alu, Mods, Operand as IrOperand, Type};

use super::{Table, operands, unsupported};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::lower::modifiers::Modifiers;
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

/// `length` ones from `position` on, as two shifts of `shl`'s clamping kind around a subtraction.
fn mask(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, position, length] = operands::<3>(i)?;
    if m.flag("wrap") {
        return Err(unsupported(i, "'bmsk.wrap'"));
    }
    m.required(&[("clamp", ())], "a rule for amounts above 32")?;
    let ty = m.ty(&[Type::B32])?;
    let dsts = l.destination(d, ty)?;
    let position = l.source(position, Type::U32)?;
    let length = l.source(length, Type::U32)?;
    let sink = Operand { kind: OperandKind::Sink, span: i.span };
    let (power, ones) = (l.destination(&sink, ty)?, l.destination(&sink, ty)?);
    // The helpers are new registers, which may be written in every lane.
    let guard = l.guard.take();
    l.alu(Alu::Shl, ty, Mods::default(), power.clone(), &[IrOperand::Imm(1), length]);
    let one_less = [IrOperand::Reg(power[0]), IrOperand::Imm(1)];
    l.alu(Alu::Sub, Type::U32, Mods::default(), ones.clone(), &one_less);
    l.guard = guard;
    l.alu(Alu::Shl, ty, Mods::default(), dsts, &[IrOperand::Reg(ones[0]), position]);
    Ok(())
}

fn permute(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let ty = m.ty(&[Type::B32])?;
    for mode in ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] {
        if m.flag(mode) {
            return Err(unsupported(i, "a mode of 'prmt'"));
        }
    }
    l.uniform(i, Alu::Prmt, ty, Mods::default())
}
