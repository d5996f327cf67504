//! Register renumbering against bank conflicts in prefetches (LTRF, section 4: LTRFconf).
//!
//! `docs/passes.md` says what the paper leaves open and what is done here.

mod check;
mod graph;
mod order;
mod place;
mod ranges;
mod report;

use heddle_isa::{Intervals, Operand, Pc, Program, RegSet};
use heddle_port::Reg;

use crate::error::PassError;
use crate::flow::Flow;
use crate::intervals::bank_conflicts;
use crate::registers::{accessed_registers, check_allocated, unite};
use graph::ConflictGraph;
use place::Placement;
use ranges::LiveRanges;

pub use check::check_renumbering;
pub use report::renumbering_report;

/// A renumbered program, and what it was worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbered {
    /// The program with new register numbers; nothing else differs.
    pub program: Program,
    /// The same intervals with the new working sets.
    pub intervals: Intervals,
    /// Conflicts of each interval's prefetch before.
    pub before: Vec<u32>,
    /// Conflicts of each interval's prefetch now.
    pub after: Vec<u32>,
    /// Units of live ranges that were coloured.
    pub units: usize,
    /// The colouring was worse than the numbers that the program had, which it has kept.
    pub kept: bool,
}

/// Gives the live ranges of a program new registers, so that fewer registers of one working set lie in one of
/// `banks` banks of the main register file; register r lies in bank r mod `banks`.
///
/// Intervals keep their instructions. No working set grows, and a thread has as many registers as before. If the
/// sum of all conflicts is not smaller in the end, the program keeps its numbers.
///
/// # Errors
/// [`PassError::Banks`] if there is no bank, [`PassError::Intervals`] and the other variants if the program or
/// its intervals are not right.
pub fn renumber(program: &Program, intervals: &Intervals, banks: usize) -> Result<Renumbered, PassError> {
    if banks == 0 || banks > heddle_port::NUM_REGS {
        return Err(PassError::Banks { banks });
    }
    check_allocated(program)?;
    crate::intervals::check_intervals(program, intervals)?;
    let flow = Flow::new(program)?;
    let ranges = LiveRanges::new(program, &flow, intervals);
    let interference = graph::interference(&ranges, program, &flow);
    let conflicts = ConflictGraph::new(&ranges, program, intervals);
    let registers = program.num_regs as usize;
    let sizes = [registers, intervals.intervals.len(), banks];
    let mut placement = Placement::new(&ranges, &interference, &conflicts, sizes);
    for unit in order::colouring_order(&conflicts, &ranges.width, banks) {
        placement.settle(unit);
    }
    let of_each = |i: &Intervals| i.intervals.iter().map(|i| bank_conflicts(&i.working_set, banks)).collect();
    let result = |placement: &Placement<'_>| {
        let renumbered = rewritten(program, &ranges, placement);
        let sets = with_working_sets(&renumbered, intervals);
        let after: Vec<u32> = of_each(&sets);
        (renumbered, sets, after)
    };
    let coloured = result(&placement);
    placement.search();
    let searched = result(&placement);
    let sum = |(.., conflicts): &(Program, Intervals, Vec<u32>)| conflicts.iter().sum::<u32>();
    let (renumbered, sets, after) = if sum(&coloured) < sum(&searched) { coloured } else { searched };
    let before: Vec<u32> = of_each(intervals);
    let units = ranges.base.len();
    if after.iter().sum::<u32>() < before.iter().sum() {
        Ok(Renumbered { program: renumbered, intervals: sets, before, after, units, kept: false })
    } else {
        let (program, intervals, after) = (program.clone(), intervals.clone(), before.clone());
        Ok(Renumbered { program, intervals, before, after, units, kept: true })
    }
}

/// The program with the registers of the placement.
fn rewritten(program: &Program, ranges: &LiveRanges, placement: &Placement<'_>) -> Program {
    let register = |node| Reg(u32::try_from(placement.register(node)).expect("registers have 8 bits"));
    let mut new = program.clone();
    for (pc, instr) in (0..).map(Pc).zip(&mut new.instrs) {
        for operand in &mut instr.srcs {
            match operand {
                Operand::Reg(r) | Operand::Pair(r) => *r = register(ranges.read_node(pc, r.index())),
                Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => {}
            }
        }
        for dst in &mut instr.dsts {
            *dst = register(ranges.written_node(pc, dst.index()));
        }
    }
    new
}

/// The intervals with the registers that the program accesses in them.
fn with_working_sets(program: &Program, intervals: &Intervals) -> Intervals {
    let mut intervals = intervals.clone();
    for interval in &mut intervals.intervals {
        interval.working_set = RegSet::ZERO;
    }
    for (instr, id) in program.instrs.iter().zip(&intervals.of_pc) {
        unite(&mut intervals.intervals[usize::from(id.0)].working_set, &accessed_registers(instr));
    }
    intervals
}
