//! What kernels do that has no effect here: calls of `printf`.

use std::collections::{BTreeSet, HashSet};

use super::externs::PRINT;
use super::functions::{Functions, mention};
use crate::ast::{Function, Instruction, Module, Operand, OperandKind, Statement};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
use crate::span::Span;

/// What the kernels that `runs` chooses by name do without effect, with the functions that they may call; calls
/// in the order of the text.
#[must_use]
pub fn warnings(module: &Module, runs: impl Fn(&str) -> bool) -> Option<Diagnostics> {
    let entries = module.entries().filter(|f| runs(&f.name.text)).collect();
    let mut calls = Vec::new();
    for function in reached(module, entries) {
        visit(function, &mut |call| {
            let prints = |o: &&Operand| matches!(&o.kind, OperandKind::Name(name, 0) if name == PRINT);
            calls.extend(call.operands.iter().filter(prints).map(|o| o.span));
        });
    }
    let told = |span: Span| {
        let what = "this call prints nothing: output of kernels is not modelled";
        Diagnostic::new(DiagnosticKind::NoEffect, span, what)
    };
    calls.sort_unstable_by_key(|span| span.start);
    (!calls.is_empty())
        .then(|| Diagnostics::new(module.source.clone(), calls.into_iter().map(told).collect()))
}

/// The entries and every function that a call of them may reach. A call through an address may reach those whose
/// address is taken somewhere.
fn reached<'m>(module: &'m Module, entries: Vec<&'m Function>) -> Vec<&'m Function> {
    let functions = Functions::new(module);
    let mut seen = BTreeSet::new();
    let mut open = entries.clone();
    let mut all = entries;
    while let Some(function) = open.pop() {
        let mut found = BTreeSet::new();
        visit(function, &mut |call| {
            let targets = call.operands.iter().filter(|o| matches!(o.kind, OperandKind::Name(..)));
            let mut names = HashSet::new();
            targets.for_each(|o| mention(o, &mut names));
            for name in names {
                match functions.by_name.get(name) {
                    Some(&index) => found.extend([index]),
                    None => found.extend(functions.taken.iter().copied()),
                }
            }
        });
        for index in found {
            if seen.insert(index) {
                open.push(functions.list[index]);
                all.push(functions.list[index]);
            }
        }
    }
    all
}

/// Shows every call of a function.
fn visit<'m>(function: &'m Function, see: &mut dyn FnMut(&'m Instruction)) {
    fn each<'m>(statements: &'m [Statement], see: &mut dyn FnMut(&'m Instruction)) {
        for statement in statements {
            match statement {
                Statement::Scope(inner, _) => each(inner, see),
                Statement::Instruction(i) if i.opcode.text == "call" => see(i),
                _ => {}
            }
        }
    }
    each(function.body.as_deref().unwrap_or(&[]), see);
}
