//! PTX text to tokens.

use logos::Logos;

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// Kinds of tokens; the text of a token is its span.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip r"//[^\n]*")]
pub enum TokenKind {
    /// A name: register, label, opcode, variable.
    #[regex(r"[a-zA-Z][a-zA-Z0-9_$]*")]
    #[regex(r"[_$%][a-zA-Z0-9_$]*")]
    Name,
    /// The constant `WARP_SZ`.
    #[token("WARP_SZ")]
    WarpSize,
    /// A directive, type, modifier or component: a dot and a word.
    #[regex(r"\.[a-zA-Z0-9_$]+(::[a-zA-Z0-9_$]+)*")]
    Dotted,
    /// An integer: decimal, hexadecimal, octal or binary.
    #[regex(r"[1-9][0-9]*U?")]
    #[regex(r"0[0-7]*U?")]
    #[regex(r"0[xX][0-9a-fA-F]+U?")]
    #[regex(r"0[bB][01]+U?")]
    Integer,
    /// A decimal floating-point number.
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+", priority = 6)]
    Decimal,
    /// Bits of a 32-bit float, `0f` and eight digits.
    #[regex(r"0[fF][0-9a-fA-F]{8}")]
    Float32,
    /// Bits of a 64-bit float, `0d` and sixteen digits.
    #[regex(r"0[dD][0-9a-fA-F]{16}")]
    Float64,
    /// Digits that are no number; reported as an error.
    #[regex(r"[0-9][a-zA-Z0-9_$]*", priority = 1)]
    BadNumber,
    /// A string in double quotes.
    #[regex(r#""[^"\n]*""#)]
    String,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `(`
    #[token("(")]
    OpenParen,
    /// `)`
    #[token(")")]
    CloseParen,
    /// `<`
    #[token("<")]
    Less,
    /// `>`
    #[token(">")]
    Greater,
    /// `=`
    #[token("=")]
    Equals,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `!`
    #[token("!")]
    Not,
    /// `|`
    #[token("|")]
    Pipe,
    /// `/`
    #[token("/")]
    Slash,
    /// `~`
    #[token("~")]
    Tilde,
    /// `&`
    #[token("&")]
    And,
    /// `^`
    #[token("^")]
    Caret,
    /// `?`
    #[token("?")]
    Question,
    /// `<<`
    #[token("<<")]
    ShiftLeft,
    /// `>>`
    #[token(">>")]
    ShiftRight,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `==`
    #[token("==")]
    EqualEqual,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `&&`
    #[token("&&")]
    AndAnd,
    /// `||`
    #[token("||")]
    OrOr,
    /// `@`
    #[token("@")]
    At,
    /// A block comment; never given out.
    #[token("/*", block_comment)]
    Comment,
    /// The end of the text.
    End,
}

fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) -> bool {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            true
        }
        None => {
            lexer.bump(lexer.remainder().len());
            false
        }
    }
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The tokens of a text.
#[derive(Debug)]
pub struct Tokens {
    /// In order; [`TokenKind::End`] is the last.
    pub tokens: Vec<Token>,
    /// What could not be read.
    pub faults: Vec<Diagnostic>,
    /// The whole text was looked at.
    pub complete: bool,
}

/// The tokens of `text`. Reading stops with a fault at one token more than `most`, and after `most_faults` faults.
#[must_use]
pub fn tokens(text: &str, most: usize, most_faults: usize) -> Tokens {
    let mut tokens = Vec::new();
    let mut faults: Vec<Diagnostic> = Vec::new();
    let mut complete = true;
    for (result, range) in TokenKind::lexer(text).spanned() {
        let span = Span::from(range);
        match result {
            Ok(TokenKind::Comment) => {}
            Ok(TokenKind::BadNumber) => faults.push(fault(text, span)),
            Ok(_) if tokens.len() == most => {
                let message = format!("the text has more than {most} tokens");
                let fault = Diagnostic::new(DiagnosticKind::OutOfRange, span, message);
                faults.push(
                    fault.help("expected fewer: keep only the kernels that are run, and what they call"),
                );
                complete = false;
                break;
            }
            Ok(kind) => tokens.push(Token { kind, span }),
            Err(()) => faults.push(fault(text, span)),
        }
        if faults.len() >= most_faults {
            complete = false;
            break;
        }
    }
    let end = text.len();
    tokens.push(Token { kind: TokenKind::End, span: Span { start: end, end } });
    Tokens { tokens, faults, complete }
}

fn fault(text: &str, span: Span) -> Diagnostic {
    let slice = &text[span.start..span.end];
    let kind = DiagnosticKind::Token;
    if slice.starts_with("/*") {
        let span = Span { start: span.start, end: span.start + 2 };
        return Diagnostic::new(kind, span, "this comment has no end").help("expected '*/'");
    }
    if slice.starts_with('"') {
        return Diagnostic::new(kind, span, "this string has no end").help("expected '\"' on the same line");
    }
    if slice.starts_with(|c: char| c.is_ascii_digit()) {
        return Diagnostic::new(kind, span, format!("'{slice}' is not a number"))
            .help("0f takes 8 hexadecimal digits, 0d takes 16, 0x at least one, 0b only 0 and 1");
    }
    let shown: String = slice.chars().take(12).flat_map(char::escape_debug).collect();
    Diagnostic::new(kind, span, format!("'{shown}' is not a PTX token"))
}
