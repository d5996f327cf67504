//! From the first registers that a trace names to all registers that an instruction accesses.

use heddle_isa::{Space, TracedAccess, TracedKind, Unit};
use heddle_port::{NUM_DESTINATIONS, NUM_SOURCES, Reg};

use crate::error::TraceError;
use crate::header::Header;
use crate::instruction::{Instruction, ZERO_REGISTER};
use crate::line::Line;
use crate::notes::Note;
use crate::opcodes::{Class, First, Row, Sources, Width, cache_operator, fence_level, look_up, memory_bytes};

/// The last register that is no zero register.
const LAST_REGISTER: u32 = ZERO_REGISTER as u32 - 1;

/// What an instruction accesses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operands {
    /// What it does.
    pub kind: TracedKind,
    /// It ends lanes.
    pub exits: bool,
    /// Destination registers.
    pub destinations: Vec<Reg>,
    /// Source registers in operand order; one that is named twice is there twice.
    pub sources: Vec<Reg>,
}

/// A part of an instruction that fits the slots of the port: destinations and sources.
pub type Part<'a> = (&'a [Reg], &'a [Reg]);

impl Operands {
    /// The instruction in as many parts as the port needs: first the sources, then the destinations, so that no
    /// part writes what a later one reads.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let reads = self.sources.len().div_ceil(NUM_SOURCES).max(1);
        (0..self.count()).map(move |part| {
            let sources = self.sources.chunks(NUM_SOURCES).nth(part).unwrap_or_default();
            let written = (part + 1).checked_sub(reads);
            let destinations = written.and_then(|n| self.destinations.chunks(NUM_DESTINATIONS).nth(n));
            (destinations.unwrap_or_default(), sources)
        })
    }

    /// How many parts there are; at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        let reads = self.sources.len().div_ceil(NUM_SOURCES).max(1);
        let writes = self.destinations.len().div_ceil(NUM_DESTINATIONS).max(1);
        reads + writes - 1
    }

    /// Registers that a thread must have.
    #[must_use]
    pub fn registers(&self) -> u32 {
        self.sources.iter().chain(&self.destinations).map(|r| r.0 + 1).max().unwrap_or(0)
    }
}

/// Restores the operands of an instruction by the opcode tables.
///
/// # Errors
/// [`TraceError::UnknownOpcode`], and [`TraceError::Operands`] for registers that the opcode does not have, or
/// that do not fit the port where it is no arithmetic, which goes in parts.
pub fn restore(
    header: &Header,
    line: Line<'_>,
    instruction: &Instruction<'_>,
) -> Result<Operands, TraceError> {
    let opcode = instruction.opcode;
    let row = look_up(opcode, header.architecture).ok_or_else(|| TraceError::UnknownOpcode {
        at: line.spot(instruction.column),
        opcode: opcode.to_owned(),
        architecture: header.architecture,
    })?;
    let noted = header.notes.get(&instruction.pc).filter(|note| note.has_registers());
    let operands = noted.map_or_else(|| of_row(row, instruction), |note| of_note(row, instruction, note));
    operands.map_err(|reason| TraceError::Operands {
        at: line.spot(instruction.column),
        opcode: opcode.to_owned(),
        reason,
    })
}

/// The operands of an instruction whose registers the header has.
fn of_note(row: &Row, instruction: &Instruction<'_>, note: &Note) -> Result<Operands, String> {
    let registers = |numbers: &[u8]| numbers.iter().map(|&number| Reg(number.into())).collect();
    let mut operands = Operands {
        kind: TracedKind::Control,
        exits: row.class == Class::Exit,
        destinations: registers(&note.destinations),
        sources: registers(&note.sources),
    };
    operands.kind = kind(row.class, instruction, &operands)?;
    let computes = matches!(operands.kind, TracedKind::Compute(_));
    if computes || matches!(operands.kind, TracedKind::Memory { .. }) {
        return Ok(operands);
    }
    Err("the header has registers of it, and it neither computes nor accesses memory".to_owned())
}

/// The operands of an instruction whose opcode has this row; else why it can have none.
pub(crate) fn of_row(row: &Row, instruction: &Instruction<'_>) -> Result<Operands, String> {
    let opcode = instruction.opcode;
    let (destination, listed) = split(row, instruction);
    let mut operands = Operands {
        kind: TracedKind::Control,
        exits: row.class == Class::Exit,
        destinations: Vec::new(),
        sources: Vec::new(),
    };
    if let Some(first) = destination {
        let width = row.destination.ok_or_else(|| "it has no destination register".to_owned())?;
        extend(row, opcode, first, width, &mut operands.destinations)?;
    }
    let widths = source_widths(row, listed.len(), instruction.immediate)?;
    for (first, width) in listed.into_iter().zip(widths) {
        extend(row, opcode, first, width, &mut operands.sources)?;
    }
    operands.kind = kind(row.class, instruction, &operands)?;
    if operands.count() > 1 && !matches!(operands.kind, TracedKind::Compute(_)) {
        return Err(format!(
            "{} source and {} destination registers; the port has {NUM_SOURCES} and {NUM_DESTINATIONS}",
            operands.sources.len(),
            operands.destinations.len()
        ));
    }
    Ok(operands)
}

