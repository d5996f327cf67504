//! Random instructions that a scoreboard would let go.

use heddle_port::{Issue, NUM_SOURCES};

use crate::golden::Golden;
use crate::operands::destinations;
use crate::rng::Rng;
use crate::warp::{Goal, Warp};

/// A random instruction of the warp, without its tag, or none if the registers drawn are not free.
pub(crate) fn draw(
    rng: &mut Rng,
    golden: &Golden,
    number: u8,
    warp: &Warp,
    dead_bits: bool,
) -> Option<Issue> {
    let mut issue = Issue { valid: true, warp: number, mask: random_mask(rng), ..Issue::default() };
    if warp.goal == Goal::ReadBack {
        read_back(rng, golden, warp, &mut issue);
    } else {
        random_destinations(rng, golden, warp, &mut issue);
        random_sources(rng, golden, warp, &mut issue);
        if dead_bits {
            random_dead(rng, &mut issue);
        }
    }
    (issue.source_valid != 0 || issue.destination_valid != 0).then_some(issue)
}

fn random_mask(rng: &mut Rng) -> u32 {
    match rng.below(8) {
        0..4 => u32::MAX,
        4 => 1 << rng.below(32),
        5 => rng.word() & rng.word() & rng.word() | 1 << rng.below(32),
        _ => rng.word() | 1 << rng.below(32),
    }
}

fn random_destinations(rng: &mut Rng, golden: &Golden, warp: &Warp, issue: &mut Issue) {
    let count = [1, 1, 1, 1, 1, 2, 2, 4, 3, 0][rng.below(10)];
    for slot in 0..count {
        let Some(&register) = rng.pick(&warp.set) else {
            return;
        };
        let state = golden.get(issue.warp, register);
        let free = state.pending_writes == 0 && state.pending_reads == 0;
        if free && !destinations(issue).any(|(_, d)| d == register) {
            if state.known != u32::MAX {
                // What an instruction reads was written before: the first write has all lanes.
                issue.mask = u32::MAX;
            }
            issue.destination[slot] = register;
            issue.destination_valid |= 1 << slot;
        }
    }
}

fn random_sources(rng: &mut Rng, golden: &Golden, warp: &Warp, issue: &mut Issue) {
    let count = [0, 1, 1, 2, 2, 2, 3, 3, 4, 6, 5, 2][rng.below(12)];
    for slot in 0..count {
        let Some(&register) = rng.pick(&warp.set) else {
            return;
        };
        let state = golden.get(issue.warp, register);
        if state.pending_writes == 0 && state.known == u32::MAX {
            issue.source[slot] = register;
            issue.source_valid |= 1 << slot;
            if rng.chance(24) && slot + 1 < NUM_SOURCES {
                issue.source[slot + 1] = register;
                issue.source_valid |= 1 << (slot + 1);
            }
        }
    }
}

/// Marks a source dead that this instruction does not write; older reads of it may still be pending.
fn random_dead(rng: &mut Rng, issue: &mut Issue) {
    if !rng.chance(24) {
        return;
    }
    let slot = rng.below(NUM_SOURCES);
    let register = issue.source[slot];
    if issue.source_valid >> slot & 1 == 0 || destinations(issue).any(|(_, d)| d == register) {
        return;
    }
    for other in 0..NUM_SOURCES {
        if issue.source_valid >> other & 1 != 0 && issue.source[other] == register {
            issue.dead |= 1 << other;
        }
    }
}

fn read_back(rng: &mut Rng, golden: &Golden, warp: &Warp, issue: &mut Issue) {
    issue.mask = u32::MAX;
    let count = 1 + rng.below(NUM_SOURCES);
    for slot in 0..count {
        let Some(&register) = rng.pick(&warp.unread) else {
            return;
        };
        let state = golden.get(issue.warp, register);
        if state.pending_writes == 0 && state.known != 0 && warp.set.contains(&register) {
            issue.mask &= state.known;
            issue.source[slot] = register;
            issue.source_valid |= 1 << slot;
        }
    }
    if issue.mask == 0 {
        issue.source_valid = 0;
    }
}
