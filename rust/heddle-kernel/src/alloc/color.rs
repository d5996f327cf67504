//! Colouring of the interference graph.
//!
//! Copies are joined, then nodes are coloured in one of two orders: the reverse of the order in which
//! nodes with few neighbours can be taken out of the graph (Chaitin, Briggs), or the order of
//! definitions, which is optimal for a program in SSA form without pairs. Several ways are tried for
//! each number of registers, from the smallest that is possible.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::MAX_PREDICATES;
use super::graph::Graph;
use super::units::{Class, Unit, UnitId};

/// A register number, even for pairs, or a predicate number, for each unit.
pub(super) type Coloring = Vec<u32>;

/// How far above the largest number of live registers the search for the smallest number goes before it
/// takes all that are allowed.
const SEARCH: u32 = 12;
/// Edges of a graph for which the search is made in larger steps.
const LARGE: usize = 400_000;

/// How moves are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joining {
    /// Join every copy whose ends do not meet.
    All,
    /// Join where the joined node stays easy to colour (Briggs' and George's tests).
    Careful,
    /// Only prefer the same register.
    None,
}

/// The order in which nodes get their colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Removal,
    Definition,
}

/// A colouring with few registers, at most `max`, or the class that does not fit.
pub(super) fn best(graph: &Graph, max: u32) -> Result<Coloring, Class> {
    let [regs, preds] = graph.pressure;
    if preds > MAX_PREDICATES {
        return Err(Class::Pred);
    }
    if regs > max {
        return Err(Class::Reg);
    }
    let edges: usize = graph.neighbours.iter().map(Vec::len).sum();
    let step = if edges > LARGE { 4 } else { 1 };
    let search = (regs.max(1)..regs.saturating_add(SEARCH).min(max)).step_by(step);
    let mut failed = Class::Reg;
    for k in search.chain(std::iter::once(max)) {
        for joining in [Joining::All, Joining::Careful, Joining::None] {
            for order in [Order::Removal, Order::Definition] {
                match Colorer::new(graph, k, joining).run(order) {
                    Ok(coloring) => return Ok(coloring),
                    Err(class) => failed = class,
                }
            }
        }
    }
    Err(failed)
}

struct Colorer<'g> {
    graph: &'g Graph,
    k: u32,
    /// The node that a unit was joined into.
    node: Vec<UnitId>,
    /// Neighbours of a node; may name units that were joined since.
    adjacent: Vec<Vec<UnitId>>,
    /// (Other node, how far above it this node would like to lie).
    partners: Vec<Vec<(UnitId, i64)>>,
}

impl<'g> Colorer<'g> {
    fn new(graph: &'g Graph, k: u32, joining: Joining) -> Self {
        let n = graph.units.list.len();
        let mut colorer = Self {
            graph,
            k,
            node: (0..n).collect(),
            adjacent: graph.neighbours.clone(),
            partners: vec![Vec::new(); n],
        };
        if joining != Joining::None {
            for &(a, b) in &graph.copies {
                colorer.join(a, b, joining);
            }
        }
        for id in 0..n {
            let root = colorer.find(id);
            colorer.node[id] = root;
        }
        for id in 0..n {
            colorer.refresh(id);
        }
        for &(a, b) in &graph.copies {
            let (a, b) = (colorer.node[a], colorer.node[b]);
            if a != b {
                colorer.partners[a].push((b, 0));
                colorer.partners[b].push((a, 0));
            }
        }
        for &(a, b, offset) in &graph.hints {
            let (a, b) = (colorer.node[a], colorer.node[b]);
            colorer.partners[a].push((b, offset));
        }
        colorer
    }

    fn unit(&self, id: UnitId) -> Unit {
        self.graph.units.list[id]
    }

    fn find(&self, mut id: UnitId) -> UnitId {
        while self.node[id] != id {
            id = self.node[id];
        }
        id
    }

    /// Puts nodes in the place of joined units in the neighbours of a node.
    fn refresh(&mut self, id: UnitId) {
        let mut list = std::mem::take(&mut self.adjacent[id]);
        for m in &mut list {
            *m = self.find(*m);
        }
        list.sort_unstable();
        list.dedup();
        self.adjacent[id] = list;
    }

