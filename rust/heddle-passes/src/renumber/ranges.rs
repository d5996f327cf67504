//! Register live ranges: which accesses of a register must keep naming one register.

use heddle_isa::{Intervals, Pc, Program, RegSet};
use heddle_port::Reg;

use crate::flow::Flow;
use crate::liveness::{Liveness, is_partial};
use crate::registers::{MOST_MOVED, is_aligned, members, wide_destinations, wide_sources, written_registers};

/// Live ranges of a program, as units that get a new register each.
///
/// A unit is the smallest set of accesses with these properties:
///
/// - accesses that are connected by a way from a write to a read are in one unit;
/// - accesses of one register in one register-interval are, so that no working set grows;
/// - the words of an operand of two to four registers are, and stay together and aligned.
///
/// All of a unit are accesses of one register, of one aligned pair or of four aligned registers. Each word of a
/// unit is a node. An operand of more registers, or one that is not aligned, keeps its registers: the units of its
/// words are fixed.
pub(super) struct LiveRanges {
    /// By unit: its registers, 1, 2 or 4.
    pub width: Vec<usize>,
    /// By unit: its first register, in the program as it was.
    pub base: Vec<u8>,
    /// By unit: whether it keeps its registers.
    pub fixed: Vec<bool>,
    /// By value: the unit. Values are numbered by [`LiveRanges::before`] and [`LiveRanges::written`].
    unit_of: Vec<u32>,
    /// By instruction: the number of its first value.
    first: Vec<usize>,
    live: Liveness,
    writes: Vec<RegSet>,
}

/// A word of a unit: [`WORDS`] times its unit, plus the number of the word.
pub(super) type Node = u32;

/// Most words of a unit.
pub(super) const WORDS: u32 = MOST_MOVED as u32;

/// The unit of a node.
pub(super) fn unit_of(node: Node) -> usize {
    (node / WORDS) as usize
}

/// Which of the unit's words a node is.
pub(super) fn word_of(node: Node) -> usize {
    (node % WORDS) as usize
}

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
            Self { width: vec![], base: vec![], fixed: vec![], unit_of: vec![], first, live, writes };
        let mut sets = Sets((0..count).collect());
        ranges.join_flow(program, flow, &mut sets);
        ranges.join_intervals(program, intervals, &mut sets);
        let keeping = ranges.join_operands(program, &mut sets);
        ranges.number(&registers, &mut sets);
        keeping.into_iter().for_each(|value| ranges.fixed[ranges.unit_of[value] as usize] = true);
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

    /// Joins the words of each operand, and returns the values of those that must keep their registers.
    fn join_operands(&self, program: &Program, sets: &mut Sets) -> Vec<usize> {
        let mut keeping = Vec::new();
        for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
            let reads = wide_sources(instr).map(|operand| (operand, false));
            let writes = wide_destinations(instr).map(|operand| (operand, true));
            for (operand, written) in reads.chain(writes) {
                let value = |r: &Reg| {
                    if written { self.written(pc, r.index()) } else { self.before(pc, r.index()) }
                };
                if operand.len() > MOST_MOVED || !is_aligned(&operand) {
                    keeping.extend(operand.iter().map(value));
                } else {
                    operand.windows(2).for_each(|two| sets.join(value(&two[0]), value(&two[1])));
                }
            }
        }
        keeping
    }

    fn number(&mut self, registers: &[usize], sets: &mut Sets) {
        let mut unit_of_root = vec![u32::MAX; registers.len()];
        for (value, &register) in registers.iter().enumerate() {
            let root = sets.find(value);
            let register = u8::try_from(register).expect("a member of a register set");
            if unit_of_root[root] == u32::MAX {
                unit_of_root[root] = u32::try_from(self.base.len()).expect("no more units than values");
                self.base.push(register);
                self.width.push(1);
                self.fixed.push(false);
            }
            let unit = unit_of_root[root];
            let (base, width) = (&mut self.base[unit as usize], &mut self.width[unit as usize]);
            // Operands are aligned to powers of two, so the least aligned block that has them all is one of them.
            while usize::from(*base) + *width <= usize::from(register) || register < *base {
                *width *= 2;
                *base &= !(*width as u8 - 1);
            }
            self.unit_of.push(unit);
        }
    }

    fn node(&self, value: usize, register: usize) -> Node {
        let unit = self.unit_of[value];
        WORDS * unit + register as u32 - u32::from(self.base[unit as usize])
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
