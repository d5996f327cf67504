//! The values of one strand: which writes and which reads of a register belong together.

use std::collections::BTreeMap;

use heddle_isa::{Instr, Pc, Program, Unit};
use heddle_port::Reg;

use crate::flow::Flow;
use crate::liveness::{Liveness, is_partial};
use crate::waits::has_long_latency;

/// A source or destination slot of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SlotRef {
    pub pc: Pc,
    pub slot: usize,
}

/// A value that may lie in an upper level.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub register: Reg,
    /// The writes; of a value from before the strand, none.
    pub writes: Vec<SlotRef>,
    /// The read that is to fetch a value from before the strand.
    pub fill: Option<SlotRef>,
    /// The reads that can find it there, in program order.
    pub reads: Vec<SlotRef>,
    /// It is read elsewhere, too: its writes go to the main register file as well.
    pub kept: bool,
}

impl Value {
    /// Whether arithmetic units alone write and read it: the last result file is theirs.
    pub fn is_arithmetic(&self, program: &Program) -> bool {
        let mut all = self.writes.iter().chain(&self.reads).map(|at| &program.instrs[at.pc.index()]);
        all.all(has_last_result)
    }
}

/// Whether the instruction runs on a unit beside the last result file.
pub(super) fn has_last_result(instr: &Instr) -> bool {
    matches!(instr.unit(), Unit::Int | Unit::IntMultiply | Unit::Fp32)
}

/// One strand of a program.
pub(super) struct Strand<'a> {
    pub program: &'a Program,
    flow: &'a Flow,
    live: &'a Liveness,
    /// Its instructions, ascending. All edges inside lead forward.
    pcs: &'a [Pc],
    /// Whether an edge to an instruction stays inside.
    inside: &'a dyn Fn(Pc) -> bool,
}

/// The definitions of a register that may reach an instruction: places in the list of its writes.
type Reaching = Vec<usize>;

/// Stands for the value from before the strand, and for results of long-latency instructions: the main register file
/// has these alone.
const OUTSIDE: usize = usize::MAX;

impl<'a> Strand<'a> {
    pub fn new(
        program: &'a Program,
        flow: &'a Flow,
        live: &'a Liveness,
        pcs: &'a [Pc],
        inside: &'a dyn Fn(Pc) -> bool,
    ) -> Self {
        Self { program, flow, live, pcs, inside }
    }

