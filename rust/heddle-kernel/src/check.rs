//! An independent proof that an allocated program does what the virtual one does.
//!
//! The allocated program is executed symbolically over the control-flow graph of the virtual one. The
//! state says for every register, predicate and spill word which virtual places it surely holds on
//! every path; where paths meet, only what all of them agree on is kept. Each instruction must be the
//! virtual one, renamed, and each of its reads must find the virtual place that it should. The
//! checker shares no code with the allocator but the records of where instructions come from, and it
//! trusts those no further than that a wrong record is an error.

use std::collections::HashMap;

use heddle_isa::{Alu, Instr, Op, Operand, Pc, PredOperand, Program, Space};
use heddle_port::Reg;
use smallvec::SmallVec;

use crate::alloc::{Allocation, MAX_REGISTERS};
use crate::cfg;

/// What the checker found wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("instruction {pc} of the allocated '{kernel}' (for {virtual_pc} of the virtual program): {fault}")]
pub struct CheckError {
    /// The kernel.
    pub kernel: String,
    /// Instruction of the allocated program.
    pub pc: Pc,
    /// Instruction of the virtual program.
    pub virtual_pc: Pc,
    /// What is wrong.
    pub fault: CheckFault,
}

/// Kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckFault {
    /// A read does not find the value that it should.
    #[error("{place} should hold virtual {wanted}")]
    WrongValue {
        /// What is read.
        place: String,
        /// What should be there.
        wanted: String,
    },
    /// The instruction is not the virtual one renamed.
    #[error("the instruction differs from the virtual one in its {what}")]
    Differs {
        /// The part that differs.
        what: &'static str,
    },
    /// An instruction with an effect is gone.
    #[error("an instruction with an effect is missing")]
    Missing,
    /// An inserted instruction is neither spill, reload nor recomputation.
    #[error("an inserted instruction is neither a spill, a reload nor a recomputation")]
    Inserted,
    /// A register out of range, or a pair that is not aligned.
    #[error("{place} is out of range, written twice or not aligned")]
    Place {
        /// The register.
        place: String,
    },
    /// The records of origin do not ascend or do not match the program.
    #[error("the records of where instructions come from do not fit")]
    Origins,
}

/// How much was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Reads that were proved right.
    pub reads: usize,
    /// Instructions of the virtual program.
    pub instructions: usize,
}

/// Virtual places that one location holds, ascending.
type Held = SmallVec<[u32; 2]>;
/// What every location holds.
type State = Vec<Held>;
type Fault = Result<(), CheckFault>;

/// Proves `allocation` against the program that it was made of.
///
/// # Errors
/// The first fault in program order.
pub fn check_allocation(virtual_program: &Program, allocation: &Allocation) -> Result<Checked, CheckError> {
    let checker = Checker::new(virtual_program, allocation)?;
    let entries = checker.solve();
    let mut checked = Checked::default();
    for (b, block) in virtual_program.blocks.iter().enumerate() {
        let Some(mut state) = entries[b].clone() else {
            continue;
        };
        for pc in cfg::pcs(block) {
            checker.step(pc, &mut state, Some(&mut checked.reads))?;
            checked.instructions += 1;
        }
    }
    Ok(checked)
}

struct Checker<'p> {
    original: &'p Program,
    allocation: &'p Allocation,
    /// Allocated instructions `starts[v] .. starts[v + 1]` stand for virtual instruction `v`.
    starts: Vec<usize>,
    /// Instructions that read no register, and the location that stands for their first result: it
    /// holds every virtual register that surely has that value.
    constants: HashMap<Constant, usize>,
    /// Registers, predicates, spill words, results of constants, in this order.
    locations: usize,
}

/// An instruction that reads no register: operation, sources, offset and number of results.
type Constant = (Op, Vec<Operand>, i32, usize);

