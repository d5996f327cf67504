//! Messages about a PTX text: what is wrong, where, and what was expected.

use std::fmt;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use heddle_isa::{Loc, SourceFile};

use crate::span::{LineIndex, Span};

/// What kind of fault a diagnostic reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// Characters that are no PTX token, or a comment or string without end.
    Token,
    /// Tokens in an order that the grammar does not know.
    Syntax,
    /// A directive that PTX does not have.
    UnknownDirective,
    /// An instruction that PTX does not have.
    UnknownOpcode,
    /// A modifier that the instruction does not have, or one too few.
    Modifier,
    /// Wrong number or form of operands.
    Operand,
    /// A name that is not declared.
    UndefinedName,
    /// A name declared twice.
    DuplicateName,
    /// A register or constant of another type than the instruction's.
    TypeMismatch,
    /// A number out of its range.
    OutOfRange,
    /// Valid PTX that this compiler does not translate.
    Unsupported,
    /// The kernel asked for is not in the module.
    Entry,
    /// The program does not fit the registers.
    Registers,
    /// A warning: the program runs, but this does nothing.
    NoEffect,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind of fault.
    pub kind: DiagnosticKind,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What was expected instead, or how to go on.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message without help.
    #[must_use]
    pub fn new(kind: DiagnosticKind, span: Span, message: impl Into<String>) -> Self {
        Self { kind, span, message: message.into(), help: None }
    }

    /// The same message with what was expected.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same message with the known name nearest to `name`, if one is near.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match heddle_suggest::closest(name, known) {
            Some(k) => self.help(format!("did you mean '{k}'?")),
            None => self,
        }
    }
}

/// The messages about one text; never empty. `Display` renders them with file, line, column, source
/// line and caret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostics {
    file: Arc<SourceFile>,
    list: Vec<Diagnostic>,
}

/// More messages than this are not printed: after the first few they are echoes.
const PRINTED: usize = 20;
/// Source lines longer than this are not quoted.
const LONGEST_QUOTED_LINE: usize = 400;

impl Diagnostics {
    /// Messages about `file`.
    #[must_use]
    pub fn new(file: Arc<SourceFile>, list: Vec<Diagnostic>) -> Self {
        debug_assert!(!list.is_empty());
        Self { file, list }
    }

    /// The messages, in the order of the text.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Line and column of a message in its file.
    #[must_use]
    pub fn loc(&self, diagnostic: &Diagnostic) -> Loc {
        self.file.place(LineIndex::new(&self.file.text).loc(diagnostic.span.start)).1
    }

    fn render(&self, diagnostic: &Diagnostic, lines: &LineIndex) -> String {
        let text = &self.file.text;
        let (name, loc) = self.file.place(lines.loc(diagnostic.span.start));
        let warns = diagnostic.kind == DiagnosticKind::NoEffect;
        let (line_start, line_end) = line_bounds(text, diagnostic.span.start);
        if line_end - line_start > LONGEST_QUOTED_LINE {
            let help = diagnostic.help.as_ref().map_or(String::new(), |h| format!("\n  = help: {h}"));
            let level = if warns { "warning" } else { "error" };
            return format!("{level}: {}\n --> {name}:{}:{}{help}", diagnostic.message, loc.line, loc.column);
        }
        let start = diagnostic.span.start.clamp(line_start, line_end) - line_start;
        let end = diagnostic.span.end.clamp(line_start, line_end) - line_start;
        let snippet = Snippet::source(&text[line_start..line_end])
            .line_start(loc.line as usize)
            .path(name)
            .annotation(AnnotationKind::Primary.span(start..end.max(start)));
        let level = if warns { Level::WARNING } else { Level::ERROR };
        let mut group = level.primary_title(diagnostic.message.as_str()).element(snippet);
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        Renderer::plain().render(&[group])
    }
}

fn line_bounds(text: &str, offset: usize) -> (usize, usize) {
    let offset = offset.min(text.len());
    let bytes = text.as_bytes();
    let start = bytes[..offset].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = bytes[offset..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| offset + i);
    (start, end)
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = LineIndex::new(&self.file.text);
        for (i, diagnostic) in self.list.iter().take(PRINTED).enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", self.render(diagnostic, &lines))?;
        }
        if self.list.len() > PRINTED {
            write!(f, "\n... and {} more", self.list.len() - PRINTED)?;
        }
        Ok(())
    }
}
