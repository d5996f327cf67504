//! Colouring of the interference graph.

use bitvec::vec::BitVec;

use super::graph::Graph;
use super::units::{Unit, UnitId};

/// A register number, even for pairs, or a predicate number, for each unit.
pub(super) type Coloring = Vec<u32>;

/// How far above the largest number of live words the search for the smallest colouring goes before
/// it takes all registers that are allowed.
const SEARCH: u32 = 12;

/// How moves are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joining {
    /// Join every copy whose ends do not meet.
    All,
    /// Join where the joined node stays easy to colour (Briggs' test).
    Careful,
    /// Only prefer the same register.
    None,
}

/// A colouring with few registers, at most `max`, or the units that got none.
pub(super) fn best(graph: &Graph, max: u32) -> Result<Coloring, Vec<UnitId>> {
    let ways = [Joining::All, Joining::Careful, Joining::None];
    let search = graph.pressure.max(1)..graph.pressure.saturating_add(SEARCH).min(max);
    for k in search.chain(std::iter::once(max)) {
        if graph.pressure > max {
            break;
        }
        for joining in ways {
            if let Ok(coloring) = Colorer::new(graph, k, joining).run() {
                return Ok(coloring);
            }
        }
    }
    Colorer::new(graph, max, Joining::None).run()
}

struct Colorer<'g> {
    graph: &'g Graph,
    k: u32,
    /// The node that a unit was joined into.
    node: Vec<UnitId>,
    adjacent: Vec<BitVec>,
    /// What the remaining neighbours of a node may take away, in its own measure.
    blocked: Vec<u32>,
    /// Nodes still in the graph.
    remaining: BitVec,
    partners: Vec<Vec<UnitId>>,
}