fn constant(instr: &Instr) -> Option<Constant> {
    let from_nothing = match instr.op {
        Op::Alu { op: Alu::Mov, .. } => true,
        Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
        _ => false,
    };
    let reads = |s: &Operand| matches!(s, Operand::Reg(_) | Operand::Pair(_));
    let is_constant = from_nothing && instr.guard.is_none() && !instr.srcs.iter().any(reads);
    is_constant.then(|| (instr.op.clone(), instr.srcs.to_vec(), instr.offset, instr.dsts.len()))
}

impl<'p> Checker<'p> {
    fn new(original: &'p Program, allocation: &'p Allocation) -> Result<Self, CheckError> {
        let program = &allocation.program;
        let origins = &allocation.origins;
        let bad = CheckError {
            kernel: original.name.clone(),
            pc: Pc(0),
            virtual_pc: Pc(0),
            fault: CheckFault::Origins,
        };
        let ascending = origins.windows(2).all(|w| w[0].pc <= w[1].pc);
        let inside = origins.last().is_some_and(|o| o.pc.index() < original.instrs.len());
        let local_grows = program.local_bytes >= original.local_bytes;
        if !ascending || !inside || !local_grows || origins.len() != program.instrs.len() {
            return Err(bad);
        }
        let starts =
            (0..=original.instrs.len()).map(|v| origins.partition_point(|o| o.pc.index() < v)).collect();
        let spill_words = (program.local_bytes - original.local_bytes).div_ceil(4) + 1;
        let mut locations = program.num_regs as usize + usize::from(program.num_preds) + spill_words as usize;
        let mut constants = HashMap::new();
        for instr in &original.instrs {
            if let Some(constant) = constant(instr) {
                constants.entry(constant).or_insert_with(|| {
                    locations += instr.dsts.len();
                    locations - instr.dsts.len()
                });
            }
        }
        Ok(Self { original, allocation, starts, constants, locations })
    }

    /// The state before each block, once nothing changes any more; `None` for blocks never reached.
    fn solve(&self) -> Vec<Option<State>> {
        let blocks = &self.original.blocks;
        let mut entries: Vec<Option<State>> = vec![None; blocks.len()];
        entries[0] = Some(vec![Held::new(); self.locations]);
        let mut work = vec![0];
        while let Some(b) = work.pop() {
            let Some(mut state) = entries[b].clone() else {
                continue;
            };
            for pc in cfg::pcs(&blocks[b]) {
                // Faults are reported by the pass over the finished states.
                if self.step(pc, &mut state, None).is_err() {
                    break;
                }
            }
            for &s in &blocks[b].successors {
                let changed = match &mut entries[s] {
                    None => {
                        entries[s] = Some(state.clone());
                        true
                    }
                    Some(known) => meet(known, &state),
                };
                if changed && !work.contains(&s) {
                    work.push(s);
                }
            }
        }
        entries
    }

    /// Runs what stands for virtual instruction `v`; reads are checked when `reads` counts them.
    fn step(&self, v: Pc, state: &mut State, mut reads: Option<&mut usize>) -> Result<(), CheckError> {
        let group = self.starts[v.index()]..self.starts[v.index() + 1];
        let instr = &self.original.instrs[v.index()];
        let error = |pc: usize, fault| CheckError {
            kernel: self.original.name.clone(),
            pc: Pc(u32::try_from(pc).unwrap_or(u32::MAX)),
            virtual_pc: v,
            fault,
        };
        let kept = group.clone().filter(|&i| !self.allocation.origins[i].inserted).count();
        if kept > 1 {
            return Err(error(group.start, CheckFault::Origins));
        }
        if kept == 0 {
            self.deleted(instr, state).map_err(|f| error(group.start, f))?;
        }
        for i in group {
            let allocated = &self.allocation.program.instrs[i];
            let result = if self.allocation.origins[i].inserted {
                self.inserted(allocated, state)
            } else {
                self.renamed(instr, allocated, state, reads.as_deref_mut())
            };
            result.map_err(|f| error(i, f))?;
        }
        Ok(())
    }

