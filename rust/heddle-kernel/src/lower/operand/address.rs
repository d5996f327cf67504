//! Addresses.

use heddle_isa::{Operand as IrOperand, Space, memory};

use super::super::symbols::{Storage, Symbol};
use super::super::{Lowered, Lowering};
use super::wrong_form;
use crate::ast::{Operand, OperandKind, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

impl Lowering<'_> {
    /// Base and offset of `[...]` in `space`.
    pub(in crate::lower) fn address(&mut self, operand: &Operand, space: Space) -> Lowered<(IrOperand, i32)> {
        let OperandKind::Address { base, offset } = &operand.kind else {
            return Err(wrong_form(operand, "an address in brackets"));
        };
        let Some(word) = base else {
            return Ok((IrOperand::Imm(offset.unsigned_abs()), 0));
        };
        match self.symbols.find(word)? {
            Symbol::Register(ty, Storage::Reg(r)) if !ty.is_float() && matches!(ty.bits(), 32 | 64) => {
                let offset = i32::try_from(*offset).map_err(|_| {
                    Diagnostic::new(
                        DiagnosticKind::OutOfRange,
                        operand.span,
                        "the offset does not fit 32 bits",
                    )
                })?;
                let base = if ty.words() == 2 { IrOperand::Pair(r) } else { IrOperand::Reg(r) };
                Ok((base, offset))
            }
            Symbol::Register(ty, _) => Err(Diagnostic::new(
                DiagnosticKind::TypeMismatch,
                word.span,
                format!("'{}' is a .{} register and no address", word.text, ty.name()),
            )
            .help("expected a 64-bit or 32-bit integer register, or a variable")),
            Symbol::Variable(declared, address) => {
                let base = in_space(declared, address, space, word)?;
                let sum = i64::from(base).checked_add(*offset).and_then(|sum| u32::try_from(sum).ok());
                let sum = sum.ok_or_else(|| {
                    Diagnostic::new(
                        DiagnosticKind::OutOfRange,
                        operand.span,
                        "the address does not fit 32 bits",
                    )
                })?;
                Ok((IrOperand::Imm(u64::from(sum)), 0))
            }
            Symbol::Label(_)
            | Symbol::Vector(_)
            | Symbol::CallParam(_)
            | Symbol::BranchTargets(_)
            | Symbol::Reference(_)
            | Symbol::Prototype(_)
            | Symbol::Function(_) => Err(Diagnostic::new(
                DiagnosticKind::Operand,
                word.span,
                format!("'{}' is not a variable", word.text),
            )),
        }
    }
}

/// The address of a variable of `declared` space in an access to `space`.
fn in_space(declared: VariableSpace, address: u32, space: Space, word: &Word) -> Lowered<u32> {
    match (space, declared) {
        (Space::Global | Space::Generic, VariableSpace::Global)
        | (Space::Shared, VariableSpace::Shared)
        | (Space::Local, VariableSpace::Local)
        | (Space::Const, VariableSpace::Const)
        | (Space::Param, VariableSpace::Param) => Ok(address),
        (Space::Generic, VariableSpace::Shared) => Ok(memory::SHARED_WINDOW + address),
        (Space::Generic, VariableSpace::Local) => Ok(memory::LOCAL_WINDOW + address),
        _ => Err(Diagnostic::new(
            DiagnosticKind::TypeMismatch,
            word.span,
            format!("'{}' is a .{} variable and not of the access's space", word.text, declared.name()),
        )),
    }
}
