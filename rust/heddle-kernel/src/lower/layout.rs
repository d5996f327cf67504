//! Addresses of the module's variables, and the parameter block of a kernel.

use heddle_isa::memory::CONSTANT_WINDOW;
use heddle_isa::{ConstantBank, ConstantVariable, GlobalVariable, Param};

use super::frame::converts;
use super::functions::{self, Functions};
use super::initial::{self, Addresses, Known};
use super::{Lowered, types};
use crate::ast::{Constant, Function, Initializer, Item, Linkage, Module, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// First address of module-scope `.global` variables; they end below the buffers of the host.
pub const GLOBALS_BASE: u32 = 0x0800_0000;
/// A `.global` variable begins at a multiple of this, as every region of device memory does.
const GLOBALS_ALIGNMENT: u64 = 4096;
/// Bytes that `.global` variables may take together.
const GLOBALS_LIMIT: u64 = 0x0800_0000;
/// Bytes of constant memory.
pub(super) const CONSTANT_LIMIT: u64 = 64 * 1024;
/// Bytes of parameters of a kernel.
const PARAM_LIMIT: u64 = 32_764;
/// Bytes of the handle of a texture or surface reference.
const HANDLE_BYTES: u32 = 8;

/// Size and alignment of a variable in bytes; a dimension left open counts 0 unless the initial
/// value tells.
pub(crate) fn extent(variable: &Variable) -> Lowered<(u64, u64)> {
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
pub(super) struct Allocator {
    pub(super) next: u64,
    /// Least alignment of every variable.
    pub(super) align: u64,
    pub(super) limit: u64,
    pub(super) what: &'static str,
}

impl Allocator {
    pub(super) fn place(&mut self, variable: &Variable) -> Lowered<(u32, u32)> {
        let (bytes, align) = extent(variable)?;
        self.take(variable, bytes, align)
    }

    pub(super) fn take(&mut self, variable: &Variable, bytes: u64, align: u64) -> Lowered<(u32, u32)> {
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
    /// Device functions.
    pub(super) functions: Functions<'m>,
}

/// Lays out the module; faults are added to `faults`.
pub(super) fn module<'m>(module: &'m Module, faults: &mut Vec<Diagnostic>) -> ModuleLayout<'m> {
    let mut layout = ModuleLayout { functions: Functions::new(module), ..ModuleLayout::default() };
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
        if variable.linkage == Linkage::Extern {
            let message = format!("'{}' is defined in another module", variable.name.text);
            faults.push(
                Diagnostic::new(DiagnosticKind::Unsupported, variable.name.span, message)
                    .help("give the PTX of that module too, with --link or in the launch file"),
            );
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
    let known = nameable(&layout);
    for (variable, address, bytes) in placed {
        let mut contents = vec![0; bytes as usize];
        if let Some(init) = &variable.init
            && let Err(fault) = initial::fill(&mut contents, variable, init, &known)
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
    if has_generic_constants(module) && !layout.constants.bytes.is_empty() {
        layout.globals.push(GlobalVariable {
            name: "constant memory".to_owned(),
            address: CONSTANT_WINDOW,
            bytes: layout.constants.bytes.clone(),
        });
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
        let reference = is_reference(variable);
        self.constants.variables.push(ConstantVariable { name, offset, bytes, reference });
    }
}

/// What initial values can name: global and constant variables and functions.
fn nameable<'m>(layout: &ModuleLayout<'m>) -> Known<'m> {
    let variables = layout.addresses.iter().map(|(word, space, address)| {
        let own = u64::from(*address);
        let window = if *space == VariableSpace::Const { u64::from(CONSTANT_WINDOW) } else { 0 };
        (word.text.as_str(), Addresses { own, generic: own + window })
    });
    let functions = layout.functions.by_name.iter().map(|(name, &index)| {
        let own = functions::address(index);
        (*name, Addresses { own, generic: own })
    });
    variables.chain(functions).collect()
}

/// Whether something in the module has or makes a generic address of constant memory.
fn has_generic_constants(module: &Module) -> bool {
    let in_body = |f: &Function| converts(f.body.as_deref().unwrap_or(&[]), &["const"]);
    module.functions().any(in_body)
        || module.items.iter().any(|item| match item {
            Item::Variable(v) => v.init.as_ref().is_some_and(names_generic),
            Item::Function(_) => false,
        })
}

fn names_generic(init: &Initializer) -> bool {
    match init {
        Initializer::Value(Constant::Address(address), _) => address.generic,
        Initializer::Value(..) => false,
        Initializer::List(list, _) => list.iter().any(names_generic),
    }
}

/// The parameter block of a kernel.
pub(super) fn params(function: &Function, faults: &mut Vec<Diagnostic>) -> (Vec<Param>, u32) {
    let mut allocator = Allocator { next: 0, align: 1, limit: PARAM_LIMIT, what: "kernel parameters" };
    let mut params = Vec::new();
    for variable in &function.params {
        match allocator.place(variable) {
            Ok((offset, bytes)) => {
                let single = variable.dims.is_empty() && variable.vector == 1;
                let ty = types::declared(&variable.ty).ok().filter(|_| single);
                params.push(Param { name: variable.name.text.clone(), offset, bytes, ty });
            }
            Err(fault) => faults.push(fault),
        }
    }
    (params, u32::try_from(allocator.next).unwrap_or(u32::MAX))
}
