//! Integer and floating-point arithmetic.

use heddle_isa::{Alu, Mods, Operand, PredOperand, Rounding, Signs, Type};

use super::{Table, operands};
use crate::ast::Instruction;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{INTEGERS, Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("add", |l, i, m| sum(l, i, m, Alu::Add)),
    ("sub", |l, i, m| sum(l, i, m, Alu::Sub)),
    ("addc", |l, i, m| with_carry(l, i, m, Alu::Add)),
    ("subc", |l, i, m| with_carry(l, i, m, Alu::Sub)),
    ("madc", |l, i, m| with_carry(l, i, m, Alu::Mad)),
    ("mul", mul),
    ("mad", mad),
    ("fma", fma),
    ("div", div),
    ("rem", |l, i, m| {
        operands::<3>(i)?;
        let ty = m.ty(INTEGERS)?;
        l.uniform(i, Alu::Rem, ty, Mods::default())
    }),
    ("min", |l, i, m| extremum(l, i, m, Alu::Min)),
    ("max", |l, i, m| extremum(l, i, m, Alu::Max)),
    ("abs", |l, i, m| sign(l, i, m, Alu::Abs)),
    ("neg", |l, i, m| sign(l, i, m, Alu::Neg)),
    ("sad", sad),
    ("mul24", |l, i, m| product24(l, i, m, false)),
    ("mad24", |l, i, m| product24(l, i, m, true)),
    ("dp4a", dot4),
    ("dp2a", dot2),
];

/// Integers and floats.
const NUMBERS: &[Type] = &[
    Type::U16,
    Type::S16,
    Type::U32,
    Type::S32,
    Type::U64,
    Type::S64,
    Type::F32,
    Type::F64,
    Type::F16,
    Type::F16x2,
    Type::Bf16,
    Type::Bf16x2,
];
const SIGNED_AND_FLOATS: &[Type] = &[
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F32,
    Type::F64,
    Type::F16,
    Type::F16x2,
    Type::Bf16,
    Type::Bf16x2,
];
const FLOATS: &[Type] = &[Type::F32, Type::F64, Type::F16, Type::F16x2, Type::Bf16, Type::Bf16x2];
/// Integers and the floats that can be divided.
const DIVIDED: &[Type] =
    &[Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64, Type::F32, Type::F64];
/// Integers that have sums and products with a carry.
const CARRIED: &[Type] = &[Type::U32, Type::S32, Type::U64, Type::S64];
/// Integers that have a double-width product.
const WIDENED: &[Type] = &[Type::U16, Type::S16, Type::U32, Type::S32];

/// The part of a product that is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Wide,
}

const PARTS: &[(&str, Part)] = &[("lo", Part::Low), ("hi", Part::High), ("wide", Part::Wide)];

/// Refuses a modifier of another type class where one is written.
fn only_for(allowed: bool, written: bool, m: &Modifiers<'_>, what: &str, ty: Type) -> Lowered<()> {
    if written && !allowed {
        let fault = Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            format!("{what} does not go with type .{}", ty.name()),
        );
        return Err(fault);
    }
    Ok(())
}

/// Floats whose subnormal numbers can be flushed.
fn can_flush(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F16 | Type::F16x2)
}

/// Floats of 16 bits, single or packed.
fn is_half(ty: Type) -> bool {
    matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2)
}

/// `.rn .ftz .sat` of a floating-point operation, checked against its type.
fn float_mods(m: &Modifiers<'_>, ty: Type) -> Lowered<Mods> {
    let mods = Mods { rounding: m.rounding(), ftz: m.flag("ftz"), sat: m.flag("sat"), ..Mods::default() };
    only_for(ty.is_float(), mods.rounding.is_some(), m, "a rounding mode", ty)?;
    let half = is_half(ty);
    only_for(
        !half || mods.rounding == Some(Rounding::Rn),
        mods.rounding.is_some(),
        m,
        "this rounding mode",
        ty,
    )?;
    only_for(can_flush(ty), mods.ftz, m, ".ftz", ty)?;
    only_for(can_flush(ty) || ty == Type::S32, mods.sat, m, ".sat", ty)?;
    Ok(mods)
}

