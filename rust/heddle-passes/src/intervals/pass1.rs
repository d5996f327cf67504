//! Algorithm 1: intervals of basic blocks, which are cut where their registers no longer fit.

use std::collections::BTreeSet;

use heddle_isa::{Pc, Program, RegSet};

use super::graph::{Node, WorkBlock, connect, work_blocks};
use crate::registers::{accessed_registers, size, union};

/// State of the algorithm.
struct Pass<'a> {
    program: &'a Program,
    limit: u32,
    /// By instruction: an interval must begin there.
    begins: &'a [bool],
    blocks: Vec<WorkBlock>,
    nodes: Vec<Node>,
    /// Headers of intervals still to be grown, lowest pc first (the working set of the paper).
    pending: BTreeSet<(Pc, usize)>,
}

/// Runs algorithm 1 and returns the blocks, cut, and the register-interval CFG.
///
/// Every instruction must fit `limit` by itself. Where `begins` says so, an interval begins.
pub(super) fn form(program: &Program, limit: u32, begins: &[bool]) -> (Vec<WorkBlock>, Vec<Node>) {
    let blocks = work_blocks(program);
    let mut pass = Pass { program, limit, begins, blocks, nodes: Vec::new(), pending: BTreeSet::new() };
    // Block 0 is the entry. What the entry does not reach is grown from its first block on, so that
    // every instruction has an interval.
    for root in 0..program.blocks.len() {
        if pass.blocks[root].interval.is_none() {
            pass.open(root);
            pass.grow_all();
        }
    }
    let node_of: Vec<usize> = pass
        .blocks
        .iter()
        .map(|b| b.interval.expect("every block has been the root of a walk or was found by one"))
        .collect();
    let edges =
        pass.blocks.iter().enumerate().flat_map(|(b, block)| block.successors.iter().map(move |&s| (b, s)));
    connect(&mut pass.nodes, &node_of, edges);
    (pass.blocks, pass.nodes)
}

impl Pass<'_> {
    /// Makes `block` the header of a new interval.
    fn open(&mut self, block: usize) {
        let header = self.blocks[block].first;
        self.blocks[block].interval = Some(self.nodes.len());
        self.nodes.push(Node {
            header,
            blocks: Vec::new(),
            registers: RegSet::ZERO,
            successors: Vec::new(),
            predecessors: Vec::new(),
        });
        self.pending.insert((header, block));
    }

    /// Lines 9 to 25.
    fn grow_all(&mut self) {
        while let Some((_, header)) = self.pending.pop_first() {
            let interval = self.blocks[header].interval.expect("a pending block is a header");
            self.grow(interval, header);
            let members = self.nodes[interval].blocks.clone();
            for block in members {
                for successor in self.blocks[block].successors.clone() {
                    if self.blocks[successor].interval.is_none() {
                        self.open(successor);
                    }
                }
            }
        }
    }

    /// Lines 11 to 17: the header, then every block that is entered from the interval only and whose
    /// first instruction still fits.
    fn grow(&mut self, interval: usize, header: usize) {
        let mut candidates = BTreeSet::new();
        self.traverse(interval, header, &mut candidates);
        while let Some((_, block)) = candidates.pop_first() {
            let begins = self.begins[self.blocks[block].first.index()];
            if !begins && self.prefix_that_fits(interval, block).0 > 0 {
                self.blocks[block].interval = Some(interval);
                self.traverse(interval, block, &mut candidates);
            }
        }
    }

    /// How many instructions of `block` fit into the interval, up to where one must begin, and its registers
    /// with them.
    fn prefix_that_fits(&self, interval: usize, block: usize) -> (u32, RegSet) {
        let mut registers = self.nodes[interval].registers;
        let mut fitting = 0;
        for index in self.blocks[block].range() {
            let instr = &self.program.instrs[index];
            if fitting > 0 && self.begins[index] {
                break;
            }
            let more = union(&registers, &accessed_registers(instr));
            if size(&more) > self.limit {
                break;
            }
            registers = more;
            fitting += 1;
        }
        (fitting, registers)
    }

    /// The procedure TRAVERSE: adds the block to the interval, cuts it before the first instruction that
    /// does not fit, and notes the successors that the interval alone enters.
    fn traverse(&mut self, interval: usize, block: usize, candidates: &mut BTreeSet<(Pc, usize)>) {
        let (fitting, registers) = self.prefix_that_fits(interval, block);
        self.nodes[interval].registers = registers;
        self.nodes[interval].blocks.push(block);
        if fitting < self.blocks[block].len {
            self.cut(block, fitting);
        }
        for &successor in &self.blocks[block].successors {
            let unknown = self.blocks[successor].interval.is_none();
            let inside = |&p: &usize| self.blocks[p].interval == Some(interval);
            if unknown && self.blocks[successor].predecessors.iter().all(inside) {
                candidates.insert((self.blocks[successor].first, successor));
            }
        }
    }

    /// Cuts `block` after its first `keep` instructions (at least one); the rest is the header of a new
    /// interval.
    fn cut(&mut self, block: usize, keep: u32) {
        let rest = self.blocks.len();
        let whole = &mut self.blocks[block];
        let successors = std::mem::replace(&mut whole.successors, vec![rest]);
        let first = Pc(whole.first.0 + keep);
        let len = std::mem::replace(&mut whole.len, keep) - keep;
        for &s in &successors {
            for p in &mut self.blocks[s].predecessors {
                if *p == block {
                    *p = rest;
                }
            }
        }
        self.blocks.push(WorkBlock { first, len, successors, predecessors: vec![block], interval: None });
        self.open(rest);
    }
}
