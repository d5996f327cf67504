//! Webs: each register is split into its independent values.
//!
//! A web is a set of definitions and reads of one unit that are connected by a way from a definition
//! to a read. Webs of one unit share nothing but the name, so each gets a name of its own. One walk
//! over the program suffices: every unit that is live into a block stands for a node there, every
//! definition is a node, and nodes are united where a value flows from one into the other.

use std::collections::HashMap;

use heddle_isa::Pred;
use heddle_port::Reg;
use smallvec::smallvec;

use super::AllocError;
use super::live::{Accesses, LiveUnits, steps};
use super::rewrite::{Work, rename_parts};
use super::units::{Unit, UnitId, Units};
use crate::cfg;
use crate::liveness::{Liveness, Place};

type Node = usize;

/// Gives every web its own registers; numbers are dense afterwards.
///
/// # Errors
/// More predicates than have numbers.
pub(super) fn split_into_webs(work: &mut Work) -> Result<(), AllocError> {
    let program = &work.program;
    let units = Units::new(program);
    let liveness = Liveness::compute(program);
    let mut nodes = Nodes::default();
    let entries: Vec<HashMap<UnitId, Node>> =
        (0..program.blocks.len()).map(|b| entry_nodes(&units, &liveness, b, &mut nodes)).collect();
    let mut live = LiveUnits::new(&units);
    // For each instruction the nodes of its reads and of its writes, in the order of `Accesses`.
    let mut read_nodes = Vec::with_capacity(program.instrs.len());
    let mut written_nodes = Vec::with_capacity(program.instrs.len());
    for (b, block) in program.blocks.iter().enumerate() {
        let mut current = entries[b].clone();
        live.set(&units, &liveness, liveness.live_in(b).iter_ones());
        for (pc, step) in cfg::pcs(block).zip(steps(program, &liveness, b)) {
            let instr = &program.instrs[pc.index()];
            let accesses = Accesses::of(instr, &units);
            let mut reads = Vec::with_capacity(accesses.uses.len());
            for &(unit, _) in &accesses.uses {
                let node = *current.entry(unit).or_insert_with(|| nodes.fresh(unit));
                reads.push((unit, node));
            }
            let before: Vec<_> = accesses.defs.iter().map(|&(unit, _)| live.words(unit)).collect();
            live.forward(&units, &step);
            let mut writes = Vec::with_capacity(accesses.defs.len());
            for (&(unit, words), before) in accesses.defs.iter().zip(before) {
                let overwritten = if instr.guard.is_some() { 0 } else { words };
                let kept = before & live.words(unit) & !overwritten;
                let node = match current.get(&unit) {
                    Some(&node) if kept != 0 => node,
                    _ => nodes.fresh(unit),
                };
                current.insert(unit, node);
                writes.push((unit, node));
            }
            read_nodes.push(reads);
            written_nodes.push(writes);
        }
        for &s in &block.successors {
            for (unit, &into) in &entries[s] {
                if let Some(&from) = current.get(unit) {
                    nodes.unite(from, into);
                }
            }
        }
    }
    let names = nodes
        .names(&units)
        .ok_or_else(|| AllocError::TooLarge { kernel: program.name.clone(), what: "predicates" })?;
    let mut groups = Vec::with_capacity(program.instrs.len());
    for ((instr, reads), writes) in program.instrs.iter().zip(&read_nodes).zip(&written_nodes) {
        let new_name = |list: &[(UnitId, Node)], place: Place| {
            let unit = units.of(place);
            let node = list.iter().find(|(u, _)| *u == unit).map(|&(_, node)| node);
            node.map(|node| renamed(&units, unit, place, names.first[node])).unwrap_or(place)
        };
        let mut instr = instr.clone();
        rename_parts(&mut instr, |p| new_name(reads, p), |p| new_name(writes, p));
        groups.push(smallvec![(instr, false)]);
    }
    work.replace(groups);
    work.program.num_regs = names.regs;
    work.program.num_preds = names.preds;
    Ok(())
}

fn entry_nodes(units: &Units, liveness: &Liveness, b: usize, nodes: &mut Nodes) -> HashMap<UnitId, Node> {
    let mut map = HashMap::new();
    for index in liveness.live_in(b).iter_ones() {
        let unit = units.of(liveness.place(index));
        map.entry(unit).or_insert_with(|| nodes.fresh(unit));
    }
    map
}

/// `place`, a word of `unit`, when the unit's first word is called `first`.
fn renamed(units: &Units, unit: UnitId, place: Place, first: u32) -> Place {
    match (place, units.list[unit]) {
        (Place::Reg(r), Unit::Pair(low)) => Place::Reg(Reg(first + (r.0 - low.0))),
        (Place::Reg(_), _) => Place::Reg(Reg(first)),
        (Place::Pred(_), _) => Place::Pred(Pred(u16::try_from(first).unwrap_or(u16::MAX))),
    }
}

/// Nodes in sets that are united.
#[derive(Default)]
struct Nodes {
    parent: Vec<Node>,
    unit: Vec<UnitId>,
}

struct Names {
    /// First register, or predicate, of the web of a node.
    first: Vec<u32>,
    regs: u32,
    preds: u16,
}

impl Nodes {
    fn fresh(&mut self, unit: UnitId) -> Node {
        self.parent.push(self.parent.len());
        self.unit.push(unit);
        self.parent.len() - 1
    }

    fn root(&mut self, mut node: Node) -> Node {
        while self.parent[node] != node {
            // Halve the way up for the next walk.
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.root(a), self.root(b));
        // The older node is the root, so names follow the order of the text.
        let (root, other) = (a.min(b), a.max(b));
        self.parent[other] = root;
    }

    /// Names for all webs; `None` when there are too many predicates.
    fn names(&mut self, units: &Units) -> Option<Names> {
        let n = self.parent.len();
        for node in 0..n {
            // Parents are older and point at their root already.
            self.parent[node] = self.parent[self.parent[node]];
        }
        let mut names = Names { first: vec![0; n], regs: 0, preds: 0 };
        // Pairs first, so that they lie at even numbers without gaps.
        for pairs in [true, false] {
            for node in (0..n).filter(|&node| self.parent[node] == node) {
                let unit = units.list[self.unit[node]];
                match unit {
                    Unit::Pred(_) if pairs => {
                        names.first[node] = u32::from(names.preds);
                        names.preds = names.preds.checked_add(1)?;
                    }
                    Unit::Pair(_) | Unit::Single(_) if matches!(unit, Unit::Pair(_)) == pairs => {
                        names.first[node] = names.regs;
                        names.regs += unit.width();
                    }
                    _ => {}
                }
            }
        }
        for node in 0..n {
            names.first[node] = names.first[self.parent[node]];
        }
        Some(names)
    }
}
