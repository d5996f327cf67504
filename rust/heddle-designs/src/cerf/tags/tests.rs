use super::super::entry::{Op, State};
use super::super::register_line;
use super::{Away, TagBank};

const WRITE: Op = Op::WriteReg { full: true };
const MASKED: Op = Op::WriteReg { full: false };
const READ: Op = Op::ReadReg { dead: false };

/// Carries out `op` once and returns the state before and whether it had a place.
fn run(bank: &mut TagBank, op: Op, line: u32) -> (bool, bool, bool) {
    let found = bank.look_up(op, line);
    bank.commit(op, line, &found);
    (found.hit, found.placed, found.evict)
}

/// Line `n` of tag bank 0 and set 0, for four ways.
fn line(n: u32) -> u32 {
    n << 8
}

#[test]
fn the_least_recently_used_line_leaves() {
    let mut bank = TagBank::new(4, false);
    for n in 0..4 {
        assert_eq!(run(&mut bank, Op::Fill, line(n)), (false, true, false));
    }
    assert_eq!(run(&mut bank, Op::Load, line(0)), (true, true, false));
    assert_eq!(bank.look_up(Op::Fill, line(9)).holds, line(1));
    run(&mut bank, Op::Fill, line(9));
    assert!(!bank.look_up(Op::Load, line(1)).hit);
    assert_eq!(bank.lines(), 4);
}

#[test]
fn a_register_takes_a_line_and_no_line_takes_a_register() {
    for ways in [2, 4, 8] {
        let mut bank = TagBank::new(ways, false);
        let sets = (256 / ways) as u16;
        for n in 0..ways as u32 {
            run(&mut bank, Op::Fill, (n * u32::from(sets)) << 2);
        }
        for n in 0..ways as u16 {
            let register = register_line(4 * n * sets);
            assert_eq!(run(&mut bank, WRITE, register), (false, true, false));
        }
        assert_eq!((bank.registers(), bank.lines()), (ways as u16, 0));
        assert_eq!(run(&mut bank, Op::Fill, 0), (false, false, false), "all ways hold registers");
        assert_eq!(bank.registers(), ways as u16);
    }
}

#[test]
fn a_dirty_line_is_written_back_before_its_place_is_taken() {
    let mut bank = TagBank::new(2, false);
    let step = 128 << 2;
    run(&mut bank, Op::Fill, 0);
    run(&mut bank, Op::Store, 0);
    run(&mut bank, Op::Fill, step);
    run(&mut bank, Op::Store, step);
    assert_eq!(run(&mut bank, Op::Fill, 2 * step), (false, true, true), "the first time it evicts");
    assert_eq!(bank.lines(), 1);
    assert_eq!(run(&mut bank, Op::Fill, 2 * step), (false, true, false));
    assert!(bank.look_up(Op::Load, step).hit && !bank.look_up(Op::Load, 0).hit);
}

#[test]
fn a_flush_writes_dirty_lines_back_and_leaves_registers_alone() {
    for ways in [2, 4, 8] {
        let mut bank = TagBank::new(ways, false);
        let sets = 256 / ways as u32;
        run(&mut bank, WRITE, register_line(0));
        run(&mut bank, Op::Fill, sets << 2);
        run(&mut bank, Op::Fill, 5 << 2);
        run(&mut bank, Op::Store, 5 << 2);
        let mut written = Vec::new();
        for entry in 0..256 {
            let found = bank.look_up(Op::Flush, entry << 2);
            bank.commit(Op::Flush, entry << 2, &found);
            if found.evict {
                written.push(found.holds);
                assert!(!bank.look_up(Op::Flush, entry << 2).placed, "it is gone");
            }
        }
        assert_eq!((written, bank.registers(), bank.lines()), (vec![5 << 2], 1, 0));
    }
}

#[test]
fn a_dead_register_leaves_its_entry_to_the_next_one() {
    let mut bank = TagBank::new(4, false);
    let line = register_line(4);
    run(&mut bank, WRITE, line);
    assert_eq!(bank.state(bank.look_up(Op::ReadReg { dead: false }, line).row), State::Reg);
    run(&mut bank, Op::ReadReg { dead: true }, line);
    assert_eq!(bank.registers(), 0);
    assert!(!bank.look_up(Op::ReadReg { dead: false }, line).placed);
    assert_eq!(bank.free(0, 0b11), Some(0), "nothing is left to free");
}