    fn join(&mut self, a: UnitId, b: UnitId, joining: Joining) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        self.refresh(a);
        self.refresh(b);
        if self.adjacent[a].binary_search(&b).is_ok() {
            return;
        }
        let mut union = self.adjacent[a].clone();
        union.extend(&self.adjacent[b]);
        union.sort_unstable();
        union.dedup();
        if joining == Joining::Careful {
            let hard = union.iter().filter(|&&m| !self.is_easy(m)).count();
            let george = |a: UnitId, b: UnitId| {
                let other = &self.adjacent[b];
                self.adjacent[a].iter().all(|m| self.is_easy(*m) || other.binary_search(m).is_ok())
            };
            if hard >= self.room(a) as usize && !george(a, b) && !george(b, a) {
                return;
            }
        }
        self.adjacent[a] = union;
        self.adjacent[b] = Vec::new();
        self.node[b] = a;
    }

    /// Places that a node can choose from: aligned pairs, single registers or predicates.
    fn room(&self, id: UnitId) -> u32 {
        match self.unit(id) {
            Unit::Pair(_) => self.k / 2,
            Unit::Single(_) => self.k,
            Unit::Pred(_) => MAX_PREDICATES,
        }
    }

    /// How many of the places of `id` its neighbour `by` may take.
    fn takes(&self, id: UnitId, by: UnitId) -> u32 {
        match self.unit(id) {
            Unit::Pair(_) | Unit::Pred(_) => 1,
            Unit::Single(_) => self.unit(by).width(),
        }
    }

    /// What the neighbours of a node may take away, in its own measure.
    fn blocked(&self, id: UnitId) -> u32 {
        self.adjacent[id].iter().map(|&m| self.takes(id, m)).sum()
    }

    fn is_easy(&self, id: UnitId) -> bool {
        // Joined neighbours count twice: that errs on the safe side.
        self.blocked(id) < self.room(id)
    }

    fn run(self, order: Order) -> Result<Coloring, Class> {
        let order: Vec<UnitId> = match order {
            Order::Removal => self.removal_order().into_iter().rev().collect(),
            Order::Definition => self.graph.order.iter().map(|&id| self.node[id]).collect(),
        };
        let mut colors: Vec<Option<u32>> = vec![None; self.node.len()];
        for id in order {
            if colors[id].is_none() {
                colors[id] = Some(self.choose(id, &colors).ok_or(self.unit(id).class())?);
            }
        }
        Ok(self.node.iter().map(|&node| colors[node].unwrap_or(0)).collect())
    }

    /// Nodes in the order in which they leave the graph.
    fn removal_order(&self) -> Vec<UnitId> {
        let n = self.node.len();
        let mut blocked = vec![0; n];
        let mut remaining = vec![false; n];
        let mut easy = Vec::new();
        let mut hard = BinaryHeap::new();
        for &unit in &self.graph.order {
            let id = self.node[unit];
            if std::mem::replace(&mut remaining[id], true) {
                continue;
            }
            blocked[id] = self.blocked(id);
            if blocked[id] < self.room(id) {
                easy.push(id);
            } else {
                hard.push(Reverse((blocked[id] - self.room(id), id)));
            }
        }
        let mut order = Vec::with_capacity(n);
        while let Some(next) = easy.pop().or_else(|| self.least_hard(&mut hard, &blocked, &remaining)) {
            if !std::mem::replace(&mut remaining[next], false) {
                continue;
            }
            order.push(next);
            for &m in self.adjacent[next].iter().filter(|&&m| remaining[m]) {
                let before = blocked[m];
                blocked[m] -= self.takes(m, next);
                if before >= self.room(m) && blocked[m] < self.room(m) {
                    easy.push(m);
                }
            }
        }
        order
    }

    /// The node that is nearest to being easy.
    fn least_hard(
        &self,
        hard: &mut BinaryHeap<Reverse<(u32, UnitId)>>,
        blocked: &[u32],
        remaining: &[bool],
    ) -> Option<UnitId> {
        while let Some(Reverse((excess, id))) = hard.pop() {
            let now = blocked[id].saturating_sub(self.room(id));
            if !remaining[id] {
                continue;
            }
            if now == excess {
                return Some(id);
            }
            hard.push(Reverse((now, id)));
        }
        None
    }

    fn choose(&self, id: UnitId, colors: &[Option<u32>]) -> Option<u32> {
        let unit = self.unit(id);
        let limit = if unit.class() == Class::Pred { MAX_PREDICATES } else { self.k } as usize;
        let mut taken = [false; super::MAX_REGISTERS as usize + 1];
        for &m in &self.adjacent[id] {
            if let Some(color) = colors[m] {
                let color = color as usize;
                taken[color..color + self.unit(m).width() as usize].fill(true);
            }
        }
        let width = unit.width() as usize;
        let free = |c: usize| c + width <= limit && !taken[c..c + width].contains(&true);
        let wanted = self.partners[id].iter().find_map(|&(partner, offset)| {
            let color = usize::try_from(i64::from(colors[partner]?) + offset).ok()?;
            (color.is_multiple_of(width) && free(color)).then_some(color)
        });
        let found = wanted.or_else(|| match unit {
            Unit::Pair(_) => (0..limit).step_by(2).find(|&c| free(c)),
            Unit::Pred(_) => (0..limit).find(|&c| free(c)),
            // A register whose other half is taken leaves whole pairs for others.
            Unit::Single(_) => (0..limit)
                .find(|&c| free(c) && (taken[c ^ 1] || c ^ 1 >= limit))
                .or_else(|| (0..limit).find(|&c| free(c))),
        })?;
        u32::try_from(found).ok()
    }
}
