//! Initial values of variables.

use std::collections::HashMap;

use super::{Lowered, types};
use crate::ast::{Address, Constant, Initializer, Variable};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// The addresses of something that initial values can name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses {
    /// In its own state space.
    pub(super) own: u64,
    /// As a generic address.
    pub(super) generic: u64,
}

/// Everything that initial values can name.
pub(super) type Known<'a> = HashMap<&'a str, Addresses>;

/// Writes the initial value of `variable` over zeroed `contents`.
pub(super) fn fill(
    contents: &mut [u8],
    variable: &Variable,
    init: &Initializer,
    known: &Known<'_>,
) -> Lowered<()> {
    let width = types::declared(&variable.ty)?.bytes() as usize;
    let strides: Vec<usize> = {
        let mut dims: Vec<u64> = variable.dims.iter().map(|d| d.unwrap_or(0)).collect();
        if variable.vector > 1 {
            dims.push(u64::from(variable.vector));
        }
        let mut strides = vec![width];
        for dim in dims.iter().skip(1).rev() {
            let inner = strides.last().copied().unwrap_or(width);
            strides.push(inner.saturating_mul(usize::try_from(*dim).unwrap_or(usize::MAX)));
        }
        strides.reverse();
        strides
    };
    let writer = Filler { variable, width, known };
    match init {
        Initializer::List(..) if !variable.dims.is_empty() || variable.vector > 1 => {
            writer.level(contents, init, &strides)
        }
        _ => writer.level(contents, init, &[]),
    }
}

struct Filler<'a> {
    variable: &'a Variable,
    width: usize,
    known: &'a Known<'a>,
}

impl Filler<'_> {
    fn level(&self, contents: &mut [u8], init: &Initializer, strides: &[usize]) -> Lowered<()> {
        let (list, span) = match init {
            Initializer::Value(constant, span) => {
                let bits = self.bits(constant, *span)?;
                if contents.len() < self.width {
                    return Err(self.too_many(*span));
                }
                contents[..self.width].copy_from_slice(&bits.to_le_bytes()[..self.width]);
                return Ok(());
            }
            Initializer::List(list, span) => (list, *span),
        };
        let Some((&stride, inner)) = strides.split_first() else {
            return Err(Diagnostic::new(
                DiagnosticKind::Syntax,
                span,
                "the initial value is nested deeper than the variable's dimensions",
            ));
        };
        for (i, element) in list.iter().enumerate() {
            let from = i.saturating_mul(stride);
            let to = from.saturating_add(stride);
            let Some(part) = contents.get_mut(from..to) else {
                return Err(self.too_many(span));
            };
            self.level(part, element, inner)?;
        }
        Ok(())
    }

    fn too_many(&self, span: crate::span::Span) -> Diagnostic {
        Diagnostic::new(
            DiagnosticKind::OutOfRange,
            span,
            format!("'{}' has fewer elements than initial values", self.variable.name.text),
        )
    }

    fn bits(&self, constant: &Constant, span: crate::span::Span) -> Lowered<u64> {
        let ty = types::declared(&self.variable.ty)?;
        match constant {
            Constant::Address(address) => self.address(address),
            _ => super::operand::constant_bits(constant, ty, span),
        }
    }

    fn address(&self, address: &Address) -> Lowered<u64> {
        let word = &address.name;
        let Some(known) = self.known.get(word.text.as_str()) else {
            return Err(Diagnostic::new(
                DiagnosticKind::UndefinedName,
                word.span,
                format!("'{}' is not a variable of global or constant memory, nor a function", word.text),
            )
            .suggest(&word.text, self.known.keys().copied()));
        };
        let start = if address.generic { known.generic } else { known.own };
        let sum = start.wrapping_add_signed(address.offset);
        let mask = address.mask.unwrap_or(u64::MAX);
        let selected = (sum & mask) >> mask.trailing_zeros().min(63);
        let bits = 8 * u32::try_from(self.width).unwrap_or(8);
        if bits < 64 && selected >> bits != 0 {
            let message = format!("the address of '{}' does not fit {bits} bits", word.text);
            return Err(Diagnostic::new(DiagnosticKind::OutOfRange, word.span, message)
                .help("write 0xff(name) for its lowest byte, 0xff00(name) for the next"));
        }
        Ok(selected)
    }
}
