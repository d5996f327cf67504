//! Predicates.

use heddle_isa::{Pred, PredOperand, Type};

use super::super::symbols::{Storage, Symbol};
use super::super::{Lowered, Lowering};
use super::wrong_form;
use crate::ast::{Constant, Operand, OperandKind, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

impl Lowering<'_> {
    /// The predicate that is written.
    pub(in crate::lower) fn pred_destination(&mut self, operand: &Operand) -> Lowered<Pred> {
        if operand.kind == OperandKind::Sink {
            return self.fresh_pred(operand.span);
        }
        match self.register(operand)? {
            (_, Storage::Pred(pred)) => Ok(pred),
            (ty, Storage::Reg(_)) => Err(self.mismatch(operand, Type::Pred, ty)),
        }
    }

    /// A predicate that is read: `p`, `!p` or a constant 0 or 1.
    pub(in crate::lower) fn pred_source(&mut self, operand: &Operand) -> Lowered<PredOperand> {
        let (word, negated) = match &operand.kind {
            OperandKind::Name(text, 0) => (Word { text: text.clone(), span: operand.span }, false),
            OperandKind::Not(word) => (word.clone(), true),
            OperandKind::Constant(Constant::Integer { magnitude, .. }) => {
                return Ok(PredOperand::Const(*magnitude != 0));
            }
            _ => return Err(wrong_form(operand, "a predicate")),
        };
        let pred = self.pred_named(&word)?;
        Ok(PredOperand::Reg { pred, negated })
    }

    /// The predicate register called `word`.
    pub(in crate::lower) fn pred_named(&mut self, word: &Word) -> Lowered<Pred> {
        match self.symbols.find(word)? {
            Symbol::Register(_, Storage::Pred(pred)) => Ok(pred),
            Symbol::Register(ty, _) => Err(Diagnostic::new(
                DiagnosticKind::TypeMismatch,
                word.span,
                format!("'{}' is a .{} register", word.text, ty.name()),
            )
            .help("expected a .pred register")),
            _ => Err(Diagnostic::new(
                DiagnosticKind::TypeMismatch,
                word.span,
                format!("'{}' is not a register", word.text),
            )
            .help("expected a .pred register")),
        }
    }

    /// A new predicate for an instruction at `span`.
    pub(in crate::lower) fn fresh_pred(&mut self, span: Span) -> Lowered<Pred> {
        let word = Word { text: String::new(), span };
        match self.symbols.fresh(Type::Pred, &word)? {
            Storage::Pred(pred) => Ok(pred),
            Storage::Reg(_) => {
                Err(Diagnostic::new(DiagnosticKind::TypeMismatch, span, "a predicate was expected"))
            }
        }
    }
}
