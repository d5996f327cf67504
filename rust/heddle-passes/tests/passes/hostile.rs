//! Large and hostile graphs: formation takes less than a second and keeps every rule.

use std::time::{Duration, Instant};

use heddle_isa::{Instr, Program};
use heddle_passes::{
    Formation, PassError, accessed_registers, check_intervals, check_renumbering, check_strands, form,
    renumber,
};

use crate::builder::{alu, blocks, bra, exit, load, mov, program, reg, successors, when};
use crate::random::Random;

/// Large programs: branches without reconvergence points, which formation does not read.
fn large(instrs: Vec<Instr>) -> Program {
    let edges: Vec<Vec<usize>> = (0..instrs.len()).map(|pc| successors(&instrs, pc)).collect();
    let mut large = program(vec![exit()]);
    large.blocks = blocks(&instrs, &edges);
    large.instrs = instrs;
    large
}

/// Forms intervals and strands, checks and renumbers them.
fn survives(name: &str, program: &Program, limit: u32) {
    for formation in [Formation::RegisterInterval, Formation::Strand] {
        let formed = |_| {
            let started = Instant::now();
            let formed = form(program, limit, formation).unwrap_or_else(|e| panic!("{name}: {e}"));
            (started.elapsed(), formed)
        };
        // The least of three: other work on the machine is not counted.
        let (time, (cut, intervals)) = (0..3).map(formed).min_by_key(|(time, _)| *time).expect("three");
        check_intervals(&cut, &intervals).unwrap_or_else(|e| panic!("{name}: {e}"));
        if formation == Formation::Strand {
            check_strands(&cut, &intervals).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert!(time < Duration::from_secs(1), "{name}: {time:?}");
        let started = Instant::now();
        let new = renumber(&cut, &intervals, 16).unwrap_or_else(|e| panic!("{name}: {e}"));
        let coloured = started.elapsed();
        check_renumbering(&cut, &new.program).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!(
            "{name}, {formation:?}: {} intervals in {time:?}, renumbered in {coloured:?}, conflicts {} to {}",
            intervals.intervals.len(),
            new.before.iter().sum::<u32>(),
            new.after.iter().sum::<u32>()
        );
    }
}

#[test]
fn a_block_of_5000_instructions() {
    let mut random = Random::new(1);
    let mut r = || random.below(200);
    let mut instrs: Vec<Instr> = (0..200).map(|r| mov(r, 0)).collect();
    instrs.extend((0..5000).map(|_| alu(&[r()], &[reg(r()), reg(r())])));
    instrs.push(exit());
    survives("long block", &large(instrs), 16);
}

/// `count` blocks of a few instructions, each branching anywhere: mostly irreducible.
fn tangle(count: u32, far: u32) -> Program {
    let mut random = Random::new(2);
    let mut instrs: Vec<Instr> = (0..40).map(|r| mov(r, 0)).collect();
    for block in 0..count {
        let low = random.below(30);
        instrs.push(alu(&[low + random.below(8)], &[reg(low)]));
        instrs.push(load(low + 1, low + 2));
        let near = 40 + 3 * block.saturating_sub(random.below(far));
        let target =
            if random.one_in(2) { near } else { 40 + 3 * (block + random.below(far)).min(count - 1) };
        instrs.push(when(0, false, bra(target)));
    }
    instrs.push(exit());
    large(instrs)
}

#[test]
fn ten_thousand_blocks() {
    survives("near tangle", &tangle(10_000, 4), 16);
    survives("far tangle", &tangle(10_000, 10_000), 16);
}

#[test]
fn a_chain_of_ten_thousand_blocks() {
    let block = |b: u32| [alu(&[b % 50], &[reg((b + 7) % 50)]), when(0, false, bra(2 * b + 2))];
    let mut instrs: Vec<Instr> = (0..10_000).flat_map(block).collect();
    instrs.push(exit());
    survives("chain", &large(instrs), 16);
}

#[test]
fn an_instruction_that_needs_more_than_the_limit_is_an_error() {
    let wide = large(vec![alu(&[0, 1], &[reg(2), reg(3), reg(4)]), exit()]);
    assert_eq!(accessed_registers(&wide.instrs[0]).count_ones(), 5);
    for formation in [Formation::RegisterInterval, Formation::Strand] {
        let found = form(&wide, 4, formation);
        assert!(matches!(found, Err(PassError::InstructionTooLarge { registers: 5, limit: 4, .. })));
    }
}