/// The destination and the sources, as the opcode has them.
fn split(row: &Row, instruction: &Instruction<'_>) -> (Option<u8>, Vec<u8>) {
    let sources = &instruction.sources;
    match (row.first_operand, instruction.destination, sources.split_first()) {
        (First::Predicate, None, Some((&first, rest))) => (Some(first), rest.to_vec()),
        (First::Source, Some(first), _) => {
            (None, std::iter::once(first).chain(sources.iter().copied()).collect())
        }
        (_, destination, _) => (destination, sources.to_vec()),
    }
}

/// The widths of `count` listed sources. Constants, immediates and uniform registers are not listed:
/// - Where a store or atomic lists one source too few, its address has no register.
/// - Where an opcode with sources of several widths lists one too few, a non-zero immediate stands in the
///   place before the last, else the constant is taken to be the last.
fn source_widths(row: &Row, count: usize, immediate: Option<u64>) -> Result<Vec<Width>, String> {
    let list = match &row.sources {
        Sources::Any(width) => return Ok(vec![*width; count]),
        Sources::List(list) => list,
    };
    let most = list.len();
    if count > most {
        return Err(format!("it lists {count} source registers; it has at most {most}"));
    }
    let mut widths = list.clone();
    match row.class {
        Class::Memory(..) if count == most => {}
        Class::Memory(TracedAccess::Store | TracedAccess::Atomic, _) if count + 1 == most => {
            widths.remove(0);
        }
        Class::Memory(..) if most > 1 => {
            return Err(format!("it lists {count} source registers; expected {most}"));
        }
        _ => {
            if count + 1 == most && count > 1 && immediate.is_some_and(|i| i != 0) {
                widths.remove(count - 1);
            }
            widths.truncate(count);
        }
    }
    Ok(widths)
}

/// Adds the registers of an operand that begins with `first`. Those of jumps are aligned, as in machine code; traces that no machine has
/// written name any registers, and the operand goes on from there.
fn extend(row: &Row, opcode: &str, first: u8, width: Width, registers: &mut Vec<Reg>) -> Result<(), String> {
    if first == ZERO_REGISTER {
        return Ok(());
    }
    let count = match width {
        Width::Registers(count) => count,
        Width::Memory => memory_bytes(opcode).div_ceil(4),
        // A pair is aligned, so an odd register is a 32-bit offset to a uniform base.
        Width::Address if opcode.split('.').any(|m| m == "E") && first.is_multiple_of(2) => 2,
        Width::Address => 1,
    };
    if !first.is_multiple_of(count) && !matches!(row.class, Class::Compute(_) | Class::Memory(..)) {
        return Err(format!("R{first} cannot begin an operand of {count} registers"));
    }
    let first = u32::from(first);
    let last = first + u32::from(count) - 1;
    if last > LAST_REGISTER {
        return Err(format!(
            "R{first} of {count} registers ends at R{last}; the last one is R{LAST_REGISTER}"
        ));
    }
    registers.extend((first..=last).map(Reg));
    Ok(())
}

fn kind(class: Class, instruction: &Instruction<'_>, operands: &Operands) -> Result<TracedKind, String> {
    let opcode = instruction.opcode;
    let registers = !operands.sources.is_empty() || !operands.destinations.is_empty();
    let memory = |access, space, bytes| {
        if instruction.width == 0 {
            return Err("a memory access without a width and addresses".to_owned());
        }
        Ok(TracedKind::Memory { access, space, bytes, cache: cache_operator(opcode) })
    };
    match class {
        Class::Compute(unit) => Ok(TracedKind::Compute(unit)),
        Class::Memory(access, space) => memory(access, space, memory_bytes(opcode)),
        Class::Matrix => memory(TracedAccess::Load, Space::Shared, 16),
        Class::Barrier => Ok(TracedKind::Barrier { id: barrier_number(instruction, operands)? }),
        Class::Fence => Ok(TracedKind::Fence(fence_level(opcode))),
        Class::Branch => Ok(TracedKind::Compute(Unit::Branch)),
        // Operands are collected like those of integer arithmetic.
        Class::Control if registers => Ok(TracedKind::Compute(Unit::Int)),
        Class::Control | Class::Exit => Ok(TracedKind::Control),
    }
}

/// The number of a barrier. The trace has the last immediate operand, which is the number only where no count
/// of threads follows it; traces before version 5 have none, and the number is taken to be 0.
fn barrier_number(instruction: &Instruction<'_>, operands: &Operands) -> Result<u8, String> {
    if !operands.sources.is_empty() {
        return Err("its number or count of threads is in a register, whose value the trace lacks".to_owned());
    }
    if instruction.opcode.split('.').any(|m| m == "ARV") {
        return Err("it has a count of threads, so the trace lacks the number of the barrier".to_owned());
    }
    match instruction.immediate {
        None => Ok(0),
        Some(number @ 0..16) => Ok(number as u8),
        Some(count) => Err(format!(
            "{count} is no barrier, 0 to 15; where it counts threads, the trace lacks the number of the barrier"
        )),
    }
}
