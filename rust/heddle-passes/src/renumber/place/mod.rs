//! Registers for the units: each in the bank of its colour, if one can be made free there; then, by exchanges, better ones.

mod search;

use super::graph::ConflictGraph;
use super::ranges::{LiveRanges, Node, WORDS, unit_of, word_of};

/// Two pieces of the register file that change places, in all units that this moves.
struct Exchange {
    /// The units, first the one that it is made for.
    chain: Vec<usize>,
    /// First registers of the pieces.
    bases: [usize; 2],
    /// Registers of a piece.
    width: usize,
}

/// Units with their registers. No two nodes that hold a value at the same time ever have one register.
pub(super) struct Placement<'a> {
    width: &'a [usize],
    fixed: &'a [bool],
    /// Registers that are exchanged at once, at most: a pair, or as many as the widest unit has.
    widest: usize,
    interference: &'a [Vec<Node>],
    graph: &'a ConflictGraph,
    banks: usize,
    /// By unit: its first register.
    base: Vec<u8>,
    /// Registers that there are.
    registers: usize,
    /// By unit: whether its register is final.
    settled: Vec<bool>,
    /// By interval and bank: words of settled units.
    load: Vec<u32>,
    /// By bank: words of settled units.
    used: Vec<u32>,
}

impl<'a> Placement<'a> {
    /// The numbering that the program has, in `registers` registers and `intervals` intervals.
    pub fn new(
        ranges: &'a LiveRanges,
        interference: &'a [Vec<Node>],
        graph: &'a ConflictGraph,
        [registers, intervals, banks]: [usize; 3],
    ) -> Self {
        let mut placement = Self {
            width: &ranges.width,
            fixed: &ranges.fixed,
            widest: ranges.width.iter().copied().fold(2, usize::max),
            interference,
            graph,
            banks,
            base: ranges.base.clone(),
            registers,
            settled: vec![false; ranges.base.len()],
            load: vec![0; intervals * banks],
            used: vec![0; banks],
        };
        for unit in (0..ranges.base.len()).filter(|&unit| ranges.fixed[unit]) {
            placement.count(unit);
        }
        placement
    }

    /// The register of a node.
    pub fn register(&self, node: Node) -> usize {
        usize::from(self.base[unit_of(node)]) + word_of(node)
    }

    /// Gives the unit a register: in the bank where the fewest words of its intervals lie already; of equal
    /// banks, the least used one, so that all are used evenly. What is not settled makes room. The register that
    /// it has is always possible, and the only one of a unit that is fixed.
    pub fn settle(&mut self, unit: usize) {
        if self.fixed[unit] {
            return;
        }
        let now = usize::from(self.base[unit]);
        let step = self.width[unit];
        let mut choices: Vec<(u32, u32, bool, usize)> = (0..(self.registers + 1).saturating_sub(step))
            .step_by(step)
            .map(|register| {
                (self.conflicts(unit, register), self.use_of(unit, register), register != now, register)
            })
            .collect();
        choices.sort_unstable();
        let mut unbounded = usize::MAX;
        for (.., register) in choices {
            if register == now {
                break;
            }
            if let Some(exchange) = self.exchange(unit, register, &mut unbounded) {
                self.apply(&exchange);
                break;
            }
        }
        self.count(unit);
    }

    /// Makes the unit's registers final, and counts its words in their banks.
    fn count(&mut self, unit: usize) {
        self.settled[unit] = true;
        for word in 0..self.width[unit] {
            self.used[(usize::from(self.base[unit]) + word) % self.banks] += 1;
        }
        for &(interval, node) in &self.graph.intervals[unit] {
            let bank = self.register(node) % self.banks;
            self.load[interval * self.banks + bank] += 1;
        }
    }

    /// Settled words in the same interval and the same bank, if the unit were at `register`.
    fn conflicts(&self, unit: usize, register: usize) -> u32 {
        let there = |node: Node| (register + word_of(node)) % self.banks;
        self.graph.intervals[unit].iter().map(|&(i, node)| self.load[i * self.banks + there(node)]).sum()
    }

    fn use_of(&self, unit: usize, register: usize) -> u32 {
        (0..self.width[unit]).map(|word| self.used[(register + word) % self.banks]).sum()
    }

    /// What moves the unit to register `to`: the two registers change places in the whole Kempe chain of the unit, in
    /// it and in all that stands in the way, directly or not. None if something settled is among that, or an operand
    /// of several registers that cannot move. Takes the values that live beside those of the chain from `effort`; none, too, where
    /// it is spent.
    fn exchange(&self, unit: usize, to: usize, effort: &mut usize) -> Option<Exchange> {
        let from = usize::from(self.base[unit]);
        // Single registers, aligned pairs, aligned fours.
        [1, 2, 4].into_iter().find_map(|width| {
            let bases = [from, to].map(|register| register & !(width - 1));
            let possible = (self.width[unit]..=self.widest).contains(&width)
                && from % width == to % width
                && bases.iter().all(|base| base + width <= self.registers);
            let chain = possible.then(|| self.chain(unit, bases, width, effort)).flatten()?;
            Some(Exchange { chain, bases, width })
        })
    }

    /// Where a register goes when `width` registers from `a` on and from `b` on are exchanged.
    fn image(register: usize, [a, b]: [usize; 2], width: usize) -> usize {
        if (a..a + width).contains(&register) {
            register - a + b
        } else if (b..b + width).contains(&register) {
            register - b + a
        } else {
            register
        }
    }

    fn words(&self, unit: usize) -> impl Iterator<Item = Node> + use<> {
        let first = WORDS * unit as u32;
        first..first + self.width[unit] as u32
    }

    /// The units that move with `unit`.
    fn chain(&self, unit: usize, bases: [usize; 2], width: usize, effort: &mut usize) -> Option<Vec<usize>> {
        let mut chain = vec![unit];
        let mut next = 0;
        while let Some(&moved) = chain.get(next) {
            next += 1;
            if self.settled[moved] || self.width[moved] > width {
                return None;
            }
            for node in self.words(moved) {
                *effort = effort.saturating_sub(1 + self.interference[node as usize].len());
                if *effort == 0 {
                    return None;
                }
                let target = Self::image(self.register(node), bases, width);
                for &other in &self.interference[node as usize] {
                    let owner = unit_of(other);
                    if self.register(other) == target && !chain.contains(&owner) {
                        chain.push(owner);
                    }
                }
            }
        }
        Some(chain)
    }

    fn apply(&mut self, exchange: &Exchange) {
        for &unit in &exchange.chain {
            let old = usize::from(self.base[unit]);
            self.base[unit] = u8::try_from(Self::image(old, exchange.bases, exchange.width))
                .expect("registers of a set have 8 bits");
        }
    }
}