impl<'g> Colorer<'g> {
    fn new(graph: &'g Graph, k: u32, joining: Joining) -> Self {
        let n = graph.units.list.len();
        let mut adjacent = vec![BitVec::repeat(false, n); n];
        for (set, list) in adjacent.iter_mut().zip(&graph.neighbours) {
            for &m in list {
                set.set(m, true);
            }
        }
        let mut colorer = Self {
            graph,
            k,
            node: (0..n).collect(),
            adjacent,
            blocked: vec![0; n],
            remaining: BitVec::repeat(false, n),
            partners: vec![Vec::new(); n],
        };
        if joining != Joining::None {
            for &(a, b) in &graph.copies {
                colorer.join(a, b, joining);
            }
        }
        for &(a, b) in &graph.copies {
            let (a, b) = (colorer.find(a), colorer.find(b));
            if a != b {
                colorer.partners[a].push(b);
                colorer.partners[b].push(a);
            }
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

    fn join(&mut self, a: UnitId, b: UnitId, joining: Joining) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || self.adjacent[a][b] {
            return;
        }
        let union = self.adjacent[a].clone() | &self.adjacent[b];
        if joining == Joining::Careful {
            let hard = union.iter_ones().filter(|&m| !self.is_easy_node(m)).count();
            if hard >= self.room(a) as usize {
                return;
            }
        }
        for m in self.adjacent[b].clone().iter_ones() {
            self.adjacent[m].set(b, false);
            self.adjacent[m].set(a, true);
        }
        self.adjacent[a] = union;
        self.adjacent[b].fill(false);
        self.node[b] = a;
    }

    /// Places that a node can choose from: aligned pairs or single registers.
    fn room(&self, id: UnitId) -> u32 {
        match self.unit(id) {
            Unit::Pair(_) => self.k / 2,
            Unit::Single(_) => self.k,
            Unit::Pred(_) => u32::MAX,
        }
    }

    /// How many of the places of `id` its neighbour `by` may take.
    fn takes(&self, id: UnitId, by: UnitId) -> u32 {
        match self.unit(id) {
            Unit::Pair(_) | Unit::Pred(_) => 1,
            Unit::Single(_) => self.unit(by).width(),
        }
    }

    fn is_easy_node(&self, id: UnitId) -> bool {
        let taken: u32 = self.adjacent[id].iter_ones().map(|m| self.takes(id, m)).sum();
        taken < self.room(id)
    }

    fn run(mut self) -> Result<Coloring, Vec<UnitId>> {
        let order = self.removal_order();
        let n = self.node.len();
        let mut colors: Vec<Option<u32>> = vec![None; n];
        let mut failed = Vec::new();
        for &id in order.iter().rev() {
            match self.choose(id, &colors) {
                Some(color) => colors[id] = Some(color),
                None => failed.push(id),
            }
        }
        if !failed.is_empty() {
            return Err(failed);
        }
        Ok((0..n).map(|id| colors[self.find(id)].unwrap_or(0)).collect())
    }

    /// Nodes in the order in which they leave the graph.
    fn removal_order(&mut self) -> Vec<UnitId> {
        let n = self.node.len();
        let cost = self.joined_costs();
        let mut easy = Vec::new();
        for id in 0..n {
            if self.node[id] == id && self.graph.used[id] {
                self.remaining.set(id, true);
            }
        }
        for id in 0..n {
            if self.remaining[id] {
                self.blocked[id] = self.adjacent[id].iter_ones().map(|m| self.takes(id, m)).sum();
                if self.blocked[id] < self.room(id) {
                    easy.push(id);
                }
            }
        }
        let mut order = Vec::with_capacity(n);
        loop {
            let next = match easy.pop() {
                Some(id) if self.remaining[id] => id,
                Some(_) => continue,
                None => {
                    let ratio = |id: &UnitId| cost[*id] / self.blocked[*id].max(1) as f32;
                    match self.remaining.iter_ones().min_by(|a, b| ratio(a).total_cmp(&ratio(b))) {
                        Some(id) => id,
                        None => return order,
                    }
                }
            };
            order.push(next);
            self.remaining.set(next, false);
            for m in self.adjacent[next].clone().iter_ones() {
                if self.remaining[m] {
                    let before = self.blocked[m];
                    self.blocked[m] -= self.takes(m, next);
                    if before >= self.room(m) && self.blocked[m] < self.room(m) {
                        easy.push(m);
                    }
                }
            }
        }
    }

    fn joined_costs(&self) -> Vec<f32> {
        let mut cost = vec![0.0; self.node.len()];
        for id in 0..self.node.len() {
            cost[self.find(id)] += self.graph.cost[id];
        }
        cost
    }

    fn choose(&self, id: UnitId, colors: &[Option<u32>]) -> Option<u32> {
        let unit = self.unit(id);
        let limit = if unit.is_pred() { self.adjacent[id].count_ones() + 1 } else { self.k as usize };
        let mut taken = vec![false; limit];
        for m in self.adjacent[id].iter_ones() {
            if let Some(color) = colors[m] {
                for c in color..color + self.unit(m).width() {
                    if let Some(slot) = taken.get_mut(c as usize) {
                        *slot = true;
                    }
                }
            }
        }
        let width = unit.width() as usize;
        let free = |c: usize| c + width <= limit && !taken[c..c + width].contains(&true);
        let wanted = self.partners[id].iter().find_map(|&p| {
            let color = colors[p]? as usize;
            (free(color) && (width == 1 || color.is_multiple_of(2))).then_some(color)
        });
        let found = wanted.or_else(|| match unit {
            Unit::Pair(_) => (0..limit).step_by(2).find(|&c| free(c)),
            Unit::Pred(_) => (0..limit).find(|&c| free(c)),
            // A register whose other half is taken leaves whole pairs for others.
            Unit::Single(_) => (0..limit)
                .find(|&c| free(c) && taken.get(c ^ 1).is_none_or(|t| *t))
                .or_else(|| (0..limit).find(|&c| free(c))),
        })?;
        u32::try_from(found).ok()
    }
}
