//! Who is read where, what waits, and what is lost, as docs/designs/comparators.md states it.

use super::Managed;
use crate::testing::{self, command, issues, ready};
use heddle_port::{
    CommandOp, DESIGN_WORDS, DesignError, Issue, PortConfig, RegIn, RegisterFile, ResultLevel, SourceLevel,
};

type Bench = testing::Bench<Managed>;

const BANK_CYCLES: u8 = 6;
/// Cycles until the operands of an upper level are there, and of the main register file.
const UPPER: u32 = 4;
const MAIN: u32 = 3 + BANK_CYCLES as u32;
/// Tags of instructions that write, and that read.
const WRITES: u16 = 1;
const READS: u16 = 2;

fn config() -> PortConfig {
    let own = [0; DESIGN_WORDS];
    PortConfig { bank_cycles: BANK_CYCLES, rows_per_bank: 8, active_warps: 2, own, ..PortConfig::default() }
}

/// Warp slot 0 is active; its registers begin at warp register 0.
fn active() -> Bench {
    let mut bench = Bench::new(&config());
    bench.step(&command(CommandOp::KernelStart, 0, 16));
    bench.step(&command(CommandOp::Activate, 0, 0));
    bench
}

/// An instruction without sources that writes a register, and its result.
fn write(bench: &mut Bench, register: u8, level: ResultLevel, mask: u32) {
    let mut issue = testing::issue(WRITES, 0, &[]);
    issue.destination_valid = 1;
    issue.destination[0] = register;
    issue.destination_placement[0] = level as u8;
    bench.step(&issues(issue));
    bench.idle(4);
    bench.step(&result(register, mask));
}

fn result(register: u8, mask: u32) -> RegIn {
    let mut input = ready();
    input.result[0] = testing::result(0, register);
    (input.result[0].tag, input.result[0].mask) = (WRITES, mask);
    input
}

fn reading(sources: &[(u8, SourceLevel)]) -> Issue {
    let registers: Vec<u8> = sources.iter().map(|&(register, _)| register).collect();
    let mut issue = testing::issue(READS, 0, &registers);
    for (slot, &(_, level)) in sources.iter().enumerate() {
        issue.source_placement[slot] = level as u8;
    }
    issue
}

/// Cycles until the operands are there; afterwards nothing is under way.
fn read(bench: &mut Bench, sources: &[(u8, SourceLevel)]) -> u32 {
    let cycles = bench.latency(&issues(reading(sources)));
    bench.idle(4);
    cycles
}

/// What ends the run after an input.
fn stale(bench: &mut Bench, input: &RegIn) -> String {
    let mut input = input.clone();
    let error = (0..20).find_map(|_| {
        let error = bench.model.step(&input, &mut bench.out).err();
        input = ready();
        error
    });
    let Some(DesignError::Stale { design: "shrf", what, .. }) = error else { panic!("{error:?}") };
    what
}

#[test]
fn each_level_is_read_at_its_own_speed_and_counted() {
    let mut bench = active();
    write(&mut bench, 1, ResultLevel::Main, u32::MAX);
    write(&mut bench, 2, ResultLevel::Operand, u32::MAX);
    write(&mut bench, 3, ResultLevel::Last, u32::MAX);
    write(&mut bench, 4, ResultLevel::Both, u32::MAX);
    bench.idle(2 * u32::from(BANK_CYCLES));
    let (operand, last, main) = (SourceLevel::Operand, SourceLevel::Last, SourceLevel::Main);
    assert_eq!(read(&mut bench, &[(2, operand), (3, last), (4, operand)]), UPPER);
    assert_eq!(read(&mut bench, &[(1, main)]), MAIN);
    assert_eq!(read(&mut bench, &[(4, main), (2, operand)]), MAIN);
    bench.expect_sums(&[
        ("operand_read", 3),
        ("last_read", 1),
        ("main_read", 2),
        ("main_bank_read", 2),
        ("main_bank_write", 2),
        ("result_to_operand", 2),
        ("result_to_last", 1),
        ("result_to_main", 2),
    ]);
}

