//! From an instruction of an allocated program to the line of a trace that a reader takes for the same: unit, registers,
//! memory access.
//!
//! A line names an opcode and the first register of each operand. Of the opcodes that an operation suggests, the first
//! is taken with which [`crate::operands`] restores exactly the instruction's registers. Where none does, the line has
//! the first registers, and a note of the header has all of them; predicates always stand there.

mod opcodes;

use heddle_isa::{BarrierKind, FenceLevel, Instr, Op, Operand, PredOperand, TracedKind, Unit};
use heddle_port::Reg;

use crate::instruction::{Instruction, MAX_SOURCES, ZERO_REGISTER};
use crate::notes::Note;
use crate::opcodes::{Class, Row, Sources, Width, look_up, memory_bytes};
use crate::operands::{Operands, of_row};

/// The architecture whose opcodes are written.
pub const ARCHITECTURE: u32 = 70;

/// The line that stands for an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SassLine {
    /// Opcode with modifiers.
    pub opcode: String,
    /// First register of the destination.
    pub destination: Option<u8>,
    /// First register of each source.
    pub sources: Vec<u8>,
    /// Bytes of a lane of a memory access.
    pub access: Option<u32>,
    /// The last immediate operand: of a barrier its number.
    pub immediate: u64,
    /// What the line does not say.
    pub note: Note,
}

impl SassLine {
    fn new(opcode: impl Into<String>, destination: Option<u8>, sources: Vec<u8>) -> Self {
        let (access, immediate, note) = (None, 0, Note::default());
        Self { opcode: opcode.into(), destination, sources, access, immediate, note }
    }

    fn plain(opcode: &str) -> Self {
        Self::new(opcode, None, Vec::new())
    }
}

/// The line that stands for an instruction of an allocated program.
#[must_use]
pub fn line(instr: &Instr) -> SassLine {
    let mut line = match &instr.op {
        Op::Exit => SassLine::plain("EXIT"),
        Op::Bra { .. } => SassLine::plain("BRA"),
        Op::Trap => SassLine::plain("BPT.TRAP"),
        Op::Nop => SassLine::plain("NOP"),
        Op::WarpSync if instr.uses_registers() => noted("WARPSYNC", instr),
        Op::WarpSync => SassLine::plain("WARPSYNC"),
        Op::Fence { level } => SassLine::plain(fence(*level)),
        Op::Bar { kind } => barrier(*kind, instr),
        _ => opcodes::access(instr).map_or_else(|| compute(instr), |access| memory(instr, &access)),
    };
    line.note.guard = instr.guard.map(|guard| guard.pred.0);
    let reads = instr.pred_srcs.iter().filter_map(|operand| match *operand {
        PredOperand::Reg { pred, .. } => Some(pred.0),
        PredOperand::Const(_) => None,
    });
    line.note.reads = reads.collect();
    line.note.writes = instr.pred_dsts.iter().map(|pred| pred.0).collect();
    line
}

fn fence(level: FenceLevel) -> &'static str {
    match level {
        FenceLevel::Cta => "MEMBAR.SC.CTA",
        FenceLevel::Gpu => "MEMBAR.SC.GPU",
        FenceLevel::System => "MEMBAR.SC.SYS",
    }
}

/// A barrier with its number. One in a register has no place in the format, nor has a count of threads; a warp that
/// does not wait does not arrive there either.
fn barrier(kind: BarrierKind, instr: &Instr) -> SassLine {
    let opcode = match kind {
        BarrierKind::Sync => "BAR.SYNC",
        BarrierKind::Reduce => "BAR.RED.POPC",
        BarrierKind::Arrive => return SassLine::plain("NOP"),
    };
    let number = match instr.srcs.first() {
        Some(Operand::Imm(number)) => number & 15,
        _ => 0,
    };
    SassLine { immediate: number, ..SassLine::new(opcode, None, Vec::new()) }
}

fn byte(register: Reg) -> u8 {
    u8::try_from(register.0).unwrap_or(ZERO_REGISTER)
}

/// The first registers of sources with the widths of a row, where they make up `registers`; a source that is
/// missing is the zero register.
fn listed(row: &Row, opcode: &str, registers: &[Reg]) -> Option<Vec<u8>> {
    let mut rest = registers;
    let mut take = |count: usize| {
        let (first, others) = (rest.first().copied(), rest.get(count..));
        match (first, others) {
            (Some(first), Some(others)) => {
                rest = others;
                Some(byte(first))
            }
            (None, _) => Some(ZERO_REGISTER),
            (Some(_), None) => None,
        }
    };
    let listed: Vec<u8> = match &row.sources {
        Sources::Any(width) => {
            let count = registers_of(*width, opcode);
            (0..registers.len().div_ceil(count)).map(|_| take(count)).collect::<Option<_>>()?
        }
        Sources::List(widths) => {
            widths.iter().map(|w| take(registers_of(*w, opcode))).collect::<Option<_>>()?
        }
    };
    (rest.is_empty() && listed.len() <= MAX_SOURCES).then_some(listed)
}

