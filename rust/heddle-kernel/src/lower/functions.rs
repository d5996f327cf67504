//! The functions of a module: their names, their addresses, and which of them have their address
//! taken.

use std::collections::{HashMap, HashSet};

use crate::ast::{Callees, Constant, Function, Initializer, Item, Module, Operand, OperandKind, Statement};

/// Address of the first function; functions are never read as memory, and nothing else lies so low.
const FUNCTIONS_BASE: u64 = 0x1000;
/// Distance of two functions.
const FUNCTION_STEP: u64 = 16;

/// The address that stands for function number `index`.
pub(super) fn address(index: usize) -> u64 {
    FUNCTIONS_BASE + FUNCTION_STEP * index as u64
}

/// The device functions of a module by name; a declaration gives way to its definition.
#[derive(Default)]
pub(super) struct Functions<'m> {
    /// In the order of the text.
    pub(super) list: Vec<&'m Function>,
    /// Numbers by name, other names (`.alias`) included.
    pub(super) by_name: HashMap<&'m str, usize>,
    /// Numbers of those whose address is in a register or a variable, ascending.
    pub(super) taken: Vec<usize>,
}

impl<'m> Functions<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        let mut functions = Self::default();
        for function in module.functions().filter(|f| !f.is_entry) {
            let next = functions.list.len();
            let index = *functions.by_name.entry(&function.name.text).or_insert(next);
            match functions.list.get_mut(index) {
                Some(known) if known.body.is_none() => *known = function,
                Some(_) => {}
                None => functions.list.push(function),
            }
        }
        for (name, function) in &module.aliases {
            if let Some(&index) = functions.by_name.get(function.text.as_str()) {
                functions.by_name.insert(&name.text, index);
            }
        }
        let mut names = HashSet::new();
        for item in &module.items {
            match item {
                Item::Variable(variable) => {
                    variable.init.iter().for_each(|init| addressed(init, &mut names));
                }
                Item::Function(f) => taken(f.body.as_deref().unwrap_or(&[]), &mut names),
            }
        }
        functions.taken =
            names.into_iter().filter_map(|n| functions.by_name.get(n).copied()).collect::<Vec<_>>();
        functions.taken.sort_unstable();
        functions.taken.dedup();
        functions
    }
}

/// Names whose address an initial value holds.
fn addressed<'m>(init: &'m Initializer, names: &mut HashSet<&'m str>) {
    match init {
        Initializer::Value(Constant::Address(address), _) => {
            names.insert(&address.name.text);
        }
        Initializer::Value(..) => {}
        Initializer::List(list, _) => list.iter().for_each(|i| addressed(i, names)),
    }
}

/// Names that instructions other than calls mention.
fn taken<'m>(statements: &'m [Statement], names: &mut HashSet<&'m str>) {
    for statement in statements {
        match statement {
            Statement::Scope(inner, _) => taken(inner, names),
            Statement::Instruction(i) if i.opcode.text != "call" => {
                i.operands.iter().for_each(|o| mention(o, names));
            }
            Statement::Prototype(_, Callees::Targets(targets)) => {
                names.extend(targets.iter().map(|t| t.text.as_str()));
            }
            _ => {}
        }
    }
}

/// Names in an operand.
pub(super) fn mention<'f>(operand: &'f Operand, names: &mut HashSet<&'f str>) {
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
        OperandKind::Negated(inner) => mention(inner, names),
        OperandKind::Pair(a, b) => {
            mention(a, names);
            mention(b, names);
        }
        OperandKind::Address { base: None, .. } | OperandKind::Constant(_) | OperandKind::Sink => {}
    }
}
