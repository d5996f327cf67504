//! Moves whose destination words are source words, bit for bit.

use heddle_isa::{Alu, Instr, Op, Operand};
use heddle_port::Reg;
use smallvec::{SmallVec, smallvec};

/// (Destination, source) of each word.
pub(super) type Copies = SmallVec<[(Reg, Reg); 2]>;

/// The words that `instr` copies, if that is all it does: a move of a register or pair, and a pair made
/// of two registers or taken apart. The words are copied at once.
pub(super) fn copies(instr: &Instr) -> Option<Copies> {
    let Op::Alu { op, ty, .. } = instr.op else {
        return None;
    };
    if instr.guard.is_some() {
        return None;
    }
    let sources: SmallVec<[Reg; 2]> = match (op, instr.srcs.as_slice()) {
        (Alu::Mov, [Operand::Reg(r)]) => smallvec![*r],
        (Alu::Mov, [Operand::Pair(r)]) => smallvec![*r, Reg(r.0 + 1)],
        (Alu::Unpack, [Operand::Pair(r)]) if ty.words() == 2 => smallvec![*r, Reg(r.0 + 1)],
        (Alu::Pack, [Operand::Reg(low), Operand::Reg(high)]) if ty.words() == 2 => smallvec![*low, *high],
        _ => return None,
    };
    (instr.dsts.len() == sources.len()).then(|| instr.dsts.iter().copied().zip(sources).collect())
}
