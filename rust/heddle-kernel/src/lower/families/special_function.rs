//! Reciprocals, roots, trigonometry, exponentials and sign copy.

use heddle_isa::{Alu, Mods, Type};

use super::{Table, operands};
use crate::ast::Instruction;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("rcp", |l, i, m| rounded(l, i, m, Alu::Rcp)),
    ("sqrt", |l, i, m| rounded(l, i, m, Alu::Sqrt)),
    ("rsqrt", |l, i, m| approximate(l, i, m, Alu::Rsqrt, FLOATS)),
    ("sin", |l, i, m| approximate(l, i, m, Alu::Sin, SINGLE)),
    ("cos", |l, i, m| approximate(l, i, m, Alu::Cos, SINGLE)),
    ("ex2", |l, i, m| approximate(l, i, m, Alu::Ex2, WITH_HALVES)),
    ("tanh", |l, i, m| approximate(l, i, m, Alu::Tanh, WITH_HALVES)),
    ("lg2", |l, i, m| approximate(l, i, m, Alu::Lg2, SINGLE)),
    ("copysign", |l, i, m| {
        operands::<3>(i)?;
        let ty = m.ty(FLOATS)?;
        l.uniform(i, Alu::Copysign, ty, Mods::default())
    }),
];

const FLOATS: &[Type] = &[Type::F32, Type::F64];
const SINGLE: &[Type] = &[Type::F32];
const WITH_HALVES: &[Type] = &[Type::F32, Type::F16, Type::F16x2, Type::Bf16, Type::Bf16x2];

fn flush(m: &Modifiers<'_>, ty: Type, approx: bool) -> Lowered<bool> {
    let ftz = m.flag("ftz");
    if ftz && ty == Type::F64 && !approx {
        return Err(Diagnostic::new(DiagnosticKind::Modifier, m.span(), ".ftz does not go with type .f64"));
    }
    Ok(ftz)
}

/// Operations that are either `.approx` or rounded.
fn rounded(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: Alu) -> Lowered<()> {
    operands::<2>(i)?;
    let ty = m.ty(FLOATS)?;
    let approx = m.flag("approx");
    let mods = Mods { approx, rounding: m.rounding(), ftz: flush(m, ty, approx)?, ..Mods::default() };
    if mods.approx == mods.rounding.is_some() {
        return Err(m
            .fault_at_end(format!("'{}' needs either .approx or a rounding mode", i.opcode.text))
            .help("expected one of .approx .rn .rz .rm .rp"));
    }
    l.uniform(i, op, ty, mods)
}

/// `.ftz` does not go with `tanh`, nor with half precision; `ex2` on brain floats needs it.
fn check_flush(m: &Modifiers<'_>, op: Alu, ty: Type, ftz: bool) -> Lowered<()> {
    let brain = matches!(ty, Type::Bf16 | Type::Bf16x2);
    let half = matches!(ty, Type::F16 | Type::F16x2);
    let refused = ftz && (op == Alu::Tanh || half);
    let missing = !ftz && op == Alu::Ex2 && brain;
    if !refused && !missing {
        return Ok(());
    }
    let verb = if refused { "does not go with this operation on" } else { "must stand with" };
    Err(Diagnostic::new(DiagnosticKind::Modifier, m.span(), format!(".ftz {verb} type .{}", ty.name())))
}

/// Operations that are always `.approx`.
fn approximate(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    op: Alu,
    allowed: &[Type],
) -> Lowered<()> {
    operands::<2>(i)?;
    let ty = m.ty(allowed)?;
    let approx = m.required(&[("approx", true)], "its precision")?;
    let mods = Mods { approx, ftz: flush(m, ty, approx)?, ..Mods::default() };
    check_flush(m, op, ty, mods.ftz)?;
    l.uniform(i, op, ty, mods)
}
