//! Algorithm 2: one merge of the register-interval CFG.

use std::collections::BTreeSet;

use heddle_isa::Pc;

use super::graph::{Node, connect};
use crate::registers::{size, union};

/// Runs algorithm 2 once; `None` if it merges nothing.
///
/// The node of pc 0 is the entry. Nodes that it does not reach are grown from the first one on.
pub(super) fn reduce(nodes: &[Node], limit: u32, begins: &[bool]) -> Option<Vec<Node>> {
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|&n| nodes[n].header);
    let mut merged: Vec<Node> = Vec::with_capacity(nodes.len());
    let mut next_level: Vec<Option<usize>> = vec![None; nodes.len()];
    for root in order {
        let mut pending = BTreeSet::from([(nodes[root].header, root)]);
        while let Some((_, header)) = pending.pop_first() {
            if next_level[header].is_none() {
                let grown = grow((nodes, limit, begins), header, merged.len(), &mut next_level, &mut pending);
                merged.push(grown);
            }
        }
    }
    if merged.len() == nodes.len() {
        return None;
    }
    let node_of: Vec<usize> = next_level
        .into_iter()
        .map(|n| n.expect("every node has been the root of a walk or was found by one"))
        .collect();
    let edges = nodes.iter().enumerate().flat_map(|(n, node)| node.successors.iter().map(move |&s| (n, s)));
    connect(&mut merged, &node_of, edges);
    Some(merged)
}

/// Lines 10 to 21: grows the next-level interval `id` from `header` and puts the headers that follow it
/// into `pending`.
fn grow(
    (nodes, limit, begins): (&[Node], u32, &[bool]),
    header: usize,
    id: usize,
    next_level: &mut [Option<usize>],
    pending: &mut BTreeSet<(Pc, usize)>,
) -> Node {
    let mut grown = Node {
        header: nodes[header].header,
        blocks: nodes[header].blocks.clone(),
        registers: nodes[header].registers,
        successors: Vec::new(),
        predecessors: Vec::new(),
    };
    next_level[header] = Some(id);
    let mut members = vec![header];
    let mut candidates = BTreeSet::new();
    let mut newest = header;
    loop {
        for &s in &nodes[newest].successors {
            let inside = |&p: &usize| next_level[p] == Some(id);
            let joins = next_level[s].is_none() && !begins[nodes[s].header.index()];
            if joins && nodes[s].predecessors.iter().all(inside) {
                candidates.insert((nodes[s].header, s));
            }
        }
        let joined = loop {
            let Some((_, h)) = candidates.pop_first() else { break None };
            let registers = union(&grown.registers, &nodes[h].registers);
            if size(&registers) <= limit {
                grown.registers = registers;
                break Some(h);
            }
        };
        let Some(h) = joined else { break };
        next_level[h] = Some(id);
        grown.blocks.extend_from_slice(&nodes[h].blocks);
        members.push(h);
        newest = h;
    }
    for &member in &members {
        for &s in &nodes[member].successors {
            if next_level[s].is_none() {
                pending.insert((nodes[s].header, s));
            }
        }
    }
    grown
}
