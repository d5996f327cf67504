//! The graphs that the two passes work on.

use std::ops::Range;

use heddle_isa::{Pc, Program, RegSet};

use crate::error::PassError;

/// A basic block that may still be cut.
#[derive(Debug, Clone)]
pub(super) struct WorkBlock {
    /// First instruction.
    pub first: Pc,
    /// Number of instructions, at least 1.
    pub len: u32,
    /// Blocks that may follow.
    pub successors: Vec<usize>,
    /// Blocks that may precede.
    pub predecessors: Vec<usize>,
    /// Interval by index, once it is known.
    pub interval: Option<usize>,
}

impl WorkBlock {
    /// Indices of its instructions.
    pub fn range(&self) -> Range<usize> {
        self.first.index()..self.first.index() + self.len as usize
    }
}

/// A node of the register-interval CFG.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Its single entry.
    pub header: Pc,
    /// Blocks inside, by index.
    pub blocks: Vec<usize>,
    /// Registers accessed inside.
    pub registers: RegSet,
    /// Nodes that may follow; never itself, each at most once.
    pub successors: Vec<usize>,
    /// Nodes that may precede; never itself, each at most once.
    pub predecessors: Vec<usize>,
}

/// The blocks of a program, none in an interval.
pub(super) fn work_blocks(program: &Program) -> Vec<WorkBlock> {
    program
        .blocks
        .iter()
        .map(|b| WorkBlock {
            first: b.first,
            len: b.len,
            successors: b.successors.clone(),
            predecessors: b.predecessors.clone(),
            interval: None,
        })
        .collect()
}

/// Adds the edges between nodes, given the node of each vertex and the edges between vertices. Edges
/// inside a node vanish.
pub(super) fn connect(nodes: &mut [Node], node_of: &[usize], edges: impl Iterator<Item = (usize, usize)>) {
    for (from, to) in edges {
        let (from, to) = (node_of[from], node_of[to]);
        if from != to && !nodes[from].successors.contains(&to) {
            nodes[from].successors.push(to);
            nodes[to].predecessors.push(from);
        }
    }
}

/// Checks that the blocks tile the instructions in order and that successors and predecessors mirror
/// each other.
///
/// # Errors
/// [`PassError::Blocks`].
pub(super) fn check_blocks(program: &Program) -> Result<(), PassError> {
    let fault = |block, expected| PassError::Blocks { kernel: program.name.clone(), block, expected };
    let count = program.blocks.len();
    let mut next = 0u64;
    for (index, block) in program.blocks.iter().enumerate() {
        if u64::from(block.first.0) != next {
            return Err(fault(index, "expected to begin where the block before it ends"));
        }
        if block.len == 0 {
            return Err(fault(index, "expected at least one instruction"));
        }
        next += u64::from(block.len);
        for &s in &block.successors {
            if s >= count {
                return Err(fault(index, "expected every successor to be a block of the program"));
            }
            if !program.blocks[s].predecessors.contains(&index) {
                return Err(fault(index, "expected to be a predecessor of each of its successors"));
            }
        }
        for &p in &block.predecessors {
            if p >= count || !program.blocks[p].successors.contains(&index) {
                return Err(fault(index, "expected to be a successor of each of its predecessors"));
            }
        }
    }
    if next != program.instrs.len() as u64 {
        return Err(fault(count.saturating_sub(1), "expected the blocks to end with the last instruction"));
    }
    Ok(())
}