fn sum(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: Alu) -> Lowered<()> {
    operands::<3>(i)?;
    if writes_carry(i) {
        return with_carry(l, i, m, op);
    }
    let ty = m.ty(NUMBERS)?;
    let mods = float_mods(m, ty)?;
    l.uniform(i, op, ty, mods)
}

fn writes_carry(i: &Instruction) -> bool {
    i.modifiers.iter().any(|w| w.text == "cc")
}

/// `add.cc`, `addc` and their like: the carry flag of a thread is a predicate of its own.
fn with_carry(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: Alu) -> Lowered<()> {
    let multiplies = op == Alu::Mad;
    if multiplies {
        operands::<4>(i)?;
    } else {
        operands::<3>(i)?;
    }
    let mods = Mods { carry_in: i.opcode.text.ends_with('c'), carry_out: m.flag("cc"), ..Mods::default() };
    let op = if multiplies {
        let parts = &[("lo", Alu::Mad), ("hi", Alu::MadHi)];
        m.required(parts, "the part of the product that is wanted")?
    } else {
        op
    };
    let ty = m.ty(CARRIED)?;
    l.uniform(i, op, ty, mods)?;
    let carry = l.carry(i.span)?;
    if let Some(instr) = l.instrs.last_mut() {
        if mods.carry_in {
            instr.pred_srcs.push(PredOperand::Reg { pred: carry, negated: false });
        }
        if mods.carry_out {
            instr.pred_dsts.push(carry);
        }
    }
    Ok(())
}

fn double_width(ty: Type) -> Type {
    match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        _ => Type::S64,
    }
}

fn mul(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, b] = operands::<3>(i)?;
    let ty = m.ty(NUMBERS)?;
    if ty.is_float() {
        let mods = float_mods(m, ty)?;
        return l.uniform(i, Alu::Mul, ty, mods);
    }
    match m.required(PARTS, "the part of the product that is wanted")? {
        Part::Low => l.uniform(i, Alu::Mul, ty, Mods::default()),
        Part::High => l.uniform(i, Alu::MulHi, ty, Mods::default()),
        Part::Wide => {
            only_for(WIDENED.contains(&ty), true, m, ".wide", ty)?;
            let dsts = l.destination(d, double_width(ty))?;
            let srcs = [l.source(a, ty)?, l.source(b, ty)?];
            l.alu(Alu::MulWide, ty, Mods::default(), dsts, &srcs);
            Ok(())
        }
    }
}

fn mad(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, b, c] = operands::<4>(i)?;
    if writes_carry(i) {
        return with_carry(l, i, m, Alu::Mad);
    }
    let ty = m.ty(NUMBERS)?;
    if ty.is_float() {
        let mods = float_mods(m, ty)?;
        return l.uniform(i, Alu::Fma, ty, mods);
    }
    let part = m.required(PARTS, "the part of the product that is wanted")?;
    let mods = Mods { sat: m.flag("sat"), ..Mods::default() };
    only_for(part == Part::High && ty == Type::S32, mods.sat, m, ".sat", ty)?;
    match part {
        Part::Low => l.uniform(i, Alu::Mad, ty, mods),
        Part::High => l.uniform(i, Alu::MadHi, ty, mods),
        Part::Wide => {
            only_for(WIDENED.contains(&ty), true, m, ".wide", ty)?;
            let wide = double_width(ty);
            let dsts = l.destination(d, wide)?;
            let srcs = [l.source(a, ty)?, l.source(b, ty)?, l.source(c, wide)?];
            l.alu(Alu::MadWide, ty, mods, dsts, &srcs);
            Ok(())
        }
    }
}

fn fma(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let ty = m.ty(FLOATS)?;
    let mods = Mods { relu: m.flag("relu"), ..float_mods(m, ty)? };
    only_for(is_half(ty), mods.relu, m, ".relu", ty)?;
    if mods.rounding.is_none() {
        return Err(m
            .fault_at_end("'fma' needs a rounding mode".to_owned())
            .help("expected one of .rn .rz .rm .rp"));
    }
    l.uniform(i, Alu::Fma, ty, mods)
}

