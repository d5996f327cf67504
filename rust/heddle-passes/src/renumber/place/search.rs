//! Better registers for units that have one each: a search by exchanges that may get worse for a while.

use std::collections::HashMap;

use super::{Exchange, Placement};

/// Exchanges after which one may be made again that moves its unit to a register it was moved from.
const TENURE: usize = 10;
/// Exchanges without a better placement after which the search ends.
const PATIENCE: usize = 100;
/// Values beside those of a chain, and places of units in intervals, that the search looks at, at most: its time has a
/// limit in programs of any size.
const EFFORT: usize = 60_000_000;

/// What a search has seen.
struct Search {
    /// Exchanges made.
    step: usize,
    /// By unit and register that it was moved from: the step from which on an exchange may move it there again.
    from: HashMap<(usize, usize), usize>,
    /// Effort that is left.
    effort: usize,
    /// Conflicts now.
    conflicts: i64,
    /// The fewest so far.
    fewest: i64,
}

impl Placement<'_> {
    /// Exchanges registers, settled ones too, as long as that leads to fewer pairs of words of one interval in one bank:
    /// tabu search. Each step makes the exchange that leaves the fewest, be they more than before. None is made for a
    /// unit to a register that it was moved from less than [`TENURE`] steps ago, unless that is a new best placement,
    /// which the search leaves in the end.
    pub fn search(&mut self) {
        self.settled.copy_from_slice(self.fixed);
        let conflicts = self.load.iter().map(|&words| i64::from(words) * (i64::from(words) - 1) / 2).sum();
        let from = HashMap::new();
        let mut search = Search { step: 0, from, effort: EFFORT, conflicts, fewest: conflicts };
        let mut best = self.base.clone();
        let mut last = 0;
        while search.fewest > 0 && search.step < last + PATIENCE {
            search.step += 1;
            let Some((change, exchange)) = self.best_exchange(&mut search) else { break };
            for &unit in &exchange.chain {
                search.from.insert((unit, usize::from(self.base[unit])), search.step + TENURE);
            }
            self.make(&exchange);
            search.conflicts += change;
            if search.conflicts < search.fewest {
                search.fewest = search.conflicts;
                best.clone_from(&self.base);
                last = search.step;
            }
        }
        self.base = best;
    }

    /// The exchange for a unit with a conflict that leaves the fewest conflicts, and how many more they are. None if
    /// there is none, or the effort is spent.
    fn best_exchange(&mut self, search: &mut Search) -> Option<(i64, Exchange)> {
        let mut best: Option<(i64, Exchange)> = None;
        for unit in 0..self.base.len() {
            search.effort = search.effort.checked_sub(1 + self.graph.intervals[unit].len())?;
            if self.settled[unit] || !self.has_conflict(unit) {
                continue;
            }
            let now = usize::from(self.base[unit]);
            let step = self.width[unit];
            for register in (0..(self.registers + 1).saturating_sub(step)).step_by(step) {
                if register % self.banks == now % self.banks {
                    continue;
                }
                let Some(exchange) = self.exchange(unit, register, &mut search.effort) else { continue };
                let places = exchange.chain.iter().map(|&unit| self.graph.intervals[unit].len());
                search.effort = search.effort.checked_sub(places.sum())?;
                let change = self.make(&exchange);
                self.make(&exchange);
                let new = search.conflicts + change < search.fewest;
                let until = search.from.get(&(unit, register));
                let allowed = new || until.is_none_or(|&until| until <= search.step);
                if allowed && best.as_ref().is_none_or(|(least, _)| change < *least) {
                    best = Some((change, exchange));
                }
            }
        }
        best
    }

    /// Whether a word of the unit lies in one bank with another one of its interval.
    fn has_conflict(&self, unit: usize) -> bool {
        let words = self.graph.intervals[unit].iter();
        words.map(|&(interval, node)| self.place(interval, node)).any(|place| self.load[place] > 1)
    }

    /// Where the load of a node's bank in an interval is counted.
    fn place(&self, interval: usize, node: u32) -> usize {
        interval * self.banks + self.register(node) % self.banks
    }

    /// Makes the exchange, which made once more takes itself back; how many more pairs lie in one bank then.
    fn make(&mut self, exchange: &Exchange) -> i64 {
        let graph = self.graph;
        let words = || exchange.chain.iter().flat_map(|&unit| &graph.intervals[unit]);
        let mut more = 0;
        for &(interval, node) in words() {
            let place = self.place(interval, node);
            self.load[place] -= 1;
            more -= i64::from(self.load[place]);
        }
        self.apply(exchange);
        for &(interval, node) in words() {
            let place = self.place(interval, node);
            more += i64::from(self.load[place]);
            self.load[place] += 1;
        }
        more
    }
}
