//! Tokens to the syntax tree: recursive descent with recovery at statement ends.

mod declaration;
mod expression;
mod head;
mod instruction;
mod module;
mod number;
mod value;

use std::collections::HashSet;
use std::sync::Arc;

use heddle_isa::SourceFile;

use crate::ast::{Module, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
use crate::lexer::{self, Token, TokenKind, Tokens};
use crate::link::Renaming;
use crate::span::Span;

/// Result of one grammar rule.
type Parse<T> = Result<T, Diagnostic>;

/// Scopes, lists, initialisers and constant expressions nested deeper than this are refused.
const MAX_DEPTH: usize = 64;
/// Reading stops after this many faults.
pub(crate) const MAX_FAULTS: usize = 100;
/// Tokens that a module may have: names, numbers, directives and signs, not comments. The syntax tree of so many
/// takes less than a gigabyte.
pub const MAX_TOKENS: usize = 1 << 22;

/// Reads a PTX module; `name` is the file's name in messages.
///
/// # Errors
/// Every fault in the text that the grammar can tell, in order, 100 at most; more than [`MAX_TOKENS`] tokens.
pub fn parse(name: &str, text: &str) -> Result<Module, Diagnostics> {
    parse_source(&Arc::new(SourceFile::new(name, text)), None)
}

/// As [`parse`]; words that have another name by `renaming` get it.
pub(crate) fn parse_source(
    source: &Arc<SourceFile>,
    renaming: Option<&Renaming>,
) -> Result<Module, Diagnostics> {
    let text = &source.text;
    let Tokens { tokens, faults, complete } = lexer::tokens(text, MAX_TOKENS, MAX_FAULTS);
    if !complete {
        return Err(Diagnostics::new(Arc::clone(source), faults));
    }
    let mut parser = Parser { text, tokens, at: 0, depth: 0, faults, renaming };
    let module = parser.module(Arc::clone(source));
    let mut faults = parser.faults;
    if faults.is_empty() {
        return Ok(module);
    }
    faults.sort_by_key(|d| d.span.start);
    Err(Diagnostics::new(Arc::clone(source), faults))
}

/// Every name of a text, whatever it names; of one that cannot be read, those up to the fault.
pub(crate) fn names(text: &str) -> HashSet<&str> {
    let Tokens { tokens, .. } = lexer::tokens(text, MAX_TOKENS, MAX_FAULTS);
    let names = tokens.iter().filter(|t| t.kind == TokenKind::Name);
    names.map(|t| &text[t.span.start..t.span.end]).collect()
}

/// A position in the tokens.
struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    faults: Vec<Diagnostic>,
    renaming: Option<&'t Renaming>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek_kind(&self) -> TokenKind {
        self.peek().kind
    }

    /// The next token, which is consumed unless it is the end.
    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// Place of the token consumed last.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn text_of(&self, token: Token) -> &'t str {
        &self.text[token.span.start..token.span.end]
    }

    fn take(&mut self, kind: TokenKind) -> Option<Token> {
        (self.peek_kind() == kind).then(|| self.next())
    }

    fn expect(&mut self, kind: TokenKind, expected: &str) -> Parse<Token> {
        self.take(kind).ok_or_else(|| self.unexpected(expected))
    }

    /// The fault that the next token is not `expected`.
    fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let message = if token.kind == TokenKind::End {
            "the text ends here".to_owned()
        } else {
            format!("unexpected '{}'", self.text_of(token))
        };
        Diagnostic::new(DiagnosticKind::Syntax, token.span, message).help(format!("expected {expected}"))
    }

    fn name(&mut self, expected: &str) -> Parse<Word> {
        let token = self.expect(TokenKind::Name, expected)?;
        Ok(self.word(token))
    }

    fn word(&self, token: Token) -> Word {
        let text = self.text_of(token);
        let renamed = self.renaming.and_then(|r| r.name(token.span.start, text));
        Word { text: renamed.unwrap_or(text).to_owned(), span: token.span }
    }

    /// The next token if it is dotted, without its first dot.
    fn peek_dotted(&self) -> Option<&'t str> {
        let token = self.peek();
        (token.kind == TokenKind::Dotted).then(|| &self.text_of(token)[1..])
    }

    /// Consumes a dotted token as a word without its dot.
    fn take_dotted(&mut self) -> Option<Word> {
        let token = self.take(TokenKind::Dotted)?;
        let mut word = self.word(token);
        word.text.remove(0);
        Some(word)
    }

    /// Runs `rule` one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::new(
                DiagnosticKind::OutOfRange,
                self.peek().span,
                format!("nested more than {MAX_DEPTH} deep"),
            ));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Notes a fault; false when it is time to stop.
    fn note(&mut self, fault: Diagnostic) -> bool {
        self.faults.push(fault);
        self.faults.len() < MAX_FAULTS
    }

    /// Skips to after the next semicolon, or to a brace or the end.
    fn recover_statement(&mut self) {
        loop {
            match self.peek_kind() {
                TokenKind::Semicolon => {
                    self.next();
                    return;
                }
                TokenKind::CloseBrace | TokenKind::End => return,
                TokenKind::OpenBrace => self.skip_braces(),
                _ => {
                    self.next();
                }
            }
        }
    }

    /// Skips a balanced `{ ... }`.
    fn skip_braces(&mut self) {
        let mut open = 0usize;
        loop {
            match self.next().kind {
                TokenKind::OpenBrace => open += 1,
                TokenKind::CloseBrace => open = open.saturating_sub(1),
                TokenKind::End => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }
}
