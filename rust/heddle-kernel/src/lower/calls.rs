//! Calls of device functions: each is inlined where it stands.
//!
//! The function's formal parameters become names for the actual ones, its registers and labels live in
//! a scope of their own, and `ret` becomes a branch to the end of the inlined body. A call through an
//! address is a chain: one comparison for each function that it may reach, and a trap for the lanes
//! that found none.

use heddle_isa::{BoolOp, Cmp, Guard, Op, Operand as IrOperand, Pc, PredAlu, PredOperand, Type};

use super::functions;
use super::symbols::{Storage, Symbol};
use super::{Lowered, Lowering, layout};
use crate::ast::{Callees, Function, Instruction, Operand, OperandKind, Statement, Variable, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// Functions called inside functions deeper than this are refused.
const MAX_CALL_DEPTH: usize = 32;
/// Inlining stops when a kernel has more instructions than this.
const MAX_INSTRUCTIONS: usize = 1 << 20;
/// Most calls that are inlined in a kernel, those of functions without instructions among them.
const MAX_INLINED: usize = 1 << 18;

/// The operands of a call.
struct Call<'i> {
    span: Span,
    results: &'i [Operand],
    /// The function, or a register that holds its address.
    callee: Word,
    arguments: &'i [Operand],
    /// Whom a call through an address can reach.
    prototype: Option<Word>,
}

pub(super) fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} is not supported"))
}

impl<'m> Lowering<'m> {
    /// `call (results), function, (arguments), prototype`.
    pub(super) fn call(&mut self, instruction: &Instruction) -> Lowered<()> {
        let call = Call::of(instruction)?;
        match self.symbols.find(&call.callee)? {
            Symbol::Function(index) => self.call_function(&call, index),
            Symbol::Register(ty, Storage::Reg(r)) if !ty.is_float() && matches!(ty.bits(), 32 | 64) => {
                let address = if ty.words() == 2 { IrOperand::Pair(r) } else { IrOperand::Reg(r) };
                self.call_through(&call, address, ty)
            }
            _ => Err(Diagnostic::new(
                DiagnosticKind::Operand,
                call.callee.span,
                format!("'{}' is neither a function nor a register", call.callee.text),
            )),
        }
    }

    fn call_function(&mut self, call: &Call<'_>, index: usize) -> Lowered<()> {
        let callee = self.layout.functions.list[index];
        let Some(body) = callee.body.as_deref() else {
            return self.call_extern(callee, call.callee.span, call.results);
        };
        if let Some(first) = self.calls.iter().position(|(name, _)| *name == callee.name.text) {
            let cycle: Vec<String> =
                self.calls[first..].iter().map(|(name, _)| format!("'{name}' calls ")).collect();
            let message = format!("recursion is not supported: {}'{}'", cycle.concat(), callee.name.text);
            return Err(Diagnostic::new(DiagnosticKind::Unsupported, call.callee.span, message));
        }
        if self.calls.len() >= MAX_CALL_DEPTH {
            return Err(unsupported(call.callee.span, "a call this deep in other calls"));
        }
        self.inlined += 1;
        if self.instrs.len() > MAX_INSTRUCTIONS || self.inlined > MAX_INLINED {
            return Err(Diagnostic::new(
                DiagnosticKind::OutOfRange,
                call.callee.span,
                "the kernel becomes too large with its calls inlined",
            ));
        }
        let mut returned = Vec::new();
        let mut bound = self.bind(call.span, &callee.returns, call.results, Some(&mut returned))?;
        let results: Vec<Symbol> = bound.iter().map(|(_, symbol)| *symbol).collect();
        for (name, symbol) in self.bind(call.span, &callee.params, call.arguments, None)? {
            // A function may write its result before it reads its arguments.
            let symbol =
                if results.contains(&symbol) { self.copy_call_param(symbol, call.span)? } else { symbol };
            bound.push((name, symbol));
        }
        self.inline(callee, body, &bound);
        for value in returned {
            self.copy_back(&value)?;
        }
        Ok(())
    }

    fn inline(&mut self, callee: &Function, body: &'m [Statement], bound: &[(Word, Symbol)]) {
        let after = self.new_label();
        let guard = self.guard.take();
        let loc = self.loc;
        if let Some(guard) = guard {
            let mut skip = self.new_instr(Op::Bra { target: Pc(after.0), reconvergence: None });
            skip.guard = Some(Guard { negated: !guard.negated, ..guard });
            self.emit(skip);
        }
        let floor = self.symbols.enter_function();
        for (word, symbol) in bound {
            self.declare(word, *symbol);
        }
        self.calls.push((callee.name.text.clone(), after));
        self.body(body);
        self.calls.pop();
        self.symbols.leave_function(floor);
        self.place_label(after);
        self.guard = guard;
        self.loc = loc;
    }

