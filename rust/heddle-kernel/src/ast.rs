//! The syntax tree of a PTX module: what the text says, names unresolved.

use std::sync::Arc;

use heddle_isa::SourceFile;

use crate::span::Span;

/// A word of the text; dotted words are kept without their first dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A whole module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The text it was read from; of linked modules, all of them.
    pub source: Arc<SourceFile>,
    /// `.version`, as written.
    pub version: Option<String>,
    /// `.target` words, such as `sm_75`.
    pub targets: Vec<String>,
    /// Variables and functions in order.
    pub items: Vec<Item>,
    /// `.alias name, function`.
    pub aliases: Vec<(Word, Word)>,
}

impl Module {
    /// Kernels and device functions, in the order of the text.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(f) => Some(f),
            Item::Variable(_) => None,
        })
    }

    /// The kernels, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = &Function> {
        self.functions().filter(|f| f.is_entry)
    }
}

/// Who may use a name of module scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Linkage {
    /// This module alone.
    #[default]
    Local,
    /// Every module (`.visible`).
    Visible,
    /// It is defined elsewhere (`.extern`).
    Extern,
    /// Every module, and another definition may take its place (`.weak`, `.common`).
    Weak,
}

/// Something declared at module scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A variable.
    Variable(Variable),
    /// A kernel or device function.
    Function(Function),
}

/// A kernel (`.entry`) or a device function (`.func`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// Who may call it.
    pub linkage: Linkage,
    /// Its name.
    pub name: Word,
    /// Return parameters of a `.func`.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// Performance directives such as `.maxntid`, with their numbers.
    pub directives: Vec<(Word, Vec<u64>)>,
    /// Statements; `None` for a declaration.
    pub body: Option<Vec<Statement>>,
    /// Closing brace or semicolon.
    pub end: Span,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum VariableSpace {
    Reg,
    Global,
    Shared,
    Const,
    Local,
    Param,
}

impl VariableSpace {
    /// The PTX spelling, without the dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reg => "reg",
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Const => "const",
            Self::Local => "local",
            Self::Param => "param",
        }
    }
}

/// A declared variable or a range of registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Where it lives.
    pub space: VariableSpace,
    /// Who may use it.
    pub linkage: Linkage,
    /// `.align`.
    pub align: Option<u64>,
    /// `.v2` or `.v4`.
    pub vector: u32,
    /// Element type, without the dot.
    pub ty: Word,
    /// Name.
    pub name: Word,
    /// `<n>`: the names `name0` to `name(n-1)`.
    pub count: Option<u64>,
    /// Array dimensions, outermost first; `None` is `[]`.
    pub dims: Vec<Option<u64>>,
    /// Initial value.
    pub init: Option<Initializer>,
}

/// An initial value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Initializer {
    /// One number or address.
    Value(Constant, Span),
    /// Elements in braces.
    List(Vec<Initializer>, Span),
}

/// A constant in an initialiser or an operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// An integer's magnitude and sign.
    Integer {
        /// Magnitude.
        magnitude: u64,
        /// Written with a minus.
        negative: bool,
    },
    /// Bits of a 32-bit float.
    Float32(u32),
    /// Bits of a 64-bit float, or a decimal number.
    Float64(u64),
    /// The address of a variable or function.
    Address(Address),
}

/// An address in an initial value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The variable or function.
    pub name: Word,
    /// Bytes added.
    pub offset: i64,
    /// `generic(name)`: as a generic address.
    pub generic: bool,
    /// `0xff00(name)`: only the bits of the mask, moved to the lowest.
    pub mask: Option<u64>,
}

/// Whom a call through an address can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callees {
    /// `.callprototype`: functions with such returns and parameters.
    Signature {
        /// Return parameters.
        returns: Vec<Variable>,
        /// Parameters.
        params: Vec<Variable>,
    },
    /// `.calltargets`: these functions.
    Targets(Vec<Word>),
}

/// A statement of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// A label.
    Label(Word),
    /// A nested scope and its closing brace.
    Scope(Vec<Statement>, Span),
    /// A declaration.
    Variable(Variable),
    /// An instruction.
    Instruction(Instruction),
    /// `name: .branchtargets a, b, ...;`: the labels that a `brx.idx` chooses from.
    BranchTargets(Word, Vec<Word>),
    /// `name: .callprototype ...` or `name: .calltargets ...`.
    Prototype(Word, Callees),
}

/// A guard `@p` or `@!p`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardWord {
    /// The predicate's name.
    pub name: Word,
    /// `@!p`.
    pub negated: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Guard.
    pub guard: Option<GuardWord>,
    /// Base opcode, such as `ld`.
    pub opcode: Word,
    /// Dotted words after it.
    pub modifiers: Vec<Word>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// From the guard to the last operand.
    pub span: Span,
}

/// An operand and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// Its place.
    pub span: Span,
}

/// Forms of operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperandKind {
    /// A register, label, variable or special register (with its component: `%tid.x`); or a
    /// variable plus an offset.
    Name(String, i64),
    /// A number.
    Constant(Constant),
    /// `!p`.
    Not(Word),
    /// `-r`: a register of which the negative counts.
    Negated(Box<Operand>),
    /// `[base + offset]`; without a base an absolute address.
    Address {
        /// Register or variable.
        base: Option<Word>,
        /// Byte offset.
        offset: i64,
    },
    /// `{a, b, ...}`.
    Vector(Vec<Operand>),
    /// `p|q`.
    Pair(Box<Operand>, Box<Operand>),
    /// `[handle, {coordinates}]`: a texture or surface access.
    Texture(Vec<Operand>),
    /// `(a, b, ...)`: arguments of a call.
    List(Vec<Operand>),
    /// `_`: not wanted.
    Sink,
}