    fn instr(&self, pc: Pc) -> &'a Instr {
        &self.program.instrs[pc.index()]
    }

    /// Instructions in the strand up to this one.
    pub fn position(&self, pc: Pc) -> usize {
        self.pcs.partition_point(|&other| other < pc)
    }

    /// All values that have a read which can find them in an upper level.
    pub fn values(&self) -> Vec<Value> {
        let mut accesses: BTreeMap<Reg, (Vec<SlotRef>, Vec<SlotRef>)> = BTreeMap::new();
        for &pc in self.pcs {
            let instr = self.instr(pc);
            for (slot, register) in instr.source_regs().into_iter().enumerate() {
                accesses.entry(register).or_default().0.push(SlotRef { pc, slot });
            }
            for (slot, &register) in instr.dsts.iter().enumerate() {
                accesses.entry(register).or_default().1.push(SlotRef { pc, slot });
            }
        }
        let mut values = Vec::new();
        for (register, (reads, writes)) in accesses {
            if !reads.is_empty() {
                self.values_of(register, &reads, &writes, &mut values);
            }
        }
        values
    }

    fn values_of(&self, register: Reg, reads: &[SlotRef], writes: &[SlotRef], values: &mut Vec<Value>) {
        let (before, mut kept) = self.reaching(register, writes);
        // Writes that a read joins are one value, named by its first write.
        let mut value_of: Vec<usize> = (0..writes.len()).collect();
        for read in reads {
            let reaching = &before[&read.pc];
            if reaching.contains(&OUTSIDE) {
                reaching.iter().filter(|&&w| w != OUTSIDE).for_each(|&w| kept[w] = true);
                continue;
            }
            let names: Vec<usize> = reaching.iter().map(|&w| value_of[w]).collect();
            let first = names.iter().copied().min().unwrap_or(OUTSIDE);
            value_of.iter_mut().filter(|name| names.contains(name)).for_each(|name| *name = first);
        }
        for name in 0..writes.len() {
            let of = |w: &usize| value_of[*w] == name;
            let own: Vec<usize> = (0..writes.len()).filter(of).collect();
            let found = |read: &&SlotRef| before[&read.pc].iter().any(|w| own.contains(w));
            let inner = |read: &&SlotRef| found(read) && !before[&read.pc].contains(&OUTSIDE);
            let reads: Vec<SlotRef> = reads.iter().filter(inner).copied().collect();
            if !reads.is_empty() {
                values.push(Value {
                    register,
                    kept: own.iter().any(|&w| kept[w]),
                    writes: own.iter().map(|&w| writes[w]).collect(),
                    fill: None,
                    reads,
                });
            }
        }
        let outer: Vec<SlotRef> =
            reads.iter().filter(|read| before[&read.pc] == [OUTSIDE]).copied().collect();
        values.extend(self.read_again(register, &outer, writes));
    }

    /// For each instruction the writes that reach it, and for each write whether its value lives behind the strand.
    fn reaching(&self, register: Reg, writes: &[SlotRef]) -> (BTreeMap<Pc, Reaching>, Vec<bool>) {
        let mut before: BTreeMap<Pc, Reaching> = BTreeMap::new();
        let mut kept = vec![false; writes.len()];
        for &pc in self.pcs {
            let here = before.entry(pc).or_insert_with(|| vec![OUTSIDE]);
            if !(self.inside)(pc) {
                *here = vec![OUTSIDE];
            }
            let mut after = here.clone();
            if let Some(write) = writes.iter().position(|write| write.pc == pc) {
                let instr = self.instr(pc);
                if !is_partial(instr) {
                    after.clear();
                }
                after.push(if has_long_latency(instr) { OUTSIDE } else { write });
            }
            for &to in self.flow.successors(pc) {
                if (self.inside)(to) {
                    let there = before.entry(to).or_default();
                    there.extend(after.iter().copied());
                    there.sort_unstable();
                    there.dedup();
                } else if self.live.before(to)[register.index()] {
                    after.iter().filter(|&&w| w != OUTSIDE).for_each(|&w| kept[w] = true);
                }
            }
        }
        (before, kept)
    }

    /// A value from before the strand that is read twice or more: the first read that others follow on every path to
    /// them fetches it.
    fn read_again(&self, register: Reg, reads: &[SlotRef], writes: &[SlotRef]) -> Option<Value> {
        reads.iter().find_map(|&fill| {
            if is_partial(self.instr(fill.pc)) {
                return None;
            }
            let filled = self.filled(fill.pc, writes);
            let reads: Vec<SlotRef> =
                reads.iter().filter(|read| filled.contains(&read.pc)).copied().collect();
            let value = Value { register, writes: Vec::new(), fill: Some(fill), reads, kept: false };
            (!value.reads.is_empty()).then_some(value)
        })
    }

    /// The instructions of the strand before which `fill` was executed on every path from the strand's beginning, with
    /// none of `writes` in between.
    fn filled(&self, fill: Pc, writes: &[SlotRef]) -> Vec<Pc> {
        let mut before: BTreeMap<Pc, bool> = BTreeMap::new();
        for &pc in self.pcs {
            let here = (self.inside)(pc) && before.get(&pc).copied().unwrap_or(false);
            before.insert(pc, here);
            let after = (here || pc == fill) && !writes.iter().any(|write| write.pc == pc);
            for &to in self.flow.successors(pc).iter().filter(|&&to| (self.inside)(to)) {
                before.entry(to).and_modify(|all| *all &= after).or_insert(after);
            }
        }
        before.into_iter().filter_map(|(pc, filled)| filled.then_some(pc)).collect()
    }

    /// Whether on every way from each write, or from the fetching read, one of the value's reads follows inside the
    /// strand: what waits for the value is then there before its entry can be another's.
    pub fn is_always_read(&self, value: &Value) -> bool {
        let (Some(first), Some(last)) = (value.first(), value.reads.last()) else { return false };
        let reads = |pc: Pc| value.reads.iter().any(|read| read.pc == pc);
        let ends = |pc: Pc| {
            let instr = self.instr(pc);
            instr.dsts.contains(&value.register) && !is_partial(instr)
        };
        let mut read_from: BTreeMap<Pc, bool> = BTreeMap::new();
        let range = self.position(first)..=self.position(last.pc);
        let follows = |read_from: &BTreeMap<Pc, bool>, pc: Pc| {
            let ways = self.flow.successors(pc);
            let read = |&to: &Pc| (self.inside)(to) && read_from.get(&to).copied().unwrap_or(false);
            !ways.is_empty() && ways.iter().all(read)
        };
        for &pc in self.pcs[range].iter().rev() {
            let read = reads(pc) || (!ends(pc) && follows(&read_from, pc));
            read_from.insert(pc, read);
        }
        let begins = value.writes.iter().chain(&value.fill);
        begins.map(|at| at.pc).all(|pc| follows(&read_from, pc))
    }
}

impl Value {
    /// The first instruction that puts it into an upper level.
    pub fn first(&self) -> Option<Pc> {
        self.writes.iter().chain(&self.fill).map(|at| at.pc).min()
    }
}
