//! Addresses of variables.

use std::collections::{HashMap, HashSet};

use heddle_isa::{ConstantBank, ConstantVariable, GlobalVariable, Param};

use super::{Lowered, types};
use crate::ast::{
    Constant, Function, Initializer, Item, Module, Operand, OperandKind, Statement, Variable, VariableSpace,
    Word,
};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// First address of module-scope `.global` variables; they end below the buffers of the host.
pub const GLOBALS_BASE: u32 = 0x0800_0000;
/// Where a copy of constant memory stands whose address a module takes as a generic one.
pub(super) const CONSTANTS_BASE: u32 = 0x0700_0000;
/// A `.global` variable begins at a multiple of this, as every region of device memory does.
const GLOBALS_ALIGNMENT: u64 = 4096;
/// Bytes that `.global` variables may take together.
const GLOBALS_LIMIT: u64 = 0x0800_0000;
/// Bytes of constant memory.
pub(super) const CONSTANT_LIMIT: u64 = 64 * 1024;
/// Bytes of parameters of a kernel.
const PARAM_LIMIT: u64 = 32_764;
/// Bytes of shared memory that a kernel may declare.
const SHARED_LIMIT: u64 = 228 * 1024;
/// Bytes of local memory of a thread.
const LOCAL_LIMIT: u64 = 512 * 1024;
/// The copy of the parameters begins at a multiple of this.
const PARAM_COPY_ALIGNMENT: u64 = 16;
/// Bytes of the handle of a texture or surface reference.
const HANDLE_BYTES: u32 = 8;
/// Dynamic shared memory begins at a multiple of this.
const DYNAMIC_SHARED_ALIGNMENT: u64 = 16;

/// Size and alignment of a variable in bytes; a dimension left open counts 0 unless the initial
/// value tells.
fn extent(variable: &Variable) -> Lowered<(u64, u64)> {
    if let "texref" | "samplerref" | "surfref" = variable.ty.text.as_str() {
        return Err(Diagnostic::new(
            DiagnosticKind::Unsupported,
            variable.ty.span,
            format!("a .{} variable of this kind is not supported", variable.ty.text),
        )
        .help("expected a module-scope .texref or .surfref without dimensions and initial value"));
    }
    let element = u64::from(types::declared(&variable.ty)?.bytes()) * u64::from(variable.vector);
    if element == 0 {
        return Err(Diagnostic::new(
            DiagnosticKind::TypeMismatch,
            variable.ty.span,
            "predicates can only be registers",
        ));
    }
    let mut count = Some(1u64);
    for (i, dim) in variable.dims.iter().enumerate() {
        let dim = match (dim, &variable.init) {
            (Some(n), _) => *n,
            (None, Some(Initializer::List(list, _))) if i == 0 => list.len() as u64,
            (None, _) => 0,
        };
        count = count.and_then(|c| c.checked_mul(dim));
    }
    let bytes = count.and_then(|c| c.checked_mul(element)).ok_or_else(|| {
        Diagnostic::new(
            DiagnosticKind::OutOfRange,
            variable.name.span,
            format!("the size of '{}' does not fit 64 bits", variable.name.text),
        )
    })?;
    Ok((bytes, variable.align.unwrap_or(1).max(element)))
}

/// Gives out addresses of one space in the order of declaration.
struct Allocator {
    next: u64,
    /// Least alignment of every variable.
    align: u64,
    limit: u64,
    what: &'static str,
}

impl Allocator {
    fn place(&mut self, variable: &Variable) -> Lowered<(u32, u32)> {
        let (bytes, align) = extent(variable)?;
        self.take(variable, bytes, align)
    }

    fn take(&mut self, variable: &Variable, bytes: u64, align: u64) -> Lowered<(u32, u32)> {
        let start = self.next.next_multiple_of(align.max(self.align));
        let end = start.checked_add(bytes).filter(|&e| e <= self.limit);
        let (Some(end), Ok(start), Ok(size)) = (end, u32::try_from(start), u32::try_from(bytes)) else {
            return Err(Diagnostic::new(
                DiagnosticKind::OutOfRange,
                variable.name.span,
                format!(
                    "'{}' ({bytes} bytes) does not fit the {} bytes of {}",
                    variable.name.text, self.limit, self.what
                ),
            ));
        };
        self.next = end;
        Ok((start, size))
    }
}

