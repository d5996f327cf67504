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

/// Leaves out branches that need not be there: one to an instruction that ends all lanes ends them itself, one to a
/// branch without a guard goes where that one goes, and one to the next instruction goes away. Branch targets must lie inside.
pub fn shorten_branches(instrs: &mut Vec<Instr>) {
    loop {
        let ends = ends_of_chains(instrs);
        for i in 0..instrs.len() {
            let Op::Bra { target, .. } = instrs[i].op else { continue };
            let target = ends[target.index()];
            if matches!(instrs[target.index()].op, Op::Exit) && instrs[target.index()].guard.is_none() {
                instrs[i].op = Op::Exit;
            } else if let Op::Bra { target: old, .. } = &mut instrs[i].op {
                *old = target;
            }
        }
        remove_unreachable(instrs);
        let needless = needless_branches(instrs);
        if !needless.contains(&true) {
            return;
        }
        keep(instrs, |i| !needless[i]);
    }
}

/// Where control goes on from each instruction, behind branches without a guard; some of them where they go round.
fn ends_of_chains(instrs: &[Instr]) -> Vec<Pc> {
    let mut ends = vec![None; instrs.len()];
    let mut chain = Vec::new();
    for i in 0..instrs.len() {
        let mut at = pc(i);
        let end = loop {
            if let Some(end) = ends[at.index()] {
                break end;
            }
            // A chain that comes back to itself ends where it does.
            ends[at.index()] = Some(at);
            chain.push(at.index());
            match instrs[at.index()] {
                Instr { op: Op::Bra { target, .. }, guard: None, .. } => at = target,
                _ => break at,
            }
        };
        chain.drain(..).for_each(|link| ends[link] = Some(end));
    }
    ends.into_iter().flatten().collect()
}

/// Which branches go to the next instruction that is none of them.
fn needless_branches(instrs: &[Instr]) -> Vec<bool> {
    let mut needless = vec![false; instrs.len()];
    // Of each place, the first instruction from there on that is not needless.
    let mut first: Vec<usize> = (0..=instrs.len()).collect();
    for (i, instr) in instrs.iter().enumerate().rev() {
        if let Op::Bra { target, .. } = instr.op {
            needless[i] = target.index() > i && first[target.index()] == first[i + 1];
        }
        if needless[i] {
            first[i] = first[i + 1];
        }
    }
    needless
}

/// Keeps the instructions that `wanted` says; branch targets follow, that of one that goes away to the next that stays.
fn keep(instrs: &mut Vec<Instr>, wanted: impl Fn(usize) -> bool) {
    let mut new_index = Vec::with_capacity(instrs.len());
    let mut kept = 0;
    for i in 0..instrs.len() {
        new_index.push(kept);
        kept += usize::from(wanted(i));
    }
    let mut index = 0;
    instrs.retain(|_| {
        index += 1;
        wanted(index - 1)
    });
    for instr in instrs {
        if let Op::Bra { target, .. } = &mut instr.op {
            *target = pc(new_index[target.index()]);
        }
    }
}

/// Removes instructions that control cannot reach; branch targets follow.
fn remove_unreachable(instrs: &mut Vec<Instr>) {
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
    keep(instrs, |i| reached[i]);
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
/// to the first instruction of the immediate post-dominator of its block, by the ways that count.
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
