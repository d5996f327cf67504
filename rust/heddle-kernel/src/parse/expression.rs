//! Constant expressions in operands and initial values: literals, the operators of C, and casts to 64 bits.

use super::value::{Binary, NoValue, Unary, Value};
use super::{Parse, Parser};
use crate::ast::Constant;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::TokenKind;
use crate::span::Span;

/// Operators of this precedence and above bind their operands in any expression but a `?:`.
const LOOSEST: u32 = 1;

impl Parser<'_> {
    /// A constant expression.
    pub(super) fn constant(&mut self) -> Parse<Constant> {
        Ok(self.expression()?.constant())
    }

    /// Whether a constant expression begins here.
    pub(super) fn at_constant(&self) -> bool {
        self.at_literal()
            || matches!(
                self.peek_kind(),
                TokenKind::Plus | TokenKind::Minus | TokenKind::Not | TokenKind::Tilde | TokenKind::OpenParen
            )
    }

    /// `a ? b : c`, or an expression without.
    fn expression(&mut self) -> Parse<Value> {
        let condition = self.binary(LOOSEST)?;
        let Some(question) = self.take(TokenKind::Question) else {
            return Ok(condition);
        };
        let holds = told(condition.holds(), question.span)?;
        let then = self.nested(Self::expression)?;
        self.expect(TokenKind::Colon, "an operator or ':'")?;
        let otherwise = self.nested(Self::expression)?;
        told(then.or_else(otherwise, holds), question.span)
    }

    /// Operators of at least this precedence, the left one first. Each operand on the right has a higher one, so that
    /// the depth is bounded.
    fn binary(&mut self, loosest: u32) -> Parse<Value> {
        let mut left = self.unary()?;
        while let Some((op, precedence)) = self.operator().filter(|(_, precedence)| *precedence >= loosest) {
            let sign = self.next().span;
            let right = self.binary(precedence + 1)?;
            left = told(left.binary(op, right), sign)?;
        }
        Ok(left)
    }

    /// The binary operator that stands next and its precedence; the higher one binds first.
    fn operator(&self) -> Option<(Binary, u32)> {
        Some(match self.peek_kind() {
            TokenKind::Star => (Binary::Multiply, 10),
            TokenKind::Slash => (Binary::Divide, 10),
            // A register's name has more than this sign.
            TokenKind::Name if self.text_of(self.peek()) == "%" => (Binary::Remainder, 10),
            TokenKind::Plus => (Binary::Add, 9),
            TokenKind::Minus => (Binary::Subtract, 9),
            TokenKind::ShiftLeft => (Binary::ShiftLeft, 8),
            TokenKind::ShiftRight => (Binary::ShiftRight, 8),
            TokenKind::Less => (Binary::Less, 7),
            TokenKind::LessEqual => (Binary::LessEqual, 7),
            TokenKind::Greater => (Binary::Greater, 7),
            TokenKind::GreaterEqual => (Binary::GreaterEqual, 7),
            TokenKind::EqualEqual => (Binary::Equal, 6),
            TokenKind::NotEqual => (Binary::NotEqual, 6),
            TokenKind::And => (Binary::And, 5),
            TokenKind::Caret => (Binary::Xor, 4),
            TokenKind::Pipe => (Binary::Or, 3),
            TokenKind::AndAnd => (Binary::BothHold, 2),
            TokenKind::OrOr => (Binary::OneHolds, LOOSEST),
            _ => return None,
        })
    }

    /// Signs and casts, however many, before a literal or parentheses.
    fn unary(&mut self) -> Parse<Value> {
        let mut signs = Vec::new();
        while let Some(sign) = self.sign() {
            signs.push(sign);
        }
        let mut value = match self.take(TokenKind::OpenParen) {
            Some(_) => {
                let value = self.nested(Self::expression)?;
                self.expect(TokenKind::CloseParen, "an operator or ')'")?;
                value
            }
            None => self.literal()?,
        };
        for (op, span) in signs.into_iter().rev() {
            value = told(value.unary(op), span)?;
        }
        Ok(value)
    }

    /// Consumes one sign or cast, if one stands next.
    fn sign(&mut self) -> Option<(Unary, Span)> {
        let op = match self.peek_kind() {
            TokenKind::Plus => Unary::Plus,
            TokenKind::Minus => Unary::Minus,
            TokenKind::Not => Unary::Not,
            TokenKind::Tilde => Unary::Complement,
            TokenKind::OpenParen => {
                let cast = match self.text_of(*self.tokens.get(self.at + 1)?) {
                    ".s64" => Unary::ToSigned,
                    ".u64" => Unary::ToUnsigned,
                    _ => return None,
                };
                self.tokens.get(self.at + 2).filter(|t| t.kind == TokenKind::CloseParen)?;
                let first = self.next().span;
                self.next();
                return Some((cast, first.to(self.next().span)));
            }
            _ => return None,
        };
        Some((op, self.next().span))
    }
}

/// The value, or the fault that the operator at `span` has none.
fn told<T>(value: Result<T, NoValue>, span: Span) -> Parse<T> {
    value.map_err(|reason| {
        let kind = match reason {
            NoValue::DivisionByZero => DiagnosticKind::OutOfRange,
            NoValue::Float => DiagnosticKind::Unsupported,
        };
        Diagnostic::new(kind, span, reason.to_string())
    })
}