/// Variables of the whole module.
#[derive(Default)]
pub(super) struct ModuleLayout<'m> {
    /// Initial contents of constant memory.
    pub(super) constants: ConstantBank,
    /// Global variables.
    pub(super) globals: Vec<GlobalVariable>,
    /// Addresses of global and constant variables, in order.
    pub(super) addresses: Vec<(&'m Word, VariableSpace, u32)>,
    /// Texture and surface references, and where in constant memory the host puts their handles.
    pub(super) references: Vec<(&'m Word, u32)>,
    /// Shared variables, which each kernel lays out by itself.
    pub(super) shared: Vec<&'m Variable>,
}

/// Lays out the module; faults are added to `faults`.
pub(super) fn module<'m>(module: &'m Module, faults: &mut Vec<Diagnostic>) -> ModuleLayout<'m> {
    let mut layout = ModuleLayout::default();
    let mut global =
        Allocator { next: 0, align: GLOBALS_ALIGNMENT, limit: GLOBALS_LIMIT, what: "global variables" };
    let mut constant = Allocator { next: 0, align: 1, limit: CONSTANT_LIMIT, what: "constant memory" };
    let mut placed = Vec::new();
    for item in &module.items {
        let Item::Variable(variable) = item else {
            continue;
        };
        let (allocator, base) = match variable.space {
            VariableSpace::Global => (&mut global, GLOBALS_BASE),
            VariableSpace::Const => (&mut constant, 0),
            _ => {
                layout.shared.push(variable);
                continue;
            }
        };
        if variable.is_extern {
            faults.push(Diagnostic::new(
                DiagnosticKind::Unsupported,
                variable.name.span,
                format!("'{}' is defined in another module", variable.name.text),
            ));
            continue;
        }
        if is_reference(variable) {
            match constant.take(variable, HANDLE_BYTES.into(), HANDLE_BYTES.into()) {
                Ok((offset, bytes)) => {
                    layout.references.push((&variable.name, offset));
                    layout.put_constant(variable, offset, &vec![0; bytes as usize]);
                }
                Err(fault) => faults.push(fault),
            }
            continue;
        }
        match allocator.place(variable) {
            Ok((start, bytes)) => {
                let address = base + start;
                layout.addresses.push((&variable.name, variable.space, address));
                placed.push((variable, address, bytes));
            }
            Err(fault) => faults.push(fault),
        }
    }
    let known: HashMap<&str, u32> = layout
        .addresses
        .iter()
        .filter(|(_, space, _)| *space == VariableSpace::Global)
        .map(|(word, _, address)| (word.text.as_str(), *address))
        .collect();
    for (variable, address, bytes) in placed {
        let mut contents = vec![0; bytes as usize];
        if let Some(init) = &variable.init
            && let Err(fault) = fill(&mut contents, variable, init, &known)
        {
            faults.push(fault);
        }
        if variable.space == VariableSpace::Global {
            layout.globals.push(GlobalVariable {
                name: variable.name.text.clone(),
                address,
                bytes: contents,
            });
        } else {
            layout.put_constant(variable, address, &contents);
        }
    }
    layout
}

/// Whether a variable stands for a texture or surface that the host binds by name.
fn is_reference(variable: &Variable) -> bool {
    matches!(variable.ty.text.as_str(), "texref" | "surfref")
        && variable.space == VariableSpace::Global
        && variable.dims.is_empty()
        && variable.init.is_none()
}

impl ModuleLayout<'_> {
    fn put_constant(&mut self, variable: &Variable, offset: u32, contents: &[u8]) {
        let start = offset as usize;
        let bank = &mut self.constants.bytes;
        bank.resize(bank.len().max(start + contents.len()), 0);
        bank[start..start + contents.len()].copy_from_slice(contents);
        let bytes = u32::try_from(contents.len()).unwrap_or(u32::MAX);
        let name = variable.name.text.clone();
        self.constants.variables.push(ConstantVariable { name, offset, bytes });
    }
}

