//! Numbers and constants.

use super::value::Value;
use super::{Parse, Parser};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, TokenKind};

/// `WARP_SZ`: threads of a warp.
const WARP_SIZE: u64 = 32;

impl Parser<'_> {
    /// The value of an integer token.
    pub(super) fn integer_value(&self, token: Token) -> Parse<u64> {
        let text = self.text_of(token).trim_end_matches('U');
        let lower = text.to_ascii_lowercase();
        let (digits, radix) = if let Some(hex) = lower.strip_prefix("0x") {
            (hex, 16)
        } else if let Some(binary) = lower.strip_prefix("0b") {
            (binary, 2)
        } else if lower.len() > 1 && lower.starts_with('0') {
            (&lower[1..], 8)
        } else {
            (&lower[..], 10)
        };
        u64::from_str_radix(digits, radix).map_err(|_| {
            Diagnostic::new(DiagnosticKind::OutOfRange, token.span, format!("{text} does not fit 64 bits"))
        })
    }

    /// An unsigned integer, or `WARP_SZ`.
    pub(super) fn integer(&mut self, expected: &str) -> Parse<u64> {
        if self.take(TokenKind::WarpSize).is_some() {
            return Ok(WARP_SIZE);
        }
        let token = self.expect(TokenKind::Integer, expected)?;
        self.integer_value(token)
    }

    /// The offset after a base: any number of `+ n` and `- n`.
    pub(super) fn offset(&mut self) -> Parse<i64> {
        let mut sum = 0i64;
        while matches!(self.peek_kind(), TokenKind::Plus | TokenKind::Minus) {
            let first = self.peek().span;
            let mut negative = self.next().kind == TokenKind::Minus;
            if self.take(TokenKind::Minus).is_some() {
                negative = !negative;
            }
            let magnitude = self.integer("an offset")?;
            let sum_of = |value: i64| {
                if negative { sum.checked_sub(value) } else { sum.checked_add(value) }
            };
            sum = i64::try_from(magnitude).ok().and_then(sum_of).ok_or_else(|| {
                Diagnostic::new(
                    DiagnosticKind::OutOfRange,
                    first.to(self.last_span()),
                    "the offset does not fit 64 bits",
                )
            })?;
        }
        Ok(sum)
    }

    /// Whether a literal begins here.
    pub(super) fn at_literal(&self) -> bool {
        matches!(
            self.peek_kind(),
            TokenKind::Integer
                | TokenKind::WarpSize
                | TokenKind::Decimal
                | TokenKind::Float32
                | TokenKind::Float64
        )
    }

    /// A number without a sign.
    pub(super) fn literal(&mut self) -> Parse<Value> {
        let token = self.peek();
        let text = self.text_of(token);
        let value = match token.kind {
            TokenKind::Integer => Value::literal(self.integer_value(token)?, text.ends_with('U')),
            TokenKind::WarpSize => Value::literal(WARP_SIZE, false),
            TokenKind::Float32 => Value::Float32(
                u32::from_str_radix(&text[2..], 16).map_err(|_| self.unexpected("8 hexadecimal digits"))?,
            ),
            TokenKind::Float64 => Value::Float64(
                u64::from_str_radix(&text[2..], 16).map_err(|_| self.unexpected("16 hexadecimal digits"))?,
            ),
            TokenKind::Decimal => {
                let value: f64 = text.parse().map_err(|_| self.unexpected("a number"))?;
                Value::Float64(value.to_bits())
            }
            _ => return Err(self.unexpected("a number")),
        };
        self.next();
        Ok(value)
    }
}
