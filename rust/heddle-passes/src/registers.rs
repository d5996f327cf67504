//! Sets of architectural registers and what an instruction accesses.

use heddle_isa::{Instr, Program, RegSet};
use heddle_isa::{Operand, Pc};
use heddle_port::{NUM_REGS, NUM_SOURCES, Reg};

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

/// Checks that the program has instructions and architectural registers throughout.
///
/// # Errors
/// [`PassError::NotAllocated`], [`PassError::Empty`], [`PassError::Register`], [`PassError::Sources`].
pub(crate) fn check_allocated(program: &Program) -> Result<(), PassError> {
    if !program.allocated {
        return Err(PassError::NotAllocated { kernel: program.name.clone() });
    }
    if program.instrs.is_empty() {
        return Err(PassError::Empty { kernel: program.name.clone() });
    }
    for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
        let (mut sources, mut largest) = (0, 0);
        for operand in &instr.srcs {
            let (words, last) = match *operand {
                Operand::Reg(r) => (1, r.0),
                Operand::Pair(r) => (2, r.0.saturating_add(1)),
                Operand::Imm(_) | Operand::Special(_) => (0, 0),
            };
            sources += words;
            largest = largest.max(last);
        }
        largest = instr.dsts.iter().fold(largest, |m, r| m.max(r.0));
        if largest as usize >= NUM_REGS {
            return Err(PassError::Register { pc, loc: instr.loc, register: Reg(largest) });
        }
        if sources > NUM_SOURCES {
            return Err(PassError::Sources { pc, loc: instr.loc, sources });
        }
    }
    Ok(())
}