/// Writes the initial value of `variable` over zeroed `contents`.
fn fill(
    contents: &mut [u8],
    variable: &Variable,
    init: &Initializer,
    known: &HashMap<&str, u32>,
) -> Lowered<()> {
    let width = types::declared(&variable.ty)?.bytes() as usize;
    let strides: Vec<usize> = {
        let mut dims: Vec<u64> = variable.dims.iter().map(|d| d.unwrap_or(0)).collect();
        if variable.vector > 1 {
            dims.push(u64::from(variable.vector));
        }
        let mut strides = vec![width];
        for dim in dims.iter().skip(1).rev() {
            let inner = strides.last().copied().unwrap_or(width);
            strides.push(inner.saturating_mul(usize::try_from(*dim).unwrap_or(usize::MAX)));
        }
        strides.reverse();
        strides
    };
    let writer = Filler { variable, width, known };
    match init {
        Initializer::List(..) if !variable.dims.is_empty() || variable.vector > 1 => {
            writer.level(contents, init, &strides)
        }
        _ => writer.level(contents, init, &[]),
    }
}

struct Filler<'a> {
    variable: &'a Variable,
    width: usize,
    known: &'a HashMap<&'a str, u32>,
}

impl Filler<'_> {
    fn level(&self, contents: &mut [u8], init: &Initializer, strides: &[usize]) -> Lowered<()> {
        let (list, span) = match init {
            Initializer::Value(constant, span) => {
                let bits = self.bits(constant, *span)?;
                if contents.len() < self.width {
                    return Err(self.too_many(*span));
                }
                contents[..self.width].copy_from_slice(&bits.to_le_bytes()[..self.width]);
                return Ok(());
            }
            Initializer::List(list, span) => (list, *span),
        };
        let Some((&stride, inner)) = strides.split_first() else {
            return Err(Diagnostic::new(
                DiagnosticKind::Syntax,
                span,
                "the initial value is nested deeper than the variable's dimensions",
            ));
        };
        for (i, element) in list.iter().enumerate() {
            let from = i.saturating_mul(stride);
            let to = from.saturating_add(stride);
            let Some(part) = contents.get_mut(from..to) else {
                return Err(self.too_many(span));
            };
            self.level(part, element, inner)?;
        }
        Ok(())
    }

    fn too_many(&self, span: crate::span::Span) -> Diagnostic {
        Diagnostic::new(
            DiagnosticKind::OutOfRange,
            span,
            format!("'{}' has fewer elements than initial values", self.variable.name.text),
        )
    }

    fn bits(&self, constant: &Constant, span: crate::span::Span) -> Lowered<u64> {
        let ty = types::declared(&self.variable.ty)?;
        match constant {
            Constant::Address(word, offset) => match self.known.get(word.text.as_str()) {
                Some(&address) => Ok(u64::from(address).wrapping_add_signed(*offset)),
                None => Err(Diagnostic::new(
                    DiagnosticKind::UndefinedName,
                    word.span,
                    format!("'{}' is not a global variable", word.text),
                )
                .suggest(&word.text, self.known.keys().copied())),
            },
            _ => super::operand::constant_bits(constant, ty, span),
        }
    }
}

/// The parameter block of a kernel.
pub(super) fn params(function: &Function, faults: &mut Vec<Diagnostic>) -> (Vec<Param>, u32) {
    let mut allocator = Allocator { next: 0, align: 1, limit: PARAM_LIMIT, what: "kernel parameters" };
    let mut params = Vec::new();
    for variable in &function.params {
        match allocator.place(variable) {
            Ok((offset, bytes)) => params.push(Param { name: variable.name.text.clone(), offset, bytes }),
            Err(fault) => faults.push(fault),
        }
    }
    (params, u32::try_from(allocator.next).unwrap_or(u32::MAX))
}

/// Offsets of a kernel's shared and local variables by the place of their declaration.
#[derive(Default)]
pub(super) struct Frame {
    /// Offset of each variable, keyed by the first byte of its name in the text.
    pub(super) offsets: HashMap<usize, u32>,
    /// Static shared memory in bytes.
    pub(super) shared_bytes: u32,
    /// Local memory in bytes.
    pub(super) local_bytes: u32,
    /// Bytes of the kernel's parameters.
    pub(super) param_bytes: u32,
    /// Offset of their copy in local memory, where the kernel takes their generic address.
    pub(super) param_copy: Option<u32>,
}

