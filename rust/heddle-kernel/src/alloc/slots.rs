//! Spill slots: stores that nobody reads go, and slots that are never in use at once share addresses.

use bitvec::vec::BitVec;
use heddle_isa::{Instr, Op, Operand, Space};
use smallvec::SmallVec;

use super::rewrite::Work;
use crate::cfg;

/// An access to spill words `first .. first + words`.
#[derive(Clone, Copy)]
struct Access {
    first: usize,
    words: usize,
    is_store: bool,
}

impl Access {
    fn words(self) -> std::ops::Range<usize> {
        self.first..self.first + self.words
    }
}

/// Spill words above which slots are not shared, because the table of what meets what becomes too large.
const SHARED: usize = 1 << 14;

/// Removes dead spill stores and packs the slots behind `base`, the kernel's own local memory.
pub(super) fn share(work: &mut Work, base: u32) {
    let count = (work.program.local_bytes.saturating_sub(base) as usize).div_ceil(4);
    if count == 0 || count > SHARED {
        return;
    }
    let accesses: Vec<Option<Access>> = work
        .program
        .instrs
        .iter()
        .zip(&work.origins)
        .map(|(instr, origin)| if origin.inserted { access(instr, base) } else { None })
        .collect();
    let live_out = live_out(work, &accesses, count);
    let mut dead = vec![false; accesses.len()];
    let mut slots = Slots::new(count);
    for (block, mut live) in work.program.blocks.iter().zip(live_out) {
        for pc in cfg::pcs(block).rev() {
            let Some(access) = accesses[pc.index()] else {
                continue;
            };
            if access.is_store {
                dead[pc.index()] = !live[access.words()].any();
                if !dead[pc.index()] {
                    slots.meet(access, &live);
                }
            }
            live[access.words()].fill(!access.is_store);
        }
    }
    let (address_of, words) = slots.place(&accesses, &dead);
    let mut groups = Vec::with_capacity(accesses.len());
    for ((instr, access), dead) in work.program.instrs.iter().zip(&accesses).zip(dead) {
        let mut group = SmallVec::new();
        if !dead {
            let mut instr = instr.clone();
            if let (Some(access), Some(Operand::Imm(address))) = (access, instr.srcs.first_mut()) {
                *address = u64::from(base) + 4 * address_of[access.first] as u64;
            }
            group.push((instr, false));
        }
        groups.push(group);
    }
    work.replace(groups);
    work.program.local_bytes = base + 4 * u32::try_from(words).unwrap_or(0);
}

fn access(instr: &Instr, base: u32) -> Option<Access> {
    let (ty, is_store) = match instr.op {
        Op::Ld { space: Space::Local, ty, .. } => (ty, false),
        Op::St { space: Space::Local, ty, .. } => (ty, true),
        _ => return None,
    };
    let Some(Operand::Imm(address)) = instr.srcs.first() else {
        return None;
    };
    let first = usize::try_from(address.checked_sub(u64::from(base))? / 4).ok()?;
    Some(Access { first, words: ty.words(), is_store })
}

/// Words that may be loaded after the end of each block before they are stored.
fn live_out(work: &Work, accesses: &[Option<Access>], count: usize) -> Vec<BitVec> {
    let blocks = &work.program.blocks;
    let empty = BitVec::<usize>::repeat(false, count);
    let mut live_in = vec![empty.clone(); blocks.len()];
    let mut live_out = vec![empty.clone(); blocks.len()];
    let mut order = cfg::reverse_post_order(blocks);
    order.reverse();
    let mut changed = true;
    while changed {
        changed = false;
        for &b in &order {
            let mut live = empty.clone();
            for &s in &blocks[b].successors {
                live |= &live_in[s];
            }
            live_out[b].clone_from(&live);
            for access in cfg::pcs(&blocks[b]).rev().filter_map(|pc| accesses[pc.index()]) {
                live[access.words()].fill(!access.is_store);
            }
            if live != live_in[b] {
                live_in[b] = live;
                changed = true;
            }
        }
    }
    live_out
}

/// Which words are in use at once.
struct Slots {
    meets: Vec<BitVec>,
}

impl Slots {
    fn new(count: usize) -> Self {
        Self { meets: vec![BitVec::new(); count] }
    }

    /// What is stored meets everything that is live after the store.
    fn meet(&mut self, access: Access, live: &BitVec) {
        for word in access.words() {
            let set = &mut self.meets[word];
            if set.is_empty() {
                set.resize(live.len(), false);
            }
            *set |= live;
        }
    }

    /// New word addresses, and how many words there are.
    fn place(self, accesses: &[Option<Access>], dead: &[bool]) -> (Vec<usize>, usize) {
        let count = self.meets.len();
        // Words that are accessed as a pair stay one; a slot is known by its first word.
        let mut width = vec![0; count];
        let mut wide_second = vec![false; count];
        for access in accesses.iter().zip(dead).filter(|(_, dead)| !**dead).filter_map(|(a, _)| *a) {
            width[access.first] = width[access.first].max(access.words);
            if access.words == 2 {
                wide_second[access.first + 1] = true;
            }
        }
        let mut meets = self.meets;
        for a in 0..count {
            for b in meets[a].clone().iter_ones().filter(|&b| b != a) {
                if meets[b].is_empty() {
                    meets[b].resize(count, false);
                }
                meets[b].set(a, true);
            }
        }
        let mut address: Vec<Option<usize>> = vec![None; count];
        let mut words = 0;
        for first in (0..count).filter(|&w| width[w] > 0 && !wide_second[w]) {
            let size = width[first];
            let mut taken = BitVec::<usize>::repeat(false, words + 2);
            for set in &meets[first..first + size] {
                for other in set.iter_ones().filter(|o| !(first..first + size).contains(o)) {
                    if let Some(at) = address[other] {
                        taken.set(at, true);
                    }
                }
            }
            let free = |at: &usize| !(*at..*at + size).any(|w| taken.get(w).is_some_and(|t| *t));
            let at = (0..).step_by(size).find(free).unwrap_or(words);
            for word in 0..size {
                address[first + word] = Some(at + word);
            }
            words = words.max(at + size);
        }
        (address.into_iter().map(Option::unwrap_or_default).collect(), words)
    }
}
