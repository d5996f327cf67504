//! Registers that a lane may still read.

use heddle_isa::{Instr, Op, Pc, Program, RegSet};

use crate::flow::Flow;
use crate::registers::{read_registers, subtract, unite, written_registers};

/// Live registers of one lane before and after every instruction.
///
/// A guarded write keeps the register live: lanes where the guard fails keep the old value. So does a
/// write of a trace that was not always by all lanes.
///
/// In a trace the lanes of a warp are followed together, in the order in which the warp executed: a
/// register is then live while any lane of the warp may still read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Liveness {
    before: Vec<RegSet>,
    after: Vec<RegSet>,
}

/// Whether some lanes may keep the old values of the registers that the instruction writes.
pub(crate) fn is_partial(instr: &Instr) -> bool {
    instr.guard.is_some() || matches!(&instr.op, Op::Traced(traced) if traced.partial)
}

impl Liveness {
    /// Solves the backward data-flow equations over single instructions.
    ///
    /// # Panics
    /// If `flow` is not the flow of `program` or a register is not architectural.
    pub fn new(program: &Program, flow: &Flow) -> Self {
        let reads: Vec<RegSet> = program.instrs.iter().map(read_registers).collect();
        let kills: Vec<RegSet> = program
            .instrs
            .iter()
            .map(|i| if is_partial(i) { RegSet::ZERO } else { written_registers(i) })
            .collect();
        let n = program.instrs.len();
        let mut live = Self { before: reads.clone(), after: vec![RegSet::ZERO; n] };
        loop {
            let mut changed = false;
            for pc in flow.pcs().rev() {
                let index = pc.index();
                let mut after = RegSet::ZERO;
                for next in flow.successors(pc) {
                    unite(&mut after, &live.before[next.index()]);
                }
                if after != live.after[index] {
                    let mut before = after;
                    subtract(&mut before, &kills[index]);
                    unite(&mut before, &reads[index]);
                    live.after[index] = after;
                    live.before[index] = before;
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    /// Registers that a lane about to execute `pc` may read before it writes them.
    pub fn before(&self, pc: Pc) -> &RegSet {
        &self.before[pc.index()]
    }

    /// Registers that a lane that has executed `pc` may read before it writes them.
    pub fn after(&self, pc: Pc) -> &RegSet {
        &self.after[pc.index()]
    }
}
