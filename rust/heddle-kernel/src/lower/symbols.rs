//! Names in scope: registers, variables, labels.

use std::collections::HashMap;

use heddle_isa::{Pred, Type};
use heddle_port::Reg;

use super::Lowered;
use crate::ast::{VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// A label of the function being lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LabelId(pub(super) u32);

/// Where a declared register lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// The register, or the low register of an even pair.
    Reg(Reg),
    /// A predicate.
    Pred(Pred),
}

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A register of a type.
    Register(Type, Storage),
    /// A vector register of so many components, which are registers of their own.
    Vector(usize),
    /// A variable at an address of its space.
    Variable(VariableSpace, u32),
    /// A label.
    Label(LabelId),
    /// A parameter of a call, by its number in the kernel.
    CallParam(usize),
    /// A list of branch targets, by its number in the kernel.
    BranchTargets(usize),
    /// A texture or surface reference, whose handle lies at an offset of constant memory.
    Reference(u32),
    /// A function, by its number in the module.
    Function(usize),
    /// Whom a call can reach, by its number in the kernel.
    Prototype(usize),
}

/// A declared range `prefix<count>`.
struct Range {
    prefix: String,
    count: u64,
    ty: Type,
}

#[derive(Default)]
struct Scope {
    names: HashMap<String, Symbol>,
    ranges: Vec<Range>,
}

/// Nested scopes, and the registers given out so far.
pub(super) struct Symbols {
    scopes: Vec<Scope>,
    /// First scope of the function being lowered; of those below only the module's is seen.
    floor: usize,
    next_reg: u32,
    next_pred: u32,
}

/// More virtual registers than this are refused.
const MAX_REGS: u32 = 1 << 20;

impl Symbols {
    pub(super) fn new() -> Self {
        Self { scopes: vec![Scope::default()], floor: 0, next_reg: 0, next_pred: 0 }
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    fn innermost(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.scopes.last_mut().expect("a scope was just pushed")
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, word: &Word, symbol: Symbol) -> Lowered<()> {
        let scope = self.innermost();
        if scope.names.contains_key(&word.text) {
            return Err(Diagnostic::new(
                DiagnosticKind::DuplicateName,
                word.span,
                format!("'{}' is already declared in this scope", word.text),
            ));
        }
        scope.names.insert(word.text.clone(), symbol);
        Ok(())
    }

    /// Declares the registers `prefix0` to `prefix(count-1)`.
    pub(super) fn declare_range(&mut self, word: &Word, count: u64, ty: Type) -> Lowered<()> {
        let scope = self.innermost();
        if scope.ranges.iter().any(|r| r.prefix == word.text) {
            return Err(Diagnostic::new(
                DiagnosticKind::DuplicateName,
                word.span,
                format!("'{}<...>' is already declared in this scope", word.text),
            ));
        }
        scope.ranges.push(Range { prefix: word.text.clone(), count, ty });
        Ok(())
    }

    /// Opens the scope of an inlined function; gives back what [`Self::leave_function`] needs.
    pub(super) fn enter_function(&mut self) -> usize {
        self.open();
        std::mem::replace(&mut self.floor, self.scopes.len() - 1)
    }

    /// Closes the scope of an inlined function.
    pub(super) fn leave_function(&mut self, floor: usize) {
        self.close();
        self.floor = floor;
    }

    /// Scopes that are seen, innermost first.
    fn visible(&self) -> impl Iterator<Item = usize> + use<> {
        let module = (self.floor > 0).then_some(0);
        (self.floor..self.scopes.len()).rev().chain(module)
    }

    /// The meaning of `word`.
    pub(super) fn find(&mut self, word: &Word) -> Lowered<Symbol> {
        for i in self.visible() {
            if let Some(&symbol) = self.scopes[i].names.get(&word.text) {
                return Ok(symbol);
            }
            let in_range = |range: &&Range| {
                word.text
                    .strip_prefix(&range.prefix)
                    .and_then(canonical_number)
                    .is_some_and(|n| n < range.count)
            };
            if let Some(ty) = self.scopes[i].ranges.iter().find(in_range).map(|r| r.ty) {
                let storage = self.fresh(ty, word)?;
                let symbol = Symbol::Register(ty, storage);
                self.scopes[i].names.insert(word.text.clone(), symbol);
                return Ok(symbol);
            }
        }
        Err(self.undefined(word))
    }

    /// Where a new register of type `ty` lives.
    pub(super) fn fresh(&mut self, ty: Type, word: &Word) -> Lowered<Storage> {
        let too_many = |what: &str| {
            Diagnostic::new(DiagnosticKind::OutOfRange, word.span, format!("the kernel uses too many {what}"))
        };
        if ty == Type::Pred {
            let pred = u16::try_from(self.next_pred).map_err(|_| too_many("predicates"))?;
            self.next_pred += 1;
            if pred == u16::MAX {
                return Err(too_many("predicates"));
            }
            return Ok(Storage::Pred(Pred(pred)));
        }
        let words = u32::try_from(ty.words()).unwrap_or(1);
        let first = self.next_reg.next_multiple_of(words.min(2));
        if first >= MAX_REGS {
            return Err(too_many("registers"));
        }
        self.next_reg = first + words;
        Ok(Storage::Reg(Reg(first)))
    }

    /// Registers given out.
    pub(super) fn num_regs(&self) -> u32 {
        self.next_reg
    }

    /// Predicates given out.
    pub(super) fn num_preds(&self) -> u16 {
        u16::try_from(self.next_pred).unwrap_or(u16::MAX)
    }

    fn undefined(&self, word: &Word) -> Diagnostic {
        let fault = Diagnostic::new(
            DiagnosticKind::UndefinedName,
            word.span,
            format!("'{}' is not declared", word.text),
        );
        for range in self.visible().flat_map(|i| &self.scopes[i].ranges) {
            let number = word.text.strip_prefix(&range.prefix);
            if number.and_then(canonical_number).is_some() {
                return fault.help(format!(
                    "'{}<{}>' declares {}0 to {}{}",
                    range.prefix,
                    range.count,
                    range.prefix,
                    range.prefix,
                    range.count.saturating_sub(1)
                ));
            }
        }
        let names = self.visible().flat_map(|i| self.scopes[i].names.keys());
        fault.suggest(&word.text, names.map(String::as_str))
    }
}

/// A decimal number without leading zeros.
fn canonical_number(text: &str) -> Option<u64> {
    let canonical = text == "0" || !text.starts_with('0');
    (canonical && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}
