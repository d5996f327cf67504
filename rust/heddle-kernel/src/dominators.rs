//! Dominators, post-dominators and loops.
//!
//! Immediate dominators by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
//! Dominance Algorithm"). Post-dominators are those of the [`Ways`] that count for where lanes meet. Their root is a virtual
//! node that follows every end.

use heddle_isa::{Block, Instr};

use crate::cfg;
use crate::ways::Ways;

/// A dominator tree over blocks; the root is block 0 or the virtual exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominators {
    /// Parent of each node; the root is its own parent. The virtual exit, if any, is the last node.
    parent: Vec<usize>,
    /// Distance from the root.
    depth: Vec<usize>,
    blocks: usize,
}

impl Dominators {
    /// The immediate (post-)dominator of `block`, unless that is the virtual exit or `block` is the
    /// root.
    #[must_use]
    pub fn immediate(&self, block: usize) -> Option<usize> {
        let parent = self.parent[block];
        (parent != block && parent < self.blocks).then_some(parent)
    }

    /// Whether `a` (post-)dominates `b`; every block does so to itself.
    #[must_use]
    pub fn dominates(&self, a: usize, mut b: usize) -> bool {
        while self.depth[b] > self.depth[a] {
            b = self.parent[b];
        }
        a == b
    }
}

/// Dominators of the blocks, all of which are reachable from block 0.
#[must_use]
pub fn dominators(blocks: &[Block]) -> Dominators {
    let successors: Vec<Vec<usize>> = blocks.iter().map(|b| b.successors.clone()).collect();
    tree(&successors, 0, blocks.len())
}

/// Post-dominators of the blocks of `instrs`, by the ways that count.
#[must_use]
pub fn post_dominators(instrs: &[Instr], blocks: &[Block]) -> Dominators {
    let Ways { predecessors: mut reverse, ends } = Ways::new(instrs, blocks);
    reverse.push(ends);
    tree(&reverse, blocks.len(), blocks.len())
}

fn tree(successors: &[Vec<usize>], root: usize, blocks: usize) -> Dominators {
    const NONE: usize = usize::MAX;
    let n = successors.len();
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    seen[root] = true;
    let mut stack = vec![(root, 0)];
    while let Some((node, next)) = stack.last_mut() {
        if let Some(&s) = successors[*node].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[s], true) {
                stack.push((s, 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    let mut number = vec![NONE; n];
    for (i, &node) in order.iter().enumerate() {
        number[node] = i;
    }
    let mut predecessors = vec![Vec::new(); n];
    for (node, list) in successors.iter().enumerate() {
        for &s in list {
            predecessors[s].push(node);
        }
    }
    let mut parent = vec![NONE; n];
    parent[root] = root;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&node| node != root) {
            let mut new = NONE;
            for &p in predecessors[node].iter().filter(|&&p| parent[p] != NONE) {
                new = if new == NONE { p } else { meet(&parent, &number, new, p) };
            }
            if new != parent[node] {
                parent[node] = new;
                changed = true;
            }
        }
    }
    let mut depth = vec![0; n];
    for &node in order.iter().rev().filter(|&&node| node != root) {
        depth[node] = depth[parent[node]] + 1;
    }
    Dominators { parent, depth, blocks }
}

fn meet(parent: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = parent[a];
        }
        while number[b] < number[a] {
            b = parent[b];
        }
    }
    a
}

/// The natural loops, by their headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// Header of the innermost loop of each block.
    innermost: Vec<Option<usize>>,
    /// For headers, the header of the next loop around theirs.
    around: Vec<Option<usize>>,
    depth: Vec<u32>,
}

impl Loops {
    /// The loops of `blocks`, all of which are reachable from block 0. Cycles with several entries are
    /// no natural loops.
    #[must_use]
    pub fn find(blocks: &[Block]) -> Self {
        let dominators = dominators(blocks);
        let mut loops =
            Self { innermost: vec![None; blocks.len()], around: vec![None; blocks.len()], depth: Vec::new() };
        let order = cfg::reverse_post_order(blocks);
        // Inner headers come later in the order: a loop that is found is entered again by its header only.
        for &header in order.iter().rev() {
            let latches = blocks[header].predecessors.iter();
            let mut work: Vec<usize> =
                latches.copied().filter(|&latch| dominators.dominates(header, latch)).collect();
            if work.is_empty() {
                continue;
            }
            loops.innermost[header] = Some(header);
            while let Some(block) = work.pop() {
                match loops.outermost(block) {
                    Some(inner) if inner == header => {}
                    Some(inner) => {
                        loops.around[inner] = Some(header);
                        work.extend(&blocks[inner].predecessors);
                    }
                    None => {
                        loops.innermost[block] = Some(header);
                        work.extend(&blocks[block].predecessors);
                    }
                }
            }
        }
        let mut depth = vec![0; blocks.len()];
        for &block in &order {
            depth[block] = match loops.innermost[block] {
                Some(header) if header == block => 1 + loops.around[block].map_or(0, |outer| depth[outer]),
                Some(header) => depth[header],
                None => 0,
            };
        }
        loops.depth = depth;
        loops
    }

    fn outermost(&self, block: usize) -> Option<usize> {
        let mut header = self.innermost[block]?;
        while let Some(outer) = self.around[header] {
            header = outer;
        }
        Some(header)
    }

    /// In how many loops `block` is.
    #[must_use]
    pub fn depth(&self, block: usize) -> u32 {
        self.depth[block]
    }

    /// The headers of the loops around `block`, innermost first.
    pub fn headers(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.innermost[block], |&header| self.around[header])
    }
}
