//! The independent checker of a renumbering.

use heddle_isa::{Instr, Operand, Pc, Program};
use heddle_port::Reg;

use crate::error::{PassError, RenumberFault};
use crate::flow::Flow;
use crate::liveness::is_partial;
use crate::registers::{MOST_MOVED, check_allocated, is_aligned, wide_destinations, wide_sources};

/// What must hold before an instruction so that both programs do the same from there on: registers of the old
/// program, each with the register of the new one that must have the same value. Ascending and one to one.
type Demand = Vec<(Reg, Reg)>;

/// Proves that `new` computes what `old` does, from the two programs alone:
///
/// 1. they are the same but for the numbers of registers: as many instructions, each with the same operation,
///    guard, predicates, constants and number of registers; operands of several registers in one piece and aligned,
///    and those of more than four, or not aligned before, where they were;
/// 2. no register number lies beyond those that a thread of `old` has, and a thread of `new` has as many;
/// 3. each register that `new` reads was last written by the instruction that wrote the register that `old` reads
///    there, in the same place among the destinations, on every way from the start of the kernel; or neither
///    was written.
///
/// For the third, demands are followed backwards from the reads until they no longer change. Lanes have registers
/// of their own, so the ways of one lane are enough; a guarded write leaves the demand in place as well, since
/// lanes where the guard fails keep the old value. What cannot be reached does not count.
///
/// # Errors
/// [`PassError::Renumber`] with the rule that is broken; the other variants if a program is not allocated or
/// leads out of itself.
pub fn check_renumbering(old: &Program, new: &Program) -> Result<(), PassError> {
    check_allocated(old)?;
    check_allocated(new)?;
    let flow = Flow::new(old)?;
    check(old, new, &flow).map_err(|fault| PassError::Renumber { kernel: old.name.clone(), fault })
}

fn check(old: &Program, new: &Program, flow: &Flow) -> Result<(), RenumberFault> {
    if old.instrs.len() != new.instrs.len() {
        return Err(RenumberFault::Length { old: old.instrs.len(), new: new.instrs.len() });
    }
    if old.num_regs != new.num_regs {
        return Err(RenumberFault::Registers { old: old.num_regs, new: new.num_regs });
    }
    for (pc, (a, b)) in (0..).map(Pc).zip(old.instrs.iter().zip(&new.instrs)) {
        same_but_for_registers(pc, a, b, new.num_regs)?;
    }
    let mut predecessors = vec![Vec::new(); old.instrs.len()];
    let mut reached = vec![false; old.instrs.len()];
    let mut ways = vec![Pc(0)];
    while let Some(pc) = ways.pop() {
        if !std::mem::replace(&mut reached[pc.index()], true) {
            for &next in flow.successors(pc) {
                predecessors[next.index()].push(pc);
                ways.push(next);
            }
        }
    }
    let mut before = vec![Demand::new(); old.instrs.len()];
    let mut waiting = reached.clone();
    let mut pending: Vec<Pc> = flow.pcs().filter(|pc| reached[pc.index()]).collect();
    while let Some(pc) = pending.pop() {
        let index = pc.index();
        waiting[index] = false;
        let mut demand = Demand::new();
        for next in flow.successors(pc) {
            for &(a, b) in &before[next.index()] {
                add(&mut demand, pc, a, b)?;
            }
        }
        let demand = step(pc, &old.instrs[index], &new.instrs[index], demand)?;
        if demand != before[index] {
            before[index] = demand;
            for &p in &predecessors[index] {
                if !std::mem::replace(&mut waiting[p.index()], true) {
                    pending.push(p);
                }
            }
        }
    }
    Ok(())
}

/// The demand before an instruction, from the one after it.
fn step(pc: Pc, old: &Instr, new: &Instr, after: Demand) -> Result<Demand, RenumberFault> {
    let place = |dsts: &[Reg], register| dsts.iter().rposition(|&d| d == register);
    let mut before = Demand::new();
    for (a, b) in after {
        let (written, by) = (place(&old.dsts, a), place(&new.dsts, b));
        if written != by {
            return Err(RenumberFault::Write { pc, old: a, new: b });
        }
        if written.is_none() || is_partial(old) {
            before.push((a, b));
        }
    }
    for (a, b) in old.source_regs().into_iter().zip(new.source_regs()) {
        add(&mut before, pc, a, b)?;
    }
    Ok(before)
}

/// Adds a pair; one register of either program cannot stand for two of the other.
fn add(demand: &mut Demand, pc: Pc, old: Reg, new: Reg) -> Result<(), RenumberFault> {
    if let Some(&(a, b)) = demand.iter().find(|(a, b)| (*a == old) != (*b == new)) {
        return Err(RenumberFault::Two { pc, old: [a, old], new: [b, new] });
    }
    if let Err(place) = demand.binary_search(&(old, new)) {
        demand.insert(place, (old, new));
    }
    Ok(())
}

/// The first rule, and the range of the second.
fn same_but_for_registers(pc: Pc, old: &Instr, new: &Instr, registers: u32) -> Result<(), RenumberFault> {
    let blank = |instr: &Instr| {
        let mut instr = instr.clone();
        instr.dsts.iter_mut().for_each(|r| *r = Reg(0));
        for operand in &mut instr.srcs {
            match operand {
                Operand::Reg(r) | Operand::Pair(r) => *r = Reg(0),
                Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => {}
            }
        }
        instr
    };
    if blank(old) != blank(new) {
        return Err(RenumberFault::Instruction { pc });
    }
    for &register in new.source_regs().iter().chain(&new.dsts) {
        if register.0 >= registers {
            return Err(RenumberFault::Range { pc, register, registers });
        }
    }
    for operand in &new.srcs {
        if let Operand::Pair(low) = *operand
            && low.0 % 2 != 0
        {
            return Err(RenumberFault::Pair { pc, low });
        }
    }
    let pieces = |instr| wide_sources(instr).chain(wide_destinations(instr));
    for (was, is) in pieces(old).zip(pieces(new)) {
        let keeps = was.len() > MOST_MOVED || !is_aligned(&was);
        let torn = if keeps { was != is } else { !is_aligned(&is) };
        if let (true, Some(&old), Some(&new)) = (torn, was.first(), is.first()) {
            return Err(RenumberFault::Wide { pc, registers: was.len(), old, new });
        }
    }
    Ok(())
}