#[test]
fn the_end_of_a_warp_frees_its_registers_and_no_others() {
    for ways in [2, 4, 8] {
        let mut bank = TagBank::new(ways, false);
        // Three registers of the bank in a row, and those that share the first one's set.
        for row in [32, 33, 34, 32 + 256 / ways as u16] {
            run(&mut bank, WRITE, register_line(4 * row % 1024));
        }
        run(&mut bank, Op::Fill, 34 << 2);
        let held = bank.registers();
        assert_eq!(bank.free(2, 0b1011), Some(0b11), "row 35 was never written");
        assert_eq!((bank.registers(), bank.lines()), (held - 2, 1));
        assert!(bank.look_up(READ, register_line(4 * 34)).hit);
        assert!(!bank.look_up(READ, register_line(4 * 33)).hit);
    }
}

#[test]
fn a_group_with_a_register_on_its_way_waits() {
    let mut bank = spilled();
    run(&mut bank, READ, register(0));
    assert_eq!(bank.free(0, 1), None);
    assert_eq!(bank.free(0, 0b10), Some(0), "it is not among them");
    run(&mut bank, Op::Refill, register(0));
    assert_eq!(bank.free(0, 1), Some(1));
    assert_eq!(bank.registers(), 0);
}

/// Register `n` of tag bank 0 and set 0, for two ways.
fn register(n: u16) -> u32 {
    register_line(512 * n)
}

/// A fair bank of two ways whose register 0 was spilled for line 0, and which holds lines 0 and 512.
fn spilled() -> TagBank {
    let mut bank = TagBank::new(2, true);
    run(&mut bank, WRITE, register(0));
    run(&mut bank, Op::Fill, 0);
    run(&mut bank, Op::Load, 0);
    assert_eq!(run(&mut bank, Op::Fill, 512), (false, true, true), "the register goes first");
    assert_eq!((bank.registers(), bank.lines()), (0, 1));
    assert_eq!(run(&mut bank, Op::Fill, 512), (false, true, false));
    bank
}

#[test]
fn a_fair_bank_spills_the_least_recently_used_register() {
    let mut bank = spilled();
    let read = bank.look_up(READ, register(0));
    assert_eq!((read.hit, read.placed, read.away), (false, false, Away::Spilled));
    assert_eq!(bank.look_up(READ, register(1)).away, Away::No, "never written");
    bank.commit(READ, register(0), &read);
    assert!(bank.returning(register(0)));
    assert_eq!(bank.look_up(MASKED, register(0)).away, Away::Returning);
    assert_eq!(run(&mut bank, Op::Refill, register(0)), (false, true, false), "it takes a clean line");
    assert!(bank.look_up(READ, register(0)).hit && !bank.returning(register(0)));
    assert_eq!((bank.registers(), bank.lines()), (1, 1));
}

#[test]
fn only_a_write_of_all_lanes_does_without_the_spilled_value() {
    let mut bank = spilled();
    let masked = bank.look_up(MASKED, register(0));
    assert_eq!((masked.placed, masked.away), (false, Away::Spilled));
    assert_eq!(run(&mut bank, WRITE, register(0)), (false, true, false));
    assert_eq!(bank.look_up(MASKED, register(0)).away, Away::No);
}

#[test]
fn a_spilled_register_of_a_warp_that_ends_is_forgotten() {
    let mut bank = spilled();
    assert_eq!(bank.free(0, 1), Some(0), "it has no entry");
    assert_eq!(bank.look_up(READ, register(0)).away, Away::No);
}

#[test]
fn the_ages_of_a_set_stay_a_permutation() {
    for ways in [2_usize, 4, 8] {
        let mut bank = TagBank::new(ways, false);
        let mut word = 1_u32;
        for _ in 0..20_000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let line = (word >> 8 & 15) << 8;
            let op = [Op::Fill, Op::Load, Op::Store, Op::Bypass][(word >> 30) as usize];
            run(&mut bank, op, line);
            let mut ages: Vec<u8> = (0..ways as u8).map(|way| bank.age(way)).collect();
            ages.sort_unstable();
            assert!(ages.iter().enumerate().all(|(i, &age)| i == usize::from(age)), "{ages:?}");
        }
    }
}
