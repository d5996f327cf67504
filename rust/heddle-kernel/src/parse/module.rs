//! Module-level directives and functions.

use std::sync::Arc;

use heddle_isa::SourceFile;

use super::{Parse, Parser};
use crate::ast::{Function, Item, Linkage, Module, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::TokenKind;

/// Directives known at module scope, for suggestions.
const MODULE_DIRECTIVES: &[&str] = &[
    "version",
    "target",
    "address_size",
    "visible",
    "extern",
    "weak",
    "common",
    "entry",
    "func",
    "global",
    "const",
    "shared",
    "file",
    "section",
    "loc",
    "pragma",
    "alias",
];

/// Directives at which reading goes on after a fault.
const RESUMING: [&str; 8] =
    ["visible", "extern", "weak", "entry", "func", "version", "target", "address_size"];

/// Directives between a function's parameters and its body.
const FUNCTION_DIRECTIVES: &[&str] = &[
    "maxntid",
    "reqntid",
    "minnctapersm",
    "maxnctapersm",
    "maxnreg",
    "noreturn",
    "pragma",
    "abi_preserve",
    "abi_preserve_control",
    "reqnctapercluster",
    "maxclusterrank",
    "explicitcluster",
    "blocksareclusters",
];

impl Parser<'_> {
    pub(super) fn module(&mut self, source: Arc<SourceFile>) -> Module {
        let mut module =
            Module { source, version: None, targets: Vec::new(), items: Vec::new(), aliases: Vec::new() };
        while self.peek_kind() != TokenKind::End {
            let before = self.at;
            if let Err(fault) = self.item(&mut module) {
                if !self.note(fault) {
                    break;
                }
                self.recover_item(before);
            }
        }
        if module.version.is_none() && self.faults.is_empty() {
            self.faults.push(
                Diagnostic::new(
                    DiagnosticKind::Syntax,
                    self.tokens[0].span,
                    "a PTX module begins with '.version'",
                )
                .help("expected '.version', '.target' and '.address_size' before anything else"),
            );
        }
        module
    }

    /// Skips to the next directive that can begin an item.
    fn recover_item(&mut self, before: usize) {
        if self.at == before {
            self.next();
        }
        loop {
            match self.peek_kind() {
                TokenKind::End => return,
                TokenKind::Dotted if self.peek_dotted().is_some_and(|d| RESUMING.contains(&d)) => return,
                _ => {
                    self.next();
                }
            }
        }
    }

    fn item(&mut self, module: &mut Module) -> Parse<()> {
        if self.take(TokenKind::Semicolon).is_some() {
            return Ok(());
        }
        let Some(word) = self.peek_dotted() else {
            return Err(self.unexpected("a directive, such as '.entry'"));
        };
        match word {
            "version" => self.version(module)?,
            "target" => self.targets(module)?,
            "address_size" => self.address_size()?,
            "file" => self.file_directive()?,
            "loc" => self.line_directive()?,
            "section" => {
                self.next();
                self.take(TokenKind::Dotted);
                self.take(TokenKind::Name);
                if self.peek_kind() != TokenKind::OpenBrace {
                    return Err(self.unexpected("'{'"));
                }
                self.skip_braces();
            }
            "pragma" => self.skip_to_semicolon()?,
            "alias" => {
                self.next();
                let name = self.name("a function's other name")?;
                self.expect(TokenKind::Comma, "','")?;
                let function = self.name("a function")?;
                self.expect(TokenKind::Semicolon, "';'")?;
                module.aliases.push((name, function));
            }
            _ => self.linked_item(module)?,
        }
        Ok(())
    }

    /// `.file number "name" [, time, size]`
    pub(super) fn file_directive(&mut self) -> Parse<()> {
        self.next();
        self.integer("a file number")?;
        self.expect(TokenKind::String, "a file name in quotes")?;
        while self.take(TokenKind::Comma).is_some() {
            self.integer("a number")?;
        }
        Ok(())
    }

    /// An item that linkage directives may precede: a function or a variable.
    fn linked_item(&mut self, module: &mut Module) -> Parse<()> {
        let mut ahead = self.at;
        let mut linkage = Linkage::default();
        let kind = loop {
            let token = self.tokens[ahead];
            if token.kind != TokenKind::Dotted {
                self.at = ahead;
                return Err(self.unexpected("'.entry', '.func' or a variable"));
            }
            match &self.text_of(token)[1..] {
                "visible" => linkage = Linkage::Visible,
                "extern" => linkage = Linkage::Extern,
                "weak" | "common" => linkage = Linkage::Weak,
                word => break word,
            }
            ahead += 1;
        };
        match kind {
            "entry" | "func" => {
                self.at = ahead;
                let function = self.function(linkage)?;
                module.items.push(Item::Function(function));
                Ok(())
            }
            "global" | "const" | "shared" | "tex" => {
                let variables = self.declaration()?;
                module.items.extend(variables.into_iter().map(Item::Variable));
                Ok(())
            }
            _ => {
                self.at = ahead;
                Err(self.unknown_directive(MODULE_DIRECTIVES))
            }
        }
    }

    /// The fault that the next dotted word is no directive of this place.
    pub(super) fn unknown_directive(&self, known: &[&str]) -> Diagnostic {
        let word = self.peek_dotted().unwrap_or_default();
        Diagnostic::new(
            DiagnosticKind::UnknownDirective,
            self.peek().span,
            format!("'.{word}' is not a directive that can stand here"),
        )
        .suggest(word, known.iter().copied())
    }

    fn function(&mut self, linkage: Linkage) -> Parse<Function> {
        let is_entry = self.peek_dotted() == Some("entry");
        self.next();
        let returns = match self.peek_kind() {
            TokenKind::OpenParen if !is_entry => self.parameters()?,
            _ => Vec::new(),
        };
        let name = self.name("the function's name")?;
        let params = match self.peek_kind() {
            TokenKind::OpenParen => self.parameters()?,
            _ => Vec::new(),
        };
        let mut directives = Vec::new();
        while let Some(word) = self.peek_dotted() {
            if !FUNCTION_DIRECTIVES.contains(&word) {
                return Err(self.unknown_directive(FUNCTION_DIRECTIVES));
            }
            let (word, numbers) = self.function_directive()?;
            directives.push((word, numbers));
        }
        let (body, end) = match self.peek_kind() {
            TokenKind::Semicolon => (None, self.next().span),
            TokenKind::OpenBrace => {
                let (body, end) = self.body()?;
                (Some(body), end)
            }
            _ => return Err(self.unexpected("'{', ';' or a directive such as '.maxntid'")),
        };
        Ok(Function { is_entry, linkage, name, returns, params, directives, body, end })
    }

    fn function_directive(&mut self) -> Parse<(Word, Vec<u64>)> {
        let token = self.next();
        let mut word = self.word(token);
        word.text.remove(0);
        let mut numbers = Vec::new();
        if word.text == "pragma" {
            self.skip_to_semicolon()?;
        } else if matches!(self.peek_kind(), TokenKind::Integer | TokenKind::WarpSize) {
            numbers.push(self.integer("a number")?);
            while self.take(TokenKind::Comma).is_some() {
                numbers.push(self.integer("a number")?);
            }
        }
        Ok((word, numbers))
    }
}
