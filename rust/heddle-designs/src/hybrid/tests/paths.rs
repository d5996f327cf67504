//! What an access waits for: arrays, results, writes of its bank, and entries that are switched off.

use super::{Bench, command, config, fresh, issue};
use crate::testing::{ready, result};
use heddle_port::{CommandOp, ResultWrite};

#[test]
fn operands_take_four_cycles_and_one_more_for_each_conflict() {
    let mut bench = Bench::active(2);
    assert_eq!(bench.read(2, &[0, 1, 2, 3, 4, 5]), 4, "six arrays");
    assert_eq!(bench.read(2, &[0, 8]), 5, "one array twice");
    assert_eq!(bench.read(2, &[7, 7, 7]), 6, "one register three times");
    assert_eq!(bench.read(2, &[]), 2);
    assert_eq!(bench.sum("read_conflict"), 3);
    assert_eq!(bench.sum_bits("sttram_read", 0..8), 6 + 2 + 3, "even warps read from bank 0");
    assert_eq!(bench.sum_bits("sttram_read", 8..16), 0);
}

#[test]
fn two_entries_of_one_buffer_array_conflict() {
    let mut bench = Bench::active(1);
    bench.write(1, 0..9);
    assert_eq!(bench.read(1, &[0, 7]), 4, "entries 0 and 7");
    assert_eq!(bench.read(1, &[1, 8]), 4, "entries 1 and 8");
    bench.write(1, [20]);
    assert_eq!(bench.read(1, &[1, 20]), 5, "entries 1 and 9");
    assert_eq!(bench.sum("buffer_read"), 6);
    assert_eq!(bench.sum_bits("sttram_read", 8..16), 6, "the STT-RAM is read beside the buffer");
}

#[test]
fn a_read_waits_for_the_result_that_is_not_yet_written() {
    let mut bench = Bench::active(0);
    let mut input = issue(0, 9, &[6]);
    input.result[0] = result(0, 6);
    bench.step(&input);
    bench.idle(1);
    assert_eq!(bench.sum("read_behind_result"), 1);
    bench.idle(3);
    assert!(bench.out.operands[0].valid);
    assert_eq!(bench.sum("buffer_read"), 1);
}

#[test]
fn an_exit_waits_for_its_last_results() {
    let mut bench = Bench::active(0);
    let mut input = command(CommandOp::Exit, 0);
    input.result = [result(0, 1), result(0, 2), ResultWrite::default(), ResultWrite::default()];
    bench.step(&input);
    assert!(!bench.out.done.valid);
    bench.idle(3);
    assert!(bench.out.done.valid);
    assert_eq!(bench.sum("exit_wait"), 3);
    assert_eq!(bench.sum("buffer_write"), 2);
}

#[test]
fn reads_come_before_writes_of_their_bank_and_wait_for_one_that_began() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..4);
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 2);
    while bench.event("sttram_write") == 0 {
        bench.step(&ready());
    }
    assert_eq!(bench.read(2, &[0]), 4 + 2, "the write has three more cycles, the issue takes one");
    assert_eq!(bench.sum("read_behind_write"), 2);
}

#[test]
fn the_seventeenth_register_waits_for_the_wake_up() {
    for (gating, waits) in [(false, 0), (true, 3)] {
        let mut bench = fresh(&config(), gating);
        bench.command(CommandOp::Activate, 0);
        bench.write(0, 0..16);
        assert_eq!(bench.event("upper_on_cycles"), if gating { 0 } else { 0b11 });
        bench.write(0, 16..40);
        assert_eq!(bench.sum("result_wait_power"), waits);
        assert_eq!(bench.sum("wakeup"), u32::from(gating));
        assert_eq!(bench.event_bits("upper_on_cycles", 0..1), 1);
        bench.command(CommandOp::Deactivate, 0);
        bench.idle(38 * 4);
        assert_eq!(bench.event_bits("upper_on_cycles", 0..1), 1, "entries are still to be written back");
        bench.idle(20);
        assert_eq!(bench.event_bits("upper_on_cycles", 0..1), u64::from(!gating));
        assert_eq!(bench.sum_bits("write_back", 0..1), 40);
    }
}
