//! Intervals of random programs against independent definitions.

use std::collections::BTreeSet;

use heddle_isa::{Intervals, Pc, Program, RegSet};
use heddle_passes::{PassError, accessed_registers, check_intervals, form_intervals};

use crate::builder::successors;
use crate::random::{Random, arbitrary, structured};

const CASES: u64 = 6000;

/// A random program and a limit.
fn case(seed: u64) -> (Program, u32) {
    let mut random = Random::new(seed ^ 0xface);
    let program = if random.one_in(3) { structured(seed, 4) } else { arbitrary(seed, 14) };
    (program, 4 + random.below(20))
}

fn reachable(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut pending = vec![0];
    while let Some(pc) = pending.pop() {
        if !std::mem::replace(&mut seen[pc], true) {
            pending.extend(&edges[pc]);
        }
    }
    seen
}

/// Whether the graph of reachable instructions shrinks to one node if a node with one predecessor is
/// merged into it again and again and edges from a node to itself are dropped.
fn reducible(edges: &[Vec<usize>]) -> bool {
    let seen = reachable(edges);
    let mut into: Vec<Option<BTreeSet<usize>>> = seen.iter().map(|&s| s.then(BTreeSet::new)).collect();
    for (from, targets) in edges.iter().enumerate().filter(|(from, _)| seen[*from]) {
        for &to in targets.iter().filter(|&&to| to != from) {
            into[to].as_mut().expect("reachable").insert(from);
        }
    }
    loop {
        let single = (1..into.len()).find(|&n| into[n].as_ref().is_some_and(|p| p.len() == 1));
        let Some(node) = single else { break };
        let parent = *into[node].take().expect("found").first().expect("one");
        for (n, preds) in into.iter_mut().enumerate() {
            if let Some(preds) = preds
                && preds.remove(&node)
                && n != parent
            {
                preds.insert(parent);
            }
        }
    }
    into.iter().flatten().count() == 1
}

fn check_working_sets_are_exact(program: &Program, intervals: &Intervals, seed: u64) {
    for interval in &intervals.intervals {
        let mut accessed = RegSet::ZERO;
        for (pc, instr) in program.instrs.iter().enumerate() {
            if intervals.of_pc[pc] == interval.id {
                accessed |= accessed_registers(instr);
            }
        }
        assert_eq!(interval.working_set, accessed, "seed {seed}, interval {}", interval.id.0);
    }
}

/// Blocks tile the program, each in one interval, with the edges of the instructions.
fn check_blocks(program: &Program, intervals: &Intervals, edges: &[Vec<usize>], seed: u64) {
    let mut next = 0;
    for (index, block) in program.blocks.iter().enumerate() {
        let pcs = block.first.index()..block.first.index() + block.len as usize;
        assert_eq!(pcs.start, next, "seed {seed}");
        assert!(block.len > 0, "seed {seed}");
        next = pcs.end;
        let first = intervals.of_pc[pcs.start];
        assert!(intervals.of_pc[pcs.clone()].iter().all(|&i| i == first), "seed {seed}, block {index}");
        let targets: Vec<usize> =
            edges[pcs.end - 1].iter().map(|&t| program.block_of(Pc(t as u32))).collect();
        assert_eq!(block.successors, targets, "seed {seed}, block {index}");
        let from: BTreeSet<usize> = block.predecessors.iter().copied().collect();
        let expected =
            (0..program.blocks.len()).filter(|&p| program.blocks[p].successors.contains(&index)).collect();
        assert_eq!(from, expected, "seed {seed}, block {index}");
    }
    assert_eq!(next, program.instrs.len(), "seed {seed}");
}

/// No interval is left that could be merged into the only one that enters it.
fn check_nothing_is_left_to_merge(intervals: &Intervals, edges: &[Vec<usize>], limit: u32, seed: u64) {
    let seen = reachable(edges);
    for later in &intervals.intervals {
        if later.header == Pc(0) || !seen[later.header.index()] {
            continue;
        }
        let mut from = BTreeSet::new();
        for (pc, targets) in edges.iter().enumerate() {
            let enters = targets.iter().any(|&t| intervals.of_pc[t] == later.id);
            if enters && intervals.of_pc[pc] != later.id {
                from.insert(intervals.of_pc[pc]);
            }
        }
        if let [only] = from.into_iter().collect::<Vec<_>>()[..] {
            let together = intervals.intervals[usize::from(only.0)].working_set | later.working_set;
            assert!(
                together.count_ones() > limit as usize,
                "seed {seed}: {} fits into {}",
                later.id.0,
                only.0
            );
        }
    }
}

#[test]
fn thousands_of_random_programs_keep_every_rule() {
    let (mut cut_blocks, mut merged_loops, mut refused) = (0, 0, 0);
    for seed in 0..CASES {
        let (program, limit) = case(seed);
        let (cut, intervals) = match form_intervals(&program, limit) {
            Ok(formed) => formed,
            Err(PassError::InstructionTooLarge { pc, registers, .. }) => {
                let accessed = accessed_registers(&program.instrs[pc.index()]).count_ones();
                assert!(accessed == registers as usize && registers > limit, "seed {seed}");
                refused += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        check_intervals(&cut, &intervals).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(cut.instrs, program.instrs, "seed {seed}");
        let edges: Vec<Vec<usize>> = (0..cut.instrs.len()).map(|pc| successors(&cut.instrs, pc)).collect();
        check_working_sets_are_exact(&cut, &intervals, seed);
        check_blocks(&cut, &intervals, &edges, seed);
        check_nothing_is_left_to_merge(&intervals, &edges, limit, seed);
        cut_blocks += usize::from(cut.blocks.len() > program.blocks.len());
        let loops_inside = |&(from, to): &(usize, usize)| {
            to <= from && intervals.of_pc[from] == intervals.of_pc[to] && {
                intervals.intervals[usize::from(intervals.of_pc[to].0)].header != Pc(to as u32)
            }
        };
        let mut back = edges.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |&t| (from, t)));
        merged_loops += usize::from(back.any(|edge| loops_inside(&edge)));
    }
    println!(
        "{CASES} seeds: {cut_blocks} with cut blocks, {merged_loops} with inner loops, {refused} refused"
    );
    assert!(cut_blocks > 500 && merged_loops > 200 && refused < CASES / 10);
}

#[test]
fn without_pressure_one_interval_means_reducible() {
    let (mut reducible_ones, mut others) = (0, 0);
    for seed in 0..CASES {
        let (program, _) = case(seed);
        let (cut, intervals) = form_intervals(&program, 256).expect("nothing can be too large");
        let edges: Vec<Vec<usize>> = (0..cut.instrs.len()).map(|pc| successors(&cut.instrs, pc)).collect();
        let seen = reachable(&edges);
        if seen.contains(&false) {
            continue;
        }
        let expected = reducible(&edges);
        assert_eq!(intervals.intervals.len() == 1, expected, "seed {seed}");
        if expected { reducible_ones += 1 } else { others += 1 }
    }
    println!("{reducible_ones} reducible, {others} not");
    assert!(reducible_ones > 500 && others > 100);
}

#[test]
fn formation_is_a_function_of_the_program() {
    for seed in 0..200 {
        let (program, limit) = case(seed);
        assert_eq!(form_intervals(&program, limit), form_intervals(&program, limit), "seed {seed}");
    }
}