    /// The effect of a virtual instruction that has no counterpart: a copy between places that share
    /// a register, or a result that nobody needs.
    fn deleted(&self, instr: &Instr, state: &mut State) -> Fault {
        if let Some(copies) = self.copied(instr) {
            self.copy(&copies, state);
            return Ok(());
        }
        let pure = match instr.op {
            Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
            Op::Alu { .. }
            | Op::Cvt { .. }
            | Op::Setp { .. }
            | Op::Set { .. }
            | Op::Testp { .. }
            | Op::Selp { .. }
            | Op::Pred { .. } => true,
            _ => false,
        };
        if !pure {
            return Err(CheckFault::Missing);
        }
        for place in self.virtual_defs(instr) {
            forget(state, place);
        }
        self.define_constant(instr, state);
        Ok(())
    }

    /// Virtual places (destination, source) of an unguarded move between registers.
    fn copied(&self, instr: &Instr) -> Option<Vec<(u32, u32)>> {
        let is_move = matches!(instr.op, Op::Alu { op: Alu::Mov, .. }) && instr.guard.is_none();
        let first = match instr.srcs.first() {
            Some(Operand::Reg(r)) if instr.dsts.len() == 1 => r.0,
            Some(Operand::Pair(r)) if instr.dsts.len() == 2 => r.0,
            _ => return None,
        };
        is_move.then(|| instr.dsts.iter().zip(first..).map(|(d, s)| (d.0, s)).collect())
    }

    fn copy(&self, copies: &[(u32, u32)], state: &mut State) {
        for &(d, s) in copies.iter().filter(|(d, s)| d != s) {
            for held in state.iter_mut() {
                let has_source = held.contains(&s);
                held.retain(|v| *v != d);
                if has_source {
                    insert(held, d);
                }
            }
        }
    }

    fn inserted(&self, instr: &Instr, state: &mut State) -> Fault {
        if instr.guard.is_some() || !instr.pred_dsts.is_empty() || !instr.pred_srcs.is_empty() {
            return Err(CheckFault::Inserted);
        }
        match (&instr.op, instr.srcs.as_slice()) {
            (Op::Ld { space: Space::Local, .. }, [Operand::Imm(address)]) => {
                for (d, word) in instr.dsts.iter().zip(0..) {
                    let from = self.spill_location(instr, *address, word)?;
                    let to = self.reg_location(*d)?;
                    state[to] = state[from].clone();
                }
                Ok(())
            }
            (Op::St { space: Space::Local, .. }, [Operand::Imm(address), source]) => {
                let (first, words) = match source {
                    Operand::Reg(r) => (*r, 1),
                    Operand::Pair(r) => (*r, 2),
                    _ => return Err(CheckFault::Inserted),
                };
                for word in 0..words {
                    let to = self.spill_location(instr, *address, word)?;
                    let from = self.reg_location(Reg(first.0 + word))?;
                    state[to] = state[from].clone();
                }
                Ok(())
            }
            _ => self.recomputed(instr, state),
        }
    }

    /// An instruction that reads no register gives what the same virtual instruction gave.
    fn recomputed(&self, instr: &Instr, state: &mut State) -> Fault {
        let from = constant(instr).and_then(|c| self.constants.get(&c).copied());
        let from = from.ok_or(CheckFault::Inserted)?;
        for (d, location) in instr.dsts.iter().zip(from..) {
            let to = self.reg_location(*d)?;
            state[to] = state[location].clone();
        }
        Ok(())
    }

    /// Notes which virtual registers now have the value of a constant.
    fn define_constant(&self, instr: &Instr, state: &mut State) {
        let location = constant(instr).and_then(|c| self.constants.get(&c).copied());
        for (d, location) in instr.dsts.iter().zip(location.into_iter().flat_map(|l| l..)) {
            insert(&mut state[location], d.0);
        }
    }

