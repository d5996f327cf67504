//! Comparison and selection.

use heddle_isa::{BoolOp, Cmp, FloatTest, Op, Operand as IrOperand, PredOperand, Type};

use super::{Table, operands};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table =
    &[("setp", setp), ("set", set), ("selp", selp), ("slct", slct), ("testp", testp)];

const COMPARISONS: &[(&str, Cmp)] = &[
    ("eq", Cmp::Eq),
    ("ne", Cmp::Ne),
    ("lt", Cmp::Lt),
    ("le", Cmp::Le),
    ("gt", Cmp::Gt),
    ("ge", Cmp::Ge),
    ("lo", Cmp::Lt),
    ("ls", Cmp::Le),
    ("hi", Cmp::Gt),
    ("hs", Cmp::Ge),
    ("equ", Cmp::Equ),
    ("neu", Cmp::Neu),
    ("ltu", Cmp::Ltu),
    ("leu", Cmp::Leu),
    ("gtu", Cmp::Gtu),
    ("geu", Cmp::Geu),
    ("num", Cmp::Num),
    ("nan", Cmp::Nan),
];

const COMBINATIONS: &[(&str, BoolOp)] = &[("and", BoolOp::And), ("or", BoolOp::Or), ("xor", BoolOp::Xor)];

const COMPARED: &[Type] = &[
    Type::B16,
    Type::B32,
    Type::B64,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F16,
    Type::F16x2,
    Type::Bf16,
    Type::Bf16x2,
    Type::F32,
    Type::F64,
];

const SELECTED: &[Type] = &[
    Type::B16,
    Type::B32,
    Type::B64,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F32,
    Type::F64,
];

/// Comparison, combination, `.ftz` and type of a `setp` or `set`; `set` has its destination type
/// before the type of the sources.
struct Comparison {
    cmp: Cmp,
    combine: Option<BoolOp>,
    ftz: bool,
}

fn comparison(m: &Modifiers<'_>) -> Lowered<Comparison> {
    Ok(Comparison {
        cmp: m.required(COMPARISONS, "a comparison")?,
        combine: m.choice(COMBINATIONS),
        ftz: m.flag("ftz"),
    })
}

/// Whether a comparison makes sense for a type.
fn check(i: &Instruction, m: &Modifiers<'_>, c: &Comparison, ty: Type) -> Lowered<()> {
    let written = |name: &str| i.modifiers.iter().any(|w| w.text == name);
    let unsigned_only = ["lo", "ls", "hi", "hs"].iter().any(|n| written(n));
    let equality = matches!(c.cmp, Cmp::Eq | Cmp::Ne);
    let ordered = equality || matches!(c.cmp, Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge);
    let fits = match ty {
        Type::B16 | Type::B32 | Type::B64 => equality,
        Type::U16 | Type::U32 | Type::U64 => ordered,
        _ if ty.is_float() => !unsigned_only,
        _ => ordered && !unsigned_only,
    };
    if !fits {
        return Err(Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            format!("this comparison does not go with type .{}", ty.name()),
        ));
    }
    if c.ftz && !matches!(ty, Type::F16 | Type::F16x2 | Type::F32) {
        return Err(Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            format!(".ftz does not go with type .{}", ty.name()),
        ));
    }
    Ok(())
}

/// The operands of a comparison: destination, two sources and, where combined, a predicate.
fn parts(i: &Instruction, combine: Option<BoolOp>) -> Lowered<([&Operand; 3], Option<&Operand>)> {
    if combine.is_some() {
        let [d, a, b, c] = operands::<4>(i)?;
        Ok(([d, a, b], Some(c)))
    } else {
        let [d, a, b] = operands::<3>(i)?;
        Ok(([d, a, b], None))
    }
}

fn setp(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let c = comparison(m)?;
    let ty = m.ty(COMPARED)?;
    check(i, m, &c, ty)?;
    let ([d, a, b], combined) = parts(i, c.combine)?;
    let mut instr = l.new_instr(Op::Setp { cmp: c.cmp, ty, ftz: c.ftz, combine: c.combine });
    match &d.kind {
        OperandKind::Pair(p, q) => {
            instr.pred_dsts.push(l.pred_destination(p)?);
            instr.pred_dsts.push(l.pred_destination(q)?);
        }
        _ => instr.pred_dsts.push(l.pred_destination(d)?),
    }
    instr.srcs.push(l.source(a, ty)?);
    instr.srcs.push(l.source(b, ty)?);
    if let Some(p) = combined {
        instr.pred_srcs.push(l.pred_source(p)?);
    }
    l.emit(instr);
    Ok(())
}

