//! Intervals of small control-flow graphs.

use heddle_isa::{Cmp, Operand, Pc};
use heddle_passes::{PassError, bank_conflicts, check_intervals, form_intervals};

use crate::builder::{alu, bra, exit, mov, program, read, reg, setp, shape, when};

/// Intervals as pcs and registers, checked.
fn formed(instrs: Vec<heddle_isa::Instr>, limit: u32) -> Vec<(Vec<usize>, Vec<usize>)> {
    let (cut, intervals) = form_intervals(&program(instrs), limit).expect("intervals");
    check_intervals(&cut, &intervals).expect("right intervals");
    shape(&intervals)
}

/// Figure 5: A is the outer header, B and C the inner loop; C branches back to B and to A.
fn nested_loops() -> Vec<heddle_isa::Instr> {
    vec![
        mov(0, 0),
        alu(&[1], &[reg(0), reg(2)]),
        setp(0, Cmp::Lt, 1, 3),
        when(0, false, bra(1)),
        setp(1, Cmp::Lt, 0, 4),
        when(1, false, bra(0)),
        exit(),
    ]
}

#[test]
fn two_nested_loops_that_fit_become_one_interval() {
    assert_eq!(formed(nested_loops(), 5), [((0..7).collect(), (0..5).collect())]);
}

#[test]
fn the_inner_loop_stays_whole_if_the_outer_tail_does_not_fit() {
    let intervals = formed(nested_loops(), 4);
    let inner = intervals.iter().find(|(pcs, _)| pcs.contains(&1)).expect("interval of B");
    assert_eq!(*inner, (vec![0, 1, 2, 3], vec![0, 1, 2, 3]));
}

#[test]
fn three_nested_loops_need_two_merges() {
    let instrs = vec![
        mov(0, 0),
        mov(1, 0),
        mov(2, 0),
        setp(0, Cmp::Lt, 2, 3),
        when(0, false, bra(2)),
        setp(1, Cmp::Lt, 1, 3),
        when(1, false, bra(1)),
        setp(2, Cmp::Lt, 0, 3),
        when(2, false, bra(0)),
        exit(),
    ];
    assert_eq!(formed(instrs, 4).len(), 1);
}

#[test]
fn a_block_is_cut_before_the_instruction_that_does_not_fit() {
    let instrs = vec![
        alu(&[0], &[reg(1), reg(2)]),
        alu(&[2], &[reg(0), reg(1)]),
        alu(&[3], &[reg(4), reg(0)]),
        alu(&[5], &[reg(6), reg(7)]),
        exit(),
    ];
    assert_eq!(
        formed(instrs, 3),
        [(vec![0, 1], vec![0, 1, 2]), (vec![2], vec![0, 3, 4]), (vec![3, 4], vec![5, 6, 7])]
    );
}

#[test]
fn a_pair_counts_two_and_a_predicate_none() {
    let instrs = || {
        vec![
            alu(&[4, 5], &[Operand::Pair(heddle_port::Reg(0))]),
            setp(3, Cmp::Eq, 0, 1),
            when(3, false, exit()),
            exit(),
        ]
    };
    assert_eq!(formed(instrs(), 4), [(vec![0, 1, 2, 3], vec![0, 1, 4, 5])]);
    let error = form_intervals(&program(instrs()), 3).expect_err("four registers in one instruction");
    let PassError::InstructionTooLarge { pc: Pc(0), registers: 4, limit: 3, loc } = error else {
        panic!("{error}");
    };
    assert_eq!(loc.line, 1);
}

#[test]
fn both_sides_of_a_diamond_count_for_the_working_set() {
    // Each way alone has three registers; the interval would have four.
    let instrs = || {
        vec![setp(0, Cmp::Eq, 0, 1), when(0, false, bra(4)), mov(2, 1), bra(5), mov(3, 1), read(&[0]), exit()]
    };
    assert_eq!(formed(instrs(), 4).len(), 1);
    for (_, registers) in formed(instrs(), 3) {
        assert!(registers.len() <= 3, "{registers:?}");
    }
    assert!(formed(instrs(), 3).len() > 1);
}

