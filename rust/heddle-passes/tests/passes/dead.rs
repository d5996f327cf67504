//! Dead-operand bits: right on hand-made programs, and never wrong on random ones.

use heddle_isa::{Cmp, Op, Operand, Pc, Program};
use heddle_passes::dead_sources;

use crate::builder::{alu, bra, exit, mov, program, read, reg, setp, successors, when};
use crate::listing1::listing1;
use crate::random::{Random, arbitrary, structured};
use crate::simt::{ReadOfDead, Tally, run, run_on_simt_stack};

fn dead(program: &Program) -> Vec<u8> {
    dead_sources(program).expect("dead bits")
}

/// Last uses by the liveness of one lane, blind to divergence; an instruction that writes the register
/// never ends it, as in the pass.
fn last_uses_of_one_lane(program: &Program) -> Vec<u8> {
    let n = program.instrs.len();
    let may_read_after = |pc: usize, register: usize| {
        let mut seen = vec![false; n];
        let mut pending = successors(&program.instrs, pc);
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let instr = &program.instrs[at];
            if instr.source_regs().iter().any(|r| r.index() == register) {
                return true;
            }
            let written = instr.dsts.iter().any(|r| r.index() == register);
            if !(written && instr.guard.is_none()) {
                pending.extend(successors(&program.instrs, at));
            }
        }
        false
    };
    (0..n)
        .map(|pc| {
            let instr = &program.instrs[pc];
            let sources = instr.source_regs();
            let last = |r: &heddle_port::Reg| !instr.dsts.contains(r) && !may_read_after(pc, r.index());
            sources.iter().enumerate().filter(|(_, r)| last(r)).fold(0, |bits, (slot, _)| bits | 1 << slot)
        })
        .collect()
}

#[test]
fn the_last_use_in_a_straight_line_is_dead() {
    let p = program(vec![
        mov(0, 1),
        mov(1, 1),
        alu(&[2], &[reg(0), reg(1)]),
        alu(&[3], &[reg(2), reg(0)]),
        alu(&[3], &[reg(3), reg(3)]),
        read(&[3, 3]),
        exit(),
    ]);
    assert_eq!(dead(&p), [0, 0, 0b10, 0b11, 0, 0b11, 0]);
}

#[test]
fn an_instruction_that_writes_the_register_does_not_declare_it_dead() {
    let p = program(vec![mov(0, 1), mov(1, 1), alu(&[0], &[reg(0), reg(1)]), exit()]);
    assert_eq!(dead(&p), [0, 0, 0b10, 0]);
}

#[test]
fn the_halves_of_a_pair_are_slots_of_their_own() {
    let p = program(vec![
        mov(0, 1),
        mov(1, 1),
        alu(&[2], &[Operand::Imm(1), Operand::Pair(heddle_port::Reg(0))]),
        read(&[0, 2]),
        exit(),
    ]);
    assert_eq!(dead(&p), [0, 0, 0b10, 0b11, 0]);
}

#[test]
fn a_guarded_write_does_not_end_the_old_value() {
    let p = program(vec![mov(0, 1), read(&[0]), when(0, false, mov(0, 2)), read(&[0]), exit()]);
    assert_eq!(dead(&p), [0, 0, 0, 1, 0]);
    let p = program(vec![mov(0, 1), read(&[0]), mov(0, 2), read(&[0]), exit()]);
    assert_eq!(dead(&p), [0, 1, 0, 1, 0]);
}

#[test]
fn what_the_other_side_reads_stays_live() {
    // 3 and 5 read R0, one on each side; R1 is read on one side only.
    let p = program(vec![
        mov(0, 1),
        mov(1, 1),
        when(0, false, bra(5)),
        read(&[0]),
        bra(6),
        read(&[0, 1]),
        exit(),
    ]);
    assert_eq!(dead(&p), [0, 0, 0, 0, 0, 0b10, 0]);
    assert_eq!(last_uses_of_one_lane(&p), [0, 0, 0, 1, 0, 0b11, 0]);
}

#[test]
fn what_waits_at_the_meeting_point_stays_live_although_one_side_writes_it() {
    // Lanes that skip 2 and 3 keep the old R0 for 4.
    let p = program(vec![mov(0, 1), when(0, false, bra(4)), read(&[0]), mov(0, 2), read(&[0]), exit()]);
    assert_eq!(dead(&p), [0, 0, 0, 0, 1, 0]);
    assert_eq!(last_uses_of_one_lane(&p)[2], 1);
}

