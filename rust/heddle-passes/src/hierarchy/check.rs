//! The independent checker of allocations: what every level is sure to have, instruction by instruction.

use heddle_isa::{Instr, Pc, Program, RegSet};
use heddle_port::{Reg, ResultLevel, SourceLevel};

use super::values::has_last_result;
use super::{Allocation, AllocationFault, Hierarchy, MOST_OPERAND_ENTRIES, check_hierarchy};
use crate::error::PassError;
use crate::flow::Flow;
use crate::liveness::is_partial;
use crate::registers::{check_allocated, check_slots, members, unite};
use crate::waits::{has_long_latency, losses};

/// What the levels of a lane have on every path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    /// Registers whose value is in the main register file.
    main: RegSet,
    /// The register of each entry.
    operand: [Option<Reg>; MOST_OPERAND_ENTRIES as usize],
    last: Option<Reg>,
    /// By entry, and in the last place for the last result file: registers that were written there and that no
    /// instruction may have waited for.
    unread: [RegSet; MOST_OPERAND_ENTRIES as usize + 1],
}

/// The last result file among [`Held::unread`].
const LAST: usize = MOST_OPERAND_ENTRIES as usize;

impl Held {
    /// Where a kernel begins.
    fn main_alone() -> Self {
        Self { main: !RegSet::ZERO, operand: [None; _], last: None, unread: [RegSet::ZERO; _] }
    }

    fn lose(&mut self) {
        self.operand = [None; _];
        self.last = None;
    }

    /// What both have.
    fn meet(&mut self, other: &Self) {
        self.main &= other.main;
        for (mine, other) in self.operand.iter_mut().zip(other.operand) {
            *mine = mine.filter(|_| *mine == other);
        }
        self.last = self.last.filter(|_| self.last == other.last);
        for (mine, other) in self.unread.iter_mut().zip(&other.unread) {
            unite(mine, other);
        }
    }

    /// A value goes to a place where another may still be under way.
    fn enter(&mut self, place: usize, pc: Pc, register: Reg) -> Result<(), AllocationFault> {
        if let Some(other) = members(&self.unread[place]).next() {
            return Err(AllocationFault::Overtaken { pc, register: Reg(other as u32) });
        }
        self.unread[place].set(register.index(), true);
        Ok(())
    }
}

/// Proves from the instructions alone that an allocation is right, for every path of a lane through the program:
///
/// 1. each source is, where it is read, the newest value of its register;
/// 2. the operand register file and the last result file are empty for a lane wherever its warp may have been taken
///    out since the lane's last instruction, and behind every backward branch: no value outlives its strand there;
/// 3. a value is not written where an earlier one may still be under way;
/// 4. long-latency results go to the main register file alone; arithmetic units alone use the last result file; only
///    entries that there are are named.
///
/// # Errors
/// [`PassError::Allocation`] with the rule that is broken; the other variants if the program or the hierarchy is not
/// what this takes.
pub fn check_allocation(
    program: &Program,
    hierarchy: Hierarchy,
    allocation: &Allocation,
) -> Result<(), PassError> {
    check_hierarchy(hierarchy)?;
    check_allocated(program)?;
    check_slots(program)?;
    let flow = Flow::new(program)?;
    let checker = Checker { program, hierarchy, allocation };
    checker.check(&flow).map_err(|fault| PassError::Allocation { kernel: program.name.clone(), fault })
}

struct Checker<'a> {
    program: &'a Program,
    hierarchy: Hierarchy,
    allocation: &'a Allocation,
}

