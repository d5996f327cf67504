//! The syntax tree to the IR on virtual registers.

mod arguments;
mod body;
mod call_params;
mod calls;
mod declared;
mod externs;
mod families;
mod finish;
mod frame;
mod functions;
mod initial;
mod layout;
mod modifiers;
mod no_effect;
mod operand;
mod param_copy;
mod special;
mod symbols;
mod types;

use heddle_isa::{GlobalVariable, Guard, Instr, Loc, Op, Pred, Program, Type};

use crate::ast::{Callees, Function, Module, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
use crate::span::{LineIndex, Span};
use frame::Frame;
use layout::ModuleLayout;
use symbols::{LabelId, Symbol, Symbols};

pub use layout::GLOBALS_BASE;
pub(crate) use layout::extent;
pub use no_effect::warnings;

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
            .help(format!("name one of them, with --entry: {}", names.join(", ")))),
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
    let frame = frame::frame(layout, function, param_bytes, faults);
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
        inlined: 0,
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
    finish::program(lowering, layout, function, params, param_bytes).map_err(|fault| faults.push(fault)).ok()
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
    /// Calls that were inlined.
    inlined: usize,
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

    /// Threads that reach the end of the body exit.
    fn end(&mut self, span: Span) {
        let falls_off = self.instrs.last().is_none_or(crate::cfg::falls_through);
        let label_at_end = self.labels.iter().flatten().any(|&at| at == self.instrs.len());
        if falls_off || label_at_end {
            let loc = self.lines.loc(span.start);
            self.instrs.push(Instr::new(Op::Exit, loc));
        }
    }
}

/// The types of a class, for tables of families.
const INTEGERS: &[Type] = &[Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64];