#[test]
fn what_lanes_that_left_a_loop_read_stays_live_inside() {
    // R1 is read in every turn and written again; lanes that left read it behind the loop.
    let p =
        program(vec![mov(1, 0), alu(&[2], &[reg(1)]), mov(1, 5), when(0, false, bra(1)), read(&[1]), exit()]);
    assert_eq!(dead(&p)[1], 0);
    assert_eq!(last_uses_of_one_lane(&p)[1], 1);
    assert_eq!(dead(&p)[4], 1);
}

#[test]
fn the_loop_of_listing_1_keeps_what_its_next_turn_reads() {
    let bits = dead(&listing1());
    assert_eq!(bits, [0, 0, 0, 0, 0, 0, 0b11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn programs_that_the_pass_cannot_take_are_errors() {
    let mut parsed = program(vec![exit()]);
    parsed.allocated = false;
    dead_sources(&parsed).expect_err("virtual registers");
    let open_end = program(vec![setp(0, Cmp::Eq, 0, 1), exit()]);
    let mut open_end = Program { instrs: open_end.instrs[..1].to_vec(), ..open_end };
    dead_sources(&open_end).expect_err("no exit");
    open_end.instrs[0] = read(&[0, 1, 2, 3, 4, 5, 6]);
    open_end.instrs.push(exit());
    dead_sources(&open_end).expect_err("seven sources");
}

/// Runs a program several times; the first read of a dead value, if any.
fn trial(program: &Program, dead: &[u8], seed: u64, tally: &mut Tally) -> Result<(), ReadOfDead> {
    let mut random = Random::new(!seed);
    (0..4).try_for_each(|_| {
        run(program, dead, &mut random, 250, tally)?;
        run_on_simt_stack(program, dead, &mut random, 250, tally)
    })
}

/// The instructions with their dead bits, for a failure.
fn listing(program: &Program, dead: &[u8]) -> String {
    let line = |(pc, (i, bits)): (usize, (&heddle_isa::Instr, &u8))| {
        let guard = if i.guard.is_some() { "@p " } else { "" };
        let name = match i.op {
            Op::Bra { target, reconvergence } => format!("bra {target} meet {reconvergence:?}"),
            Op::Exit => "exit".to_owned(),
            _ => format!("{:?} <- {:?} dead {bits:b}", i.dsts, i.source_regs()),
        };
        format!("{pc:3} {guard}{name}\n")
    };
    program.instrs.iter().zip(dead).enumerate().map(line).collect()
}

fn random_program(seed: u64) -> Program {
    if seed.is_multiple_of(2) { structured(seed, 4) } else { arbitrary(seed, 14) }
}

#[test]
fn no_lane_of_a_random_program_reads_a_dead_register() {
    let mut tally = Tally::default();
    let (mut marked, mut uses) = (0, 0);
    for seed in 0..4000 {
        let program = random_program(seed);
        let bits = dead(&program);
        trial(&program, &bits, seed, &mut tally)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", listing(&program, &dead(&program))));
        let count = |bits: &[u8]| bits.iter().map(|b| b.count_ones()).sum::<u32>();
        marked += count(&bits);
        uses += count(&last_uses_of_one_lane(&program));
    }
    println!("{tally:?}; {marked} dead bits of {uses} last uses of a lane");
    assert!(tally.reads > 1_000_000 && tally.deaths > 50_000 && tally.divergent > tally.steps / 4);
    assert!(marked * 2 > uses, "{marked} of {uses}");
}

#[test]
fn wherever_paths_meet_no_lane_reads_a_dead_register() {
    let mut tally = Tally::default();
    for seed in 0..3000 {
        let mut program = random_program(seed);
        let mut random = Random::new(seed ^ 0xbeef);
        let end = u32::try_from(program.instrs.len()).expect("small program");
        for instr in &mut program.instrs {
            if let Op::Bra { reconvergence, .. } = &mut instr.op
                && random.one_in(3)
            {
                *reconvergence = (!random.one_in(4)).then(|| Pc(random.below(end)));
            }
        }
        trial(&program, &dead(&program), seed, &mut tally)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", listing(&program, &dead(&program))));
    }
    println!("{tally:?}");
    assert!(tally.deaths > 10_000);
}

#[test]
fn the_simulation_sees_that_one_lane_is_not_enough() {
    let mut tally = Tally::default();
    let caught = (0..500).filter(|&seed| {
        let program = random_program(seed);
        trial(&program, &last_uses_of_one_lane(&program), seed, &mut tally).is_err()
    });
    assert!(caught.count() > 50);
}
