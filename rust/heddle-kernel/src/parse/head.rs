//! The head of a module: `.version`, `.target` and `.address_size`.

use super::{Parse, Parser};
use crate::ast::Module;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::TokenKind;

/// What `.target` takes beside an architecture.
const TARGET_OPTIONS: [&str; 4] = ["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"];

impl Parser<'_> {
    /// `.version major.minor`
    pub(super) fn version(&mut self, module: &mut Module) -> Parse<()> {
        self.next();
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Decimal | TokenKind::Integer) {
            return Err(self.unexpected("a version, such as 8.5"));
        }
        self.next();
        let text = self.text_of(token);
        if !is_version(text) {
            let message = format!("{text} is not a version of PTX");
            return Err(Diagnostic::new(DiagnosticKind::OutOfRange, token.span, message)
                .help("expected a version from 1.0 to 9.9, such as 8.5"));
        }
        module.version = Some(text.to_owned());
        Ok(())
    }

    /// `.target architecture [, option]`. Its words are no names of the module: no renaming is theirs.
    pub(super) fn targets(&mut self, module: &mut Module) -> Parse<()> {
        self.next();
        loop {
            let token = self.expect(TokenKind::Name, "a target, such as sm_75")?;
            let text = self.text_of(token);
            if !is_architecture(text) && !TARGET_OPTIONS.contains(&text) {
                let message = format!("'{text}' is not a target of PTX");
                let expected = format!(
                    "expected an architecture, such as sm_75, sm_90a or sm_100f, or one of {}",
                    TARGET_OPTIONS.join(", ")
                );
                return Err(Diagnostic::new(DiagnosticKind::Syntax, token.span, message).help(expected));
            }
            module.targets.push(text.to_owned());
            if self.take(TokenKind::Comma).is_none() {
                return Ok(());
            }
        }
    }

    /// `.address_size bits`
    pub(super) fn address_size(&mut self) -> Parse<()> {
        self.next();
        let token = self.peek();
        let (kind, message) = match self.integer("64")? {
            64 => return Ok(()),
            32 => (DiagnosticKind::Unsupported, "addresses of 32 bits are not supported".to_owned()),
            size => (DiagnosticKind::OutOfRange, format!("{size} is not an address size")),
        };
        Err(Diagnostic::new(kind, token.span, message).help("expected 64"))
    }
}

/// Whether PTX has or may get the version: 9 is its last major one.
fn is_version(text: &str) -> bool {
    matches!(text.as_bytes(), [b'1'..=b'9', b'.', b'0'..=b'9'])
}

/// `sm_` and the number of an architecture, with `a` or `f` behind it or not.
fn is_architecture(text: &str) -> bool {
    let Some(number) = text.strip_prefix("sm_") else { return false };
    let digits = number.strip_suffix(['a', 'f']).unwrap_or(number);
    matches!(digits.len(), 2 | 3) && digits.bytes().all(|b| b.is_ascii_digit())
}
