//! Which live ranges may not share a register, and which should not share a bank.

use std::collections::{BTreeSet, HashSet};

use heddle_isa::{Intervals, Pc, Program};

use super::ranges::{LiveRanges, Node, WORDS, unit_of};
use crate::flow::Flow;

/// By node: the nodes that hold a value at the same time. Two of them never have one register.
///
/// As Chaitin does it: a node that is written interferes with what lives after the write; what lives when the
/// kernel begins interferes with each other.
pub(super) fn interference(ranges: &LiveRanges, program: &Program, flow: &Flow) -> Vec<Vec<Node>> {
    let mut edges: HashSet<(Node, Node)> = HashSet::new();
    let mut connect = |a: Node, b: Node| {
        if unit_of(a) != unit_of(b) {
            edges.insert((a.min(b), a.max(b)));
        }
    };
    for pc in flow.pcs() {
        for dst in &program.instrs[pc.index()].dsts {
            let written = ranges.written_node(pc, dst.index());
            ranges.live_after(pc).for_each(|other| connect(written, other));
        }
    }
    let entry: Vec<Node> = ranges.live_before(Pc(0)).collect();
    for (index, &a) in entry.iter().enumerate() {
        entry[..index].iter().for_each(|&b| connect(a, b));
    }
    let mut neighbours = vec![Vec::new(); WORDS as usize * ranges.base.len()];
    for (a, b) in edges {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    // A set has no order; the result is a function of the program.
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    neighbours
}

/// The interval conflict graph (LTRF, section 4.2): units are joined if some interval accesses both.
pub(super) struct ConflictGraph {
    /// By unit: intervals with the nodes of the unit that are accessed there.
    pub intervals: Vec<Vec<(usize, Node)>>,
    /// By unit: units that share an interval with it, ascending.
    pub neighbours: Vec<Vec<u32>>,
}

impl ConflictGraph {
    /// Builds the graph of a program and its intervals.
    pub fn new(ranges: &LiveRanges, program: &Program, intervals: &Intervals) -> Self {
        let mut nodes_of = vec![BTreeSet::new(); intervals.intervals.len()];
        for ((pc, instr), id) in (0..).map(Pc).zip(&program.instrs).zip(&intervals.of_pc) {
            let nodes = &mut nodes_of[usize::from(id.0)];
            nodes.extend(instr.source_regs().iter().map(|r| ranges.read_node(pc, r.index())));
            nodes.extend(instr.dsts.iter().map(|r| ranges.written_node(pc, r.index())));
        }
        let units = ranges.base.len();
        let mut graph = Self { intervals: vec![Vec::new(); units], neighbours: vec![Vec::new(); units] };
        for (interval, nodes) in nodes_of.iter().enumerate() {
            for &node in nodes {
                let unit = unit_of(node);
                graph.intervals[unit].push((interval, node));
                graph.neighbours[unit].extend(nodes.iter().map(|n| n / WORDS).filter(|n| *n != node / WORDS));
            }
        }
        for list in &mut graph.neighbours {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }
}
