//! One module per family of instructions; each has a table from opcodes to lowering rules.

mod arithmetic;
mod atomic;
mod bits;
mod compare;
mod control;
mod convert;
mod logic;
mod memory;
mod moves;
mod special_function;

use heddle_isa::{Alu, Mods, Op, Operand, Type};

use super::modifiers::Modifiers;
use super::operand::Registers;
use super::{Lowered, Lowering};
use crate::ast::{Instruction, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// Lowers one instruction; modifiers that it does not ask for become errors.
pub(super) type Rule = fn(&mut Lowering<'_>, &Instruction, &Modifiers<'_>) -> Lowered<()>;

/// A family's table.
type Table = &'static [(&'static str, Rule)];

const FAMILIES: &[Table] = &[
    arithmetic::RULES,
    logic::RULES,
    bits::RULES,
    special_function::RULES,
    compare::RULES,
    convert::RULES,
    moves::RULES,
    memory::RULES,
    atomic::RULES,
    control::RULES,
];

/// Instructions of PTX that have no rule.
const UNSUPPORTED: &[&str] = &[
    "activemask",
    "alloca",
    "applypriority",
    "brkpt",
    "clusterlaunchcontrol",
    "cp",
    "createpolicy",
    "discard",
    "dp2a",
    "dp4a",
    "elect",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "istypep",
    "ldmatrix",
    "lop3",
    "mad24",
    "mapa",
    "match",
    "mbarrier",
    "mma",
    "movmatrix",
    "mul24",
    "multimem",
    "pmevent",
    "redux",
    "setmaxnreg",
    "shfl",
    "stackrestore",
    "stacksave",
    "stmatrix",
    "suld",
    "suq",
    "sured",
    "sust",
    "szext",
    "tanh",
    "tcgen05",
    "tensormap",
    "testp",
    "tex",
    "tld4",
    "trap",
    "txq",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vote",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "wgmma",
    "wmma",
];

/// The rule of an opcode.
pub(super) fn find(opcode: &Word) -> Lowered<Rule> {
    let known = || FAMILIES.iter().copied().flatten();
    if let Some((_, rule)) = known().find(|(name, _)| *name == opcode.text) {
        return Ok(*rule);
    }
    if UNSUPPORTED.contains(&opcode.text.as_str()) {
        return Err(Diagnostic::new(
            DiagnosticKind::Unsupported,
            opcode.span,
            format!("instruction '{}' is not supported", opcode.text),
        ));
    }
    let names = known().map(|(n, _)| *n).chain(UNSUPPORTED.iter().copied());
    Err(Diagnostic::new(
        DiagnosticKind::UnknownOpcode,
        opcode.span,
        format!("'{}' is not a PTX instruction", opcode.text),
    )
    .suggest(&opcode.text, names))
}

/// The operands, whose number must be `N`.
fn operands<const N: usize>(instruction: &Instruction) -> Lowered<&[crate::ast::Operand; N]> {
    instruction.operands.as_slice().try_into().map_err(|_| {
        let found = instruction.operands.len();
        let s = if N == 1 { "" } else { "s" };
        Diagnostic::new(
            DiagnosticKind::Operand,
            instruction.span,
            format!("'{}' takes {N} operand{s}, found {found}", instruction.opcode.text),
        )
    })
}

/// A fault for a valid form that has no translation.
fn unsupported(instruction: &Instruction, what: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, instruction.span, format!("{what} is not supported"))
}

impl Lowering<'_> {
    /// Emits a register operation.
    pub(super) fn alu(&mut self, op: Alu, ty: Type, mods: Mods, dsts: Registers, srcs: &[Operand]) {
        let mut instr = self.new_instr(Op::Alu { op, ty, mods });
        instr.dsts.extend(dsts);
        instr.srcs.extend(srcs.iter().copied());
        self.emit(instr);
    }

    /// A register operation whose destination and sources all have type `ty`.
    fn uniform(&mut self, instruction: &Instruction, op: Alu, ty: Type, mods: Mods) -> Lowered<()> {
        let Some((dst, srcs)) = instruction.operands.split_first() else {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                instruction.span,
                "this instruction needs operands",
            ));
        };
        let dsts = self.destination(dst, ty)?;
        let mut sources = Vec::with_capacity(srcs.len());
        for src in srcs {
            sources.push(self.source(src, ty)?);
        }
        self.alu(op, ty, mods, dsts, &sources);
        Ok(())
    }
}
