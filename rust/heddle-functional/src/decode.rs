//! Instructions with what every step needs looked up once.

use heddle_isa::{Instr, Moment, Op, Operand, Pc, Program};
use heddle_port::{NUM_DESTINATIONS, NUM_SOURCES};

use crate::error::GoldenError;
use crate::site::AccessKind;

/// What kind of step an instruction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Arithmetic: registers and predicates only.
    Execute,
    /// An access of global, shared or local memory.
    Access,
    /// A texture fetch.
    Fetch,
    Branch {
        target: Pc,
        reconvergence: Option<Pc>,
    },
    Exit,
    Barrier,
    Fence,
    Nothing,
}

/// One instruction, ready to step.
#[derive(Debug, Clone)]
pub(crate) struct Decoded {
    pub step: Step,
    pub sources: [u32; NUM_SOURCES],
    pub num_sources: u8,
    pub dsts: [u32; NUM_DESTINATIONS],
    pub num_dsts: u8,
    pub kind: AccessKind,
    /// Bytes of one element.
    pub bytes: u32,
    /// Elements a lane.
    pub elements: u8,
    /// 32-bit words of one element.
    pub words: u8,
    /// Its result depends on the warp's [`Moment`].
    pub reads_moment: bool,
}

fn bad(pc: usize, program: &Program, what: &str) -> GoldenError {
    GoldenError::Launch {
        what: format!("instruction {pc} of {} (line {}) {what}", program.name, program.instrs[pc].loc),
    }
}

fn access(instr: &Instr) -> (AccessKind, u32, u8, u8) {
    match instr.op {
        Op::Ld { ty, vector, .. } => (AccessKind::Load, ty.bytes(), vector, ty.words() as u8),
        Op::St { ty, vector, .. } => (AccessKind::Store, ty.bytes(), vector, ty.words() as u8),
        Op::Atom { ty, .. } => (AccessKind::Atomic, ty.bytes(), 1, ty.words() as u8),
        Op::Tex { ty, .. } => (AccessKind::Load, ty.bytes(), 4, ty.words() as u8),
        _ => (AccessKind::None, 0, 0, 0),
    }
}

/// Looks up every instruction, and checks that register, predicate and target numbers exist and that
/// operands fit their slots.
pub(crate) fn decode(program: &Program) -> Result<Vec<Decoded>, GoldenError> {
    program
        .instrs
        .iter()
        .enumerate()
        .map(|(pc, instr)| {
            let words: usize = instr
                .srcs
                .iter()
                .map(|s| match s {
                    Operand::Reg(_) => 1,
                    Operand::Pair(_) => 2,
                    Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => 0,
                })
                .sum();
            if words > NUM_SOURCES || instr.dsts.len() > NUM_DESTINATIONS {
                return Err(bad(pc, program, "has more operands than slots"));
            }
            let sources = instr.source_regs();
            let registers = sources.iter().chain(&instr.dsts);
            if let Some(r) = registers.into_iter().find(|r| r.0 >= program.num_regs) {
                return Err(bad(pc, program, &format!("names {r}, which does not exist")));
            }
            if instr.pred_dsts.len() > 2 || instr.pred_dsts.iter().any(|p| p.0 >= program.num_preds) {
                return Err(bad(pc, program, "writes a predicate that does not exist"));
            }
            if instr.guard.is_some_and(|g| g.pred.0 >= program.num_preds) {
                return Err(bad(pc, program, "is guarded by a predicate that does not exist"));
            }
            let step = match instr.op {
                Op::Bra { target, reconvergence } => {
                    if target.index() >= program.instrs.len() {
                        return Err(bad(pc, program, "branches out of the program"));
                    }
                    Step::Branch { target, reconvergence }
                }
                Op::Exit => Step::Exit,
                Op::Bar { .. } => Step::Barrier,
                Op::Fence { .. } => Step::Fence,
                Op::Nop => Step::Nothing,
                Op::Tex { .. } => Step::Fetch,
                _ if instr.memory_space().is_some() => Step::Access,
                _ => Step::Execute,
            };
            let (kind, bytes, elements, words) = match step {
                Step::Access | Step::Fetch => access(instr),
                _ => (AccessKind::None, 0, 0, 0),
            };
            if kind != AccessKind::None {
                let registers = usize::from(elements) * usize::from(words);
                let fits = match kind {
                    AccessKind::Load => instr.dsts.len() == registers,
                    AccessKind::Atomic => instr.dsts.is_empty() || instr.dsts.len() == registers,
                    _ => true,
                };
                if !fits || bytes == 0 || !matches!(elements, 1 | 2 | 4) {
                    return Err(bad(pc, program, "has elements that do not fit its registers"));
                }
            }
            let mut decoded = Decoded {
                step,
                sources: [0; NUM_SOURCES],
                num_sources: sources.len() as u8,
                dsts: [0; NUM_DESTINATIONS],
                num_dsts: instr.dsts.len() as u8,
                kind,
                bytes,
                elements,
                words,
                reads_moment: Moment::is_read_by(&instr.op),
            };
            for (to, from) in decoded.sources.iter_mut().zip(&sources) {
                *to = from.0;
            }
            for (to, from) in decoded.dsts.iter_mut().zip(&instr.dsts) {
                *to = from.0;
            }
            Ok(decoded)
        })
        .collect()
}
