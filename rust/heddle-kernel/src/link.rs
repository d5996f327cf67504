//! Several PTX modules as one.
//!
//! The files are read one after the other as one text, so that every place stays a place of its file. Names of
//! module scope that their file keeps to itself get another name where a further file has the same one. Then
//! each declaration (`.extern`) meets its definition.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use heddle_isa::SourceFile;

use crate::ast::{Function, Item, Linkage, Module, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
use crate::lower::extent;
use crate::parse::{names, parse, parse_source};
use crate::span::LineIndex;

/// Other names of words, by the file in which they stand.
pub(crate) struct Renaming {
    /// First byte of each file.
    starts: Vec<usize>,
    names: Vec<HashMap<String, String>>,
}

impl Renaming {
    /// The other name of a word at a byte of the text.
    pub(crate) fn name(&self, at: usize, word: &str) -> Option<&str> {
        let file = self.starts.partition_point(|&start| start <= at).checked_sub(1)?;
        self.names.get(file)?.get(word).map(String::as_str)
    }
}

/// Reads PTX modules, names and texts, as one.
///
/// # Errors
/// What [`parse`] finds in one of them; names that are defined twice; declarations that no file defines, or that
/// are not as the definition.
pub fn link(files: &[(String, String)]) -> Result<Module, Diagnostics> {
    if let [(name, text)] = files {
        let module = parse(name, text)?;
        let faults = defined_twice(&module);
        return if faults.is_empty() { Ok(module) } else { Err(Diagnostics::new(module.source, faults)) };
    }
    let modules = files.iter().map(|(name, text)| parse(name, text)).collect::<Result<Vec<_>, _>>()?;
    let (source, starts) = SourceFile::joined(files);
    let source = Arc::new(source);
    let renaming = Renaming { names: other_names(files, &modules), starts };
    drop(modules);
    let mut module = parse_source(&source, Some(&renaming))?;
    let mut faults = Vec::new();
    resolve(&mut module, &mut faults);
    if faults.is_empty() {
        return Ok(module);
    }
    faults.sort_by_key(|fault| fault.span.start);
    Err(Diagnostics::new(source, faults))
}

/// The name of an item, who may use it, and whether it is a kernel, which the host may always launch.
fn named(item: &Item) -> (&Word, Linkage, bool) {
    match item {
        Item::Variable(v) => (&v.name, v.linkage, false),
        Item::Function(f) => (&f.name, f.linkage, f.is_entry),
    }
}

/// For each file its own names that occur in others too, and what they are called instead.
fn other_names(files: &[(String, String)], modules: &[Module]) -> Vec<HashMap<String, String>> {
    let words: Vec<HashSet<&str>> = files.iter().map(|(_, text)| names(text)).collect();
    let mut renamed = Vec::new();
    for (index, module) in modules.iter().enumerate() {
        let elsewhere = |name: &str| {
            words.iter().enumerate().any(|(other, words)| other != index && words.contains(name))
        };
        let own = module
            .items
            .iter()
            .map(named)
            .filter(|(_, linkage, is_entry)| *linkage == Linkage::Local && !is_entry);
        let own = own.map(|(word, ..)| word.text.as_str()).filter(|name| elsewhere(name));
        renamed.push(own.map(|name| (name.to_owned(), format!("{name}@{}", files[index].0))).collect());
    }
    renamed
}

/// Whether an item only says that a name is defined elsewhere.
fn declares(item: &Item) -> bool {
    match item {
        Item::Variable(v) => v.linkage == Linkage::Extern,
        Item::Function(f) => f.body.is_none(),
    }
}

/// Items of one module whose name another one has before them.
fn defined_twice(module: &Module) -> Vec<Diagnostic> {
    let lines = LineIndex::new(&module.source.text);
    let mut first: HashMap<&str, &Word> = HashMap::new();
    let mut faults = Vec::new();
    for item in module.items.iter().filter(|item| !declares(item)) {
        let (word, linkage, _) = named(item);
        if linkage == Linkage::Weak {
            continue;
        }
        if let Some(other) = first.insert(&word.text, word) {
            let place = module.source.spelt(lines.loc(other.span.start));
            faults.push(twice(word, &place));
        }
    }
    faults
}

/// That a name is defined at `word` and elsewhere.
fn twice(word: &Word, elsewhere: &str) -> Diagnostic {
    let message = format!("'{}' is defined twice", word.text);
    let fault = Diagnostic::new(DiagnosticKind::DuplicateName, word.span, message);
    fault.help(format!("the other definition is at {elsewhere}"))
}

/// What a name of all modules means.
#[derive(Default)]
struct Meaning {
    /// Items that define it, and whether another may take its place.
    definitions: Vec<(usize, bool)>,
    /// Items that declare it.
    declarations: Vec<usize>,
}

/// Leaves one definition of each name; declarations of variables that meet theirs go.
fn resolve(module: &mut Module, faults: &mut Vec<Diagnostic>) {
    let mut meanings: HashMap<&str, Meaning> = HashMap::new();
    for (index, item) in module.items.iter().enumerate() {
        let (word, linkage, is_entry) = named(item);
        if linkage == Linkage::Local && !is_entry {
            continue;
        }
        let meaning = meanings.entry(&word.text).or_default();
        if declares(item) {
            meaning.declarations.push(index);
        } else {
            meaning.definitions.push((index, linkage == Linkage::Weak));
        }
    }
    let lines = LineIndex::new(&module.source.text);
    let place = |item: &Item| module.source.spelt(lines.loc(named(item).0.span.start));
    let mut dropped = HashSet::new();
    for meaning in meanings.values() {
        let strong = || meaning.definitions.iter().filter(|(_, weak)| !weak).map(|(index, _)| *index);
        let kept = strong().next().or(meaning.definitions.first().map(|(index, _)| *index));
        let Some(kept) = kept else {
            undefined(module, &meaning.declarations, &mut dropped, faults);
            continue;
        };
        let definition = &module.items[kept];
        for index in strong().skip(1) {
            faults.push(twice(named(&module.items[index]).0, &place(definition)));
        }
        dropped.extend(meaning.definitions.iter().map(|(index, _)| *index).filter(|index| *index != kept));
        for &index in &meaning.declarations {
            let item = &module.items[index];
            if let Some(difference) = difference(item, definition) {
                let word = named(item).0;
                let message = format!("'{}' {difference}", word.text);
                let fault = Diagnostic::new(DiagnosticKind::TypeMismatch, word.span, message);
                faults.push(fault.help(format!("it is defined at {}", place(definition))));
            }
            dropped.insert(index);
        }
    }
    let mut index = 0..;
    module.items.retain(|_| index.next().is_none_or(|index| !dropped.contains(&index)));
}

/// Declarations of one name that nothing defines. Dynamic shared memory is one: each kernel has it once. What
/// calls a function without a body is told there.
fn undefined(
    module: &Module,
    declarations: &[usize],
    dropped: &mut HashSet<usize>,
    faults: &mut Vec<Diagnostic>,
) {
    let variables = declarations.iter().filter_map(|&index| match &module.items[index] {
        Item::Variable(variable) => Some((index, variable)),
        Item::Function(_) => None,
    });
    let (shared, others): (Vec<_>, Vec<_>) = variables.partition(|(_, v)| v.space == VariableSpace::Shared);
    let widest = shared.iter().max_by_key(|(_, v)| extent(v).map_or(0, |(_, align)| align));
    let widest = widest.map(|(index, _)| *index);
    dropped.extend(shared.iter().map(|(index, _)| *index).filter(|index| Some(*index) != widest));
    for (index, variable) in others {
        dropped.insert(index);
        let message = format!("'{}' is defined in none of the files", variable.name.text);
        let fault = Diagnostic::new(DiagnosticKind::UndefinedName, variable.name.span, message);
        let known = module.items.iter().filter_map(|item| match named(item) {
            (word, Linkage::Visible | Linkage::Weak, _) => Some(word.text.as_str()),
            (_, Linkage::Local | Linkage::Extern, _) => None,
        });
        let fault = fault.suggest(&variable.name.text, known);
        faults.push(match fault.help {
            Some(_) => fault,
            None => fault.help("expected one that defines it as .visible"),
        });
    }
}

/// How a declaration is not as the definition.
fn difference(declaration: &Item, definition: &Item) -> Option<String> {
    match (declaration, definition) {
        (Item::Variable(a), Item::Variable(b)) if a.space != b.space => {
            Some(format!("is declared in .{}, and defined in .{}", a.space.name(), b.space.name()))
        }
        (Item::Variable(a), Item::Variable(b)) => {
            let (declared, defined) = (bytes(a), bytes(b));
            let differs = declared != 0 && declared != defined;
            differs.then(|| format!("is declared with {declared} bytes, and defined with {defined}"))
        }
        (Item::Function(a), Item::Function(b)) => {
            let same = a.is_entry == b.is_entry && shape(a) == shape(b);
            (!same).then(|| "is declared with other parameters than it is defined with".to_owned())
        }
        (Item::Variable(_), Item::Function(_)) => {
            Some("is declared as a variable, and is a function".to_owned())
        }
        (Item::Function(_), Item::Variable(_)) => {
            Some("is declared as a function, and is a variable".to_owned())
        }
    }
}

/// Bytes of a variable; 0 where its size is left open. What is wrong with it is told where it is laid out.
fn bytes(variable: &Variable) -> u64 {
    extent(variable).map_or(0, |(bytes, _)| bytes)
}

/// Sizes of what a function returns and takes.
fn shape(function: &Function) -> [Vec<u64>; 2] {
    [&function.returns, &function.params].map(|list| list.iter().map(bytes).collect())
}
