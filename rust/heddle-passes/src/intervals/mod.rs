//! Register-intervals: parts of the control-flow graph with one entry whose registers fit a partition of
//! the register cache (LTRF, section 3.3).
//!
//! Where the printed algorithms leave room, `docs/passes.md` says what is done here and why.

mod check;
mod graph;
mod pass1;
mod pass2;
mod report;
mod strands;

use heddle_isa::{Block, Interval, IntervalId, Intervals, Pc, Program};
use heddle_port::{INTERVAL_BITS, NUM_REGS};

use crate::error::PassError;
use crate::registers::{accessed_registers, check_allocated, size};
use graph::WorkBlock;

pub use check::check_intervals;
pub(crate) use report::put;
pub use report::{REPORT_BANKS, bank_conflicts, interval_report};
pub use strands::{Formation, check_strands};

/// Forms the register-intervals of an allocated program, as [`form`] with [`Formation::RegisterInterval`].
///
/// # Errors
/// Those of [`form`].
pub fn form_intervals(program: &Program, limit: u32) -> Result<(Program, Intervals), PassError> {
    form(program, limit, Formation::RegisterInterval)
}

/// Forms the register-intervals or the strands of an allocated program: algorithm 1, then algorithm 2 until it merges
/// nothing.
///
/// Returns the program with its blocks cut where a block is split between intervals, so that every block
/// lies in one interval; instructions and program counters stay. Intervals are numbered in program order
/// of their headers. A working set is exactly the set of registers accessed in the interval.
/// Instructions that cannot be reached have intervals as well.
///
/// `limit` is the number of registers of a cache partition (N in the paper), 1 to 256.
///
/// # Errors
/// [`PassError::InstructionTooLarge`] if one instruction accesses more than `limit` registers;
/// [`PassError::NotAllocated`], [`PassError::Blocks`] and the other variants if the program or the limit
/// is not what this pass takes.
pub fn form(program: &Program, limit: u32, formation: Formation) -> Result<(Program, Intervals), PassError> {
    if limit == 0 || limit as usize > NUM_REGS {
        return Err(PassError::Limit { limit });
    }
    check_allocated(program)?;
    graph::check_blocks(program)?;
    for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
        let registers = size(&accessed_registers(instr));
        if registers > limit {
            return Err(PassError::InstructionTooLarge { pc, loc: instr.loc, registers, limit });
        }
    }
    let begins = strands::beginnings(program, formation)?;
    let (blocks, mut nodes) = pass1::form(program, limit, &begins);
    while let Some(reduced) = pass2::reduce(&nodes, limit, &begins) {
        nodes = reduced;
    }
    if nodes.len() > 1 << INTERVAL_BITS {
        return Err(PassError::TooManyIntervals { kernel: program.name.clone(), intervals: nodes.len() });
    }
    nodes.sort_by_key(|node| node.header);
    let mut of_pc = vec![IntervalId::default(); program.instrs.len()];
    let mut intervals = Vec::with_capacity(nodes.len());
    for (id, node) in (0..=u16::MAX).map(IntervalId).zip(&nodes) {
        for &block in &node.blocks {
            of_pc[blocks[block].range()].fill(id);
        }
        intervals.push(Interval { id, header: node.header, working_set: node.registers });
    }
    let mut cut = program.clone();
    cut.blocks = in_program_order(&blocks);
    Ok((cut, Intervals { intervals, of_pc, limit }))
}

/// The blocks sorted by their first instruction, with edges renumbered.
fn in_program_order(blocks: &[WorkBlock]) -> Vec<Block> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&b| blocks[b].first);
    let mut place = vec![0; blocks.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    let renumber = |edges: &[usize]| edges.iter().map(|&b| place[b]).collect();
    order
        .iter()
        .map(|&b| {
            let block = &blocks[b];
            Block {
                first: block.first,
                len: block.len,
                successors: renumber(&block.successors),
                predecessors: renumber(&block.predecessors),
            }
        })
        .collect()
}