fn div(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<3>(i)?;
    let ty = m.ty(DIVIDED)?;
    let mods = Mods { approx: m.flag("approx"), full: m.flag("full"), ..float_mods(m, ty)? };
    only_for(ty == Type::F32, mods.approx || mods.full, m, ".approx and .full", ty)?;
    let ways = [mods.approx, mods.full, mods.rounding.is_some()];
    if ty.is_float() && ways.iter().filter(|w| **w).count() != 1 {
        return Err(m
            .fault_at_end("'div' on floats needs exactly one way of rounding".to_owned())
            .help("expected one of .rn .rz .rm .rp, or .approx or .full with .f32"));
    }
    l.uniform(i, Alu::Div, ty, mods)
}

fn extremum(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: Alu) -> Lowered<()> {
    let ty = m.ty(NUMBERS)?;
    let xorsign = m.flag("xorsign");
    if xorsign {
        m.required(&[("abs", ())], "the absolute values")?;
    }
    let mods = Mods { ftz: m.flag("ftz"), nan: m.flag("NaN"), xorsign, ..Mods::default() };
    only_for(can_flush(ty), mods.ftz, m, ".ftz", ty)?;
    only_for(ty == Type::F32 || is_half(ty), mods.nan || xorsign, m, ".NaN and .xorsign", ty)?;
    if i.operands.len() == 4 && ty == Type::F32 && !xorsign {
        return extremum_of_three(l, i, op, mods);
    }
    operands::<3>(i)?;
    l.uniform(i, op, ty, mods)
}

/// The third operand against the extremum of the first two.
fn extremum_of_three(l: &mut Lowering<'_>, i: &Instruction, op: Alu, mods: Mods) -> Lowered<()> {
    let [d, a, b, c] = operands::<4>(i)?;
    let ty = Type::F32;
    let dsts = l.destination(d, ty)?;
    let srcs = [l.source(a, ty)?, l.source(b, ty)?];
    let third = l.source(c, ty)?;
    let first = l.scratch(ty, i.span)?;
    l.unguarded(|l| l.alu(op, ty, mods, first.clone(), &srcs));
    l.alu(op, ty, mods, dsts, &[Operand::Reg(first[0]), third]);
    Ok(())
}

fn sign(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: Alu) -> Lowered<()> {
    operands::<2>(i)?;
    let ty = m.ty(SIGNED_AND_FLOATS)?;
    let mods = Mods { ftz: m.flag("ftz"), ..Mods::default() };
    only_for(can_flush(ty), mods.ftz, m, ".ftz", ty)?;
    l.uniform(i, op, ty, mods)
}

fn sad(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let ty = m.ty(INTEGERS)?;
    l.uniform(i, Alu::Sad, ty, Mods::default())
}

/// `mul24` and `mad24`: products of the low 24 bits.
fn product24(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, adds: bool) -> Lowered<()> {
    if adds {
        operands::<4>(i)?;
    } else {
        operands::<3>(i)?;
    }
    let high = m.required(&[("lo", false), ("hi", true)], "the part of the product that is wanted")?;
    let mods = Mods { sat: m.flag("sat"), ..Mods::default() };
    let ty = m.ty(&[Type::U32, Type::S32])?;
    only_for(adds && high && ty == Type::S32, mods.sat, m, ".sat", ty)?;
    l.uniform(i, if adds { Alu::Mad24 { high } } else { Alu::Mul24 { high } }, ty, mods)
}

/// The signs of the factors of a dot product, and the type of its sum: signed where a factor is.
fn factors(m: &Modifiers<'_>) -> Lowered<(Signs, Type)> {
    let signed = || Ok(m.ty(&[Type::U32, Type::S32])?.is_signed());
    let signs = Signs { first: signed()?, second: signed()? };
    Ok((signs, if signs.first || signs.second { Type::S32 } else { Type::U32 }))
}

fn dot4(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let (signs, ty) = factors(m)?;
    l.uniform(i, Alu::Dp4a(signs), ty, Mods::default())
}

fn dot2(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    operands::<4>(i)?;
    let high = m.required(&[("lo", false), ("hi", true)], "the bytes that are wanted")?;
    let (signs, ty) = factors(m)?;
    l.uniform(i, Alu::Dp2a { signs, high }, ty, Mods::default())
}
