//! Formal parameters of an inlined function, bound to the actual ones of a call.

use heddle_isa::{Alu, Mods, Operand as IrOperand, Type};
use heddle_port::Reg;
use smallvec::{SmallVec, smallvec};

use super::calls::unsupported;
use super::operand::{Registers, wrong_form};
use super::symbols::{Storage, Symbol};
use super::{Lowered, Lowering, layout, types};
use crate::ast::{Operand, OperandKind, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// A value that is copied back after the call.
pub(super) struct Returned<'i> {
    from: ReturnedFrom,
    ty: Type,
    to: &'i Operand,
}

enum ReturnedFrom {
    Param(usize),
    Register(IrOperand),
}

impl Lowering<'_> {
    /// The formal parameters of a function with symbols of the actual ones. A `.param` variable is the
    /// actual parameter itself; other arguments are copied in, and for results copied back.
    pub(super) fn bind<'i>(
        &mut self,
        span: Span,
        formal: &[Variable],
        actual: &'i [Operand],
        mut returned: Option<&mut Vec<Returned<'i>>>,
    ) -> Lowered<Vec<(Word, Symbol)>> {
        if formal.len() != actual.len() {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                span,
                format!("the function has {} parameters here, the call {}", formal.len(), actual.len()),
            ));
        }
        let mut bound = Vec::new();
        for (formal, actual) in formal.iter().zip(actual) {
            if formal.space == VariableSpace::Param
                && let Some(id) = self.actual_param(actual)?
            {
                let (bytes, _) = layout::extent(formal)?;
                if u64::from(self.call_params[id].bytes) < bytes {
                    let message = format!("the parameter '{}' has {bytes} bytes", formal.name.text);
                    return Err(Diagnostic::new(DiagnosticKind::Operand, actual.span, message));
                }
                let symbol = self.copy_argument(formal, Symbol::CallParam(id), span)?;
                bound.push((formal.name.clone(), symbol));
                continue;
            }
            let ty = types::declared(&formal.ty)?;
            if !formal.dims.is_empty() || ty == Type::Pred || ty == Type::B128 {
                return Err(wrong_form(actual, "a .param variable"));
            }
            let (symbol, from) = self.copied_param(formal, ty)?;
            match &mut returned {
                Some(list) => list.push(Returned { from, ty, to: actual }),
                None => self.copy_in(&from, ty, actual)?,
            }
            let symbol = self.copy_argument(formal, symbol, span)?;
            bound.push((formal.name.clone(), symbol));
        }
        Ok(bound)
    }

    /// The number of the `.param` variable that an argument names, if it names one.
    fn actual_param(&mut self, actual: &Operand) -> Lowered<Option<usize>> {
        let OperandKind::Name(text, 0) = &actual.kind else {
            return Ok(None);
        };
        match self.symbols.find(&Word { text: text.clone(), span: actual.span }) {
            Ok(Symbol::CallParam(id)) => Ok(Some(id)),
            Ok(_) => Ok(None),
            // Special registers are no symbols; the copy looks at them again.
            Err(_) if text.starts_with('%') => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// A new place for a formal parameter whose actual one is a register or a constant.
    fn copied_param(&mut self, formal: &Variable, ty: Type) -> Lowered<(Symbol, ReturnedFrom)> {
        if formal.space == VariableSpace::Param {
            let symbol = self.new_call_param(formal)?;
            return Ok((symbol, ReturnedFrom::Param(self.call_params.len() - 1)));
        }
        let storage = self.symbols.fresh(ty, &formal.name)?;
        let Storage::Reg(r) = storage else {
            return Err(unsupported(formal.name.span, "a predicate as a parameter"));
        };
        let register = if ty.words() == 2 { IrOperand::Pair(r) } else { IrOperand::Reg(r) };
        Ok((Symbol::Register(ty, storage), ReturnedFrom::Register(register)))
    }

    fn copy_in(&mut self, to: &ReturnedFrom, ty: Type, actual: &Operand) -> Lowered<()> {
        match to {
            ReturnedFrom::Param(id) => self.store_call_param((*id, 0), ty, std::slice::from_ref(actual)),
            ReturnedFrom::Register(register) => {
                let source = self.source(actual, ty)?;
                let dsts = register_words(*register);
                self.alu(Alu::Mov, ty, Mods::default(), dsts, &[source]);
                Ok(())
            }
        }
    }

    pub(super) fn copy_back(&mut self, value: &Returned<'_>) -> Lowered<()> {
        match &value.from {
            ReturnedFrom::Param(id) => {
                self.load_call_param((*id, 0), value.ty, std::slice::from_ref(value.to))
            }
            ReturnedFrom::Register(register) => {
                let dsts = self.destination(value.to, value.ty)?;
                self.alu(Alu::Mov, value.ty, Mods::default(), dsts, &[*register]);
                Ok(())
            }
        }
    }
}

fn register_words(register: IrOperand) -> Registers {
    match register {
        IrOperand::Pair(r) => smallvec![r, Reg(r.0 + 1)],
        IrOperand::Reg(r) => smallvec![r],
        IrOperand::Imm(_) | IrOperand::Special(_) | IrOperand::Constant(_) => SmallVec::new(),
    }
}
