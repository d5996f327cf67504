//! Functions that are declared and not defined: what the CUDA runtime provides.

use heddle_isa::{Alu, Mods, Operand as IrOperand, Type};

use super::symbols::Symbol;
use super::{Lowered, Lowering};
use crate::ast::{Function, Operand, OperandKind, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// `printf` in device code.
pub(super) const PRINT: &str = "vprintf";
/// A failed `assert` in device code.
const ASSERT: &str = "__assertfail";
/// The heap of the device.
const HEAP: &[&str] = &["malloc", "free"];

impl Lowering<'_> {
    /// A call of a function without a body. `vprintf` prints nothing and gives 0; `__assertfail` traps.
    pub(super) fn call_extern(
        &mut self,
        function: &Function,
        span: Span,
        results: &[Operand],
    ) -> Lowered<()> {
        let name = function.name.text.as_str();
        let fault =
            |reason: &str| Diagnostic::new(DiagnosticKind::Unsupported, span, format!("'{name}' {reason}"));
        match name {
            PRINT => self.nothing_printed(results),
            ASSERT => {
                self.trap();
                Ok(())
            }
            _ if HEAP.contains(&name) => Err(fault("needs a heap on the device, which is not modelled")),
            _ => Err(fault("has no body in the PTX")
                .help("give the PTX of the module that defines it too, with --link or in the launch file")),
        }
    }

    fn nothing_printed(&mut self, results: &[Operand]) -> Lowered<()> {
        for result in results {
            let OperandKind::Name(text, 0) = &result.kind else {
                continue;
            };
            let word = Word { text: text.clone(), span: result.span };
            if let Symbol::CallParam(id) = self.symbols.find(&word)? {
                self.clear_call_param(id, result.span)?;
            } else {
                let dsts = self.destination(result, Type::B32)?;
                self.alu(Alu::Mov, Type::B32, Mods::default(), dsts, &[IrOperand::Imm(0)]);
            }
        }
        Ok(())
    }
}