impl Checker<'_> {
    fn check(&self, flow: &Flow) -> Result<(), AllocationFault> {
        let count = self.program.instrs.len();
        let (levels, entries) = (self.allocation.levels.len(), self.allocation.entries.len());
        if (levels, entries) != (count, count) {
            return Err(AllocationFault::Coverage { instructions: count, levels, entries });
        }
        for pc in flow.pcs() {
            self.check_places(pc)?;
        }
        let lost = losses(self.program, flow);
        let mut before: Vec<Option<Held>> = vec![None; count];
        before[0] = Some(Held::main_alone());
        let mut pending = vec![Pc(0)];
        while let Some(pc) = pending.pop() {
            let Some(held) = &before[pc.index()] else { continue };
            let after = self.after(pc, held)?;
            for &to in flow.successors(pc) {
                let mut arriving = after.clone();
                if lost[to.index()] || to <= pc {
                    arriving.lose();
                }
                let there = &mut before[to.index()];
                let old = there.clone();
                match there {
                    Some(there) => there.meet(&arriving),
                    None => *there = Some(arriving),
                }
                if *there != old {
                    pending.push(to);
                }
            }
        }
        Ok(())
    }

    /// What can be said of an instruction whatever was before it.
    fn check_places(&self, pc: Pc) -> Result<(), AllocationFault> {
        let (instr, entries) = (&self.program.instrs[pc.index()], self.hierarchy.operand_entries);
        let (levels, named) = (&self.allocation.levels[pc.index()], &self.allocation.entries[pc.index()]);
        let sources = (0..instr.source_regs().len()).map(|slot| {
            let level = levels.sources[slot];
            let operand = matches!(level, SourceLevel::Operand | SourceLevel::Fill);
            if level == SourceLevel::Fill && is_partial(instr) {
                return Err(AllocationFault::PartialFill { pc, slot });
            }
            Ok((operand.then_some(named.sources[slot]), level == SourceLevel::Last))
        });
        let results = (0..instr.dsts.len()).map(|slot| {
            let level = levels.results[slot];
            if level != ResultLevel::Main && has_long_latency(instr) {
                return Err(AllocationFault::LongLatency { pc, level });
            }
            let operand = matches!(level, ResultLevel::Operand | ResultLevel::Both);
            Ok((operand.then_some(named.results[slot]), level == ResultLevel::Last))
        });
        for place in sources.chain(results) {
            let (operand, last) = place?;
            if let Some(entry) = operand.filter(|&entry| entry >= entries) {
                return Err(AllocationFault::Entry { pc, entry, entries });
            }
            if last {
                self.check_last(pc, instr)?;
            }
        }
        Ok(())
    }

    fn check_last(&self, pc: Pc, instr: &Instr) -> Result<(), AllocationFault> {
        if !self.hierarchy.last_result {
            return Err(AllocationFault::Last { pc, why: "this hierarchy does not have" });
        }
        if !has_last_result(instr) {
            return Err(AllocationFault::Last { pc, why: "only arithmetic units can use" });
        }
        Ok(())
    }

    /// What is held behind an instruction; lanes that its guard leaves out keep what they have.
    fn after(&self, pc: Pc, before: &Held) -> Result<Held, AllocationFault> {
        let instr = &self.program.instrs[pc.index()];
        let mut before = before.clone();
        let (levels, named) = (&self.allocation.levels[pc.index()], &self.allocation.entries[pc.index()]);
        let sources = instr.source_regs();
        for (slot, &register) in sources.iter().enumerate() {
            let (level, entry) = (levels.sources[slot], named.sources[slot]);
            let there = match level {
                SourceLevel::Main | SourceLevel::Fill => before.main[register.index()],
                SourceLevel::Operand => before.operand[usize::from(entry)] == Some(register),
                SourceLevel::Last => before.last == Some(register),
            };
            if !there {
                return Err(AllocationFault::Absent { pc, slot, register, level, entry });
            }
            // It has waited for the value, whether its guard holds or not.
            match level {
                SourceLevel::Operand => before.unread[usize::from(entry)].set(register.index(), false),
                SourceLevel::Last => before.unread[LAST].set(register.index(), false),
                SourceLevel::Main | SourceLevel::Fill => {}
            }
        }
        // So has a write, for the one before it and for reads of it.
        for &register in &instr.dsts {
            before.unread.iter_mut().for_each(|place| place.set(register.index(), false));
        }
        let mut held = before.clone();
        for (slot, &register) in sources.iter().enumerate() {
            if levels.sources[slot] == SourceLevel::Fill {
                let entry = usize::from(named.sources[slot]);
                held.enter(entry, pc, register)?;
                held.operand[entry] = Some(register);
            }
        }
        for &register in &instr.dsts {
            held.main.set(register.index(), false);
            held.operand.iter_mut().filter(|entry| **entry == Some(register)).for_each(|entry| *entry = None);
            held.last = held.last.filter(|&other| other != register);
        }
        for (slot, &register) in instr.dsts.iter().enumerate() {
            let (level, entry) = (levels.results[slot], usize::from(named.results[slot]));
            if matches!(level, ResultLevel::Main | ResultLevel::Both) {
                held.main.set(register.index(), true);
            }
            if matches!(level, ResultLevel::Operand | ResultLevel::Both) {
                held.enter(entry, pc, register)?;
                held.operand[entry] = Some(register);
            }
            if level == ResultLevel::Last {
                held.enter(LAST, pc, register)?;
                held.last = Some(register);
            }
        }
        if is_partial(instr) {
            held.meet(&before);
        }
        Ok(held)
    }
}
