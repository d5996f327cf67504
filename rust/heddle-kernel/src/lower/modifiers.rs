//! The dotted words after an opcode: each must be asked for, or it is an error.

use std::cell::{Cell, RefCell};

use heddle_isa::{Rounding, Type};

use super::{Lowered, types};
use crate::ast::{Instruction, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// The modifiers of one instruction and which of them were understood.
pub(super) struct Modifiers<'i> {
    opcode: &'i Word,
    words: &'i [Word],
    used: RefCell<Vec<bool>>,
    asked: RefCell<Vec<&'static str>>,
    next_type: Cell<usize>,
}

/// The IEEE rounding modes.
pub(super) const FLOAT_ROUNDINGS: &[(&str, Rounding)] =
    &[("rn", Rounding::Rn), ("rz", Rounding::Rz), ("rm", Rounding::Rm), ("rp", Rounding::Rp)];

impl<'i> Modifiers<'i> {
    pub(super) fn new(instruction: &'i Instruction) -> Self {
        Self {
            opcode: &instruction.opcode,
            words: &instruction.modifiers,
            used: RefCell::new(vec![false; instruction.modifiers.len()]),
            asked: RefCell::new(Vec::new()),
            next_type: Cell::new(0),
        }
    }

    /// Whether modifier `name` is there.
    pub(super) fn flag(&self, name: &'static str) -> bool {
        self.asked.borrow_mut().push(name);
        let found = self.unused().find(|&i| self.words[i].text == name);
        if let Some(i) = found {
            self.used.borrow_mut()[i] = true;
        }
        found.is_some()
    }

    /// The first modifier that stands in `table`.
    pub(super) fn choice<T: Copy>(&self, table: &[(&'static str, T)]) -> Option<T> {
        self.asked.borrow_mut().extend(table.iter().map(|(n, _)| n));
        let (i, value) = self.unused().find_map(|i| {
            let entry = table.iter().find(|(n, _)| *n == self.words[i].text)?;
            Some((i, entry.1))
        })?;
        self.used.borrow_mut()[i] = true;
        Some(value)
    }

    /// As [`Self::choice`], and an error that lists the table when none is there.
    pub(super) fn required<T: Copy>(&self, table: &[(&'static str, T)], what: &str) -> Lowered<T> {
        self.choice(table).ok_or_else(|| {
            let names = || table.iter().map(|(n, _)| *n);
            let misspelt = self.unused().find_map(|i| {
                let word = &self.words[i];
                let fault = self.not_taken(word).suggest(&word.text, names());
                fault.help.is_some().then_some(fault)
            });
            misspelt.unwrap_or_else(|| {
                let list: Vec<String> = names().map(|n| format!(".{n}")).collect();
                self.fault_at_end(format!("'{}' needs {what}", self.opcode.text))
                    .help(format!("expected one of {}", list.join(" ")))
            })
        })
    }

    /// Rounding mode, if one is written.
    pub(super) fn rounding(&self) -> Option<Rounding> {
        self.choice(FLOAT_ROUNDINGS)
    }

    /// The next type, which must be one of `allowed`.
    pub(super) fn ty(&self, allowed: &[Type]) -> Lowered<Type> {
        let from = self.next_type.get();
        for i in self.unused().filter(|&i| i >= from) {
            let word = &self.words[i];
            if types::is_foreign(&word.text) {
                return Err(Diagnostic::new(
                    DiagnosticKind::Unsupported,
                    word.span,
                    format!("'{}' on .{} is not supported", self.opcode.text, word.text),
                ));
            }
            let Some(ty) = types::by_name(&word.text) else {
                continue;
            };
            if !allowed.contains(&ty) {
                return Err(Diagnostic::new(
                    DiagnosticKind::Modifier,
                    word.span,
                    format!("'{}' does not take type .{}", self.opcode.text, word.text),
                )
                .help(format!("expected one of {}", list(allowed))));
            }
            self.used.borrow_mut()[i] = true;
            self.next_type.set(i + 1);
            return Ok(ty);
        }
        Err(self
            .finish_unknown()
            .unwrap_or_else(|| self.fault_at_end(format!("'{}' needs a type", self.opcode.text)))
            .help(format!("expected one of {}", list(allowed))))
    }

    /// Every modifier must have been understood.
    pub(super) fn finish(&self) -> Lowered<()> {
        self.finish_unknown().map_or(Ok(()), Err)
    }

    fn finish_unknown(&self) -> Option<Diagnostic> {
        let i = self
            .unused()
            .find(|&i| types::by_name(&self.words[i].text).is_none())
            .or_else(|| self.unused().next())?;
        let word = &self.words[i];
        let fault = self.not_taken(word);
        let asked = self.asked.borrow();
        let types = types::NAMES.iter().map(|(n, _)| *n);
        Some(fault.suggest(&word.text, asked.iter().copied().chain(types)))
    }

    fn not_taken(&self, word: &Word) -> Diagnostic {
        Diagnostic::new(
            DiagnosticKind::Modifier,
            word.span,
            format!("'{}' does not take '.{}' here", self.opcode.text, word.text),
        )
    }

    fn unused(&self) -> impl Iterator<Item = usize> + use<> {
        let used = self.used.borrow().clone();
        (0..used.len()).filter(move |&i| !used[i])
    }

    /// A fault placed after the last modifier.
    pub(super) fn fault_at_end(&self, message: String) -> Diagnostic {
        let span = self.words.last().map_or(self.opcode.span, |w| self.opcode.span.to(w.span));
        Diagnostic::new(DiagnosticKind::Modifier, span, message)
    }

    /// Place of opcode and modifiers.
    pub(super) fn span(&self) -> Span {
        self.fault_at_end(String::new()).span
    }
}

fn list(types: &[Type]) -> String {
    let names: Vec<String> = types.iter().map(|t| format!(".{}", t.name())).collect();
    names.join(" ")
}
