//! Dead-operand bits: the last use of a register by any lane of the warp.
//!
//! A design that sees a dead bit forgets the whole register of the warp, all 32 lanes of it. Liveness of one
//! lane is not enough to say so: while the warp executes one side of a branch, other lanes wait, and what
//! they read later must stay.
//!
//! **Where lanes can wait.** The reconvergence stack holds, for each guarded branch `b` that has split the
//! warp and whose lanes have not met again, lanes at the reconvergence point `c` of `b` and, while one side
//! is executed, lanes at the first instruction of the other side. Let `side(b, s)` be the instructions
//! that can be reached from successor `s` of `b` without passing `c`. While the warp executes `i`, lanes
//! can wait for `b`
//!
//! - at `c`, if `i` is in a side of `b`;
//! - at the target of `b`, if `i` is in the side of the next instruction;
//! - at the next instruction, if `i` is in the side of the target.
//!
//! It does not matter which side the machine executes first. A lane that has left a loop waits at `c` of
//! the loop's branch, and the loop is a side of that branch.
//!
//! **Rule.** A source of `i` is dead if its register is not live after `i`, is not written by `i`, and is
//! not live at any place where lanes can wait while `i` executes. Guarded writes end no liveness.
//!
//! **Lanes that read each other.** A shuffle reads a register of other lanes, but only of lanes that execute it
//! too, so it is a use of the register by each of them, and the rule holds as it stands. What a lane that
//! does not execute it holds is never used.
//!
//! **Condition.** Sides bound what is executed while `b` is pending only if no branch `d` inside a side of `b`
//! lets its lanes run over `c` before they meet at their own reconvergence point. With immediate
//! post-dominators it cannot happen. Reconvergence points come with the program, so the condition is tested;
//! where it fails, sides are taken to be all that can be reached from the branch.

use heddle_isa::{Program, RegSet};

use crate::error::PassError;
use crate::flow::Flow;
use crate::liveness::Liveness;
use crate::registers::{check_allocated, check_slots, unite};
use crate::splits::splits;

/// For each instruction, one bit per source slot (slot order of [`heddle_isa::Instr::source_regs`]): set if
/// no lane of the warp, executing or waiting, reads the register again before it writes it. Both slots
/// of a register that is named twice are set.
///
/// # Errors
/// [`PassError::NotAllocated`], [`PassError::Register`], [`PassError::Sources`], [`PassError::Empty`] or
/// [`PassError::Target`] if the program is not what this pass takes.
pub fn dead_sources(program: &Program) -> Result<Vec<u8>, PassError> {
    check_allocated(program)?;
    check_slots(program)?;
    let flow = Flow::new(program)?;
    let live = Liveness::new(program, &flow);
    let waiting = live_while_waiting(program, &flow, &live);
    let bits = flow.pcs().map(|pc| {
        let instr = &program.instrs[pc.index()];
        let mut kept = waiting[pc.index()];
        unite(&mut kept, live.after(pc));
        let mut bits = 0;
        for (slot, reg) in instr.source_regs().into_iter().enumerate() {
            if !kept[reg.index()] && !instr.dsts.contains(&reg) {
                bits |= 1 << slot;
            }
        }
        bits
    });
    Ok(bits.collect())
}

/// For each instruction, the registers that waiting lanes may read before they write them.
fn live_while_waiting(program: &Program, flow: &Flow, live: &Liveness) -> Vec<RegSet> {
    let mut waiting = vec![RegSet::ZERO; program.instrs.len()];
    for (split, [of_target, of_next]) in &splits(program, flow) {
        let meeting = split.reconvergence.map_or(RegSet::ZERO, |c| *live.before(c));
        for (index, set) in waiting.iter_mut().enumerate() {
            if of_target[index] {
                unite(set, live.before(split.next));
            }
            if of_next[index] {
                unite(set, live.before(split.target));
            }
            if of_target[index] || of_next[index] {
                unite(set, &meeting);
            }
        }
    }
    waiting
}
