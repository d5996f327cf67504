//! Dominators, post-dominators, loops and liveness against brute force on random graphs.

use heddle_isa::{Block, Op, Pc, Program};
use heddle_kernel::liveness::{Liveness, Place, for_each_def, for_each_use};
use heddle_kernel::ways::Ways;
use heddle_kernel::{cfg, compile, dominators, lower, parse};

use crate::common;
use crate::common::Random;

/// A kernel of `blocks` labelled blocks with random branches, reads and writes.
fn random_program(seed: u64) -> Program {
    let mut random = Random(seed);
    let blocks = 2 + random.below(9);
    let mut body = String::new();
    for b in 0..blocks {
        body.push_str(&format!("B{b}:\n"));
        for _ in 0..random.below(4) {
            let guard = ["", "@%p1 ", "@!%p2 "][random.below(3)];
            let (d, a, c) = (random.below(5), random.below(5), random.below(5));
            body.push_str(&format!("{guard}add.s32 %r{d}, %r{a}, %r{c};\n"));
        }
        match random.below(6) {
            0 => body.push_str(&format!("bra B{};\n", random.below(blocks))),
            1..=3 => body.push_str(&format!("@%p{} bra B{};\n", random.below(3), random.below(blocks))),
            4 => body.push_str("@%p1 exit;\n"),
            _ => body.push_str("st.shared.u32 [buffer], %r1;\n"),
        }
    }
    let module = parse("random.ptx", &common::kernel(&body)).unwrap_or_else(|e| panic!("{e}"));
    lower(&module).unwrap_or_else(|e| panic!("{e}")).remove(0)
}

/// Blocks reached from `from` without entering `without`; `exit` (the number of blocks) included.
fn reach(program: &Program, from: usize, without: Option<usize>) -> Vec<bool> {
    let n = program.blocks.len();
    let mut seen = vec![false; n + 1];
    let mut work = vec![from];
    while let Some(b) = work.pop() {
        if Some(b) == without || std::mem::replace(&mut seen[b], true) || b == n {
            continue;
        }
        work.extend(&program.blocks[b].successors);
        if cfg::may_exit(&program.instrs, &program.blocks[b]) {
            work.push(n);
        }
    }
    seen
}

#[test]
fn blocks_tile_the_instructions() {
    for seed in 0..500 {
        let program = random_program(seed);
        let mut next = 0;
        for block in &program.blocks {
            assert_eq!(block.first.0, next);
            assert!(block.len >= 1);
            next += block.len;
            for pc in cfg::pcs(block) {
                assert_eq!(
                    cfg::ends_block(&program.instrs[pc.index()]),
                    pc == cfg::last(block) && cfg::ends_block(&program.instrs[pc.index()])
                );
            }
            for &s in &block.successors {
                assert!(program.blocks[s].predecessors.contains(&program.block_of(block.first)));
            }
        }
        assert_eq!(next as usize, program.instrs.len());
        let all = reach(&program, 0, None);
        assert!(all[..program.blocks.len()].iter().all(|r| *r), "unreachable code in seed {seed}");
    }
}

#[test]
fn dominators_are_those_of_brute_force() {
    for seed in 0..500 {
        let program = random_program(seed);
        let tree = dominators::dominators(&program.blocks);
        for a in 0..program.blocks.len() {
            let without = reach(&program, 0, Some(a));
            for (b, reached) in without.iter().enumerate().take(program.blocks.len()) {
                assert_eq!(tree.dominates(a, b), !reached, "seed {seed}: {a} dominates {b}");
            }
        }
    }
}

/// Blocks reached from `from` without entering `without` on ways that count; the virtual exit is the number of blocks.
fn reach_by_ways(ways: &Ways, from: usize, without: Option<usize>) -> Vec<bool> {
    let n = ways.predecessors.len();
    let mut seen = vec![false; n + 1];
    let mut work = vec![from];
    while let Some(b) = work.pop() {
        if Some(b) == without || std::mem::replace(&mut seen[b], true) || b == n {
            continue;
        }
        work.extend((0..n).filter(|&s| ways.predecessors[s].contains(&b)));
        if ways.ends.contains(&b) {
            work.push(n);
        }
    }
    seen
}

