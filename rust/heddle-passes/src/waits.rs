//! Where a warp may be taken out by the two-level scheduler, and which lanes then find the levels before the main
//! register file empty.
//!
//! A warp gives its place up before an instruction that depends on a long-latency one, before a fence, and after a
//! barrier. Whether a long-latency result is still outstanding is asked along all ways that the warp can take,
//! which for a branch that splits it lead from the end of one side to the beginning of the other. Lanes that wait for
//! others while the warp is taken out lose what they have as well.

use heddle_isa::{Instr, Op, Program, RegSet, Space, TracedAccess, TracedKind};

use crate::flow::Flow;
use crate::registers::{accessed_registers, subtract, unite, written_registers};
use crate::splits::{Sides, Split, splits};

/// Whether a value comes after a long and unknown time: loads and atomics of global, local and generic space, and
/// texture fetches.
pub(crate) fn has_long_latency(instr: &Instr) -> bool {
    if instr.dsts.is_empty() {
        return false;
    }
    let far = matches!(instr.memory_space(), Some(Space::Global | Space::Local | Space::Generic));
    match &instr.op {
        Op::Ld { .. } | Op::Atom { .. } => far,
        Op::Tex { .. } => true,
        Op::Traced(traced) => far && !matches!(traced.access(), Some((TracedAccess::Store, ..)) | None),
        _ => false,
    }
}

/// Whether the instruction calls a function: what it comes back to cannot find its registers before the main register
/// file.
pub(crate) fn calls(instr: &Instr) -> bool {
    matches!(&instr.op, Op::Traced(traced) if traced.calls)
}

/// Whether the warp may leave behind the instruction.
fn leaves_behind(instr: &Instr) -> bool {
    let barrier = match &instr.op {
        Op::Bar { .. } => true,
        Op::Traced(traced) => matches!(traced.kind, TracedKind::Barrier { .. }),
        _ => false,
    };
    barrier || calls(instr)
}

/// Whether the instruction waits for the memory accesses before it.
fn is_fence(instr: &Instr) -> bool {
    match &instr.op {
        Op::Fence { .. } => true,
        Op::Traced(traced) => matches!(traced.kind, TracedKind::Fence(_)),
        _ => false,
    }
}

/// By instruction: whether a lane that comes to it may find the levels before the main register file empty.
pub(crate) fn losses(program: &Program, flow: &Flow) -> Vec<bool> {
    let splits = splits(program, flow);
    let outstanding = outstanding(program, flow, &splits);
    let mut lost: Vec<bool> = (program.instrs.iter().zip(&outstanding))
        .map(|(instr, pending)| {
            let mut free = accessed_registers(instr);
            let all = free;
            subtract(&mut free, pending);
            free != all || is_fence(instr)
        })
        .collect();
    let mut leaves = lost.clone();
    for pc in flow.pcs() {
        if leaves_behind(&program.instrs[pc.index()]) {
            leaves[pc.index()] = true;
            flow.successors(pc).iter().for_each(|to| lost[to.index()] = true);
        }
    }
    for (split, sides) in &splits {
        let [target, next] = sides.each_ref().map(|side| side.iter().zip(&leaves).any(|(&a, &b)| a && b));
        lost[split.next.index()] |= target;
        lost[split.target.index()] |= next;
        if let Some(meeting) = split.reconvergence {
            lost[meeting.index()] |= target || next;
        }
    }
    lost
}

/// Registers that a long-latency instruction may still have to write when an instruction is about to issue.
fn outstanding(program: &Program, flow: &Flow, splits: &[(Split, Sides)]) -> Vec<RegSet> {
    let mut ways: Vec<Vec<usize>> =
        flow.pcs().map(|pc| flow.successors(pc).iter().map(|to| to.index()).collect()).collect();
    for (split, [of_target, of_next]) in splits {
        for pc in flow.pcs() {
            let next = flow.successors(pc);
            let ends = matches!(program.instrs[pc.index()].op, Op::Exit);
            let meets = split.reconvergence.is_none_or(|c| next.contains(&c));
            if of_target[pc.index()] && (ends || meets) {
                ways[pc.index()].push(split.next.index());
            }
            if of_next[pc.index()] && (ends || meets) {
                ways[pc.index()].push(split.target.index());
            }
        }
    }
    let mut before = vec![RegSet::ZERO; program.instrs.len()];
    let mut pending: Vec<usize> = (0..program.instrs.len()).rev().collect();
    while let Some(pc) = pending.pop() {
        let instr = &program.instrs[pc];
        let mut after = before[pc];
        // The scoreboard has held the instruction until these were there, whether its guard holds or not.
        subtract(&mut after, &accessed_registers(instr));
        if has_long_latency(instr) {
            unite(&mut after, &written_registers(instr));
        }
        for &to in &ways[pc] {
            let old = before[to];
            unite(&mut before[to], &after);
            if before[to] != old {
                pending.push(to);
            }
        }
    }
    before
}
