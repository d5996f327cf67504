//! Which instructions may change places at all, and which are the loads to begin early.

use std::ops::Range;

use heddle_isa::{Block, CacheOp, Instr, Op, Program, Space};

use crate::computes::only_computes;

/// Whether `instr` keeps its place: nothing passes it. Those are all but arithmetic, plain loads and stores, and
/// texture fetches: control, barriers, fences, atomics, what lanes exchange, volatile accesses, the clock.
pub(super) fn stays(instr: &Instr) -> bool {
    match instr.op {
        Op::SurfaceAddress { .. } | Op::Tex { .. } => false,
        Op::Ld { cache, .. } | Op::St { cache, .. } => matches!(cache, CacheOp::Volatile | CacheOp::Cv),
        _ => !only_computes(&instr.op),
    }
}

/// Whether `instr` is a load whose result takes long to come.
pub(super) fn is_long_load(instr: &Instr) -> bool {
    match instr.op {
        Op::Ld { space, .. } => !matches!(space, Space::Param | Space::Const),
        Op::Tex { .. } => true,
        _ => false,
    }
}

/// The instructions of `block` in stretches: each one that stays alone, and what lies between them.
pub(super) fn stretches(program: &Program, block: &Block) -> Vec<Range<usize>> {
    let (first, end) = (block.first.index(), block.first.index() + block.len as usize);
    let mut found = Vec::new();
    let mut start = first;
    for at in first..end {
        if stays(&program.instrs[at]) {
            if start < at {
                found.push(start..at);
            }
            found.push(at..at + 1);
            start = at + 1;
        }
    }
    if start < end {
        found.push(start..end);
    }
    found
}
