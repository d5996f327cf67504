//! The interference graph over units, with copies joined where that is possible.

use bitvec::vec::BitVec;
use heddle_isa::{Alu, Instr, Op, Operand};
use smallvec::SmallVec;

use super::rewrite::Work;
use super::units::{Unit, UnitId, Units};
use crate::liveness::{Liveness, Place, for_each_def, for_each_use};

/// Units and which of them are live at once.
pub(super) struct Graph {
    pub(super) units: Units,
    matrix: Vec<BitVec>,
    pub(super) neighbours: Vec<Vec<UnitId>>,
    /// Pairs of units that a move copies, most frequent first.
    pub(super) copies: Vec<(UnitId, UnitId)>,
    /// Reads and writes, weighted by 10 to the loop depth; infinite for units that a spill made.
    pub(super) cost: Vec<f32>,
    /// Most registers live at once.
    pub(super) pressure: u32,
    /// Whether anything reads or writes the unit.
    pub(super) used: Vec<bool>,
}

/// Source and destination of a move whose value is the same bits in a register or pair.
pub(super) fn copy(instr: &Instr) -> Option<(Operand, SmallVec<[heddle_port::Reg; 2]>)> {
    match instr.op {
        Op::Alu { op: Alu::Mov, .. } if instr.guard.is_none() => {
            let source = *instr.srcs.first()?;
            let words = match source {
                Operand::Reg(_) => 1,
                Operand::Pair(_) => 2,
                Operand::Imm(_) | Operand::Special(_) => return None,
            };
            (instr.dsts.len() == words).then(|| (source, instr.dsts.iter().copied().collect()))
        }
        _ => None,
    }
}

impl Graph {
    pub(super) fn build(work: &Work) -> Self {
        let program = &work.program;
        let units = Units::new(program);
        let n = units.list.len();
        let mut graph = Self {
            matrix: vec![BitVec::repeat(false, n); n],
            neighbours: vec![Vec::new(); n],
            copies: Vec::new(),
            cost: vec![0.0; n],
            pressure: 0,
            used: vec![false; n],
            units,
        };
        graph.costs(work);
        let liveness = Liveness::compute(program);
        let mut counts = Vec::new();
        for (b, block) in program.blocks.iter().enumerate() {
            let mut live = LiveUnits::new(&graph.units, &liveness, b);
            for pc in crate::cfg::pcs(block).rev() {
                let instr = &program.instrs[pc.index()];
                graph.interfere(instr, &live);
                live.step(&graph.units, instr);
                counts.push(live.width);
            }
        }
        graph.pressure = graph.pressure.max(counts.into_iter().max().unwrap_or(0));
        graph
    }

    fn connect(&mut self, a: UnitId, b: UnitId) {
        let same_class = self.units.list[a].is_pred() == self.units.list[b].is_pred();
        if a != b && same_class && !self.matrix[a][b] {
            self.matrix[a].set(b, true);
            self.matrix[b].set(a, true);
            self.neighbours[a].push(b);
            self.neighbours[b].push(a);
        }
    }

    /// The destinations of `instr` meet each other and everything live after it, but a move's
    /// destination does not meet its source.
    fn interfere(&mut self, instr: &Instr, live: &LiveUnits) {
        let mut defs: SmallVec<[UnitId; 6]> = SmallVec::new();
        for_each_def(instr, |place| defs.push(self.units.of(place)));
        let copied = copy(instr).map(|(source, _)| match source {
            Operand::Reg(r) | Operand::Pair(r) => self.units.of(Place::Reg(r)),
            Operand::Imm(_) | Operand::Special(_) => usize::MAX,
        });
        let mut extra = 0;
        for (i, &d) in defs.iter().enumerate() {
            for &other in &defs[i + 1..] {
                self.connect(d, other);
            }
            if !live.set[d] && !defs[..i].contains(&d) && !self.units.list[d].is_pred() {
                extra += self.units.list[d].width();
            }
        }
        self.pressure = self.pressure.max(live.width + extra);
        for other in live.set.iter_ones() {
            if Some(other) == copied {
                continue;
            }
            for &d in &defs {
                self.connect(d, other);
            }
        }
    }

    fn costs(&mut self, work: &Work) {
        let depths = super::depths(&work.program);
        let mut moves: Vec<(f32, UnitId, UnitId)> = Vec::new();
        for (instr, depth) in work.program.instrs.iter().zip(depths) {
            let weight = 10f32.powi(i32::try_from(depth.min(6)).unwrap_or(6));
            let mut touch = |place| {
                let unit = self.units.of(place);
                self.cost[unit] += weight;
                self.used[unit] = true;
            };
            for_each_use(instr, &mut touch);
            for_each_def(instr, &mut touch);
            if let Some((Operand::Reg(s) | Operand::Pair(s), dsts)) = copy(instr) {
                let (a, b) = (self.units.of(Place::Reg(s)), self.units.of(Place::Reg(dsts[0])));
                let shapes = (self.units.list[a], self.units.list[b]);
                let same_shape = match shapes {
                    (Unit::Pair(x), Unit::Pair(y)) => x == s && y == dsts[0] && dsts.len() == 2,
                    (Unit::Single(_), Unit::Single(_)) => dsts.len() == 1,
                    _ => false,
                };
                if same_shape && a != b {
                    moves.push((weight, a, b));
                }
            }
        }
        moves.sort_by(|x, y| y.0.total_cmp(&x.0));
        self.copies = moves.into_iter().map(|(_, a, b)| (a, b)).collect();
        for temporary in &work.temporaries {
            let unit = self.units.of(Place::Reg(*temporary));
            self.cost[unit] = f32::INFINITY;
        }
    }
}

/// The units live at a point and the registers that they take.
struct LiveUnits {
    set: BitVec,
    width: u32,
}

impl LiveUnits {
    fn new(units: &Units, liveness: &Liveness, block: usize) -> Self {
        let mut live = Self { set: BitVec::repeat(false, units.list.len()), width: 0 };
        for index in liveness.live_out(block).iter_ones() {
            live.add(units, units.of(liveness.place(index)));
        }
        live
    }

    fn add(&mut self, units: &Units, unit: UnitId) {
        if !self.set.replace(unit, true) && !units.list[unit].is_pred() {
            self.width += units.list[unit].width();
        }
    }

    fn remove(&mut self, units: &Units, unit: UnitId) {
        if self.set.replace(unit, false) && !units.list[unit].is_pred() {
            self.width -= units.list[unit].width();
        }
    }

    /// To before `instr`. A unit dies upwards where all of its words are written.
    fn step(&mut self, units: &Units, instr: &Instr) {
        if instr.guard.is_none() {
            let mut defs: SmallVec<[UnitId; 6]> = SmallVec::new();
            for_each_def(instr, |place| defs.push(units.of(place)));
            for &unit in &defs {
                let written = defs.iter().filter(|&&d| d == unit).count();
                if written >= units.list[unit].width() as usize {
                    self.remove(units, unit);
                }
            }
        }
        for_each_use(instr, |place| self.add(units, units.of(place)));
    }
}
