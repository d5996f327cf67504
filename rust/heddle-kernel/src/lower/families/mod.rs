//! One module per family of instructions; each has a table from opcodes to lowering rules.

mod arithmetic;
mod atomic;
mod barrier;
mod bits;
mod compare;
mod control;
mod convert;
mod logic;
mod memory;
mod moves;
mod space;
mod special_function;
mod texture;
mod unsupported;
mod video;
mod warp;

use heddle_isa::{Alu, Mods, Op, Operand, Type};

use super::modifiers::Modifiers;
use super::operand::Registers;
use super::{Lowered, Lowering};
use crate::ast::{Instruction, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// Lowers one instruction; modifiers that it does not ask for become errors.
pub(super) type Rule = fn(&mut Lowering<'_>, &Instruction, &Modifiers<'_>) -> Lowered<()>;

/// A family's table.
type Table = &'static [(&'static str, Rule)];

const FAMILIES: &[Table] = &[
    arithmetic::RULES,
    logic::RULES,
    bits::RULES,
    video::RULES,
    special_function::RULES,
    compare::RULES,
    convert::RULES,
    moves::RULES,
    memory::RULES,
    atomic::RULES,
    texture::RULES,
    space::RULES,
    control::RULES,
    barrier::RULES,
    warp::RULES,
];

/// The rule of an opcode.
pub(super) fn find(opcode: &Word) -> Lowered<Rule> {
    let known = || FAMILIES.iter().copied().flatten();
    if let Some((_, rule)) = known().find(|(name, _)| *name == opcode.text) {
        return Ok(*rule);
    }
    if let Some(fault) = unsupported::fault(opcode) {
        return Err(fault);
    }
    let names = known().map(|(n, _)| *n).chain(unsupported::opcodes());
    Err(Diagnostic::new(
        DiagnosticKind::UnknownOpcode,
        opcode.span,
        format!("'{}' is not a PTX instruction", opcode.text),
    )
    .suggest(&opcode.text, names))
}

/// The operands, whose number must be `N`.
fn operands<const N: usize>(instruction: &Instruction) -> Lowered<&[crate::ast::Operand; N]> {
    instruction.operands.as_slice().try_into().map_err(|_| count_fault(instruction, N))
}

/// The fault that an instruction has not the `expected` number of operands.
fn count_fault(instruction: &Instruction, expected: usize) -> Diagnostic {
    let found = instruction.operands.len();
    let s = if expected == 1 { "" } else { "s" };
    Diagnostic::new(
        DiagnosticKind::Operand,
        instruction.span,
        format!("'{}' takes {expected} operand{s}, found {found}", instruction.opcode.text),
    )
}

/// A fault for a valid form that has no translation.
fn unsupported(instruction: &Instruction, what: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, instruction.span, format!("{what} is not supported"))
}

impl Lowering<'_> {
    /// New registers for a value of type `ty` that only the translation of the instruction at `span` uses.
    pub(super) fn scratch(&mut self, ty: Type, span: Span) -> Lowered<Registers> {
        self.destination(&crate::ast::Operand { kind: crate::ast::OperandKind::Sink, span }, ty)
    }

    /// Emits without the guard: for new registers, which may be written in every lane.
    pub(super) fn unguarded<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let guard = self.guard.take();
        let result = emit(self);
        self.guard = guard;
        result
    }

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
