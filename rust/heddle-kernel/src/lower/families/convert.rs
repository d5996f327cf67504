//! Conversion between types.

use heddle_isa::{Alu, Mods, Op, Operand as IrOperand, Rounding, Type};

use super::{Table, operands, unsupported};
use crate::ast::Instruction;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering, types};

pub(super) const RULES: Table = &[("cvt", cvt)];

const CONVERTED: &[Type] = &[
    Type::U8,
    Type::S8,
    Type::U16,
    Type::S16,
    Type::U32,
    Type::S32,
    Type::U64,
    Type::S64,
    Type::F16,
    Type::Bf16,
    Type::F32,
    Type::F64,
];

/// What only can be converted to.
const PACKED: &[Type] = &[Type::F16x2, Type::Bf16x2, Type::Tf32];

const ROUNDINGS: &[(&str, Rounding)] = &[
    ("rn", Rounding::Rn),
    ("rna", Rounding::Rna),
    ("rz", Rounding::Rz),
    ("rm", Rounding::Rm),
    ("rp", Rounding::Rp),
    ("rni", Rounding::Rni),
    ("rzi", Rounding::Rzi),
    ("rmi", Rounding::Rmi),
    ("rpi", Rounding::Rpi),
];

fn is_integral(rounding: Rounding) -> bool {
    matches!(rounding, Rounding::Rni | Rounding::Rzi | Rounding::Rmi | Rounding::Rpi)
}

/// Whether the conversion takes, needs or forbids a rounding mode.
fn check_rounding(m: &Modifiers<'_>, to: Type, from: Type, rounding: Option<Rounding>) -> Lowered<()> {
    let needs_integral = from.is_float() && !to.is_float();
    let needs_float = to.is_float() && (!from.is_float() || (to != from && to.bits() <= from.bits()));
    let may_integral = from.is_float() && to.is_float() && to == from;
    let (ok, expected) = match rounding {
        None => (!needs_integral && !needs_float, "a rounding mode"),
        Some(r) if is_integral(r) => (needs_integral || may_integral, "no integer rounding"),
        Some(Rounding::Rna) => (to == Type::Tf32, "no .rna"),
        Some(_) => (needs_float, "no floating-point rounding"),
    };
    if ok {
        return Ok(());
    }
    let modes = if needs_integral { ".rni .rzi .rmi .rpi" } else { ".rn .rz .rm .rp" };
    let fault = m.fault_at_end(format!("'cvt' from .{} to .{} takes {expected}", from.name(), to.name()));
    Err(if needs_integral || needs_float { fault.help(format!("expected one of {modes}")) } else { fault })
}

fn cvt(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    if i.modifiers.iter().any(|w| w.text == "pack") {
        return Err(unsupported(i, "'cvt.pack'"));
    }
    let rounding = m.choice(ROUNDINGS);
    let mods =
        Mods { rounding, ftz: m.flag("ftz"), sat: m.flag("sat"), relu: m.flag("relu"), ..Mods::default() };
    let to = m.ty(&[CONVERTED, PACKED].concat())?;
    let from = m.ty(if PACKED.contains(&to) { &[Type::F32] } else { CONVERTED })?;
    let rectifies = matches!(to, Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2 | Type::Tf32);
    if mods.relu && !(rectifies && from == Type::F32) {
        return Err(Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            ".relu goes with conversions from .f32 to a narrower float",
        ));
    }
    if matches!(to, Type::F16x2 | Type::Bf16x2) {
        let [d, upper, lower] = operands::<3>(i)?;
        check_rounding(m, to, from, rounding)?;
        let mut instr = l.new_instr(Op::Cvt { to, from, mods });
        instr.dsts.extend(l.destination(d, to)?);
        instr.srcs.extend([l.source(upper, from)?, l.source(lower, from)?]);
        l.emit(instr);
        return Ok(());
    }
    let [d, a] = operands::<2>(i)?;
    check_rounding(m, to, from, rounding)?;
    if mods.ftz && to != Type::F32 && from != Type::F32 {
        return Err(Diagnostic::new(
            DiagnosticKind::Modifier,
            m.span(),
            ".ftz goes with conversions from or to .f32",
        ));
    }
    let (declared, mut dsts) = l.destination_by(d, to, types::agree_wider)?;
    let source = l.source_by(a, from, types::agree_wider)?;
    let high = (declared.words() > to.words()).then(|| dsts.pop()).flatten();
    let mut instr = l.new_instr(Op::Cvt { to, from, mods });
    let low = dsts[0];
    instr.dsts.extend(dsts);
    instr.srcs.push(source);
    l.emit(instr);
    if let Some(high) = high {
        l.extend_high(to, low, high);
    }
    Ok(())
}

impl Lowering<'_> {
    /// Sets the high word of a 64-bit register whose low word holds an extended value of type `ty`.
    pub(in crate::lower) fn extend_high(&mut self, ty: Type, low: heddle_port::Reg, high: heddle_port::Reg) {
        let (op, ty, srcs) = if ty.is_signed() {
            (Alu::Shr, Type::S32, vec![IrOperand::Reg(low), IrOperand::Imm(31)])
        } else {
            (Alu::Mov, Type::B32, vec![IrOperand::Imm(0)])
        };
        self.alu(op, ty, Mods::default(), smallvec::smallvec![high], &srcs);
    }
}
