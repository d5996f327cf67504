//! The syntax tree to the IR on virtual registers.

mod call_params;
mod calls;
mod externs;
mod families;
mod finish;
mod functions;
mod initial;
mod layout;
mod modifiers;
mod operand;
mod special;
mod symbols;
mod types;

use heddle_isa::{
    CacheOp, GlobalVariable, Guard, Instr, Loc, Op, Operand as IrOperand, Pc, Pred, Program, Space, Type,
};

use crate::ast::{Callees, Function, Instruction, Module, Statement, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
use crate::span::{LineIndex, Span};
use layout::{Frame, ModuleLayout};
use modifiers::Modifiers;
use symbols::{LabelId, Symbol, Symbols};

pub use externs::warnings;
pub use layout::GLOBALS_BASE;

/// A declaration of more vector registers is refused.
const MAX_VECTORS: u64 = 4096;

/// Result of lowering one construct.
type Lowered<T> = Result<T, Diagnostic>;

/// Translates every kernel of `module`.
///
/// # Errors
/// Everything in the kernels that is wrong or not supported.
pub fn lower(module: &Module) -> Result<Vec<Program>, Diagnostics> {
    let mut programs = Vec::new();
    let mut faults = Vec::new();
    let layout = layout::module(module, &mut faults);
    let lines = LineIndex::new(&module.source.text);
    for function in module.entries() {
        if let Some(program) = entry(module, &layout, &lines, function, &mut faults) {
            programs.push(program);
        }
    }
    finish_list(module, programs, faults)
}

/// The `.global` variables of a module, which all its kernels share.
///
/// # Errors
/// Everything in the declarations that is wrong or not supported.
pub fn module_globals(module: &Module) -> Result<Vec<GlobalVariable>, Diagnostics> {
    let mut faults = Vec::new();
    let globals = layout::module(module, &mut faults).globals;
    finish_list(module, globals, faults)
}

/// Translates the kernel called `name`, or the only one when no name is given.
///
/// # Errors
/// No such kernel, or everything in it that is wrong or not supported.
pub fn lower_entry(module: &Module, name: Option<&str>) -> Result<Program, Diagnostics> {
    let mut faults = Vec::new();
    let function = choose(module, name).map_err(|fault| one(module, fault))?;
    let layout = layout::module(module, &mut faults);
    let lines = LineIndex::new(&module.source.text);
    let program = entry(module, &layout, &lines, function, &mut faults);
    match finish_list(module, program, faults)? {
        Some(program) => Ok(program),
        None => Err(one(
            module,
            Diagnostic::new(
                DiagnosticKind::Entry,
                function.name.span,
                format!("kernel '{}' has no body", function.name.text),
            ),
        )),
    }
}

fn one(module: &Module, fault: Diagnostic) -> Diagnostics {
    Diagnostics::new(module.source.clone(), vec![fault])
}

fn finish_list<T>(module: &Module, value: T, mut faults: Vec<Diagnostic>) -> Result<T, Diagnostics> {
    if faults.is_empty() {
        return Ok(value);
    }
    faults.sort_by_key(|d| d.span.start);
    faults.dedup();
    Err(Diagnostics::new(module.source.clone(), faults))
}

fn choose<'m>(module: &'m Module, name: Option<&str>) -> Lowered<&'m Function> {
    let names: Vec<&str> = module.entries().map(|f| f.name.text.as_str()).collect();
    let nowhere = Span::default();
    match name {
        Some(name) => module.entries().find(|f| f.name.text == name).ok_or_else(|| {
            let message = format!("there is no kernel '{name}'");
            let fault = Diagnostic::new(DiagnosticKind::Entry, nowhere, message);
            fault.help(format!("the kernels are: {}", names.join(", "))).suggest(name, names.iter().copied())
        }),
        None => match module.entries().collect::<Vec<_>>()[..] {
            [function] => Ok(function),
            [] => Err(Diagnostic::new(DiagnosticKind::Entry, nowhere, "the module has no kernel")
                .help("expected at least one '.entry'")),
            [_, second, ..] => Err(Diagnostic::new(
                DiagnosticKind::Entry,
                second.name.span,
                "the module has more than one kernel",
            )
            .help(format!("name one of: {}", names.join(", ")))),
        },
    }
}

