//! Control-flow graph: blocks that tile the instructions.
//!
//! A block begins at the entry, at a branch target, and after a branch or an exit (guarded or not);
//! so every branch and every exit ends its block, and control enters a block only at its first
//! instruction.

use heddle_isa::{Block, Instr, Op, Pc, Program};

/// Whether control may go on to the instruction after `instr`.
#[must_use]
pub fn falls_through(instr: &Instr) -> bool {
    !matches!(instr.op, Op::Bra { .. } | Op::Exit) || instr.guard.is_some()
}

/// Whether `instr` ends a block.
#[must_use]
pub fn ends_block(instr: &Instr) -> bool {
    matches!(instr.op, Op::Bra { .. } | Op::Exit)
}

/// Whether lanes may end at the last instruction of `block`.
#[must_use]
pub fn may_exit(instrs: &[Instr], block: &Block) -> bool {
    matches!(instrs[last(block).index()].op, Op::Exit)
}

/// The last instruction of `block`.
#[must_use]
pub fn last(block: &Block) -> Pc {
    Pc(block.first.0 + block.len - 1)
}

/// The instructions of `block`.
pub fn pcs(block: &Block) -> impl DoubleEndedIterator<Item = Pc> + use<> {
    (block.first.0..block.first.0 + block.len).map(Pc)
}

/// The blocks of `instrs`. The last instruction must not fall through and branch targets must lie
/// inside.
#[must_use]
pub fn build(instrs: &[Instr]) -> Vec<Block> {
    let mut leader = vec![false; instrs.len() + 1];
    leader[0] = true;
    for (i, instr) in instrs.iter().enumerate() {
        if let Op::Bra { target, .. } = instr.op {
            leader[target.index()] = true;
        }
        if ends_block(instr) {
            leader[i + 1] = true;
        }
    }
    leader[instrs.len()] = true;
    let mut blocks = Vec::new();
    let mut block_at = vec![0; instrs.len()];
    let mut first = 0;
    for end in 1..=instrs.len() {
        if leader[end] {
            block_at[first..end].fill(blocks.len());
            blocks.push(Block {
                first: pc(first),
                len: pc(end - first).0,
                successors: Vec::new(),
                predecessors: Vec::new(),
            });
            first = end;
        }
    }
    for b in 0..blocks.len() {
        let end = last(&blocks[b]);
        let instr = &instrs[end.index()];
        let mut successors = Vec::new();
        if let Op::Bra { target, .. } = instr.op {
            successors.push(block_at[target.index()]);
        }
        if falls_through(instr) && end.index() + 1 < instrs.len() {
            let next = block_at[end.index() + 1];
            if !successors.contains(&next) {
                successors.push(next);
            }
        }
        for &s in &successors {
            blocks[s].predecessors.push(b);
        }
        blocks[b].successors = successors;
    }
    blocks
}

/// Removes instructions that control cannot reach; branch targets follow. Returns for each remaining
/// instruction its old index.
#[must_use]
pub fn remove_unreachable(instrs: &mut Vec<Instr>) -> Vec<usize> {
    let mut reached = vec![false; instrs.len()];
    let mut work = vec![0];
    while let Some(i) = work.pop() {
        if i >= instrs.len() || std::mem::replace(&mut reached[i], true) {
            continue;
        }
        if let Op::Bra { target, .. } = instrs[i].op {
            work.push(target.index());
        }
        if falls_through(&instrs[i]) {
            work.push(i + 1);
        }
    }
    let kept: Vec<usize> = (0..instrs.len()).filter(|&i| reached[i]).collect();
    let mut new_index = vec![0; instrs.len()];
    for (new, &old) in kept.iter().enumerate() {
        new_index[old] = new;
    }
    let mut index = 0;
    instrs.retain(|_| {
        index += 1;
        reached[index - 1]
    });
    for instr in instrs {
        if let Op::Bra { target, .. } = &mut instr.op {
            *target = pc(new_index[target.index()]);
        }
    }
    kept
}

/// Blocks in reverse post-order from the entry; all blocks are reachable.
#[must_use]
pub fn reverse_post_order(blocks: &[Block]) -> Vec<usize> {
    let mut order = Vec::with_capacity(blocks.len());
    let mut seen = vec![false; blocks.len()];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        if let Some(&successor) = blocks[*block].successors.get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[successor], true) {
                stack.push((successor, 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

/// Rebuilds `program.blocks` from its instructions and sets the reconvergence point of each branch
/// to the first instruction of the immediate post-dominator of its block.
pub fn refresh(program: &mut Program) {
    program.blocks = build(&program.instrs);
    let post = crate::dominators::post_dominators(&program.instrs, &program.blocks);
    for (b, block) in program.blocks.iter().enumerate() {
        if let Op::Bra { reconvergence, .. } = &mut program.instrs[last(block).index()].op {
            *reconvergence = post.immediate(b).map(|p| program.blocks[p].first);
        }
    }
}

fn pc(index: usize) -> Pc {
    Pc(u32::try_from(index).expect("programs have fewer than 2^32 instructions"))
}