#[test]
fn ways_that_do_not_count_lead_to_where_lanes_only_end() {
    let (mut left_out, mut infinite) = (0, 0);
    for seed in 0..500 {
        let program = random_program(seed);
        let ways = Ways::new(&program.instrs, &program.blocks);
        for (b, block) in program.blocks.iter().enumerate() {
            assert!(reach_by_ways(&ways, b, None)[program.blocks.len()], "seed {seed}: block {b} has no end");
            infinite += usize::from(!reach(&program, b, None)[program.blocks.len()]);
            for &p in block.predecessors.iter().filter(|p| !ways.predecessors[b].contains(p)) {
                left_out += 1;
                let (there, before) = (reach(&program, b, None), reach_by_ways(&ways, p, None));
                let end = ways.ends.iter().copied().find(|&end| before[end]).expect("an end");
                assert!(!there[end], "seed {seed}: {b} comes back to {end}, where {p} goes");
            }
        }
    }
    assert!(
        left_out > 20 && infinite > 0,
        "{left_out} ways left out, {infinite} blocks of loops without end"
    );
}

#[test]
fn post_dominators_are_those_of_brute_force() {
    for seed in 0..500 {
        let program = random_program(seed);
        let n = program.blocks.len();
        let ways = Ways::new(&program.instrs, &program.blocks);
        let tree = dominators::post_dominators(&program.instrs, &program.blocks);
        for b in 0..n {
            let leaves = |from, without| reach_by_ways(&ways, from, Some(without))[n];
            let strict: Vec<usize> = (0..n).filter(|&a| a != b && !leaves(b, a)).collect();
            let nearest = strict.iter().copied().find(|&a| strict.iter().all(|&c| c == a || !leaves(a, c)));
            assert_eq!(tree.immediate(b), nearest, "seed {seed}, block {b}");
        }
        for block in &program.blocks {
            let instr = &program.instrs[cfg::last(block).index()];
            if let Op::Bra { reconvergence, .. } = instr.op {
                let b = program.block_of(block.first);
                assert_eq!(reconvergence, tree.immediate(b).map(|p| program.blocks[p].first));
            }
        }
    }
}

/// Whether `place` may be read on some path from before `pc`, by search over instructions.
fn live_by_search(program: &Program, pc: Pc, place: Place) -> bool {
    let mut seen = vec![false; program.instrs.len()];
    let mut work = vec![pc.index()];
    while let Some(i) = work.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        let instr = &program.instrs[i];
        let (mut read, mut written) = (false, false);
        for_each_use(instr, |p| read |= p == place);
        for_each_def(instr, |p| written |= p == place);
        if read {
            return true;
        }
        if written && instr.guard.is_none() {
            continue;
        }
        if let Op::Bra { target, .. } = instr.op {
            work.push(target.index());
        }
        if cfg::falls_through(instr) {
            work.push(i + 1);
        }
    }
    false
}

#[test]
fn liveness_is_that_of_brute_force() {
    for seed in 0..200 {
        let program = random_program(seed);
        let liveness = Liveness::compute(&program);
        let sets = liveness.per_instruction(&program);
        for (i, around) in sets.iter().enumerate() {
            let pc = Pc(u32::try_from(i).expect("small"));
            for index in 0..around.live_in.len() {
                let place = liveness.place(index);
                assert_eq!(
                    around.live_in[index],
                    live_by_search(&program, pc, place),
                    "seed {seed}, instruction {pc}, {place:?}"
                );
                assert_eq!(liveness.index(place), index);
            }
        }
        assert!(!liveness.live_in(0).any(), "something may be read before it is written");
    }
}

#[test]
fn loop_depths() {
    let text = common::kernel(
        "A: add.s32 %r1, %r1, 1;\nB: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra B;\n\
         setp.lt.s32 %p1, %r1, 9;\n@%p1 bra A;\nC: bra C;",
    );
    let program = compile("loops.ptx", &text, None, heddle_kernel::AllocOptions::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .parsed;
    let loops = dominators::Loops::find(&program.blocks);
    let depths: Vec<u32> = (0..program.blocks.len()).map(|b| loops.depth(b)).collect();
    for (b, depth) in depths.iter().enumerate() {
        let headers: Vec<usize> = loops.headers(b).collect();
        assert_eq!(headers.len(), *depth as usize);
        assert!(headers.windows(2).all(|pair| loops.headers(pair[0]).any(|h| h == pair[1])), "{headers:?}");
    }
    let line = |block: &Block| program.source_line(cfg::last(block)).to_owned();
    let found: Vec<(String, u32)> = program.blocks.iter().map(line).zip(depths).skip(1).collect();
    let expected = [("A: add.s32 %r1, %r1, 1;", 1), ("@%p1 bra B;", 2), ("@%p1 bra A;", 1), ("C: bra C;", 1)];
    assert_eq!(found, expected.map(|(l, d)| (l.to_owned(), d)));
}
