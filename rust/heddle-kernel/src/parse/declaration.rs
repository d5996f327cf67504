//! Variables, registers and parameters.

use super::{Parse, Parser};
use crate::ast::{Address, Constant, Initializer, Linkage, Variable, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::TokenKind;

/// Every type that PTX can declare.
const TYPES: &[&str] = &[
    "pred",
    "b8",
    "u8",
    "s8",
    "b16",
    "u16",
    "s16",
    "f16",
    "bf16",
    "b32",
    "u32",
    "s32",
    "f32",
    "f16x2",
    "bf16x2",
    "tf32",
    "b64",
    "u64",
    "s64",
    "f64",
    "b128",
    "texref",
    "samplerref",
    "surfref",
];

/// The part of a declaration before the name.
struct Prefix {
    space: VariableSpace,
    linkage: Linkage,
    align: Option<u64>,
    vector: u32,
    ty: Word,
}

impl Parser<'_> {
    /// `.space ... .type a, b[4] = {...} ;`
    pub(super) fn declaration(&mut self) -> Parse<Vec<Variable>> {
        let prefix = self.prefix()?;
        let mut variables = Vec::new();
        loop {
            variables.push(self.declarator(&prefix)?);
            if self.take(TokenKind::Comma).is_none() {
                self.expect(TokenKind::Semicolon, "',' or ';'")?;
                return Ok(variables);
            }
        }
    }

    /// `( .param .type a, ... )`, the list of a function.
    pub(super) fn parameters(&mut self) -> Parse<Vec<Variable>> {
        self.expect(TokenKind::OpenParen, "'('")?;
        let mut params = Vec::new();
        if self.take(TokenKind::CloseParen).is_some() {
            return Ok(params);
        }
        loop {
            let prefix = self.prefix()?;
            params.push(self.declarator(&prefix)?);
            if self.take(TokenKind::Comma).is_none() {
                self.expect(TokenKind::CloseParen, "',' or ')'")?;
                return Ok(params);
            }
        }
    }

    fn prefix(&mut self) -> Parse<Prefix> {
        let mut linkage = Linkage::default();
        let mut space = None;
        let mut align = None;
        let mut vector = 1;
        let mut pointer = false;
        loop {
            let Some(word) = self.peek_dotted() else {
                return Err(self.unexpected("a type, such as '.b32'"));
            };
            let declared = match word {
                "reg" => Some(VariableSpace::Reg),
                "global" | "tex" => Some(VariableSpace::Global),
                "shared" => Some(VariableSpace::Shared),
                "const" => Some(VariableSpace::Const),
                "local" => Some(VariableSpace::Local),
                "param" => Some(VariableSpace::Param),
                _ => None,
            };
            if let Some(declared) = declared {
                if space.is_some() && !pointer {
                    return Err(self.unexpected("a type, such as '.b32'"));
                }
                self.next();
                space = space.or(Some(declared));
                continue;
            }
            match word {
                "extern" => linkage = Linkage::Extern,
                "visible" => linkage = Linkage::Visible,
                "weak" | "common" => linkage = Linkage::Weak,
                "ptr" => pointer = true,
                "v2" => vector = 2,
                "v4" => vector = 4,
                "align" => {
                    self.next();
                    let token = self.peek();
                    let value = self.integer("an alignment")?;
                    if !value.is_power_of_two() || value > 1 << 16 {
                        return Err(Diagnostic::new(
                            DiagnosticKind::OutOfRange,
                            token.span,
                            format!("{value} is not an alignment"),
                        )
                        .help("a power of two up to 65536"));
                    }
                    // The alignment after `.ptr` is the pointee's.
                    if !pointer {
                        align = Some(value);
                    }
                    continue;
                }
                "attribute" => {
                    self.next();
                    self.expect(TokenKind::OpenParen, "'('")?;
                    while !matches!(self.peek_kind(), TokenKind::CloseParen | TokenKind::End) {
                        self.next();
                    }
                    self.expect(TokenKind::CloseParen, "')'")?;
                    continue;
                }
                ty if TYPES.contains(&ty) => {
                    let token = self.next();
                    let mut ty = self.word(token);
                    ty.text.remove(0);
                    self.pointer_attributes()?;
                    let Some(space) = space else {
                        return Err(Diagnostic::new(
                            DiagnosticKind::Syntax,
                            token.span,
                            "a declaration needs a state space",
                        )
                        .help("expected .reg, .param, .shared, .local, .const or .global before the type"));
                    };
                    return Ok(Prefix { space, linkage, align, vector, ty });
                }
                ty => {
                    return Err(Diagnostic::new(
                        DiagnosticKind::UnknownDirective,
                        self.peek().span,
                        format!("'.{ty}' is neither a type nor an attribute of a variable"),
                    )
                    .suggest(ty, TYPES.iter().copied()));
                }
            }
            self.next();
        }
    }

    /// `.ptr .global .align 4` after the type of a parameter.
    fn pointer_attributes(&mut self) -> Parse<()> {
        if self.peek_dotted() != Some("ptr") {
            return Ok(());
        }
        self.next();
        while let Some(word) = self.peek_dotted() {
            match word {
                "global" | "shared" | "const" | "local" | "param" => {
                    self.next();
                }
                "align" => {
                    self.next();
                    self.integer("an alignment")?;
                }
                _ => return Err(self.unexpected("a space, '.align' or the parameter's name")),
            }
        }
        Ok(())
    }

    fn declarator(&mut self, prefix: &Prefix) -> Parse<Variable> {
        let name = self.name("a name")?;
        let count = match self.take(TokenKind::Less) {
            Some(_) => {
                let at = self.peek().span;
                let count = self.integer("a number of registers")?;
                if count == 0 {
                    let message = format!("'{}<0>' declares no register", name.text);
                    return Err(Diagnostic::new(DiagnosticKind::OutOfRange, at, message)
                        .help("expected a number of registers from 1 on"));
                }
                self.expect(TokenKind::Greater, "'>'")?;
                Some(count)
            }
            None => None,
        };
        let mut dims = Vec::new();
        while self.take(TokenKind::OpenBracket).is_some() {
            let dim = match self.peek_kind() {
                TokenKind::CloseBracket => None,
                _ => Some(self.integer("a number of elements")?),
            };
            self.expect(TokenKind::CloseBracket, "']'")?;
            dims.push(dim);
        }
        let init = match self.take(TokenKind::Equals) {
            Some(_) => Some(self.initializer()?),
            None => None,
        };
        if init.is_some() && !matches!(prefix.space, VariableSpace::Global | VariableSpace::Const) {
            let message = format!("'{}' cannot have an initial value", name.text);
            let fault = Diagnostic::new(DiagnosticKind::Syntax, name.span, message);
            return Err(fault.help("variables in .global and .const can"));
        }
        Ok(Variable {
            space: prefix.space,
            linkage: prefix.linkage,
            align: prefix.align,
            vector: prefix.vector,
            ty: prefix.ty.clone(),
            name,
            count,
            dims,
            init,
        })
    }

    fn initializer(&mut self) -> Parse<Initializer> {
        let first = self.peek().span;
        if self.take(TokenKind::OpenBrace).is_some() {
            let mut elements = Vec::new();
            loop {
                if self.take(TokenKind::CloseBrace).is_some() {
                    break;
                }
                elements.push(self.nested(Self::initializer)?);
                if self.take(TokenKind::Comma).is_none() {
                    self.expect(TokenKind::CloseBrace, "',' or '}'")?;
                    break;
                }
            }
            return Ok(Initializer::List(elements, first.to(self.last_span())));
        }
        let masked =
            self.peek_kind() == TokenKind::Integer && self.tokens[self.at + 1].kind == TokenKind::OpenParen;
        let value = if masked {
            let mask = self.integer("a mask")?;
            self.next();
            let address = self.initial_address()?;
            self.expect(TokenKind::CloseParen, "')'")?;
            Constant::Address(Address { mask: Some(mask), ..address })
        } else if self.peek_kind() == TokenKind::Name {
            Constant::Address(self.initial_address()?)
        } else {
            self.constant()?
        };
        Ok(Initializer::Value(value, first.to(self.last_span())))
    }

    /// `name + offset`, `generic(name) + offset` or `generic(name + offset)`.
    fn initial_address(&mut self) -> Parse<Address> {
        let mut name = self.name("a variable or function")?;
        let generic = name.text == "generic" && self.take(TokenKind::OpenParen).is_some();
        let mut offset = 0;
        if generic {
            name = self.name("a variable or function")?;
            offset = self.offset()?;
            self.expect(TokenKind::CloseParen, "')'")?;
        }
        let offset = self.offset()?.checked_add(offset).ok_or_else(|| {
            Diagnostic::new(DiagnosticKind::OutOfRange, name.span, "the offset does not fit 64 bits")
        })?;
        Ok(Address { name, offset, generic, mask: None })
    }
}
