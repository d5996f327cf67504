//! The front end: PTX text to programs of the kernel IR.
//!
//! ```text
//! PTX text --parse--> syntax tree --lower--> IR on virtual registers --allocate--> R0..R254
//! ```
//!
//! [`parse`] reads the grammar, [`lower`] resolves names, checks types and translates instructions
//! family by family, [`allocate`] gives out registers. [`compile`] does all three. Everything that is
//! wrong or not supported is a [`Diagnostic`] with its place in the text; nothing is skipped silently.
//!
//! The analyses that the passes need are public: [`cfg`], [`dominators`], [`ways`] and [`liveness`].

pub mod alloc;
pub mod ast;
pub mod cfg;
pub mod check;
mod computes;
mod constant_operands;
pub mod diagnostic;
pub mod dominators;
mod edit;
pub mod emit;
mod initialise;
mod lexer;
mod link;
pub mod liveness;
mod lower;
mod order;
mod parse;
pub mod print;
pub mod span;
pub mod ways;

use std::borrow::Cow;

use heddle_files::Input;
use heddle_isa::{Pc, Program};

pub use alloc::{AllocError, AllocOptions, Allocation, allocate, allocate_traced};
pub use check::{Checked, OrderError, OrderFault, check_allocation, check_order};
pub use constant_operands::with_constant_operands;
pub use diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
pub use emit::{cfg_dot, liveness_text};
pub use initialise::initialise;
pub use link::link;
pub use lower::{GLOBALS_BASE, lower, lower_entry, module_globals, warnings};
pub use order::{Ordered, with_early_loads};
pub use parse::{MAX_TOKENS, parse};
pub use print::program_text;

/// A file with PTX: real ones have some megabytes at most.
pub const PTX_FILE: Input = Input { expected: "PTX text", most: 64 << 20 };

/// How a kernel is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompileOptions {
    /// Of the register allocation.
    pub alloc: AllocOptions,
    /// Instructions take parameters and constants from their bank; see [`with_constant_operands`].
    pub constant_operands: bool,
    /// Loads begin early while at most that many registers are live; 0: the order of the text. See [`with_early_loads`].
    pub early_loads: u32,
}

impl From<AllocOptions> for CompileOptions {
    fn from(alloc: AllocOptions) -> Self {
        Self { alloc, ..Self::default() }
    }
}

/// A kernel before and after register allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// On virtual registers, as written.
    pub parsed: Program,
    /// The same with loads early, where that is asked for.
    pub ordered: Option<Program>,
    /// On architectural registers.
    pub allocated: Program,
    /// By instruction of the allocated program: the one of the parsed program, or of the ordered one, that it is, if the
    /// allocator did not add it.
    pub origins: Vec<Option<Pc>>,
    /// What the kernel does that has no effect.
    pub warnings: Option<Diagnostics>,
}

/// Compiles the kernel called `entry` of a PTX text, or its only kernel. `name` is the file's name in
/// messages. Every allocation is proved by [`check_allocation`].
///
/// # Errors
/// Everything in the text that is wrong or not supported, or that the kernel does not fit the
/// registers.
pub fn compile(
    name: &str,
    text: &str,
    entry: Option<&str>,
    options: impl Into<CompileOptions>,
) -> Result<Compiled, Diagnostics> {
    compile_module(&parse(name, text)?, entry, options)
}

/// As [`compile`], of a module that is read, or of several that are linked.
///
/// # Errors
/// As [`compile`].
pub fn compile_module(
    module: &ast::Module,
    entry: Option<&str>,
    options: impl Into<CompileOptions>,
) -> Result<Compiled, Diagnostics> {
    let options = options.into();
    let parsed = lower_entry(module, entry)?;
    let fault = |fault: Fault| {
        let function = module.entries().find(|f| f.name.text == parsed.name);
        let span = function.map_or(span::Span::default(), |f| fault.at(f).span);
        let fault = Diagnostic::new(DiagnosticKind::Registers, span, fault.to_string());
        Diagnostics::new(module.source.clone(), vec![fault])
    };
    let source =
        if options.constant_operands { with_constant_operands(&parsed) } else { Cow::Borrowed(&parsed) };
    let mut allocation = allocated(&source, options).map_err(fault)?;
    let mut ordered = None;
    if let Some(early) = early_loads(&source, options).map_err(fault)? {
        match allocated(&early, options) {
            // Loads are not early at the price of spills.
            Ok(of_early) if of_early.program.local_bytes <= allocation.program.local_bytes => {
                (allocation, ordered) = (of_early, Some(early));
            }
            Ok(_) | Err(Fault::Registers(_)) => {}
            Err(defect) => return Err(fault(defect)),
        }
    }
    drop(source);
    let origins = allocation.origins.iter().map(|o| (!o.inserted).then_some(o.pc)).collect();
    let warnings = warnings(module, |name| name == parsed.name);
    Ok(Compiled { parsed, ordered, allocated: allocation.program, origins, warnings })
}

/// Why a program has no allocation.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Registers(#[from] AllocError),
    #[error("the allocation is wrong, which is a defect of Heddle: {0}")]
    Allocation(#[from] check::CheckError),
    #[error("the order is wrong, which is a defect of Heddle: {0}")]
    Order(#[from] OrderError),
}

impl Fault {
    /// What in the text of `function` the fault is about: the limit that it declares, or its name.
    fn at<'f>(&self, function: &'f ast::Function) -> &'f ast::Word {
        let mut words = function.directives.iter().map(|(word, _)| word);
        match self {
            Self::Registers(AllocError::TooFew { declared: Some(_), .. }) => {
                words.rfind(|word| word.text == "maxnreg").unwrap_or(&function.name)
            }
            _ => &function.name,
        }
    }
}

/// `program` with registers given out, and proved.
fn allocated(program: &Program, options: CompileOptions) -> Result<Allocation, Fault> {
    let allocation = allocate_traced(program, options.alloc)?;
    check_allocation(program, &allocation)?;
    Ok(allocation)
}

/// `program` with loads early, and proved; `None` where none comes earlier.
fn early_loads(program: &Program, options: CompileOptions) -> Result<Option<Program>, Fault> {
    if options.early_loads == 0 {
        return Ok(None);
    }
    let ordered = with_early_loads(program, options.early_loads.min(options.alloc.max_registers));
    let moved = check_order(program, &ordered)?;
    Ok((moved > 0).then_some(ordered.program))
}