/// Registers of an operand.
fn registers_of(width: Width, opcode: &str) -> usize {
    match width {
        Width::Registers(count) => usize::from(count),
        Width::Memory => usize::from(memory_bytes(opcode).div_ceil(4)),
        Width::Address => 1,
    }
}

/// What the reader restores from a line.
fn restored(opcode: &str, destination: Option<u8>, sources: &[u8]) -> Option<Operands> {
    let row = look_up(opcode, ARCHITECTURE)?;
    let read = Instruction {
        pc: 0,
        mask: u32::MAX,
        destination,
        opcode,
        sources: sources.into(),
        width: u64::from(memory_bytes(opcode)),
        addresses: Vec::new(),
        immediate: Some(0),
        column: 0,
        number: None,
    };
    of_row(row, &read).ok().filter(|operands| operands.count() == 1)
}

/// The line with `opcode` from which the reader restores these registers.
fn fitting(opcode: &str, destinations: &[Reg], sources: &[Reg]) -> Option<(SassLine, TracedKind)> {
    let row = look_up(opcode, ARCHITECTURE)?;
    let destination = destinations.first().map(|&r| byte(r));
    let listed = listed(row, opcode, sources)?;
    let operands = restored(opcode, destination, &listed)?;
    let same = operands.destinations == destinations && operands.sources == sources;
    same.then(|| (SassLine::new(opcode, destination, listed), operands.kind))
}

/// The line with the first registers of an instruction, and a note that has all.
fn noted(opcode: &str, instr: &Instr) -> SassLine {
    let sources = instr
        .srcs
        .iter()
        .filter(|s| !matches!(s, Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_)));
    let listed = sources.map(first).take(MAX_SOURCES).collect();
    let mut line = SassLine::new(opcode, instr.dsts.first().map(|&r| byte(r)), listed);
    line.note.destinations = instr.dsts.iter().map(|&r| byte(r)).collect();
    line.note.sources = instr.source_regs().iter().map(|&r| byte(r)).collect();
    line
}

fn compute(instr: &Instr) -> SassLine {
    // What a texture fetch accesses has no place in the format.
    let unit = if matches!(instr.op, Op::Tex { .. }) { Unit::Sfu } else { instr.unit() };
    let sources = instr.source_regs();
    let names = || opcodes::of(instr).into_iter().chain(opcodes::of_unit(unit).iter().copied());
    let mut fits = names().filter_map(|opcode| fitting(opcode, &instr.dsts, &sources));
    if let Some((line, _)) = fits.find(|(_, kind)| *kind == TracedKind::Compute(unit)) {
        return line;
    }
    let of_unit =
        |opcode: &&str| look_up(opcode, ARCHITECTURE).is_some_and(|row| row.class == Class::Compute(unit));
    names().find(of_unit).map_or_else(|| SassLine::plain("NOP"), |opcode| noted(opcode, instr))
}

fn memory(instr: &Instr, access: &opcodes::Access) -> SassLine {
    let address = instr.srcs.first();
    let data = instr.srcs.get(1..).unwrap_or_default();
    let opcode = access.opcode(matches!(address, Some(Operand::Pair(_))));
    let mut listed = vec![address.map_or(ZERO_REGISTER, first)];
    // A store has its elements in one operand, an atomic has operand and new value apart.
    let apart = if matches!(instr.op, Op::St { .. }) { data.len().min(1) } else { data.len() };
    listed.extend(data.iter().take(apart).map(first));
    let destination = instr.dsts.first().map(|&r| byte(r));
    let same = restored(&opcode, destination, &listed).is_some_and(|found| {
        found.destinations[..] == instr.dsts[..] && found.sources[..] == instr.source_regs()[..]
    });
    let line = SassLine::new(opcode, destination, listed);
    let line = if same { line } else { SassLine { note: noted("", instr).note, ..line } };
    SassLine { access: Some(access.bytes), ..line }
}

/// First register of an operand; an immediate stands in the zero register.
fn first(operand: &Operand) -> u8 {
    match *operand {
        Operand::Reg(r) | Operand::Pair(r) => byte(r),
        Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => ZERO_REGISTER,
    }
}
