//! Scopes, declarations and instructions of a function's body.

use heddle_isa::{Guard, Pc, Type};

use super::layout::ModuleLayout;
use super::modifiers::Modifiers;
use super::symbols::Symbol;
use super::{Lowered, Lowering, families, operand, types};
use crate::ast::{Instruction, Statement, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::parse::MAX_FAULTS;

/// A declaration of more vector registers is refused.
const MAX_VECTORS: u64 = 4096;

impl<'m> Lowering<'m> {
    pub(super) fn module_scope(&mut self, layout: &'m ModuleLayout<'m>) {
        for (word, space, address) in &layout.addresses {
            self.declare(word, Symbol::Variable(*space, *address));
        }
        for (word, offset) in &layout.references {
            self.declare(word, Symbol::Reference(*offset));
        }
        for variable in &layout.shared {
            let offset = self.frame.offsets.get(&variable.name.span.start);
            if let Some(&offset) = offset {
                let symbol = Symbol::Variable(VariableSpace::Shared, offset);
                self.declare(&variable.name, symbol);
            }
        }
        for (&name, &index) in &layout.functions.by_name {
            let word = Word { text: name.to_owned(), span: layout.functions.list[index].name.span };
            self.declare(&word, Symbol::Function(index));
        }
    }

    pub(super) fn body(&mut self, statements: &'m [Statement]) {
        self.symbols.open();
        for statement in statements {
            match statement {
                Statement::Label(word) => {
                    let id = self.new_label();
                    self.declare(word, Symbol::Label(id));
                }
                Statement::Prototype(word, callees) => {
                    self.prototypes.push(callees);
                    self.declare(word, Symbol::Prototype(self.prototypes.len() - 1));
                }
                Statement::BranchTargets(word, targets) => {
                    self.branch_targets.push(targets.clone());
                    self.declare(word, Symbol::BranchTargets(self.branch_targets.len() - 1));
                }
                _ => {}
            }
        }
        for statement in statements {
            // More than the parser tells, nobody reads.
            if self.faults.len() >= MAX_FAULTS {
                break;
            }
            match statement {
                Statement::Label(word) => {
                    if let Ok(Symbol::Label(id)) = self.symbols.find(word)
                        && self.labels[id.0 as usize].is_none()
                    {
                        self.labels[id.0 as usize] = Some(self.instrs.len());
                    }
                }
                Statement::Scope(inner, _) => self.body(inner),
                Statement::Variable(variable) => {
                    if let Err(fault) = self.variable(variable) {
                        self.faults.push(fault);
                    }
                }
                Statement::Instruction(instruction) => {
                    if let Err(fault) = self.instruction(instruction) {
                        self.faults.push(fault);
                    }
                }
                Statement::BranchTargets(..) | Statement::Prototype(..) => {}
            }
        }
        self.symbols.close();
    }

    fn variable(&mut self, variable: &Variable) -> Lowered<()> {
        match variable.space {
            VariableSpace::Reg => self.registers(variable),
            VariableSpace::Shared | VariableSpace::Local => {
                if let Some(&offset) = self.frame.offsets.get(&variable.name.span.start) {
                    let symbol = Symbol::Variable(variable.space, offset);
                    self.symbols.declare(&variable.name, symbol)?;
                }
                Ok(())
            }
            VariableSpace::Param => {
                let symbol = self.new_call_param(variable)?;
                self.symbols.declare(&variable.name, symbol)
            }
            VariableSpace::Global | VariableSpace::Const => Err(Diagnostic::new(
                DiagnosticKind::Syntax,
                variable.name.span,
                format!("a .{} variable is declared outside of functions", variable.space.name()),
            )),
        }
    }

    fn registers(&mut self, variable: &Variable) -> Lowered<()> {
        let ty = types::declared(&variable.ty)?;
        let vector = variable.vector as usize;
        if !variable.dims.is_empty() || (vector > 1 && ty == Type::Pred) {
            return Err(Diagnostic::new(
                DiagnosticKind::Syntax,
                variable.name.span,
                "there are no arrays of registers and no vectors of predicates",
            )
            .help("expected a name, or a name and a number as in %r<4>"));
        }
        match variable.count {
            None if vector > 1 => self.vector(&variable.name, ty, vector),
            Some(count) if vector > 1 => {
                for n in 0..count.min(MAX_VECTORS) {
                    let text = format!("{}{n}", variable.name.text);
                    self.vector(&Word { text, span: variable.name.span }, ty, vector)?;
                }
                if count > MAX_VECTORS {
                    let message = format!("more than {MAX_VECTORS} vector registers");
                    return Err(Diagnostic::new(DiagnosticKind::OutOfRange, variable.name.span, message));
                }
                Ok(())
            }
            Some(count) => self.symbols.declare_range(&variable.name, count, ty),
            None => {
                let storage = self.symbols.fresh(ty, &variable.name)?;
                self.symbols.declare(&variable.name, Symbol::Register(ty, storage))
            }
        }
    }

    /// A vector register: each component is a register with two names.
    fn vector(&mut self, word: &Word, ty: Type, count: usize) -> Lowered<()> {
        self.symbols.declare(word, Symbol::Vector(count))?;
        for (component, colour) in operand::COMPONENTS.iter().zip(operand::COLOURS).take(count) {
            let storage = self.symbols.fresh(ty, word)?;
            for name in [*component, colour] {
                let word = Word { text: format!("{}.{name}", word.text), span: word.span };
                self.symbols.declare(&word, Symbol::Register(ty, storage))?;
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Lowered<()> {
        self.loc = self.lines.loc(instruction.opcode.span.start);
        self.guard = match &instruction.guard {
            Some(guard) => Some(Guard { pred: self.pred_named(&guard.name)?, negated: guard.negated }),
            None => None,
        };
        let emitted = self.instrs.len();
        let result = families::find(&instruction.opcode).and_then(|rule| {
            let modifiers = Modifiers::new(instruction);
            rule(self, instruction, &modifiers)?;
            modifiers.finish()?;
            self.written_once(emitted, instruction)
        });
        if result.is_err() {
            self.instrs.truncate(emitted);
        }
        result
    }

    /// No instruction since `from` may write a register twice.
    fn written_once(&self, from: usize, instruction: &Instruction) -> Lowered<()> {
        for instr in &self.instrs[from..] {
            let regs_twice = (1..instr.dsts.len()).any(|i| instr.dsts[..i].contains(&instr.dsts[i]));
            let preds_twice = instr.pred_dsts.len() == 2 && instr.pred_dsts[0] == instr.pred_dsts[1];
            if regs_twice || preds_twice {
                return Err(Diagnostic::new(
                    DiagnosticKind::Operand,
                    instruction.span,
                    "the same register is written twice",
                ));
            }
        }
        Ok(())
    }

    /// The label that a branch goes to, as a program counter that [`finish`] resolves.
    pub(super) fn label(&mut self, word: &Word) -> Lowered<Pc> {
        match self.symbols.find(word) {
            Ok(Symbol::Label(id)) => Ok(Pc(id.0)),
            Ok(_) => Err(Diagnostic::new(
                DiagnosticKind::Operand,
                word.span,
                format!("'{}' is not a label", word.text),
            )),
            Err(fault) => Err(fault),
        }
    }
}
