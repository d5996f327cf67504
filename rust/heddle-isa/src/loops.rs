//! What leads out of a loop that a warp executes over and over.
//!
//! Memory does not change while a warp is watched. So a branch out of the instructions that it executes over and
//! over is never taken if its predicate follows, by these instructions, from what does not change in the loop and
//! from what is read at addresses that do not. A value that depends on itself, as a count of rounds does, may
//! change; so may what a clock gives, what local memory holds, and what is written in more than one place or under
//! a guard.

use heddle_port::Reg;

use crate::instr::Instr;
use crate::modifiers::Space;
use crate::op::Op;
use crate::operand::{Guard, Pc, Pred, PredOperand};
use crate::program::Program;

/// A set of instructions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PcSet(Vec<u64>);

impl PcSet {
    /// No instruction of a program of `instructions`.
    #[must_use]
    pub fn new(instructions: usize) -> Self {
        Self(vec![0; instructions.div_ceil(64)])
    }

    /// Adds an instruction.
    pub fn insert(&mut self, pc: Pc) {
        if let Some(word) = self.0.get_mut(pc.index() / 64) {
            *word |= 1 << (pc.index() % 64);
        }
    }

    /// Whether an instruction is in it.
    #[must_use]
    pub fn has(&self, pc: Pc) -> bool {
        self.0.get(pc.index() / 64).is_some_and(|word| word >> (pc.index() % 64) & 1 != 0)
    }

    /// Its instructions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Pc> + '_ {
        let all = 0..self.0.len() as u32 * 64;
        all.map(Pc).filter(|&pc| self.has(pc))
    }
}

/// Whether what is read from memory alone decides when a warp leaves the loop `pcs`.
#[must_use]
pub fn left_by_memory_alone(program: &Program, pcs: &PcSet) -> bool {
    let mut slice = Slice { program, pcs, states: vec![State::Unknown; program.instrs.len()] };
    let mut exits = pcs.iter().filter_map(|pc| exit_guard(program, pcs, pc));
    exits.all(|guard| slice.predicate(guard.pred))
}

/// The guard of a branch that may leave the loop, or of the end of some lanes.
fn exit_guard(program: &Program, pcs: &PcSet, pc: Pc) -> Option<Guard> {
    let instr = program.instrs.get(pc.index())?;
    let leaves = match instr.op {
        Op::Bra { target, .. } => !pcs.has(target) || !pcs.has(pc.next()),
        Op::Exit => true,
        _ => false,
    };
    instr.guard.filter(|_| leaves)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    /// Its sources are being looked at: who comes here again depends on itself.
    Open,
    Settled,
    MayChange,
}

struct Slice<'a> {
    program: &'a Program,
    pcs: &'a PcSet,
    /// By instruction.
    states: Vec<State>,
}

impl Slice<'_> {
    fn register(&mut self, register: Reg) -> bool {
        self.written_by(|instr| instr.dsts.contains(&register))
    }

    fn predicate(&mut self, pred: Pred) -> bool {
        self.written_by(|instr| instr.pred_dsts.contains(&pred))
    }

    /// Whether what the loop's instructions that `writes` write stays as it is.
    fn written_by(&mut self, writes: impl Fn(&Instr) -> bool) -> bool {
        let (program, pcs) = (self.program, self.pcs);
        let mut writers = pcs.iter().filter(|pc| program.instrs.get(pc.index()).is_some_and(&writes));
        match (writers.next(), writers.next()) {
            (None, _) => true,
            (Some(writer), None) => self.settles(writer),
            (Some(_), Some(_)) => false,
        }
    }

    /// Whether the results of an instruction follow from what does not change.
    fn settles(&mut self, pc: Pc) -> bool {
        match self.states[pc.index()] {
            State::Settled => return true,
            State::Open | State::MayChange => return false,
            State::Unknown => {}
        }
        self.states[pc.index()] = State::Open;
        let settles = self.follows(pc);
        self.states[pc.index()] = if settles { State::Settled } else { State::MayChange };
        settles
    }

    fn follows(&mut self, pc: Pc) -> bool {
        let program = self.program;
        let instr = &program.instrs[pc.index()];
        let own = match instr.op {
            Op::Clock | Op::BarrierResult { .. } => false,
            Op::Ld { space, .. } | Op::Atom { space, .. } => space != Space::Local,
            _ => true,
        };
        own && instr.guard.is_none()
            && instr.source_regs().into_iter().all(|register| self.register(register))
            && instr.pred_srcs.iter().all(|source| match *source {
                PredOperand::Reg { pred, .. } => self.predicate(pred),
                PredOperand::Const(_) => true,
            })
    }
}