/// Lays out the shared variables that `function` and what it calls mention, and their local
/// variables; a function that is called twice is never active twice at a time. Dynamic shared
/// memory (`.extern .shared`) follows the static part.
pub(super) fn frame(
    module: &Module,
    shared: &[&Variable],
    function: &Function,
    param_bytes: u32,
    faults: &mut Vec<Diagnostic>,
) -> Frame {
    let mut names = HashSet::new();
    let mut declared = Vec::new();
    let body = function.body.as_deref().unwrap_or(&[]);
    collect(body, &mut names, &mut declared);
    let mut rest: Vec<&Function> = module.functions().filter(|f| !f.is_entry).collect();
    while let Some(at) = rest.iter().position(|f| names.contains(f.name.text.as_str())) {
        let callee = rest.swap_remove(at);
        collect(callee.body.as_deref().unwrap_or(&[]), &mut names, &mut declared);
    }
    let mut frame = Frame { param_bytes, ..Frame::default() };
    let mut static_shared = Allocator { next: 0, align: 1, limit: SHARED_LIMIT, what: "shared memory" };
    let mut local = Allocator { next: 0, align: 1, limit: LOCAL_LIMIT, what: "local memory" };
    let mut dynamic = Vec::new();
    let used = shared.iter().filter(|v| names.contains(v.name.text.as_str()));
    for variable in used.copied().chain(declared) {
        let key = variable.name.span.start;
        let allocator = match variable.space {
            VariableSpace::Shared if is_dynamic(variable) => {
                dynamic.push(variable);
                continue;
            }
            VariableSpace::Shared => &mut static_shared,
            _ => &mut local,
        };
        match allocator.place(variable) {
            Ok((offset, _)) => {
                frame.offsets.insert(key, offset);
            }
            Err(fault) => faults.push(fault),
        }
    }
    for variable in &dynamic {
        match extent(variable) {
            Ok((_, align)) => {
                let align = align.max(DYNAMIC_SHARED_ALIGNMENT);
                static_shared.next = static_shared.next.next_multiple_of(align);
            }
            Err(fault) => faults.push(fault),
        }
    }
    frame.shared_bytes = u32::try_from(static_shared.next).unwrap_or(u32::MAX);
    if converts(body, &["param", "param::entry"]) {
        local.next = local.next.next_multiple_of(PARAM_COPY_ALIGNMENT);
        frame.param_copy = u32::try_from(local.next).ok();
        local.next += u64::from(param_bytes);
    }
    frame.local_bytes = u32::try_from(local.next.next_multiple_of(8)).unwrap_or(u32::MAX);
    for variable in dynamic {
        frame.offsets.insert(variable.name.span.start, frame.shared_bytes);
    }
    frame
}

/// Whether a `cvta` of these statements makes or takes generic addresses of a space.
fn converts(statements: &[Statement], spaces: &[&str]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Scope(inner, _) => converts(inner, spaces),
        Statement::Instruction(i) => {
            i.opcode.text == "cvta" && i.modifiers.iter().any(|w| spaces.contains(&w.text.as_str()))
        }
        _ => false,
    })
}

fn is_dynamic(variable: &Variable) -> bool {
    variable.is_extern || variable.dims.first() == Some(&None)
}

fn collect<'f>(statements: &'f [Statement], names: &mut HashSet<&'f str>, declared: &mut Vec<&'f Variable>) {
    for statement in statements {
        match statement {
            Statement::Scope(inner, _) => collect(inner, names, declared),
            Statement::Variable(v) if matches!(v.space, VariableSpace::Shared | VariableSpace::Local) => {
                declared.push(v);
            }
            Statement::Instruction(i) => i.operands.iter().for_each(|o| mention(o, names)),
            Statement::Variable(_)
            | Statement::Label(_)
            | Statement::BranchTargets(..)
            | Statement::Prototype(_) => {}
        }
    }
}

fn mention<'f>(operand: &'f Operand, names: &mut HashSet<&'f str>) {
    match &operand.kind {
        OperandKind::Name(name, _) => {
            names.insert(name);
        }
        OperandKind::Address { base: Some(word), .. } | OperandKind::Not(word) => {
            names.insert(&word.text);
        }
        OperandKind::Vector(list) | OperandKind::List(list) | OperandKind::Texture(list) => {
            list.iter().for_each(|o| mention(o, names));
        }
        OperandKind::Pair(a, b) => {
            mention(a, names);
            mention(b, names);
        }
        OperandKind::Address { base: None, .. } | OperandKind::Constant(_) | OperandKind::Sink => {}
    }
}
