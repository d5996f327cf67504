//! Shared and local memory of a kernel: offsets of its variables, and what else takes room in them.

use std::collections::{HashMap, HashSet};

use super::functions::{self, Functions};
use super::layout::{Allocator, ModuleLayout, extent};
use super::special::{self, RESERVED_SHARED_BYTES};
use crate::ast::{Function, Linkage, OperandKind, Statement, Variable, VariableSpace};
use crate::diagnostic::Diagnostic;

/// Bytes of shared memory that a kernel may declare.
const SHARED_LIMIT: u64 = 228 * 1024;
/// Bytes of local memory of a thread.
const LOCAL_LIMIT: u64 = 512 * 1024;
/// The copy of the parameters begins at a multiple of this.
const PARAM_COPY_ALIGNMENT: u64 = 16;
/// Dynamic shared memory begins at a multiple of this.
const DYNAMIC_SHARED_ALIGNMENT: u64 = 16;
/// A function's parameter is copied to local memory in words of this size.
const COPIED_WORD: u64 = 4;

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
    /// Bytes at the start of shared memory that are not the kernel's.
    pub(super) reserved_shared_bytes: u32,
}

/// Lays out the shared variables that `function` and what it calls mention, their local variables,
/// and the parameters of functions whose address they take; a function that is called twice is never
/// active twice at a time. The reserved region comes first where something asks for it, dynamic
/// shared memory (`.extern .shared`) follows the static part.
pub(super) fn frame(
    layout: &ModuleLayout<'_>,
    function: &Function,
    param_bytes: u32,
    faults: &mut Vec<Diagnostic>,
) -> Frame {
    let body = function.body.as_deref().unwrap_or(&[]);
    let mut reachable = Reachable {
        functions: &layout.functions,
        names: HashSet::new(),
        declared: Vec::new(),
        entered: HashSet::new(),
    };
    reachable.add(body);
    let Reachable { names, declared, entered, .. } = reachable;
    let mut frame = Frame { param_bytes, ..Frame::default() };
    if names.iter().any(|name| special::reserved_shared(name).is_some()) {
        frame.reserved_shared_bytes = RESERVED_SHARED_BYTES;
    }
    let mut static_shared = Allocator {
        next: frame.reserved_shared_bytes.into(),
        align: 1,
        limit: SHARED_LIMIT,
        what: "shared memory",
    };
    let mut local = Allocator { next: 0, align: 1, limit: LOCAL_LIMIT, what: "local memory" };
    let mut dynamic = Vec::new();
    let used = layout.shared.iter().filter(|v| names.contains(v.name.text.as_str()));
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
    let mut called: Vec<&Function> = entered.iter().map(|&index| layout.functions.list[index]).collect();
    called.sort_unstable_by_key(|f| f.name.span.start);
    for formal in called.iter().flat_map(|f| addressed_params(f)) {
        let align = extent(formal).map_or(1, |(_, align)| align).max(COPIED_WORD);
        match local.take(formal, copied_bytes(formal), align) {
            Ok((offset, _)) => {
                frame.offsets.insert(formal.name.span.start, offset);
            }
            Err(fault) => faults.push(fault),
        }
    }
    let bodies = called.iter().filter_map(|f| f.body.as_deref());
    if [body].into_iter().chain(bodies).any(|body| converts(body, &["param", "param::entry"])) {
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

/// Bytes that the copy of a function's parameter takes in local memory: whole words.
pub(super) fn copied_bytes(formal: &Variable) -> u64 {
    extent(formal).map_or(0, |(bytes, _)| bytes.div_ceil(COPIED_WORD).saturating_mul(COPIED_WORD))
}

/// The parameters of a function whose address its instructions take.
fn addressed_params(function: &Function) -> Vec<&Variable> {
    let mut names = HashSet::new();
    addressed(function.body.as_deref().unwrap_or(&[]), &mut names);
    let in_memory = |v: &&Variable| v.space == VariableSpace::Param && names.contains(v.name.text.as_str());
    function.params.iter().filter(in_memory).collect()
}

/// Names that stand without brackets in instructions other than calls: of a variable, its address.
fn addressed<'f>(statements: &'f [Statement], names: &mut HashSet<&'f str>) {
    for statement in statements {
        match statement {
            Statement::Scope(inner, _) => addressed(inner, names),
            Statement::Instruction(i) if i.opcode.text != "call" => {
                names.extend(i.operands.iter().filter_map(|o| match &o.kind {
                    OperandKind::Name(name, _) => Some(name.as_str()),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
}

/// Whether a `cvta` of these statements makes or takes generic addresses of a space.
pub(super) fn converts(statements: &[Statement], spaces: &[&str]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Scope(inner, _) => converts(inner, spaces),
        Statement::Instruction(i) => {
            i.opcode.text == "cvta" && i.modifiers.iter().any(|w| spaces.contains(&w.text.as_str()))
        }
        _ => false,
    })
}

fn is_dynamic(variable: &Variable) -> bool {
    variable.linkage == Linkage::Extern || variable.dims.first() == Some(&None)
}

/// What the statements of a kernel and of the functions that it may call mention.
struct Reachable<'f> {
    functions: &'f Functions<'f>,
    names: HashSet<&'f str>,
    /// Shared and local variables declared in bodies.
    declared: Vec<&'f Variable>,
    /// Functions whose statements are in, by number.
    entered: HashSet<usize>,
}

impl<'f> Reachable<'f> {
    /// Adds the statements, and those of functions that they name or may reach through an address.
    fn add(&mut self, statements: &'f [Statement]) {
        let mut bodies = vec![statements];
        while let Some(body) = bodies.pop() {
            let mut callees = Vec::new();
            self.collect(body, &mut callees);
            for index in callees {
                if self.entered.insert(index) {
                    bodies.extend(self.functions.list[index].body.as_deref());
                }
            }
        }
    }

    fn collect(&mut self, statements: &'f [Statement], callees: &mut Vec<usize>) {
        for statement in statements {
            match statement {
                Statement::Scope(inner, _) => self.collect(inner, callees),
                Statement::Variable(v) if matches!(v.space, VariableSpace::Shared | VariableSpace::Local) => {
                    self.declared.push(v);
                }
                Statement::Instruction(i) => {
                    let mut names = HashSet::new();
                    i.operands.iter().for_each(|o| functions::mention(o, &mut names));
                    callees.extend(names.iter().filter_map(|n| self.functions.by_name.get(n)));
                    self.names.extend(names);
                }
                Statement::Prototype(..) => callees.extend(&self.functions.taken),
                Statement::Variable(_) | Statement::Label(_) | Statement::BranchTargets(..) => {}
            }
        }
    }
}