fn entry<'m>(
    module: &'m Module,
    layout: &'m ModuleLayout<'m>,
    lines: &'m LineIndex,
    function: &'m Function,
    faults: &mut Vec<Diagnostic>,
) -> Option<Program> {
    let body = function.body.as_deref()?;
    let before = faults.len();
    let (params, param_bytes) = layout::params(function, faults);
    let frame = layout::frame(layout, function, param_bytes, faults);
    let mut lowering = Lowering {
        module,
        lines,
        frame,
        symbols: Symbols::new(),
        instrs: Vec::new(),
        labels: Vec::new(),
        guard: None,
        loc: Loc::default(),
        carry: None,
        branch_targets: Vec::new(),
        call_params: Vec::new(),
        prototypes: Vec::new(),
        layout,
        calls: Vec::new(),
        faults: Vec::new(),
    };
    lowering.module_scope(layout);
    lowering.symbols.open();
    for (variable, param) in function.params.iter().zip(&params) {
        let symbol = Symbol::Variable(VariableSpace::Param, param.offset);
        lowering.declare(&variable.name, symbol);
    }
    lowering.copy_params();
    lowering.body(body);
    lowering.end(function.end);
    faults.append(&mut lowering.faults);
    if faults.len() > before {
        return None;
    }
    Some(finish::program(lowering, layout, function, params, param_bytes))
}

/// One kernel in the making.
struct Lowering<'m> {
    module: &'m Module,
    lines: &'m LineIndex,
    frame: Frame,
    symbols: Symbols,
    /// Branches name labels until [`finish`].
    instrs: Vec<Instr>,
    /// Where each label stands.
    labels: Vec<Option<usize>>,
    guard: Option<Guard>,
    loc: Loc,
    /// The predicate that stands for the carry flag, once something uses it.
    carry: Option<Pred>,
    /// Lists of branch targets so far.
    branch_targets: Vec<Vec<Word>>,
    /// Parameters of calls so far.
    call_params: Vec<call_params::CallParam>,
    /// Prototypes of calls so far.
    prototypes: Vec<&'m Callees>,
    layout: &'m ModuleLayout<'m>,
    /// Device functions being inlined and where each returns to, innermost last.
    calls: Vec<(String, LabelId)>,
    faults: Vec<Diagnostic>,
}

impl<'m> Lowering<'m> {
    fn text(&self) -> &str {
        &self.module.source.text
    }

    fn declare(&mut self, word: &Word, symbol: Symbol) {
        if let Err(fault) = self.symbols.declare(word, symbol) {
            self.faults.push(fault);
        }
    }

    fn module_scope(&mut self, layout: &'m ModuleLayout<'m>) {
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

    fn body(&mut self, statements: &'m [Statement]) {
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

    /// An instruction at the current place with the current guard.
    fn new_instr(&self, op: Op) -> Instr {
        let mut instr = Instr::new(op, self.loc);
        instr.guard = self.guard;
        instr
    }

    fn emit(&mut self, instr: Instr) {
        self.instrs.push(instr);
    }

    /// A label that stands nowhere yet.
    fn new_label(&mut self) -> LabelId {
        self.labels.push(None);
        LabelId(u32::try_from(self.labels.len() - 1).unwrap_or(u32::MAX))
    }

    /// Puts a label before the next instruction.
    fn place_label(&mut self, id: LabelId) {
        self.labels[id.0 as usize] = Some(self.instrs.len());
    }

    /// The predicate that stands for the carry flag.
    fn carry(&mut self, span: Span) -> Lowered<Pred> {
        if let Some(pred) = self.carry {
            return Ok(pred);
        }
        let pred = self.fresh_pred(span)?;
        self.carry = Some(pred);
        Ok(pred)
    }

    /// Copies the kernel's parameters to local memory where something takes their generic address.
    fn copy_params(&mut self) {
        let Some(copy) = self.frame.param_copy else {
            return;
        };
        let mut at = 0;
        while at < self.frame.param_bytes {
            let ty = if self.frame.param_bytes - at >= 4 { Type::B32 } else { Type::B8 };
            let word = Word { text: String::new(), span: Span::default() };
            let Ok(symbols::Storage::Reg(value)) = self.symbols.fresh(ty, &word) else {
                return;
            };
            let mut load =
                self.new_instr(Op::Ld { space: Space::Param, ty, vector: 1, cache: CacheOp::default() });
            load.dsts.push(value);
            load.srcs.push(IrOperand::Imm(at.into()));
            let mut store =
                self.new_instr(Op::St { space: Space::Local, ty, vector: 1, cache: CacheOp::default() });
            store.srcs.extend([IrOperand::Imm((copy + at).into()), IrOperand::Reg(value)]);
            self.emit(load);
            self.emit(store);
            at += ty.bytes();
        }
    }

    /// Threads that reach the end of the body exit.
    fn end(&mut self, span: Span) {
        let falls_off = self.instrs.last().is_none_or(crate::cfg::falls_through);
        let label_at_end = self.labels.iter().flatten().any(|&at| at == self.instrs.len());
        if falls_off || label_at_end {
            let loc = self.lines.loc(span.start);
            self.instrs.push(Instr::new(Op::Exit, loc));
        }
    }

    /// The label that a branch goes to, as a program counter that [`finish`] resolves.
    fn label(&mut self, word: &Word) -> Lowered<Pc> {
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

/// The types of a class, for tables of families.
const INTEGERS: &[Type] = &[Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64];
