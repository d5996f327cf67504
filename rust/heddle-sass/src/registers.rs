//! All registers that an instruction reads and writes, from its operands and the opcode tables.

use heddle_isa::WideOperand;
use heddle_port::Reg;
use heddle_trace::opcodes::{Class, First, Row, Sources, Width, look_up, memory_bytes};

use crate::error::Fault;
use crate::instruction::Instruction;
use crate::operand::{Operand, Register, in_brackets, parse};
use crate::{texture, warpgroup};

/// What an instruction reads and writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers {
    /// The row of its opcode.
    pub row: &'static Row,
    /// Registers that it writes.
    pub destinations: Vec<Reg>,
    /// Registers that it reads, in the order of the operands.
    pub sources: Vec<Reg>,
    /// Operands of several registers.
    pub wide: Vec<WideOperand>,
    /// A destination is only a half or a byte of its register.
    pub part: bool,
}

/// The registers of an instruction.
///
/// # Errors
/// [`Fault::UnknownOpcode`], [`Fault::Operands`].
pub fn of(instruction: &Instruction, architecture: u32) -> Result<Registers, Fault> {
    let opcode = instruction.opcode.clone();
    let row = look_up(&opcode, architecture)
        .ok_or(Fault::UnknownOpcode { opcode: opcode.clone(), architecture })?;
    let found = Registers { row, destinations: vec![], sources: vec![], wide: vec![], part: false };
    Collector { instruction, architecture, found }
        .collect()
        .map_err(|reason| Fault::Operands { opcode, reason })
}

struct Collector<'a> {
    instruction: &'a Instruction,
    architecture: u32,
    found: Registers,
}

impl Collector<'_> {
    fn collect(mut self) -> Result<Registers, String> {
        let row = self.found.row;
        let operands: Vec<Operand<'_>> = self.instruction.operands.iter().map(|o| parse(o)).collect();
        let operands: Vec<Operand<'_>> =
            operands.into_iter().filter(|o| !matches!(o, Operand::Predicate)).collect();
        if texture::is_unknown(self.instruction) {
            return Err("the registers of its operands are not known".to_owned());
        } else if texture::is_fetch(self.instruction) {
            self.texture(&operands)?;
        } else if warpgroup::is_product(self.instruction) {
            self.product(&operands)?;
        } else {
            let tensor = matches!(row.class, Class::Compute(heddle_isa::Unit::Tensor));
            if tensor && row.modifiers().is_empty() {
                return Err("the shape of its operands is not known".to_owned());
            }
            let mut sources = operands.as_slice();
            match (row.destination, operands.split_first()) {
                (Some(width), Some((Operand::Register(first), rest)))
                    if row.first_operand != First::Source =>
                {
                    // Half-precision results of Maxwell and Pascal that keep the other half.
                    let merges = ["MRG_H0", "MRG_H1"].iter().any(|m| self.instruction.has(m));
                    self.found.part = first.part || merges;
                    self.add(*first, self.count(width), true)?;
                    sources = rest;
                }
                // What goes to a uniform register has no place among the sources.
                (_, Some((Operand::Uniform, rest))) => sources = rest,
                _ => {}
            }
            for (place, operand) in sources.iter().enumerate() {
                self.source(place, operand)?;
            }
        }
        Ok(self.found)
    }

    /// Registers of a width.
    fn count(&self, width: Width) -> usize {
        match width {
            Width::Registers(count) => usize::from(count),
            Width::Memory => usize::from(memory_bytes(&self.instruction.opcode).div_ceil(4)),
            Width::Address => 1,
        }
    }

    /// The source at a place among the operands that are neither predicates nor destination.
    fn source(&mut self, place: usize, operand: &Operand<'_>) -> Result<(), String> {
        let width = match &self.found.row.sources {
            Sources::Any(width) => Some(*width),
            Sources::List(list) => list.get(place).copied(),
        };
        match *operand {
            Operand::Register(register) => {
                let width =
                    width.ok_or_else(|| format!("it has no source register in place {}", place + 1))?;
                let count = if register.pair { 2 } else { self.count(width) };
                self.add(register, count, false)
            }
            Operand::Other(text) => {
                let (registers, uniform) = in_brackets(text);
                let wide_address = width == Some(Width::Address) && self.instruction.has("E") && !uniform;
                for (index, register) in registers.into_iter().enumerate() {
                    let pair = register.pair || (wide_address && index == 0 && !register.offset);
                    self.add(register, if pair { 2 } else { 1 }, false)?;
                }
                Ok(())
            }
            Operand::Predicate | Operand::Uniform => Ok(()),
        }
    }

    fn texture(&mut self, operands: &[Operand<'_>]) -> Result<(), String> {
        let registers: Vec<Register> = operands
            .iter()
            .map_while(|o| if let Operand::Register(r) = o { Some(*r) } else { None })
            .collect();
        let short = texture::widths(self.instruction, self.architecture, false).map(|w| w.destinations.len());
        let destinations = short.ok_or("its dimension or its mask is not understood")?;
        let second = registers.get(destinations + 1).is_some_and(|r| r.number.is_some());
        let widths = texture::widths(self.instruction, self.architecture, second);
        let widths = widths.ok_or("its dimension or its mask is not understood")?;
        for (index, register) in registers.into_iter().enumerate() {
            let written = index < destinations;
            let width = if written {
                widths.destinations.get(index).copied()
            } else {
                widths.sources.get(index - destinations).copied()
            };
            // An operand that is there has a register even where nothing is known to be in it.
            self.add(register, width.unwrap_or(1).max(1), written)?;
        }
        Ok(())
    }

    /// A product of a warp group: accumulator, A, B, accumulator. A and B can lie in shared memory, named by
    /// descriptors in uniform registers, or by one for both. The metadata of a sparse A stand behind, in one register.
    fn product(&mut self, operands: &[Operand<'_>]) -> Result<(), String> {
        let [accumulator, a] = warpgroup::widths(self.instruction).ok_or("its shape is not understood")?;
        let mut accumulates = false;
        for (index, operand) in operands.iter().enumerate() {
            let Operand::Register(register) = *operand else { continue };
            let width = match index {
                0 => accumulator,
                1 => a,
                _ if accumulates => 1,
                _ => {
                    accumulates = true;
                    accumulator
                }
            };
            self.add(register, width, index == 0)?;
        }
        Ok(())
    }

    /// Adds an operand of `count` registers.
    fn add(&mut self, first: Register, count: usize, written: bool) -> Result<(), String> {
        let Some(number) = first.number else { return Ok(()) };
        let last = usize::from(number) + count - 1;
        let top = usize::from(u8::MAX) - 1;
        if last > top {
            return Err(format!("R{number} of {count} registers ends at R{last}; the last one is R{top}"));
        }
        let list = if written { &mut self.found.destinations } else { &mut self.found.sources };
        let place = list.len();
        list.extend((usize::from(number)..=last).map(|r| Reg(r as u32)));
        if count > 1 {
            let small = |n: usize| u8::try_from(n).map_err(|_| "it has more than 255 registers".to_owned());
            self.found.wide.push(WideOperand { written, first: small(place)?, registers: small(count)? });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
