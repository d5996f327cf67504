//! Parameters of calls: blocks of bytes that live in registers.
//!
//! Each eight bytes of a parameter are an even pair of registers, the last four a single one. A value
//! may be written in other parts than it is read in; PTX aligns every access to its size, so each part
//! is one word, two words of a pair, or a field of a word.

use std::collections::BTreeMap;

use heddle_isa::{Alu, Mods, Operand as IrOperand, Type};
use heddle_port::Reg;
use smallvec::smallvec;

use super::symbols::{Storage, Symbol};
use super::{Lowered, Lowering, layout, types};
use crate::ast::{Operand, OperandKind, Variable, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::span::Span;

/// A parameter of a call larger than this is refused; it is the limit of kernel parameters.
const MAX_BYTES: u64 = 32_764;
/// Bytes that share a pair of registers.
const SLOT: u32 = 8;

/// A parameter of a call.
pub(super) struct CallParam {
    /// Size in bytes.
    pub(super) bytes: u32,
    /// First register of each eight bytes that something uses.
    slots: BTreeMap<u32, Reg>,
}

impl Lowering<'_> {
    /// A new parameter of a call for a `.param` declaration.
    pub(super) fn new_call_param(&mut self, variable: &Variable) -> Lowered<Symbol> {
        let (bytes, _) = layout::extent(variable)?;
        let bytes = u32::try_from(bytes).ok().filter(|&b| u64::from(b) <= MAX_BYTES).ok_or_else(|| {
            let message = format!("a parameter of a call has at most {MAX_BYTES} bytes");
            Diagnostic::new(DiagnosticKind::OutOfRange, variable.name.span, message)
        })?;
        self.call_params.push(CallParam { bytes, slots: BTreeMap::new() });
        Ok(Symbol::CallParam(self.call_params.len() - 1))
    }

    /// The parameter of a call, and offset, that an address in brackets names, if it names one.
    pub(super) fn call_param(&mut self, address: &Operand) -> Lowered<Option<(usize, i64)>> {
        match &address.kind {
            OperandKind::Address { base: Some(word), offset } => match self.symbols.find(word)? {
                Symbol::CallParam(id) => Ok(Some((id, *offset))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The register that holds the word at `offset`, a multiple of 4, of parameter `id`.
    pub(super) fn param_word(&mut self, id: usize, offset: u32, span: Span) -> Lowered<Reg> {
        let slot = offset / SLOT;
        let within = Reg(offset % SLOT / 4);
        if let Some(first) = self.call_params[id].slots.get(&slot) {
            return Ok(Reg(first.0 + within.0));
        }
        let whole = self.call_params[id].bytes - slot * SLOT > 4;
        let word = Word { text: String::new(), span };
        let ty = if whole { Type::B64 } else { Type::B32 };
        let Storage::Reg(first) = self.symbols.fresh(ty, &word)? else {
            return Err(Diagnostic::new(DiagnosticKind::TypeMismatch, span, "a predicate is no parameter"));
        };
        self.call_params[id].slots.insert(slot, first);
        Ok(Reg(first.0 + within.0))
    }

    /// Checks an access of type `ty` to parameter `id` and gives its byte offset.
    fn param_offset(&self, id: usize, offset: i64, ty: Type, span: Span) -> Lowered<u32> {
        let bytes = self.call_params[id].bytes;
        let fault = |message: String| Err(Diagnostic::new(DiagnosticKind::OutOfRange, span, message));
        let Ok(at) = u32::try_from(offset) else {
            return fault(format!("the parameter has bytes 0 to {bytes}, not {offset}"));
        };
        if at.checked_add(ty.bytes()).is_none_or(|end| end > bytes) {
            return fault(format!(
                "{} bytes at {at} reach past the {bytes} bytes of the parameter",
                ty.bytes()
            ));
        }
        if !at.is_multiple_of(ty.bytes().min(SLOT)) {
            return fault(format!("offset {at} is not a multiple of {} bytes", ty.bytes()));
        }
        Ok(at)
    }

    /// `st.param`: `elements` from `offset` on.
    pub(super) fn store_call_param(
        &mut self,
        (id, offset): (usize, i64),
        ty: Type,
        elements: &[Operand],
    ) -> Lowered<()> {
        for (element, n) in elements.iter().zip(0..) {
            let at = self.param_offset(id, offset + n * i64::from(ty.bytes()), ty, element.span)?;
            if ty == Type::B128 {
                for (half, at) in self.quad(element)?.into_iter().zip([at, at + SLOT]) {
                    self.store_part(id, at, Type::B64, half, element.span)?;
                }
                continue;
            }
            let source = self.source_by(element, ty, types::agree_wider)?;
            self.store_part(id, at, ty, source, element.span)?;
        }
        Ok(())
    }

    fn store_part(&mut self, id: usize, at: u32, ty: Type, source: IrOperand, span: Span) -> Lowered<()> {
        let word = self.param_word(id, at & !3, span)?;
        let none = Mods::default();
        match ty.bits() {
            64 => self.alu(Alu::Mov, Type::B64, none, smallvec![word, Reg(word.0 + 1)], &[source]),
            bits if bits < 32 && self.call_params[id].bytes > ty.bytes() => {
                let place = [IrOperand::Imm(u64::from(8 * (at % 4))), IrOperand::Imm(bits.into())];
                let srcs = [source, IrOperand::Reg(word), place[0], place[1]];
                self.alu(Alu::Bfi, Type::B32, none, smallvec![word], &srcs);
            }
            _ => self.alu(Alu::Mov, Type::B32, none, smallvec![word], &[low_word(source)]),
        }
        Ok(())
    }

    /// A parameter of a call with the contents of another one; other symbols stay as they are.
    pub(super) fn copy_call_param(&mut self, symbol: Symbol, span: Span) -> Lowered<Symbol> {
        let Symbol::CallParam(of) = symbol else {
            return Ok(symbol);
        };
        let id = self.call_params.len();
        self.call_params.push(CallParam { bytes: self.call_params[of].bytes, slots: BTreeMap::new() });
        for at in (0..self.call_params[of].bytes).step_by(4) {
            let from = self.param_word(of, at, span)?;
            let word = self.param_word(id, at, span)?;
            self.alu(Alu::Mov, Type::B32, Mods::default(), smallvec![word], &[IrOperand::Reg(from)]);
        }
        Ok(Symbol::CallParam(id))
    }

    /// Sets every word of a parameter to zero.
    pub(super) fn clear_call_param(&mut self, id: usize, span: Span) -> Lowered<()> {
        for at in (0..self.call_params[id].bytes).step_by(4) {
            let word = self.param_word(id, at, span)?;
            self.alu(Alu::Mov, Type::B32, Mods::default(), smallvec![word], &[IrOperand::Imm(0)]);
        }
        Ok(())
    }

    /// `ld.param` from a parameter of a call.
    pub(super) fn load_call_param(
        &mut self,
        (id, offset): (usize, i64),
        ty: Type,
        elements: &[Operand],
    ) -> Lowered<()> {
        for (element, n) in elements.iter().zip(0..) {
            let at = self.param_offset(id, offset + n * i64::from(ty.bytes()), ty, element.span)?;
            let word = self.param_word(id, at & !3, element.span)?;
            let (declared, mut dsts) = self.destination_by(element, ty, types::agree_wider)?;
            let none = Mods::default();
            if ty == Type::B128 {
                let upper = self.param_word(id, at + SLOT, element.span)?;
                for (dsts, word) in dsts.chunks(2).zip([word, upper]) {
                    self.alu(Alu::Mov, Type::B64, none, dsts.into(), &[IrOperand::Pair(word)]);
                }
                continue;
            }
            let high = (declared.words() > ty.words()).then(|| dsts.pop()).flatten();
            let low = dsts[0];
            match ty.bits() {
                64 => self.alu(Alu::Mov, Type::B64, none, dsts, &[IrOperand::Pair(word)]),
                32 => self.alu(Alu::Mov, Type::B32, none, dsts, &[IrOperand::Reg(word)]),
                bits => {
                    let extended = if ty.is_signed() { Type::S32 } else { Type::U32 };
                    let place = [IrOperand::Imm(u64::from(8 * (at % 4))), IrOperand::Imm(bits.into())];
                    self.alu(Alu::Bfe, extended, none, dsts, &[IrOperand::Reg(word), place[0], place[1]]);
                }
            }
            if let Some(high) = high {
                self.extend_high(ty, low, high);
            }
        }
        Ok(())
    }
}

/// The low word of a source that may be wider than the value stored.
fn low_word(source: IrOperand) -> IrOperand {
    match source {
        IrOperand::Pair(low) => IrOperand::Reg(low),
        other => other,
    }
}