    fn renamed(
        &self,
        original: &Instr,
        allocated: &Instr,
        state: &mut State,
        reads: Option<&mut usize>,
    ) -> Fault {
        self.same_shape(original, allocated)?;
        let pairs = self.read_pairs(original, allocated)?;
        if let Some(count) = reads {
            for &(location, place) in &pairs {
                if !state[location].contains(&place) {
                    return Err(CheckFault::WrongValue {
                        place: self.location_name(location),
                        wanted: self.place_name(place),
                    });
                }
            }
            *count += pairs.len();
        }
        let places = self.virtual_defs(original);
        let mut locations = Vec::new();
        for d in &allocated.dsts {
            locations.push(self.reg_location(*d)?);
        }
        for p in &allocated.pred_dsts {
            locations.push(self.pred_location(p.0)?);
        }
        if let Some(copies) = self.copied(original) {
            // The new register holds what the old one held, and its new name.
            let before: Vec<Held> = allocated
                .srcs
                .iter()
                .flat_map(words)
                .map(|r| self.reg_location(r).map(|l| state[l].clone()))
                .collect::<Result<_, _>>()?;
            self.copy(&copies, state);
            for ((location, (d, s)), mut held) in locations.into_iter().zip(copies).zip(before) {
                held.retain(|v| *v != d || d == s);
                insert(&mut held, d);
                state[location] = held;
            }
            return Ok(());
        }
        let mut written = Vec::new();
        for (&location, &place) in locations.iter().zip(&places) {
            // Lanes where the guard fails keep what was there before.
            let whole = original.guard.is_none() || state[location].contains(&place);
            if written.iter().any(|&(l, _, _)| l == location) {
                return Err(CheckFault::Place { place: self.location_name(location) });
            }
            written.push((location, place, whole));
        }
        for &place in &places {
            forget(state, place);
        }
        for (location, place, whole) in written {
            state[location].clear();
            if whole {
                insert(&mut state[location], place);
            }
        }
        self.define_constant(original, state);
        Ok(())
    }

    fn same_shape(&self, original: &Instr, allocated: &Instr) -> Fault {
        let differs = |what| Err(CheckFault::Differs { what });
        match (&original.op, &allocated.op) {
            (Op::Bra { target: from, .. }, Op::Bra { target: to, .. }) => {
                if to.index() != self.starts[from.index()] {
                    return differs("branch target");
                }
            }
            (a, b) if a == b => {}
            _ => return differs("operation"),
        }
        let negation = |i: &Instr| i.guard.map(|g| g.negated);
        if negation(original) != negation(allocated) {
            return differs("guard");
        }
        if original.offset != allocated.offset {
            return differs("offset");
        }
        if original.dsts.len() != allocated.dsts.len()
            || original.pred_dsts.len() != allocated.pred_dsts.len()
            || original.srcs.len() != allocated.srcs.len()
            || original.pred_srcs.len() != allocated.pred_srcs.len()
        {
            return differs("number of operands");
        }
        Ok(())
    }

    /// Every read as (location in the allocated program, virtual place that must be there).
    fn read_pairs(&self, original: &Instr, allocated: &Instr) -> Result<Vec<(usize, u32)>, CheckFault> {
        let mut pairs = Vec::new();
        if let (Some(a), Some(b)) = (original.guard, allocated.guard) {
            pairs.push((self.pred_location(b.pred.0)?, self.pred_place(a.pred.0)));
        }
        for (a, b) in original.srcs.iter().zip(&allocated.srcs) {
            match (a, b) {
                (Operand::Reg(a), Operand::Reg(b)) => pairs.push((self.reg_location(*b)?, a.0)),
                (Operand::Pair(a), Operand::Pair(b)) => {
                    if b.0 % 2 != 0 {
                        return Err(CheckFault::Place { place: b.to_string() });
                    }
                    pairs.push((self.reg_location(*b)?, a.0));
                    pairs.push((self.reg_location(Reg(b.0 + 1))?, a.0 + 1));
                }
                (a, b) if a == b && words(a).is_empty() => {}
                _ => return Err(CheckFault::Differs { what: "sources" }),
            }
        }
        for (a, b) in original.pred_srcs.iter().zip(&allocated.pred_srcs) {
            match (*a, *b) {
                (PredOperand::Reg { pred: a, negated: x }, PredOperand::Reg { pred: b, negated: y })
                    if x == y =>
                {
                    pairs.push((self.pred_location(b.0)?, self.pred_place(a.0)))
                }
                (PredOperand::Const(x), PredOperand::Const(y)) if x == y => {}
                _ => return Err(CheckFault::Differs { what: "predicate sources" }),
            }
        }
        Ok(pairs)
    }