#[test]
fn a_read_waits_for_what_an_earlier_one_fetches() {
    let mut bench = active();
    write(&mut bench, 1, ResultLevel::Main, u32::MAX);
    bench.idle(BANK_CYCLES.into());
    bench.step(&issues(reading(&[(1, SourceLevel::Fill)])));
    let mut after = reading(&[(1, SourceLevel::Operand)]);
    after.tag = 3;
    // One cycle later, and the fetched register is read when it is there.
    bench.step(&issues(after));
    let mut cycles = 2;
    while !(bench.out.operands[0].valid && bench.out.operands[0].tag == 3) {
        bench.idle(1);
        cycles += 1;
        assert!(cycles < 50, "the operands never come");
    }
    assert_eq!(cycles, MAIN + 1);
    assert_eq!(read(&mut bench, &[(1, SourceLevel::Operand)]), UPPER);
    bench.expect_sums(&[("operand_fill", 1), ("main_read", 1), ("operand_read", 2), ("main_bank_read", 1)]);
}

#[test]
fn lanes_of_the_last_result_file_hold_registers_of_their_own() {
    let mut bench = active();
    write(&mut bench, 1, ResultLevel::Last, 0xFF);
    write(&mut bench, 2, ResultLevel::Last, 0xFF00);
    for (register, mask) in [(1, 0xFF), (2, 0xFF00)] {
        let mut issue = reading(&[(register, SourceLevel::Last)]);
        issue.mask = mask;
        assert_eq!(bench.latency(&issues(issue)), UPPER);
        bench.idle(4);
    }
    let what = stale(&mut bench, &issues(reading(&[(1, SourceLevel::Last)])));
    assert_eq!(what, "lane 8 of warp register 1 was read in the last result file, which does not have it");
}

/// A program that lets a value cross the end of a strand reads it when the warp has been away.
#[test]
fn a_warp_that_leaves_loses_the_upper_levels() {
    let mut bench = active();
    write(&mut bench, 1, ResultLevel::Both, u32::MAX);
    bench.step(&command(CommandOp::Deactivate, 0, 0));
    bench.idle(1);
    bench.step(&command(CommandOp::Activate, 0, 0));
    bench.idle(u32::from(BANK_CYCLES));
    assert_eq!(read(&mut bench, &[(1, SourceLevel::Main)]), MAIN);
    let what = stale(&mut bench, &issues(reading(&[(1, SourceLevel::Operand)])));
    assert_eq!(
        what,
        "lane 0 of warp register 1 was read in the operand register file, which does not have it"
    );
}

#[test]
fn a_result_for_an_upper_level_of_an_inactive_warp_ends_the_run() {
    let mut bench = active();
    let mut issue = testing::issue(WRITES, 0, &[]);
    (issue.destination_valid, issue.destination[0]) = (1, 5);
    issue.destination_placement[0] = ResultLevel::Operand as u8;
    bench.step(&issues(issue));
    bench.idle(4);
    bench.step(&command(CommandOp::Deactivate, 0, 0));
    let what = stale(&mut bench, &result(5, u32::MAX));
    assert!(what.contains("warp register 5 was to be written to an upper level"), "{what}");
}

/// A copy that was not written again, and a main register file that was left out, have an older value.
#[test]
fn a_stale_register_ends_the_run() {
    let written = [
        (ResultLevel::Main, SourceLevel::Operand, "the operand register file"),
        (ResultLevel::Operand, SourceLevel::Main, "the main register file"),
    ];
    for (second, level, place) in written {
        let mut bench = active();
        write(&mut bench, 1, ResultLevel::Both, u32::MAX);
        write(&mut bench, 1, second, 1 << 9);
        bench.idle(2 * u32::from(BANK_CYCLES));
        let what = stale(&mut bench, &issues(reading(&[(1, level)])));
        let expected = format!("lane 9 of warp register 1 was read in {place} with the value of result 1");
        assert!(what.starts_with(&expected), "{what}");
    }
}

#[test]
fn a_result_of_no_instruction_under_way_breaks_the_contract() {
    let mut bench = active();
    let error = bench.model.step(&result(7, 1), &mut bench.out).expect_err("no such instruction");
    assert!(error.to_string().contains("no instruction under way with this tag writes it"), "{error}");
}

#[test]
fn a_warp_beyond_the_places_is_refused() {
    let mut bench = active();
    bench.step(&command(CommandOp::Activate, 1, 0));
    let error = bench.model.step(&command(CommandOp::Activate, 2, 0), &mut bench.out).expect_err("three");
    assert!(error.to_string().contains("has 2 places"), "{error}");
}

#[test]
fn an_ended_warp_leaves_nothing() {
    let mut bench = active();
    write(&mut bench, 1, ResultLevel::Operand, u32::MAX);
    bench.step(&command(CommandOp::Exit, 0, 0));
    bench.idle(1);
    bench.step(&command(CommandOp::Activate, 0, 0));
    assert_eq!(read(&mut bench, &[(1, SourceLevel::Main)]), MAIN, "and no older value is missed");
}