    /// A call of whichever function has the address.
    fn call_through(&mut self, call: &Call<'_>, address: IrOperand, ty: Type) -> Lowered<()> {
        let guard = self.guard;
        let holds = guard.map(|g| PredOperand::Reg { pred: g.pred, negated: g.negated });
        // Lanes that have found no function yet: a function may write its result where the address was.
        let mut lost = holds;
        for index in self.reachable(call)? {
            let name = &self.layout.functions.list[index].name.text;
            if self.calls.iter().any(|(running, _)| running == name) {
                continue;
            }
            let chosen = self.fresh_pred(call.span)?;
            let combine = lost.map(|_| BoolOp::And);
            let mut compare =
                self.unguarded(|l| l.new_instr(Op::Setp { cmp: Cmp::Eq, ty, ftz: false, combine }));
            compare.pred_dsts.push(chosen);
            compare.srcs.extend([address, IrOperand::Imm(functions::address(index))]);
            compare.pred_srcs.extend(lost);
            self.emit(compare);
            let still_lost = self.fresh_pred(call.span)?;
            let mut rest = self.unguarded(|l| l.new_instr(Op::Pred { op: PredAlu::And }));
            rest.pred_dsts.push(still_lost);
            let before = lost.unwrap_or(PredOperand::Const(true));
            rest.pred_srcs.extend([before, PredOperand::Reg { pred: chosen, negated: true }]);
            self.emit(rest);
            lost = Some(PredOperand::Reg { pred: still_lost, negated: false });
            self.guard = Some(Guard { pred: chosen, negated: false });
            let result = self.call_function(call, index);
            self.guard = guard;
            result?;
        }
        self.guard = match lost {
            Some(PredOperand::Reg { pred, negated }) => Some(Guard { pred, negated }),
            Some(PredOperand::Const(_)) | None => None,
        };
        self.trap();
        self.guard = guard;
        Ok(())
    }

    /// The functions that a call through an address may reach.
    fn reachable(&mut self, call: &Call<'_>) -> Lowered<Vec<usize>> {
        let Some(prototype) = &call.prototype else {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                call.callee.span,
                "a call through an address needs a prototype",
            )
            .help("expected the name of a .callprototype or .calltargets after the arguments"));
        };
        let Symbol::Prototype(id) = self.symbols.find(prototype)? else {
            let message = format!("'{}' is neither a .callprototype nor .calltargets", prototype.text);
            return Err(Diagnostic::new(DiagnosticKind::Operand, prototype.span, message));
        };
        match self.prototypes[id] {
            Callees::Signature { returns, params } => {
                let functions = &self.layout.functions;
                let mut fitting = Vec::new();
                for &index in &functions.taken {
                    let function = functions.list[index];
                    if fits(&function.returns, returns)? && fits(&function.params, params)? {
                        fitting.push(index);
                    }
                }
                Ok(fitting)
            }
            Callees::Targets(names) => names
                .iter()
                .map(|name| match self.symbols.find(name)? {
                    Symbol::Function(index) => Ok(index),
                    _ => {
                        let message = format!("'{}' is not a function", name.text);
                        Err(Diagnostic::new(DiagnosticKind::Operand, name.span, message))
                    }
                })
                .collect(),
        }
    }

    /// The lanes that execute end the run as a failure of the kernel.
    pub(super) fn trap(&mut self) {
        let trap = self.new_instr(Op::Trap);
        self.emit(trap);
    }
}

/// Whether two lists of parameters have the same number, kinds and sizes.
fn fits(function: &[Variable], prototype: &[Variable]) -> Lowered<bool> {
    if function.len() != prototype.len() {
        return Ok(false);
    }
    for (a, b) in function.iter().zip(prototype) {
        if a.space != b.space || layout::extent(a)?.0 != layout::extent(b)?.0 {
            return Ok(false);
        }
    }
    Ok(true)
}

impl<'i> Call<'i> {
    /// The parts of a call instruction.
    fn of(instruction: &'i Instruction) -> Lowered<Self> {
        let mut rest = instruction.operands.as_slice();
        let list = |rest: &mut &'i [Operand]| match rest.split_first() {
            Some((Operand { kind: OperandKind::List(elements), .. }, tail)) => {
                *rest = tail;
                elements.as_slice()
            }
            _ => &[],
        };
        let results = list(&mut rest);
        let name = |rest: &mut &'i [Operand]| match rest.split_first() {
            Some((Operand { kind: OperandKind::Name(text, 0), span }, tail)) => {
                *rest = tail;
                Some(Word { text: text.clone(), span: *span })
            }
            _ => None,
        };
        let callee = name(&mut rest);
        let arguments = list(&mut rest);
        let prototype = name(&mut rest);
        match (callee, rest) {
            (Some(callee), []) => Ok(Self { span: instruction.span, results, callee, arguments, prototype }),
            _ => Err(Diagnostic::new(
                DiagnosticKind::Operand,
                instruction.span,
                "a call names a function, or a register and a prototype",
            )
            .help("expected call (results), function, (arguments)")),
        }
    }
}
