//! Replacing the instructions of a program by others, branch targets following.

use heddle_isa::{Instr, Op, Pc, Program};
use smallvec::SmallVec;

use crate::cfg;

/// What stands in the place of one instruction.
pub(crate) type Group = SmallVec<[Instr; 1]>;

/// The program with `prologue` before everything and instruction `i` replaced by `groups[i]`.
/// Branches inside groups name old targets; a branch to an old instruction goes to the first
/// instruction of its group, or of the next group that is not empty.
pub(crate) fn rebuild(program: &Program, prologue: Vec<Instr>, groups: Vec<Group>) -> Program {
    let mut starts = Vec::with_capacity(groups.len());
    let mut next = prologue.len();
    for group in &groups {
        starts.push(Pc(u32::try_from(next).expect("fewer than 2^32 instructions")));
        next += group.len();
    }
    let mut instrs = prologue;
    instrs.reserve(next);
    for mut instr in groups.into_iter().flatten() {
        if let Op::Bra { target, .. } = &mut instr.op {
            *target = starts[target.index()];
        }
        instrs.push(instr);
    }
    let mut edited = Program { instrs, ..program.clone() };
    cfg::refresh(&mut edited);
    edited
}
