//! Register live ranges: which accesses of a register must keep naming one register.

use heddle_isa::{Intervals, Operand, Pc, Program, RegSet};

use crate::flow::Flow;
use crate::liveness::{Liveness, is_partial};
use crate::registers::{members, written_registers};

/// Live ranges of a program, as units that get a new register each.
///
/// A unit is the smallest set of accesses with these properties:
///
/// - accesses that are connected by a way from a write to a read are in one unit;
/// - accesses of one register in one register-interval are, so that no working set grows;
/// - the two words of a value that is read as a pair are, and stay an even-aligned pair.
///
/// All of a unit are accesses of one register, or of one aligned pair. Each word of a unit is a node.
pub(super) struct LiveRanges {
    /// By unit: whether it is a pair of registers.
    pub wide: Vec<bool>,
    /// By unit: its register, of a pair the lower one, in the program as it was.
    pub base: Vec<u8>,
    /// By value: the unit. Values are numbered by [`LiveRanges::before`] and [`LiveRanges::written`].
    unit_of: Vec<u32>,
    /// By instruction: the number of its first value.
    first: Vec<usize>,
    live: Liveness,
    writes: Vec<RegSet>,
}

/// A word of a unit: twice its unit, plus 1 for the upper word of a pair.
pub(super) type Node = u32;

/// Members of the set below `register`.
fn rank(set: &RegSet, register: usize) -> usize {
    set[..register].count_ones()
}

/// Disjoint sets of values, by path halving.
struct Sets(Vec<u32>);

impl Sets {
    fn find(&mut self, value: usize) -> usize {
        let mut at = value;
        while self.0[at] as usize != at {
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high] = self.0[low];
    }
}

impl LiveRanges {
    /// Finds the units of an allocated program.
    pub fn new(program: &Program, flow: &Flow, intervals: &Intervals) -> Self {
        let live = Liveness::new(program, flow);
        let writes: Vec<RegSet> = program.instrs.iter().map(written_registers).collect();
        let mut first = Vec::with_capacity(writes.len());
        let mut registers = Vec::new();
        for pc in flow.pcs() {
            first.push(registers.len());
            registers.extend(members(live.before(pc)).chain(members(&writes[pc.index()])));
        }
        let count = u32::try_from(registers.len()).expect("fewer than 255 values an instruction fit 32 bits");
        let mut ranges =
            Self { wide: Vec::new(), base: Vec::new(), unit_of: Vec::new(), first, live, writes };
        let mut sets = Sets((0..count).collect());
        ranges.join_flow(program, flow, &mut sets);
        ranges.join_intervals(program, intervals, &mut sets);
        ranges.join_pairs(program, &mut sets);
        ranges.number(&registers, &mut sets);
        ranges
    }

    /// The value that `register` has before `pc`, where it is live.
    fn before(&self, pc: Pc, register: usize) -> usize {
        self.first[pc.index()] + rank(self.live.before(pc), register)
    }

    /// The value that `pc` writes to `register`.
    fn written(&self, pc: Pc, register: usize) -> usize {
        let index = pc.index();
        self.first[index] + self.live.before(pc).count_ones() + rank(&self.writes[index], register)
    }

    fn join_flow(&self, program: &Program, flow: &Flow, sets: &mut Sets) {
        for pc in flow.pcs() {
            let (index, before) = (pc.index(), self.live.before(pc));
            let partial = is_partial(&program.instrs[index]);
            for &next in flow.successors(pc) {
                for register in members(self.live.before(next)) {
                    let after = self.before(next, register);
                    let writes = self.writes[index][register];
                    if writes {
                        sets.join(self.written(pc, register), after);
                    }
                    if before[register] && (!writes || partial) {
                        sets.join(self.before(pc, register), after);
                    }
                }
            }
        }
    }

    fn join_intervals(&self, program: &Program, intervals: &Intervals, sets: &mut Sets) {
        let mut known = vec![[None; heddle_port::NUM_REGS]; intervals.intervals.len()];
        for ((pc, instr), id) in (0..).map(Pc).zip(&program.instrs).zip(&intervals.of_pc) {
            let known = &mut known[usize::from(id.0)];
            let reads = instr.source_regs().into_iter().map(|r| (r.index(), self.before(pc, r.index())));
            let writes = instr.dsts.iter().map(|r| (r.index(), self.written(pc, r.index())));
            for (register, value) in reads.chain(writes) {
                let earlier = *known[register].get_or_insert(value);
                sets.join(earlier, value);
            }
        }
    }

    fn join_pairs(&self, program: &Program, sets: &mut Sets) {
        for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
            for operand in &instr.srcs {
                if let Operand::Pair(low) = operand {
                    sets.join(self.before(pc, low.index()), self.before(pc, low.index() + 1));
                }
            }
        }
    }

    fn number(&mut self, registers: &[usize], sets: &mut Sets) {
        let mut unit_of_root = vec![u32::MAX; registers.len()];
        for (value, &register) in registers.iter().enumerate() {
            let root = sets.find(value);
            let register = u8::try_from(register).expect("a member of a register set");
            if unit_of_root[root] == u32::MAX {
                unit_of_root[root] = u32::try_from(self.base.len()).expect("no more units than values");
                self.base.push(register);
                self.wide.push(false);
            }
            let unit = unit_of_root[root];
            if self.base[unit as usize] != register {
                self.base[unit as usize] &= !1;
                self.wide[unit as usize] = true;
            }
            self.unit_of.push(unit);
        }
    }

    fn node(&self, value: usize, register: usize) -> Node {
        let unit = self.unit_of[value];
        2 * unit + u32::from(self.wide[unit as usize] && register % 2 == 1)
    }

    /// The node that an instruction reads as `register`, or that is live before it.
    pub fn read_node(&self, pc: Pc, register: usize) -> Node {
        self.node(self.before(pc, register), register)
    }

    /// The node that an instruction writes as `register`.
    pub fn written_node(&self, pc: Pc, register: usize) -> Node {
        self.node(self.written(pc, register), register)
    }

    /// What is live before `pc`, with its nodes.
    pub fn live_before(&self, pc: Pc) -> impl Iterator<Item = Node> + '_ {
        members(self.live.before(pc)).map(move |r| self.read_node(pc, r))
    }

    /// What holds a value after `pc`: what it writes, and what lives through it.
    pub fn live_after(&self, pc: Pc) -> impl Iterator<Item = Node> + '_ {
        let writes = &self.writes[pc.index()];
        let through = members(self.live.after(pc)).filter(|&r| !writes[r]);
        let through = through.map(move |r| self.read_node(pc, r));
        members(writes).map(move |r| self.written_node(pc, r)).chain(through)
    }
}
