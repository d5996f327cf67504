//! Where control can go from each instruction, read from the instructions alone.

use heddle_isa::{Op, Pc, Program};
use smallvec::{SmallVec, smallvec};

use crate::error::PassError;

/// Successors of every instruction of a program, for one lane; for an instruction of a trace, where warps
/// were seen to go on.
///
/// This does not use the blocks of the program, so that it can judge what was derived from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flow {
    successors: Vec<SmallVec<[Pc; 2]>>,
}

impl Flow {
    /// Reads the flow of a program. A guard that fails lets a lane go on to the next instruction; an
    /// unguarded exit has no successor.
    ///
    /// # Errors
    /// [`PassError::Target`] if a branch or the last instruction leads out of the program.
    pub fn new(program: &Program) -> Result<Self, PassError> {
        let end = program.instrs.len();
        let mut successors = Vec::with_capacity(end);
        for (pc, instr) in (0..).map(Pc).zip(&program.instrs) {
            let next: SmallVec<[Pc; 2]> = match (&instr.op, instr.guard) {
                (Op::Bra { target, .. }, None) => smallvec![*target],
                (Op::Bra { target, .. }, Some(_)) if *target == pc.next() => smallvec![*target],
                (Op::Bra { target, .. }, Some(_)) => smallvec![*target, pc.next()],
                (Op::Exit, None) => SmallVec::new(),
                (Op::Traced(traced), _) => traced.next.iter().copied().collect(),
                _ => smallvec![pc.next()],
            };
            if let Some(&target) = next.iter().find(|t| t.index() >= end) {
                return Err(PassError::Target {
                    pc,
                    loc: instr.loc,
                    target,
                    end: Pc(u32::try_from(end).unwrap_or(u32::MAX)),
                });
            }
            successors.push(next);
        }
        Ok(Self { successors })
    }

    /// The instructions that a lane may execute after `pc`.
    ///
    /// # Panics
    /// If `pc` is not an instruction of the program.
    pub fn successors(&self, pc: Pc) -> &[Pc] {
        &self.successors[pc.index()]
    }

    /// All instructions, in program order.
    pub fn pcs(&self) -> impl DoubleEndedIterator<Item = Pc> + use<> {
        (0..u32::try_from(self.successors.len()).unwrap_or(u32::MAX)).map(Pc)
    }
}
