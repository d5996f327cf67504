//! Sets of architectural registers and what an instruction accesses.

use heddle_isa::{Instr, Op, Operand, Pc, Program, RegSet, WideOperand};
use heddle_port::{NUM_REGS, NUM_SOURCES, Reg};
use smallvec::SmallVec;

use crate::error::PassError;

/// The union of two sets.
pub(crate) fn union(a: &RegSet, b: &RegSet) -> RegSet {
    let mut out = *a;
    unite(&mut out, b);
    out
}

/// Adds the registers of `b` to `a`.
pub(crate) fn unite(a: &mut RegSet, b: &RegSet) {
    for (word, more) in a.data.iter_mut().zip(b.data) {
        *word |= more;
    }
}

/// Removes the registers of `b` from `a`.
pub(crate) fn subtract(a: &mut RegSet, b: &RegSet) {
    for (word, less) in a.data.iter_mut().zip(b.data) {
        *word &= !less;
    }
}

/// Number of registers in the set.
pub(crate) fn size(set: &RegSet) -> u32 {
    set.data.iter().map(|word| word.count_ones()).sum()
}

/// The registers in the set, ascending.
pub(crate) fn members(set: &RegSet) -> impl Iterator<Item = usize> + '_ {
    set.iter_ones()
}

/// Registers that the instruction reads; a pair counts as two.
pub(crate) fn read_registers(instr: &Instr) -> RegSet {
    let mut set = RegSet::ZERO;
    for reg in instr.source_regs() {
        set.set(reg.index(), true);
    }
    set
}

/// Registers that the instruction writes.
pub(crate) fn written_registers(instr: &Instr) -> RegSet {
    let mut set = RegSet::ZERO;
    for reg in &instr.dsts {
        set.set(reg.index(), true);
    }
    set
}

/// Registers that the instruction reads or writes: its part of a working set. A 64-bit operand
/// counts as two registers, predicates do not count.
///
/// # Panics
/// If a register is not architectural; the passes check that of a whole program first.
#[must_use]
pub fn accessed_registers(instr: &Instr) -> RegSet {
    union(&read_registers(instr), &written_registers(instr))
}

/// The operands of several registers that an instruction reads: their registers, in order.
pub(crate) fn wide_sources(instr: &Instr) -> impl Iterator<Item = SmallVec<[Reg; 4]>> + '_ {
    let pairs = instr.srcs.iter().filter_map(|operand| match *operand {
        Operand::Pair(low) => Some(SmallVec::from_slice(&[low, Reg(low.0 + 1)])),
        _ => None,
    });
    let sources = instr.source_regs();
    let wide = wide(instr).iter().filter(|w| !w.written);
    pairs.chain(wide.map(move |w| w.places().filter_map(|place| sources.get(place).copied()).collect()))
}

/// The operands of several registers that an instruction writes, as far as they must stay together.
pub(crate) fn wide_destinations(instr: &Instr) -> impl Iterator<Item = SmallVec<[Reg; 4]>> + '_ {
    let wide = wide(instr).iter().filter(|w| w.written);
    wide.map(|w| w.places().filter_map(|place| instr.dsts.get(place).copied()).collect())
}

fn wide(instr: &Instr) -> &[WideOperand] {
    match &instr.op {
        Op::Traced(traced) => &traced.wide,
        _ => &[],
    }
}

/// Most registers of an operand that can get others.
pub(crate) const MOST_MOVED: usize = 4;

/// Whether the registers of an operand are consecutive and begin at a multiple of their number, rounded up to a
/// power of two.
pub(crate) fn is_aligned(registers: &[Reg]) -> bool {
    let step = registers.len().next_power_of_two() as u32;
    let consecutive = registers.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
    consecutive && registers.first().is_none_or(|first| first.0.is_multiple_of(step))
}

/// Checks that no instruction reads more registers than the port has source slots.
///
/// # Errors
/// [`PassError::Sources`].
pub(crate) fn check_slots(program: &Program) -> Result<(), PassError> {
    for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
        let sources = instr.source_regs().len();
        if sources > NUM_SOURCES {
            return Err(PassError::Sources { pc, loc: instr.loc, sources });
        }
    }
    Ok(())
}

/// Checks that the program has instructions and architectural registers throughout.
///
/// # Errors
/// [`PassError::NotAllocated`], [`PassError::Empty`], [`PassError::Register`].
pub(crate) fn check_allocated(program: &Program) -> Result<(), PassError> {
    if !program.allocated {
        return Err(PassError::NotAllocated { kernel: program.name.clone() });
    }
    if program.instrs.is_empty() {
        return Err(PassError::Empty { kernel: program.name.clone() });
    }
    for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
        let last = |operand: &Operand| match *operand {
            Operand::Reg(r) => r.0,
            Operand::Pair(r) => r.0.saturating_add(1),
            Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => 0,
        };
        let largest = instr.srcs.iter().map(last).chain(instr.dsts.iter().map(|r| r.0)).max().unwrap_or(0);
        if largest as usize >= NUM_REGS {
            return Err(PassError::Register { pc, loc: instr.loc, register: Reg(largest) });
        }
    }
    Ok(())
}
