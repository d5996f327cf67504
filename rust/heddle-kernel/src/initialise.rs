//! What may be read before it is written is set to zero at entry.

use heddle_isa::{Alu, Instr, Loc, Mods, Op, Operand, Pred, PredAlu, PredOperand, Program, Type};
use heddle_port::Reg;
use smallvec::smallvec;

use crate::edit;
use crate::liveness::{Liveness, Place};

/// The program with a zero written at entry to every register and predicate that some path may read
/// before it writes it. The added instructions carry the place of the first instruction.
#[must_use]
pub fn initialise(program: Program) -> Program {
    let liveness = Liveness::compute(&program);
    let loc = program.instrs[0].loc;
    let mut prologue = Vec::new();
    let mut live = liveness.live_in(0).iter_ones().peekable();
    while let Some(index) = live.next() {
        match liveness.place(index) {
            Place::Reg(r) if r.0 % 2 == 0 && live.peek() == Some(&(index + 1)) => {
                match liveness.place(index + 1) {
                    Place::Reg(high) => {
                        live.next();
                        prologue.push(zero(Type::B64, &[r, high], loc));
                    }
                    Place::Pred(_) => prologue.push(zero(Type::B32, &[r], loc)),
                }
            }
            Place::Reg(r) => prologue.push(zero(Type::B32, &[r], loc)),
            Place::Pred(p) => prologue.push(cleared(p, loc)),
        }
    }
    drop(live);
    if prologue.is_empty() {
        return program;
    }
    let groups = program.instrs.iter().map(|i| smallvec![i.clone()]).collect();
    edit::rebuild(&program, prologue, groups)
}

fn zero(ty: Type, dsts: &[Reg], loc: Loc) -> Instr {
    let op = Op::Alu { op: Alu::Mov, ty, mods: Mods::default() };
    let mut instr = Instr::new(op, loc);
    instr.dsts.extend_from_slice(dsts);
    instr.srcs.push(Operand::Imm(0));
    instr
}

fn cleared(pred: Pred, loc: Loc) -> Instr {
    let mut instr = Instr::new(Op::Pred { op: PredAlu::Mov }, loc);
    instr.pred_dsts.push(pred);
    instr.pred_srcs.push(PredOperand::Const(false));
    instr
}
