//! Statements of a body: labels, scopes, declarations, instructions.

use super::{Parse, Parser};
use crate::ast::{Callees, Constant, GuardWord, Instruction, Operand, OperandKind, Statement, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::TokenKind;
use crate::span::Span;

impl Parser<'_> {
    /// The statements up to a closing brace, which is consumed, and its place.
    pub(super) fn body(&mut self) -> Parse<(Vec<Statement>, Span)> {
        self.expect(TokenKind::OpenBrace, "'{'")?;
        let mut statements = Vec::new();
        loop {
            match self.peek_kind() {
                TokenKind::CloseBrace => return Ok((statements, self.next().span)),
                TokenKind::End => return Err(self.unexpected("'}'")),
                TokenKind::Semicolon => {
                    self.next();
                }
                _ => {
                    let before = self.at;
                    if let Err(fault) = self.statement(&mut statements) {
                        if !self.note(fault) {
                            self.at = self.tokens.len() - 1;
                            return Ok((statements, self.last_span()));
                        }
                        self.recover_statement();
                        if self.at == before && self.peek_kind() != TokenKind::CloseBrace {
                            self.next();
                        }
                    }
                }
            }
        }
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Parse<()> {
        match self.peek_kind() {
            TokenKind::OpenBrace => {
                let (statements, end) = self.nested(Self::body)?;
                out.push(Statement::Scope(statements, end));
            }
            TokenKind::Dotted => self.body_directive(out)?,
            TokenKind::At => out.push(Statement::Instruction(self.instruction()?)),
            TokenKind::Name if self.tokens[self.at + 1].kind == TokenKind::Colon => {
                let label = self.name("a label")?;
                self.next();
                out.push(match self.peek_dotted() {
                    Some("callprototype") => {
                        self.next();
                        Statement::Prototype(label, self.call_prototype()?)
                    }
                    Some("calltargets") => {
                        self.next();
                        Statement::Prototype(label, Callees::Targets(self.names("a function")?))
                    }
                    Some("branchtargets") => {
                        self.next();
                        Statement::BranchTargets(label, self.names("a label")?)
                    }
                    _ => Statement::Label(label),
                });
            }
            TokenKind::Name => out.push(Statement::Instruction(self.instruction()?)),
            _ => return Err(self.unexpected("a label, an instruction, a directive or '}'")),
        }
        Ok(())
    }

    /// Names up to a semicolon.
    fn names(&mut self, expected: &str) -> Parse<Vec<Word>> {
        let mut names = vec![self.name(expected)?];
        while self.take(TokenKind::Comma).is_some() {
            names.push(self.name(expected)?);
        }
        self.expect(TokenKind::Semicolon, "',' or ';'")?;
        Ok(names)
    }

    /// `(returns) _ (parameters) [.noreturn] [.abi_preserve n] ;`
    fn call_prototype(&mut self) -> Parse<Callees> {
        let returns = match self.peek_kind() {
            TokenKind::OpenParen => self.parameters()?,
            _ => Vec::new(),
        };
        self.name("'_'")?;
        let params = match self.peek_kind() {
            TokenKind::OpenParen => self.parameters()?,
            _ => Vec::new(),
        };
        self.skip_to_semicolon()?;
        Ok(Callees::Signature { returns, params })
    }

    fn body_directive(&mut self, out: &mut Vec<Statement>) -> Parse<()> {
        match self.peek_dotted().unwrap_or_default() {
            "loc" => self.line_directive(),
            "file" => self.file_directive(),
            "pragma" => self.skip_to_semicolon(),
            "reg" | "local" | "shared" | "param" | "const" | "global" | "extern" => {
                let variables = self.declaration()?;
                out.extend(variables.into_iter().map(Statement::Variable));
                Ok(())
            }
            _ => Err(self.unknown_directive(&["loc", "pragma", "reg", "local", "shared", "param"])),
        }
    }

    /// `.loc file line column [, function_name name [+ n], inlined_at file line column]`, which ends
    /// without a semicolon.
    pub(super) fn line_directive(&mut self) -> Parse<()> {
        self.next();
        for expected in ["a file number", "a line", "a column"] {
            self.integer(expected)?;
        }
        while self.take(TokenKind::Comma).is_some() {
            let word = self.name("'function_name' or 'inlined_at'")?;
            if word.text == "function_name" {
                self.name("a name")?;
                self.offset()?;
            } else {
                while self.take(TokenKind::Integer).is_some() {}
            }
        }
        Ok(())
    }

    /// Skips over a directive and its semicolon.
    pub(super) fn skip_to_semicolon(&mut self) -> Parse<()> {
        loop {
            match self.peek_kind() {
                TokenKind::Semicolon => {
                    self.next();
                    return Ok(());
                }
                TokenKind::End | TokenKind::OpenBrace | TokenKind::CloseBrace => {
                    return Err(self.unexpected("';'"));
                }
                _ => {
                    self.next();
                }
            }
        }
    }

    fn instruction(&mut self) -> Parse<Instruction> {
        let first = self.peek().span;
        let guard = match self.take(TokenKind::At) {
            Some(_) => {
                let negated = self.take(TokenKind::Not).is_some();
                let name = self.name("a predicate register")?;
                Some(GuardWord { name, negated })
            }
            None => None,
        };
        let opcode = self.name("an instruction")?;
        let mut modifiers = Vec::new();
        while let Some(word) = self.take_dotted() {
            modifiers.push(word);
        }
        let mut operands = Vec::new();
        if self.peek_kind() != TokenKind::Semicolon {
            let is_call = opcode.text == "call";
            operands.push(self.operand_of(is_call)?);
            while self.take(TokenKind::Comma).is_some() {
                operands.push(self.operand_of(is_call)?);
            }
        }
        let span = first.to(self.last_span());
        if self.peek_kind() != TokenKind::Semicolon {
            return Err(self.unexpected("',' and another operand, or ';'"));
        }
        self.next();
        Ok(Instruction { guard, opcode, modifiers, operands, span })
    }

    /// An operand of an instruction; those of a call may be lists in parentheses.
    fn operand_of(&mut self, is_call: bool) -> Parse<Operand> {
        let first = self.peek().span;
        if !is_call || self.take(TokenKind::OpenParen).is_none() {
            return self.operand();
        }
        let kind = OperandKind::List(self.list(TokenKind::CloseParen, "')'")?);
        Ok(Operand { kind, span: first.to(self.last_span()) })
    }

    fn operand(&mut self) -> Parse<Operand> {
        let first = self.peek().span;
        let kind = self.operand_kind()?;
        let operand = Operand { kind, span: first.to(self.last_span()) };
        if self.take(TokenKind::Pipe).is_none() {
            return Ok(operand);
        }
        let second = self.nested(Self::operand)?;
        Ok(Operand {
            span: first.to(self.last_span()),
            kind: OperandKind::Pair(Box::new(operand), Box::new(second)),
        })
    }

    fn operand_kind(&mut self) -> Parse<OperandKind> {
        match self.peek_kind() {
            TokenKind::Name => {
                let mut word = self.name("an operand")?;
                if word.text == "_" {
                    return Ok(OperandKind::Sink);
                }
                if let Some(component) = self.take_dotted() {
                    word.text.push('.');
                    word.text.push_str(&component.text);
                }
                Ok(OperandKind::Name(word.text, self.offset()?))
            }
            TokenKind::Not if self.tokens[self.at + 1].kind == TokenKind::Name => {
                self.next();
                Ok(OperandKind::Not(self.name("a predicate register")?))
            }
            TokenKind::OpenBracket => self.address(),
            TokenKind::OpenBrace => {
                self.next();
                Ok(OperandKind::Vector(self.list(TokenKind::CloseBrace, "'}'")?))
            }
            TokenKind::Minus if self.tokens[self.at + 1].kind == TokenKind::Name => {
                self.next();
                Ok(OperandKind::Negated(Box::new(self.nested(Self::operand)?)))
            }
            _ if self.at_constant() => Ok(OperandKind::Constant(self.constant()?)),
            _ => Err(self.unexpected("an operand")),
        }
    }

    fn list(&mut self, close: TokenKind, expected: &str) -> Parse<Vec<Operand>> {
        let mut elements = Vec::new();
        if self.take(close).is_some() {
            return Ok(elements);
        }
        loop {
            elements.push(self.nested(Self::operand)?);
            if self.take(TokenKind::Comma).is_none() {
                self.expect(close, &format!("',' or {expected}"))?;
                return Ok(elements);
            }
        }
    }

    fn address(&mut self) -> Parse<OperandKind> {
        self.next();
        let base = match self.peek_kind() {
            TokenKind::Name => Some(self.name("a register or variable")?),
            _ => None,
        };
        if let Some(base) = &base
            && self.take(TokenKind::Comma).is_some()
        {
            let mut operands = vec![name_operand(base)];
            operands.extend(self.list(TokenKind::CloseBracket, "']'")?);
            return Ok(OperandKind::Texture(operands));
        }
        let offset = if base.is_some() { self.offset()? } else { self.absolute_address()? };
        self.expect(TokenKind::CloseBracket, "'+', '-' or ']'")?;
        Ok(OperandKind::Address { base, offset })
    }

    fn absolute_address(&mut self) -> Parse<i64> {
        let first = self.peek().span;
        let negative = self.take(TokenKind::Minus).is_some();
        let magnitude = match self.literal()?.constant() {
            Constant::Integer { magnitude, .. } if !negative => magnitude,
            _ => {
                return Err(Diagnostic::new(
                    DiagnosticKind::Operand,
                    first.to(self.last_span()),
                    "an absolute address is a non-negative integer",
                ));
            }
        };
        i64::try_from(magnitude).map_err(|_| {
            Diagnostic::new(DiagnosticKind::OutOfRange, first, "the address does not fit 63 bits")
        })
    }
}

fn name_operand(word: &Word) -> Operand {
    Operand { kind: OperandKind::Name(word.text.clone(), 0), span: word.span }
}
