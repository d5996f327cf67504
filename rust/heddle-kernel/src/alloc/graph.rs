//! The interference graph over units.

use heddle_isa::Instr;

use super::copies::{Copies, copies};
use super::live::{LiveUnits, pressures};
use super::rewrite::Work;
use super::units::{Class, Unit, UnitId, Units};
use super::weight;
use crate::cfg;
use crate::dominators::Loops;
use crate::liveness::{Liveness, Place, for_each_def};

/// Units, and which of them are live at once.
pub(super) struct Graph {
    pub(super) units: Units,
    /// Ascending, without repetition.
    pub(super) neighbours: Vec<Vec<UnitId>>,
    /// Pairs of units that a move copies as a whole, most frequent first.
    pub(super) copies: Vec<(UnitId, UnitId)>,
    /// Words that are copied between units of other shapes: the first unit would like to lie so many
    /// registers above the second.
    pub(super) hints: Vec<(UnitId, UnitId, i64)>,
    /// Units in the order of their first definition, along the reverse post-order of blocks.
    pub(super) order: Vec<UnitId>,
    /// Most registers and most predicates live at once.
    pub(super) pressure: [u32; 2],
}

impl Graph {
    pub(super) fn build(work: &Work) -> Self {
        let program = &work.program;
        let units = Units::new(program);
        let liveness = Liveness::compute(program);
        let n = units.list.len();
        let mut graph = Self {
            neighbours: vec![Vec::new(); n],
            copies: Vec::new(),
            hints: Vec::new(),
            order: Vec::new(),
            pressure: [0; 2],
            units,
        };
        for pressure in pressures(program, &graph.units, &liveness) {
            for class in Class::ALL {
                let most = &mut graph.pressure[class as usize];
                *most = pressure[class as usize].max(*most);
            }
        }
        graph.find_order_and_copies(work);
        let mut live = LiveUnits::new(&graph.units);
        for (b, block) in program.blocks.iter().enumerate() {
            live.set(&graph.units, &liveness, liveness.live_out(b).iter_ones());
            for pc in cfg::pcs(block).rev() {
                let instr = &program.instrs[pc.index()];
                graph.interfere(instr, &live);
                live.backward(&graph.units, instr);
            }
        }
        graph.make_symmetric();
        graph
    }

    /// The destinations of `instr` meet each other and everything live after it, but a word does not
    /// meet the word that it is a copy of.
    fn interfere(&mut self, instr: &Instr, live: &LiveUnits) {
        let copied = copies(instr).and_then(|words| self.whole_copy(&words));
        let mut defs: smallvec::SmallVec<[UnitId; 6]> = smallvec::SmallVec::new();
        for_each_def(instr, |place| {
            let unit = self.units.of(place);
            if !defs.contains(&unit) {
                defs.push(unit);
            }
        });
        for &d in &defs {
            let class = self.units.list[d].class();
            let others = live.list().iter().chain(&defs).copied();
            let meets = others.filter(|&other| {
                other != d && copied != Some((d, other)) && self.units.list[other].class() == class
            });
            self.neighbours[d].extend(meets);
        }
    }

    fn make_symmetric(&mut self) {
        for list in &mut self.neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let lengths: Vec<usize> = self.neighbours.iter().map(Vec::len).collect();
        for (a, len) in lengths.into_iter().enumerate() {
            for i in 0..len {
                let b = self.neighbours[a][i];
                self.neighbours[b].push(a);
            }
        }
        for list in &mut self.neighbours {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// The units (destination, source) of a copy of all words of one into another of the same shape.
    fn whole_copy(&self, words: &Copies) -> Option<(UnitId, UnitId)> {
        let (to, from) = (Place::Reg(words[0].0), Place::Reg(words[0].1));
        let (a, b) = (self.units.of(to), self.units.of(from));
        let whole = match (self.units.list[a], self.units.list[b]) {
            (Unit::Single(_), Unit::Single(_)) => words.len() == 1,
            (Unit::Pair(x), Unit::Pair(y)) => {
                words.len() == 2
                    && words.iter().all(|&(to, from)| to.0.checked_sub(x.0) == from.0.checked_sub(y.0))
                    && words[0].0 == x
                    && words[1].0.0 == x.0 + 1
            }
            _ => false,
        };
        (whole && a != b).then_some((a, b))
    }

    fn find_order_and_copies(&mut self, work: &Work) {
        let program = &work.program;
        let loops = Loops::find(&program.blocks);
        let mut seen = vec![false; self.units.list.len()];
        let mut moves: Vec<(f32, UnitId, UnitId)> = Vec::new();
        for b in cfg::reverse_post_order(&program.blocks) {
            for pc in cfg::pcs(&program.blocks[b]) {
                let instr = &program.instrs[pc.index()];
                for_each_def(instr, |place| {
                    let unit = self.units.of(place);
                    if !std::mem::replace(&mut seen[unit], true) {
                        self.order.push(unit);
                    }
                });
                let Some(words) = copies(instr) else {
                    continue;
                };
                if let Some((to, from)) = self.whole_copy(&words) {
                    moves.push((weight(loops.depth(b)), to, from));
                    continue;
                }
                for (to, from) in words {
                    let (a, b) = (self.units.of(Place::Reg(to)), self.units.of(Place::Reg(from)));
                    let offset = self.offset(b, from) - self.offset(a, to);
                    if a != b {
                        self.hints.extend([(a, b, offset), (b, a, -offset)]);
                    }
                }
            }
        }
        moves.sort_by(|x, y| y.0.total_cmp(&x.0));
        self.copies = moves.into_iter().map(|(_, a, b)| (a, b)).collect();
    }

    fn offset(&self, unit: UnitId, r: heddle_port::Reg) -> i64 {
        match self.units.list[unit] {
            Unit::Pair(low) => i64::from(r.0) - i64::from(low.0),
            Unit::Single(_) | Unit::Pred(_) => 0,
        }
    }
}