#[test]
fn a_chain_of_diamonds_is_cut_only_by_registers() {
    let mut instrs = Vec::new();
    for diamond in 0..8u32 {
        let at = 5 * diamond;
        let own = 1 + diamond;
        instrs.extend([
            setp(0, Cmp::Eq, 0, own),
            when(0, false, bra(at + 4)),
            mov(own, 1),
            bra(at + 5),
            mov(own, 2),
        ]);
    }
    instrs.push(exit());
    assert_eq!(formed(instrs.clone(), 9).len(), 1);
    let intervals = formed(instrs, 3);
    // R0 and two of the diamonds' registers fit: diamonds 0 and 1, 2 and 3, ... share an interval.
    let registers: Vec<Vec<usize>> = intervals.into_iter().map(|(_, r)| r).collect();
    assert_eq!(registers, [vec![0, 1, 2], vec![0, 3, 4], vec![0, 5, 6], vec![0, 7, 8]]);
}

#[test]
fn a_loop_with_two_entries_has_a_header_for_each() {
    // 0 branches into the loop 2..4 at 4; both 2 and 4 are entered from outside.
    let instrs = vec![
        setp(0, Cmp::Eq, 0, 1),
        when(0, false, bra(4)),
        read(&[2]),
        read(&[2]),
        read(&[3]),
        when(1, false, bra(2)),
        exit(),
    ];
    let (cut, intervals) = form_intervals(&program(instrs), 255).expect("intervals");
    check_intervals(&cut, &intervals).expect("right intervals");
    let headers: Vec<u32> = intervals.intervals.iter().map(|i| i.header.0).collect();
    assert_eq!(headers, [0, 2, 4]);
}

#[test]
fn a_loop_of_one_block_is_merged_with_what_leads_to_it() {
    let instrs = || vec![mov(0, 1), alu(&[0], &[reg(0), reg(1)]), when(0, false, bra(1)), exit()];
    assert_eq!(formed(instrs(), 2).len(), 1);
    // At the entry of the kernel, too.
    assert_eq!(formed(instrs().into_iter().skip(1).map(retarget).collect(), 2).len(), 1);
}

fn retarget(mut instr: heddle_isa::Instr) -> heddle_isa::Instr {
    if let heddle_isa::Op::Bra { target, .. } = &mut instr.op {
        target.0 -= 1;
    }
    instr
}

#[test]
fn a_block_that_nothing_reaches_has_an_interval() {
    let instrs = vec![mov(0, 1), bra(4), mov(1, 1), bra(2), exit()];
    let intervals = formed(instrs, 255);
    assert!(intervals.contains(&(vec![2, 3], vec![1])), "{intervals:?}");
}

#[test]
fn programs_that_the_pass_cannot_take_are_named() {
    let good = program(vec![mov(0, 1), exit()]);
    assert_eq!(form_intervals(&good, 0), Err(PassError::Limit { limit: 0 }));
    assert_eq!(form_intervals(&good, 257), Err(PassError::Limit { limit: 257 }));
    let mut parsed = good.clone();
    parsed.allocated = false;
    assert!(matches!(form_intervals(&parsed, 16), Err(PassError::NotAllocated { .. })));
    let mut empty = good.clone();
    empty.instrs.clear();
    assert!(matches!(form_intervals(&empty, 16), Err(PassError::Empty { .. })));
    let mut gap = good.clone();
    gap.blocks[0].len = 1;
    assert!(matches!(form_intervals(&gap, 16), Err(PassError::Blocks { block: 0, .. })));
    let mut edge = good.clone();
    edge.blocks[0].successors.push(0);
    assert!(matches!(form_intervals(&edge, 16), Err(PassError::Blocks { block: 0, .. })));
    let wide = program(vec![mov(256, 1), exit()]);
    assert!(matches!(form_intervals(&wide, 16), Err(PassError::Register { pc: Pc(0), .. })));
    let pair = program(vec![alu(&[0], &[Operand::Pair(heddle_port::Reg(255))]), exit()]);
    assert!(matches!(form_intervals(&pair, 16), Err(PassError::Register { pc: Pc(0), .. })));
}

#[test]
fn conflicts_count_the_fullest_bank() {
    let set = |registers: &[usize]| {
        let mut set = heddle_isa::RegSet::ZERO;
        registers.iter().for_each(|&r| set.set(r, true));
        set
    };
    assert_eq!(bank_conflicts(&set(&[]), 16), 0);
    assert_eq!(bank_conflicts(&set(&[0, 1, 15]), 16), 0);
    assert_eq!(bank_conflicts(&set(&[0, 16, 1, 17, 33]), 16), 2);
}
