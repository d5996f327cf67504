//! The timing of each path, as docs/designs/baseline.md states it.

use super::Conventional;
use crate::testing::{self, command, issues, ready};
use heddle_port::{CommandOp, DesignError, Issue, PortConfig, PortWidths, RegIn, RegisterFile, ResultWrite};

type Bench = testing::Bench<Conventional>;

fn config(bank_cycles: u8) -> PortConfig {
    PortConfig { bank_cycles, rows_per_bank: 128, ..PortConfig::default() }
}

fn fresh(bank_cycles: u8) -> Bench {
    Bench::new(&config(bank_cycles))
}

fn issue(tag: u16, sources: &[u8]) -> Issue {
    testing::issue(tag, 0, sources)
}

fn result(register: u8) -> ResultWrite {
    testing::result(0, register)
}

/// Cycles from the issue handshake of `sources` to the operands, for a free register file.
fn latency(bank_cycles: u8, sources: &[u8]) -> u32 {
    fresh(bank_cycles).latency(&issues(issue(7, sources)))
}

#[test]
fn operand_latency_is_three_cycles_and_the_bank_time() {
    assert_eq!(latency(1, &[0]), 4);
    assert_eq!(latency(6, &[0]), 9);
    assert_eq!(latency(1, &[0, 1, 2, 3, 4, 5]), 4, "different banks");
}

#[test]
fn sources_in_one_bank_are_read_one_after_the_other() {
    assert_eq!(latency(1, &[0, 16]), 5);
    assert_eq!(latency(6, &[3, 19]), 15);
    assert_eq!(latency(1, &[5, 5, 5]), 6, "the same register three times");
}

#[test]
fn an_instruction_without_sources_takes_two_cycles() {
    assert_eq!(latency(6, &[]), 2);
}

#[test]
fn all_collectors_fill_and_ready_counts_the_free_ones() {
    let mut bench = fresh(1);
    let mut input = RegIn::default();
    for tag in 0..17 {
        input.issue[0] = issue(tag, &[]);
        assert!(bench.out.issue_ready[0], "collector for instruction {tag}");
        bench.step(&input);
        if tag == 0 {
            assert_eq!(bench.event("collector_alloc"), 1);
        }
    }
    // Two instructions have reached the output registers; fifteen collectors are in use.
    assert_eq!(bench.out.issue_ready, [true, false, false, false]);
    input.issue[0] = issue(17, &[]);
    bench.step(&input);
    assert_eq!(bench.out.issue_ready, [false; 4]);
    bench.step(&input);
    assert_eq!(bench.event("issue_stall"), 1);
    assert_eq!(bench.event("operand_stall"), 0b11);
}

#[test]
fn a_read_waits_for_the_older_results_of_its_bank() {
    let mut bench = fresh(2);
    let mut input = ready();
    input.result[0] = result(4);
    input.result[1] = result(20);
    input.issue[0] = issue(1, &[4]);
    bench.step(&input);
    let mut granted = Vec::new();
    for cycle in 0..8 {
        bench.step(&ready());
        if bench.event("main_bank_write") != 0 {
            granted.push((cycle, 'w'));
        }
        if bench.event("main_bank_read") != 0 {
            granted.push((cycle, 'r'));
        }
    }
    assert_eq!(granted, [(0, 'w'), (2, 'w'), (4, 'r')]);
}

#[test]
fn results_are_taken_until_the_buffer_is_full() {
    let mut bench = fresh(8);
    let mut input = ready();
    input.result[0] = result(4);
    input.result[1] = result(4);
    let mut accepted = 0;
    for _ in 0..4 {
        accepted += (0..2).filter(|&port| bench.out.result_ready[port]).count();
        bench.step(&input);
    }
    assert_eq!(accepted, 5, "four places, and one result has left");
    assert_eq!(bench.out.result_ready, [false; 4]);
    assert_eq!(bench.event("write_buffer_level"), 4);
}

#[test]
fn collectors_are_served_in_turn() {
    let mut bench = fresh(1);
    let mut input = ready();
    for pair in 0..2 {
        input.issue[0] = issue(2 * pair, &[0, 16]);
        input.issue[1] = issue(2 * pair + 1, &[32, 48]);
        bench.step(&input);
    }
    let mut order = Vec::new();
    for _ in 0..12 {
        if bench.event("main_bank_read") & 1 != 0 {
            order.push(bench.event("granted_collector") & 0xF);
        }
        bench.step(&ready());
    }
    assert_eq!(order, [0, 1, 2, 3, 0, 1, 2, 3]);
}

#[test]
fn a_warp_base_moves_the_registers_from_the_next_cycle_on() {
    let mut bench = fresh(1);
    let mut input = command(CommandOp::WarpBase, 0, 5);
    input.issue[0] = issue(1, &[0]);
    bench.step(&input);
    assert!(bench.out.done.valid);
    let mut input = ready();
    input.issue[0] = issue(2, &[0]);
    bench.step(&input);
    assert_eq!(bench.event("main_bank_read"), 1);
    bench.step(&ready());
    assert_eq!(bench.event("main_bank_read"), 1 << 5);
}

#[test]
fn a_register_beyond_the_rows_in_use_is_reported() {
    let mut bench = fresh(1);
    bench.model.reset(&PortConfig { rows_per_bank: 2, ..config(1) }).expect("two rows");
    let mut input = ready();
    input.issue[0] = issue(1, &[32]);
    let error = bench.model.step(&input, &mut bench.out).expect_err("row 2 of 2");
    assert!(matches!(error, DesignError::Contract { cycle: 0, .. }));
    assert!(error.to_string().contains("rows 0 to 1"), "{error}");
}

#[test]
fn impossible_configurations_are_refused() {
    let mut model = testing::model::<Conventional>(testing::WIDTHS);
    for (bad, key) in [
        (config(0), "register_file.bank_cycles"),
        (PortConfig { rows_per_bank: 0, ..config(1) }, "register_file.rows_per_bank"),
    ] {
        let error = model.reset(&bad).expect_err(key);
        assert!(error.to_string().contains(key), "{error}");
    }
    let mut wide = testing::model::<Conventional>(PortWidths { issue: 5, result: 2 });
    assert!(wide.reset(&config(1)).is_err());
}

#[test]
fn reset_forgets_everything() {
    let mut bench = fresh(3);
    let mut input = ready();
    input.issue = [issue(1, &[1, 2]), issue(2, &[17]), Issue::default(), Issue::default()];
    input.result[0] = result(9);
    bench.step(&input);
    let first = bench.model.reset(&config(3)).expect("good configuration");
    let mut other = fresh(3);
    assert_eq!(first, other.out);
    for _ in 0..10 {
        bench.step(&ready());
        other.step(&ready());
        assert_eq!(bench.out, other.out);
    }
}
