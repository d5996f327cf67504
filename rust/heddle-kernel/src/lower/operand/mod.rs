//! Operands: names and numbers to IR operands, with their types checked.

mod address;
mod predicate;

use heddle_isa::{Alu, Mods, Operand as IrOperand, Special, Type};
use heddle_port::Reg;
use smallvec::{SmallVec, smallvec};

use super::special::{self, Named};
use super::symbols::{Storage, Symbol};
use super::{Lowered, Lowering, functions, types};
use crate::ast::{Constant, Operand, OperandKind, VariableSpace, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// Destination registers of one value, low word first.
pub(super) type Registers = SmallVec<[Reg; 4]>;

/// Components of a vector register; `r g b a` name the same.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];
/// Their other names.
pub(super) const COLOURS: [&str; 4] = ["r", "g", "b", "a"];

/// Which register types an operand may have.
pub(super) type Rule = fn(Type, Type) -> bool;

/// The bits of a constant as a value of type `ty`.
pub(super) fn constant_bits(constant: &Constant, ty: Type, span: Span) -> Lowered<u64> {
    let mismatch = |what: &str| {
        Diagnostic::new(
            DiagnosticKind::TypeMismatch,
            span,
            format!("{what} cannot stand for a .{} value", ty.name()),
        )
    };
    if ty == Type::B128 {
        return Err(mismatch("a constant"));
    }
    let any_bits = types::is_bits(ty);
    match *constant {
        Constant::Integer { magnitude, negative } => {
            if ty.is_float() {
                return Err(mismatch("an integer").help("write 0f and 8, or 0d and 16 hexadecimal digits"));
            }
            let value = if negative { magnitude.wrapping_neg() } else { magnitude };
            let bits = ty.bits();
            if bits == 64 {
                return Ok(value);
            }
            let mask = (1u64 << bits) - 1;
            let fits = if negative { magnitude <= 1 << (bits - 1) } else { magnitude <= mask };
            // A negative number may also be written as its 64-bit pattern, and a complement is one.
            let upper_ones = !negative && value | mask == u64::MAX;
            if !fits && !upper_ones {
                return Err(Diagnostic::new(
                    DiagnosticKind::OutOfRange,
                    span,
                    format!("the constant does not fit .{}", ty.name()),
                ));
            }
            Ok(value & mask)
        }
        Constant::Float32(bits) => match ty {
            Type::F32 => Ok(u64::from(bits)),
            _ if any_bits && ty.bits() == 32 => Ok(u64::from(bits)),
            _ => Err(mismatch("a 32-bit float")),
        },
        Constant::Float64(bits) => match ty {
            Type::F64 => Ok(bits),
            _ if any_bits && ty.bits() == 64 => Ok(bits),
            #[allow(clippy::cast_possible_truncation)]
            Type::F32 => Ok(u64::from((f64::from_bits(bits) as f32).to_bits())),
            _ => Err(mismatch("a 64-bit float")),
        },
        Constant::Address(..) => Err(mismatch("an address")),
    }
}

impl Lowering<'_> {
    /// A register, constant, special register or variable address as a value of type `ty`.
    pub(super) fn source(&mut self, operand: &Operand, ty: Type) -> Lowered<IrOperand> {
        self.source_by(operand, ty, types::agree)
    }

    /// As [`Self::source`], with the rule that says which register types may stand here.
    pub(super) fn source_by(&mut self, operand: &Operand, ty: Type, rule: Rule) -> Lowered<IrOperand> {
        match &operand.kind {
            OperandKind::Constant(constant) => Ok(IrOperand::Imm(constant_bits(constant, ty, operand.span)?)),
            OperandKind::Name(name, offset) => {
                let word = Word { text: name.clone(), span: operand.span };
                let known = special::find(name);
                let symbol = if known.is_some() { None } else { Some(self.symbols.find(&word)?) };
                if *offset != 0 && !matches!(symbol, Some(Symbol::Variable(..))) {
                    return Err(wrong_form(
                        operand,
                        "a name without a number behind it, which only a variable has",
                    ));
                }
                if let Some(named) = known {
                    return self.special(named, name, operand, ty, rule);
                }
                match self.symbols.find(&word)? {
                    Symbol::Register(register, storage) => {
                        if !rule(ty, register) {
                            return Err(self.mismatch(operand, ty, register));
                        }
                        Ok(register_operand(storage, ty, operand)?)
                    }
                    Symbol::Variable(space, address) => {
                        variable_address(space, address, *offset, ty, operand)
                    }
                    Symbol::Function(index) if !ty.is_float() && ty.bits() >= 32 => {
                        Ok(IrOperand::Imm(functions::address(index)))
                    }
                    Symbol::Label(_)
                    | Symbol::Vector(_)
                    | Symbol::CallParam(_)
                    | Symbol::BranchTargets(_)
                    | Symbol::Reference(_)
                    | Symbol::Prototype(_)
                    | Symbol::Function(_) => Err(Diagnostic::new(
                        DiagnosticKind::Unsupported,
                        operand.span,
                        format!("the address of '{name}' cannot be taken"),
                    )),
                }
            }
            _ => Err(wrong_form(operand, "a register or a constant")),
        }
    }

    /// A special register as a value of type `ty`.
    fn special(
        &mut self,
        named: Named,
        name: &str,
        operand: &Operand,
        ty: Type,
        rule: Rule,
    ) -> Lowered<IrOperand> {
        let agrees = |found| rule(ty, found) || rule(found, ty);
        match named {
            Named::Special(special) if agrees(Type::U32) => Ok(IrOperand::Special(special)),
            Named::UserShared if agrees(Type::U32) => self.user_shared(operand.span),
            Named::Special(_) | Named::UserShared => Err(self.mismatch(operand, ty, Type::U32)),
            Named::Constant(value, found) if agrees(found) || agrees(Type::U32) => Ok(IrOperand::Imm(value)),
            Named::Constant(_, found) => Err(self.mismatch(operand, ty, found)),
            Named::Clock(_) => Err(wrong_form(operand, &format!("a register; {name} is read by mov alone"))),
            Named::Missing => Err(Diagnostic::new(
                DiagnosticKind::Unsupported,
                operand.span,
                format!("special register {name} is not supported"),
            )),
        }
    }

    /// The bytes of shared memory that are the kernel's own.
    fn user_shared(&mut self, span: Span) -> Lowered<IrOperand> {
        let total = IrOperand::Special(Special::TotalSharedBytes);
        let reserved = u64::from(self.frame.reserved_shared_bytes);
        if reserved == 0 {
            return Ok(total);
        }
        let own = self.fresh_word(span)?;
        let srcs = [total, IrOperand::Imm(reserved)];
        self.unguarded(|l| l.alu(Alu::Sub, Type::U32, Mods::default(), smallvec![own], &srcs));
        Ok(IrOperand::Reg(own))
    }

    /// The registers that a value of type `ty` is written to; `_` gives registers that nobody reads.
    pub(super) fn destination(&mut self, operand: &Operand, ty: Type) -> Lowered<Registers> {
        Ok(self.destination_by(operand, ty, types::agree)?.1)
    }

    /// As [`Self::destination`] under another rule; also the declared type.
    pub(super) fn destination_by(
        &mut self,
        operand: &Operand,
        ty: Type,
        rule: Rule,
    ) -> Lowered<(Type, Registers)> {
        let (declared, storage) = match &operand.kind {
            OperandKind::Sink => {
                let word = Word { text: "_".to_owned(), span: operand.span };
                (ty, self.symbols.fresh(ty, &word)?)
            }
            OperandKind::Name(..) => self.register(operand)?,
            _ => return Err(wrong_form(operand, "a destination register")),
        };
        if !rule(ty, declared) {
            return Err(self.mismatch(operand, ty, declared));
        }
        match storage {
            Storage::Reg(r) => {
                let words = u32::try_from(declared.words()).unwrap_or(1);
                Ok((declared, (r.0..r.0 + words).map(Reg).collect()))
            }
            Storage::Pred(_) => Err(self.mismatch(operand, ty, Type::Pred)),
        }
    }

    /// The two 64-bit halves of a 128-bit register.
    pub(super) fn quad(&mut self, operand: &Operand) -> Lowered<[IrOperand; 2]> {
        match self.register(operand)? {
            (Type::B128, Storage::Reg(r)) => Ok([IrOperand::Pair(r), IrOperand::Pair(Reg(r.0 + 2))]),
            (ty, _) => Err(self.mismatch(operand, Type::B128, ty)),
        }
    }

    /// The components of a vector register called `name`, if it is one.
    pub(super) fn components(&mut self, name: &str, span: Span) -> Option<Vec<Operand>> {
        let word = Word { text: name.to_owned(), span };
        let Ok(Symbol::Vector(count)) = self.symbols.find(&word) else {
            return None;
        };
        let component = |c: &&str| Operand { kind: OperandKind::Name(format!("{name}.{c}"), 0), span };
        Some(COMPONENTS[..count].iter().map(component).collect())
    }

    /// A new 32-bit register for an instruction at `span`.
    pub(super) fn fresh_word(&mut self, span: Span) -> Lowered<Reg> {
        let word = Word { text: String::new(), span };
        match self.symbols.fresh(Type::B32, &word)? {
            Storage::Reg(reg) => Ok(reg),
            Storage::Pred(_) => {
                Err(Diagnostic::new(DiagnosticKind::TypeMismatch, span, "a register was expected"))
            }
        }
    }

    fn register(&mut self, operand: &Operand) -> Lowered<(Type, Storage)> {
        let OperandKind::Name(text, 0) = &operand.kind else {
            return Err(wrong_form(operand, "a register"));
        };
        let word = Word { text: text.clone(), span: operand.span };
        if special::find(text).is_some() {
            return Err(Diagnostic::new(
                DiagnosticKind::Operand,
                operand.span,
                format!("special register {text} cannot be written"),
            ));
        }
        match self.symbols.find(&word)? {
            Symbol::Register(ty, storage) => Ok((ty, storage)),
            _ => Err(wrong_form(operand, "a register")),
        }
    }

    pub(super) fn mismatch(&self, operand: &Operand, wanted: Type, found: Type) -> Diagnostic {
        let text = &self.text()[operand.span.start..operand.span.end];
        Diagnostic::new(
            DiagnosticKind::TypeMismatch,
            operand.span,
            format!("'{text}' is .{}, the instruction wants .{}", found.name(), wanted.name()),
        )
    }
}

/// The fault that an operand has another form than `expected`.
pub(super) fn wrong_form(operand: &Operand, expected: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Operand, operand.span, "this operand cannot stand here")
        .help(format!("expected {expected}"))
}

fn register_operand(storage: Storage, ty: Type, operand: &Operand) -> Lowered<IrOperand> {
    match storage {
        Storage::Reg(r) if ty.words() == 2 => Ok(IrOperand::Pair(r)),
        Storage::Reg(r) => Ok(IrOperand::Reg(r)),
        Storage::Pred(_) => Err(wrong_form(operand, "a register that is no predicate")),
    }
}

fn variable_address(
    space: VariableSpace,
    address: u32,
    offset: i64,
    ty: Type,
    operand: &Operand,
) -> Lowered<IrOperand> {
    if space == VariableSpace::Reg || ty.is_float() || ty.bits() < 32 {
        return Err(wrong_form(operand, "a register or a constant"));
    }
    let sum = u64::from(address).wrapping_add_signed(offset);
    Ok(IrOperand::Imm(if ty.words() == 2 { sum } else { sum & 0xFFFF_FFFF }))
}