/// Results of `set`.
const SET: &[Type] = &[
    Type::U32,
    Type::S32,
    Type::F32,
    Type::U16,
    Type::S16,
    Type::F16,
    Type::Bf16,
    Type::F16x2,
    Type::Bf16x2,
];

/// Results of 16 bits and packed ones go with the comparison of such floats only.
fn check_set(m: &Modifiers<'_>, to: Type, ty: Type) -> Lowered<()> {
    let fits = match ty {
        Type::F16x2 | Type::Bf16x2 => to == ty || matches!(to, Type::U32 | Type::S32),
        Type::F16 | Type::Bf16 => {
            to.bits() == 16 && (!to.is_float() || to == ty)
                || to.bits() == 32 && to != Type::F16x2 && to != Type::Bf16x2
        }
        _ => matches!(to, Type::U32 | Type::S32 | Type::F32),
    };
    if fits {
        return Ok(());
    }
    let message = format!("'set' of .{} does not give .{}", ty.name(), to.name());
    Err(Diagnostic::new(DiagnosticKind::Modifier, m.span(), message))
}

fn set(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let c = comparison(m)?;
    let to = m.ty(SET)?;
    let ty = m.ty(COMPARED)?;
    check(i, m, &c, ty)?;
    check_set(m, to, ty)?;
    let ([d, a, b], combined) = parts(i, c.combine)?;
    let mut instr = l.new_instr(Op::Set { cmp: c.cmp, ty, to, ftz: c.ftz, combine: c.combine });
    instr.dsts.extend(l.destination(d, to)?);
    instr.srcs.push(l.source(a, ty)?);
    instr.srcs.push(l.source(b, ty)?);
    if let Some(p) = combined {
        instr.pred_srcs.push(l.pred_source(p)?);
    }
    l.emit(instr);
    Ok(())
}

fn selp(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, b, p] = operands::<4>(i)?;
    let ty = m.ty(SELECTED)?;
    let mut instr = l.new_instr(Op::Selp { ty });
    instr.dsts.extend(l.destination(d, ty)?);
    instr.srcs.push(l.source(a, ty)?);
    instr.srcs.push(l.source(b, ty)?);
    instr.pred_srcs.push(l.pred_source(p)?);
    l.emit(instr);
    Ok(())
}

/// `d = c >= 0 ? a : b`, as a comparison and a selection.
fn slct(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, b, c] = operands::<4>(i)?;
    let ftz = m.flag("ftz");
    let ty = m.ty(SELECTED)?;
    let compared = m.ty(&[Type::S32, Type::F32])?;
    if ftz && compared != Type::F32 {
        return Err(Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            ".ftz goes with a selector of type .f32",
        ));
    }
    let p = l.fresh_pred(i.span)?;
    let mut compare = l.new_instr(Op::Setp { cmp: Cmp::Ge, ty: compared, ftz, combine: None });
    // The comparison writes only the new predicate, so it needs no guard.
    compare.guard = None;
    compare.pred_dsts.push(p);
    compare.srcs.push(l.source(c, compared)?);
    compare.srcs.push(IrOperand::Imm(0));
    let mut select = l.new_instr(Op::Selp { ty });
    select.dsts.extend(l.destination(d, ty)?);
    select.srcs.push(l.source(a, ty)?);
    select.srcs.push(l.source(b, ty)?);
    select.pred_srcs.push(PredOperand::Reg { pred: p, negated: false });
    l.emit(compare);
    l.emit(select);
    Ok(())
}

const TESTS: &[(&str, FloatTest)] = &[
    ("finite", FloatTest::Finite),
    ("infinite", FloatTest::Infinite),
    ("number", FloatTest::Number),
    ("notanumber", FloatTest::NotANumber),
    ("normal", FloatTest::Normal),
    ("subnormal", FloatTest::Subnormal),
];

fn testp(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [p, a] = operands::<2>(i)?;
    let test = m.required(TESTS, "a property")?;
    let ty = m.ty(&[Type::F32, Type::F64])?;
    let mut instr = l.new_instr(Op::Testp { test, ty });
    instr.pred_dsts.push(l.pred_destination(p)?);
    instr.srcs.push(l.source(a, ty)?);
    l.emit(instr);
    Ok(())
}