    fn virtual_defs(&self, instr: &Instr) -> Vec<u32> {
        let regs = instr.dsts.iter().map(|r| r.0);
        let preds = instr.pred_dsts.iter().map(|p| self.pred_place(p.0));
        regs.chain(preds).collect()
    }

    fn pred_place(&self, pred: u16) -> u32 {
        self.original.num_regs + u32::from(pred)
    }

    fn reg_location(&self, r: Reg) -> Result<usize, CheckFault> {
        if r.0 < self.allocation.program.num_regs.min(MAX_REGISTERS) {
            Ok(r.index())
        } else {
            Err(CheckFault::Place { place: r.to_string() })
        }
    }

    fn pred_location(&self, pred: u16) -> Result<usize, CheckFault> {
        let program = &self.allocation.program;
        if pred < program.num_preds {
            Ok(program.num_regs as usize + usize::from(pred))
        } else {
            Err(CheckFault::Place { place: format!("P{pred}") })
        }
    }

    /// Word `word` of a spill at `address`, which must lie behind the kernel's own local memory.
    fn spill_location(&self, instr: &Instr, address: u64, word: u32) -> Result<usize, CheckFault> {
        let program = &self.allocation.program;
        let at = address + u64::from(word) * 4;
        let base = u64::from(self.original.local_bytes);
        let first = base.next_multiple_of(4);
        let inside = at >= base && at + 4 <= u64::from(program.local_bytes) && at.is_multiple_of(4);
        if !inside || instr.offset != 0 {
            return Err(CheckFault::Inserted);
        }
        let index = usize::try_from((at - first) / 4).unwrap_or(usize::MAX);
        Ok(program.num_regs as usize + usize::from(program.num_preds) + index)
    }

    fn location_name(&self, location: usize) -> String {
        let program = &self.allocation.program;
        let (regs, preds) = (program.num_regs as usize, usize::from(program.num_preds));
        if location < regs {
            format!("R{location}")
        } else if location < regs + preds {
            format!("P{}", location - regs)
        } else {
            format!("spill word {}", location - regs - preds)
        }
    }

    fn place_name(&self, place: u32) -> String {
        match place.checked_sub(self.original.num_regs) {
            None => format!("R{place}"),
            Some(pred) => format!("P{pred}"),
        }
    }
}

fn words(operand: &Operand) -> SmallVec<[Reg; 2]> {
    match *operand {
        Operand::Reg(r) => smallvec::smallvec![r],
        Operand::Pair(r) => smallvec::smallvec![r, Reg(r.0 + 1)],
        Operand::Imm(_) | Operand::Special(_) => SmallVec::new(),
    }
}

fn forget(state: &mut State, place: u32) {
    for held in state {
        held.retain(|v| *v != place);
    }
}

fn insert(held: &mut Held, place: u32) {
    if let Err(at) = held.binary_search(&place) {
        held.insert(at, place);
    }
}

/// Keeps in `known` what `other` also says; whether that took something away.
fn meet(known: &mut State, other: &State) -> bool {
    let mut changed = false;
    for (a, b) in known.iter_mut().zip(other) {
        let before = a.len();
        a.retain(|v| b.contains(v));
        changed |= a.len() != before;
    }
    changed
}
