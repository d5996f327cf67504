//! Calls of device functions: each is inlined where it stands.
//!
//! A parameter of a call lives in registers, one value for each offset at which it is stored or
//! loaded. The function's formal parameters become names for the actual ones, its registers and
//! labels live in a scope of their own, and `ret` becomes a branch to the end of the inlined body.

use std::collections::BTreeMap;

use heddle_isa::{Alu, Guard, Mods, Op, Operand as IrOperand, Pc, Type};

use super::operand::Registers;
use super::symbols::Symbol;
use super::{Lowered, Lowering, types};
use crate::ast::{Function, Instruction, Operand, OperandKind, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// Functions called inside functions deeper than this are refused.
const MAX_CALL_DEPTH: usize = 32;
/// Inlining stops when a kernel has more instructions than this.
const MAX_INSTRUCTIONS: usize = 1 << 20;

/// Values of a parameter of a call by byte offset.
#[derive(Default)]
pub(super) struct CallParam {
    values: BTreeMap<u32, (Type, Registers)>,
}

fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} is not supported"))
}

impl Lowering<'_> {
    /// A new, empty parameter of a call.
    pub(super) fn new_call_param(&mut self) -> Symbol {
        self.call_params.push(CallParam::default());
        Symbol::CallParam(self.call_params.len() - 1)
    }

    /// The parameter of a call, and offset, that an address in brackets names, if it names one.
    pub(super) fn call_param(&mut self, address: &Operand) -> Lowered<Option<(usize, i64)>> {
        match &address.kind {
            OperandKind::Address { base: Some(word), offset } => match self.symbols.find(word)? {
                Symbol::CallParam(id) => Ok(Some((id, *offset))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Registers of the value of type `ty` at `offset` of parameter `id`.
    fn param_value(&mut self, id: usize, offset: i64, ty: Type, span: Span) -> Lowered<Registers> {
        let mixed = || unsupported(span, "a parameter of a call that is read in other parts than written");
        let offset = u32::try_from(offset).map_err(|_| mixed())?;
        let values = &self.call_params[id].values;
        if let Some((stored, registers)) = values.get(&offset) {
            return if stored.bits() == ty.bits() { Ok(registers.clone()) } else { Err(mixed()) };
        }
        let end = offset.saturating_add(ty.bytes());
        let overlaps =
            values.range(..end).next_back().is_some_and(|(&at, (stored, _))| at + stored.bytes() > offset);
        if overlaps {
            return Err(mixed());
        }
        let sink = Operand { kind: OperandKind::Sink, span };
        let registers = self.destination(&sink, ty)?;
        self.call_params[id].values.insert(offset, (ty, registers.clone()));
        Ok(registers)
    }

    /// The value of type `ty` at `offset` of parameter `id`, which may be a part of a wider one: its
    /// low bytes, or the high word of two.
    fn param_part(&mut self, id: usize, offset: i64, ty: Type, span: Span) -> Lowered<IrOperand> {
        for (&at, (stored, registers)) in &self.call_params[id].values {
            if stored.bits() <= ty.bits() {
                continue;
            }
            if i64::from(at) == offset {
                return Ok(IrOperand::Reg(registers[0]));
            }
            if i64::from(at) + 4 == offset && stored.words() == 2 {
                return Ok(IrOperand::Reg(registers[1]));
            }
        }
        let registers = self.param_value(id, offset, ty, span)?;
        Ok(if ty.words() == 2 { IrOperand::Pair(registers[0]) } else { IrOperand::Reg(registers[0]) })
    }

    /// `st.param`: `elements` from `offset` on.
    pub(super) fn store_call_param(
        &mut self,
        (id, offset): (usize, i64),
        ty: Type,
        elements: &[Operand],
    ) -> Lowered<()> {
        for (element, n) in elements.iter().zip(0..) {
            let source = self.source_by(element, ty, types::agree_wider)?;
            let at = offset + n * i64::from(ty.bytes());
            let registers = self.param_value(id, at, ty, element.span)?;
            self.alu(Alu::Mov, moved(ty), Mods::default(), registers, &[source]);
        }
        Ok(())
    }

    /// `ld.param` from a parameter of a call.
    pub(super) fn load_call_param(
        &mut self,
        (id, offset): (usize, i64),
        ty: Type,
        elements: &[Operand],
    ) -> Lowered<()> {
        for (element, n) in elements.iter().zip(0..) {
            let at = offset + n * i64::from(ty.bytes());
            let source = self.param_part(id, at, ty, element.span)?;
            let (declared, mut dsts) = self.destination_by(element, ty, types::agree_wider)?;
            let high = (declared.words() > ty.words()).then(|| dsts.pop()).flatten();
            let low = dsts[0];
            if ty.bits() < 32 {
                let ty = integer(ty);
                let mut instr = self.new_instr(Op::Cvt { to: ty, from: ty, mods: Mods::default() });
                instr.dsts.extend(dsts);
                instr.srcs.push(source);
                self.emit(instr);
            } else {
                self.alu(Alu::Mov, moved(ty), Mods::default(), dsts, &[source]);
            }
            if let Some(high) = high {
                self.extend_high(ty, low, high);
            }
        }
        Ok(())
    }

    /// Inlines `call (results), function, (arguments)`.
    pub(super) fn call(&mut self, instruction: &Instruction) -> Lowered<()> {
        let (results, name, arguments) = parts(instruction)?;
        let module = self.module;
        let callee = module
            .functions()
            .filter(|f| !f.is_entry && f.name.text == name.text)
            .max_by_key(|f| f.body.is_some());
        let Some(callee) = callee else {
            self.symbols.find(&name)?;
            return Err(unsupported(name.span, "a call through an address"));
        };
        let Some(body) = callee.body.as_deref() else {
            return Err(unsupported(name.span, &format!("'{}', which has no body here,", name.text)));
        };
        if self.calls.iter().any(|(caller, _)| *caller == name.text) || self.calls.len() >= MAX_CALL_DEPTH {
            return Err(unsupported(name.span, "recursion"));
        }
        if self.instrs.len() > MAX_INSTRUCTIONS {
            return Err(Diagnostic::new(
                DiagnosticKind::OutOfRange,
                name.span,
                "the kernel becomes too large with its calls inlined",
            ));
        }
        let mut bound = self.bind(instruction, &callee.returns, results)?;
        bound.extend(self.bind(instruction, &callee.params, arguments)?);
        self.inline(callee, body, &bound)
    }

    fn inline(
        &mut self,
        callee: &Function,
        body: &[crate::ast::Statement],
        bound: &[(Word, Symbol)],
    ) -> Lowered<()> {
        let after = self.new_label();
        let guard = self.guard.take();
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
        Ok(())
    }

    /// The formal parameters of a function with the symbols of the actual ones.
    fn bind(
        &mut self,
        instruction: &Instruction,
        formal: &[Variable],
        actual: &[Operand],
    ) -> Lowered<Vec<(Word, Symbol)>> {
        if formal.len() != actual.len() {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                instruction.span,
                format!("the function has {} parameters here, the call {}", formal.len(), actual.len()),
            ));
        }
        let mut bound = Vec::new();
        for (formal, actual) in formal.iter().zip(actual) {
            let symbol = match &actual.kind {
                OperandKind::Name(text, 0) => {
                    self.symbols.find(&Word { text: text.clone(), span: actual.span })?
                }
                _ => return Err(unsupported(actual.span, "an argument that is no .param variable")),
            };
            if !matches!(symbol, Symbol::CallParam(_)) || formal.space != VariableSpace::Param {
                return Err(unsupported(actual.span, "an argument that is no .param variable"));
            }
            bound.push((formal.name.clone(), symbol));
        }
        Ok(bound)
    }
}

/// Results, function and arguments of a call.
fn parts(instruction: &Instruction) -> Lowered<(&[Operand], Word, &[Operand])> {
    let mut operands = instruction.operands.iter().peekable();
    let list =
        |operand: Option<&&'_ Operand>| matches!(operand, Some(o) if matches!(o.kind, OperandKind::List(_)));
    let empty: &[Operand] = &[];
    let mut results = empty;
    if list(operands.peek())
        && let Some(Operand { kind: OperandKind::List(elements), .. }) = operands.next()
    {
        results = elements;
    }
    let name = match operands.next() {
        Some(Operand { kind: OperandKind::Name(text, 0), span }) => Word { text: text.clone(), span: *span },
        _ => {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                instruction.span,
                "a call names a function",
            )
            .help("expected call (results), function, (arguments)"));
        }
    };
    let mut arguments = empty;
    if list(operands.peek())
        && let Some(Operand { kind: OperandKind::List(elements), .. }) = operands.next()
    {
        arguments = elements;
    }
    Ok((results, name, arguments))
}

/// The type of a move that copies a value of type `ty`.
fn moved(ty: Type) -> Type {
    match ty.bits() {
        64 => Type::B64,
        _ => Type::B32,
    }
}

/// The integer type of the same size, for an extending copy.
fn integer(ty: Type) -> Type {
    match ty {
        Type::B8 => Type::U8,
        Type::B16 | Type::F16 => Type::U16,
        other => other,
    }
}
