//! Conversion between types and between address spaces.

use heddle_isa::{Alu, Mods, Op, Operand as IrOperand, Rounding, Type, memory};

use super::{Table, operands, unsupported};
use crate::ast::Instruction;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::{Lowered, Lowering, types};

pub(super) const RULES: Table = &[("cvt", cvt), ("cvta", cvta)];

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
    Type::F32,
    Type::F64,
];

const ROUNDINGS: &[(&str, Rounding)] = &[
    ("rn", Rounding::Rn),
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
    let needs_float = to.is_float() && (!from.is_float() || to.bits() < from.bits());
    let may_integral = from.is_float() && to.is_float() && to == from;
    let (ok, expected) = match rounding {
        None => (!needs_integral && !needs_float, "a rounding mode"),
        Some(r) if is_integral(r) => (needs_integral || may_integral, "no integer rounding"),
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
    let [d, a] = operands::<2>(i)?;
    let rounding = m.choice(ROUNDINGS);
    let mods = Mods { rounding, ftz: m.flag("ftz"), sat: m.flag("sat"), ..Mods::default() };
    let to = m.ty(CONVERTED)?;
    let from = m.ty(CONVERTED)?;
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

/// What `cvta` adds to an address of a space to make it generic.
#[derive(Clone, Copy)]
enum Window {
    Global,
    Shared,
    Local,
    Other,
}

const WINDOWS: &[(&str, Window)] = &[
    ("global", Window::Global),
    ("shared", Window::Shared),
    ("shared::cta", Window::Shared),
    ("local", Window::Local),
    ("const", Window::Other),
    ("param", Window::Other),
    ("param::entry", Window::Other),
    ("shared::cluster", Window::Other),
];

fn cvta(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a] = operands::<2>(i)?;
    let to_space = m.flag("to");
    let window = m.required(WINDOWS, "a state space")?;
    let ty = m.ty(&[Type::U64, Type::U32])?;
    let dsts = l.destination(d, ty)?;
    let source = l.source(a, ty)?;
    let start = match window {
        Window::Global => None,
        Window::Shared => Some(memory::SHARED_WINDOW),
        Window::Local => Some(memory::LOCAL_WINDOW),
        Window::Other => return Err(unsupported(i, "a generic address of this space")),
    };
    match start {
        None => l.alu(Alu::Mov, ty, Mods::default(), dsts, &[source]),
        Some(start) => {
            let op = if to_space { Alu::Sub } else { Alu::Add };
            let window = IrOperand::Imm(u64::from(start));
            l.alu(op, ty, Mods::default(), dsts, &[source, window]);
        }
    }
    Ok(())
}
