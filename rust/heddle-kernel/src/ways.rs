//! The ways through a program that count for where lanes meet again.
//!
//! Lanes that end need no place to meet, so a way on which they only end says nothing about where the others
//! do: an early return inside an `if` leaves the lanes that go on meeting behind the `if`, as machine code
//! does with the barriers that it sets there. A guarded exit goes on with the next instruction, and has no
//! way of its own.
//!
//! Every block gets one end. Ends are taken in this order: exits before which there is no trap, and of these
//! those to which most instructions lead that lead nowhere else; then blocks of loops that no path leaves. An
//! end gets all blocks that reach it and have none yet. A way into a block with a later end counts for no
//! block with an earlier one.

use heddle_isa::{Block, Instr, Op};

use crate::cfg;

/// Ends of the blocks, and the ways between blocks that count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways {
    /// By block: the predecessors whose way counts.
    pub predecessors: Vec<Vec<usize>>,
    /// The blocks that are ends.
    pub ends: Vec<usize>,
}

/// Where a block leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leads {
    Nowhere,
    /// To this exit alone.
    To(usize),
    ToSeveral,
}

impl Leads {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nowhere, one) | (one, Self::Nowhere) => one,
            (a, b) if a == b => a,
            _ => Self::ToSeveral,
        }
    }
}

impl Ways {
    /// Of the `blocks` of `instrs`.
    #[must_use]
    pub fn new(instrs: &[Instr], blocks: &[Block]) -> Self {
        let mut end_of = vec![None; blocks.len()];
        let mut ends = Vec::new();
        let rest = (0..blocks.len()).rev();
        for end in exits(instrs, blocks).into_iter().chain(rest) {
            if end_of[end].is_some() {
                continue;
            }
            ends.push(end);
            let mut work = vec![end];
            while let Some(block) = work.pop() {
                if end_of[block].is_none() {
                    end_of[block] = Some(end);
                    work.extend(&blocks[block].predecessors);
                }
            }
        }
        let counts = |of: usize| {
            let counting = blocks[of].predecessors.iter().filter(|&&p| end_of[p] == end_of[of]);
            counting.copied().collect()
        };
        let predecessors = (0..blocks.len()).map(counts).collect();
        Self { predecessors, ends }
    }
}

/// Blocks that end in an exit of all lanes, in the order in which they are taken.
fn exits(instrs: &[Instr], blocks: &[Block]) -> Vec<usize> {
    let mut exits: Vec<usize> =
        (0..blocks.len()).filter(|&b| !cfg::falls_through(&instrs[cfg::last(&blocks[b]).index()])).collect();
    exits.retain(|&b| cfg::may_exit(instrs, &blocks[b]));
    let leads = leads(blocks, &exits);
    let mut alone = vec![0u64; blocks.len()];
    for (block, leads) in blocks.iter().zip(&leads) {
        if let Leads::To(exit) = *leads {
            alone[exit] += u64::from(block.len);
        }
    }
    let traps = |b: usize| cfg::pcs(&blocks[b]).any(|pc| matches!(instrs[pc.index()].op, Op::Trap));
    exits.sort_by_key(|&b| (traps(b), std::cmp::Reverse((alone[b], b))));
    exits
}

/// By block: the exit to which it leads.
fn leads(blocks: &[Block], exits: &[usize]) -> Vec<Leads> {
    let mut leads = vec![Leads::Nowhere; blocks.len()];
    let mut work = Vec::new();
    for &exit in exits {
        leads[exit] = Leads::To(exit);
        work.push(exit);
    }
    while let Some(block) = work.pop() {
        for &before in &blocks[block].predecessors {
            let both = leads[before].and(leads[block]);
            if both != leads[before] {
                leads[before] = both;
                work.push(before);
            }
        }
    }
    leads
}
