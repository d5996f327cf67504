//! How the write buffers fill, drain and change hands.

use super::Bench;
use crate::testing::ready;
use heddle_port::CommandOp;

#[test]
fn a_register_keeps_its_entry_while_its_warp_is_active() {
    let mut bench = Bench::active(4);
    bench.write(4, [3, 5, 3, 3]);
    assert_eq!(bench.sum("buffer_write"), 4);
    assert_eq!(bench.sum("buffer_merge"), 2);
    assert_eq!(bench.event_bits("buffer_entries", 0..8), 2);
    bench.command(CommandOp::Deactivate, 4);
    bench.idle(40);
    assert_eq!(bench.sum("write_back"), 2, "two of four writes are saved");
    assert_eq!(bench.sum("sttram_write"), 2);
    assert_eq!(bench.sum("period_entries_1_to_4"), 1, "a period with 1 to 4 entries");
}

#[test]
fn the_next_warp_fills_the_other_buffer_while_the_first_drains() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..10);
    bench.command(CommandOp::Deactivate, 0);
    assert_eq!(bench.command(CommandOp::Activate, 1), 1, "the other buffer is free");
    assert_eq!(bench.event("draining_cycles"), 0b01);
    bench.write(1, 0..5);
    assert_eq!(bench.event("filling_cycles"), 0b10);
    assert_eq!(bench.event_bits("buffer_entries", 8..16), 5);
    assert_eq!(bench.read(1, &[0, 1]), 4, "bank 1 is not disturbed by writes to bank 0");
    bench.idle(60);
    assert_eq!(bench.sum_bits("write_back", 0..1), 10);
    assert_eq!(bench.sum_bits("sttram_write", 0..1), 10);
}

#[test]
fn a_short_active_period_makes_the_one_after_next_wait() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..10);
    bench.command(CommandOp::Deactivate, 0);
    let left = bench.cycles;
    bench.command(CommandOp::Activate, 1);
    bench.command(CommandOp::Deactivate, 1);
    // Buffer 1 is empty and free a cycle later; buffer 0 drains. The one that is free is taken.
    assert_eq!(bench.command(CommandOp::Activate, 2), 2);
    bench.write(2, 0..3);
    bench.command(CommandOp::Deactivate, 2);
    assert_eq!(bench.event("draining_cycles"), 0b01, "the command before, then both");
    let before = bench.sum("activation_wait");
    let waited = bench.command(CommandOp::Activate, 3);
    assert!(waited > 10, "{waited} cycles");
    // Two cycles to the first write, four for each further one, and one until the buffer counts as free.
    assert_eq!(bench.cycles - left, 2 + 9 * 4 + 2);
    assert_eq!(bench.sum("activation_wait") - before, waited - 1);
}

#[test]
fn a_warp_that_returns_waits_until_its_registers_are_written_back() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..6);
    bench.command(CommandOp::Deactivate, 0);
    let waited = bench.command(CommandOp::Activate, 0);
    assert!(waited > 6 * 4 - 4, "{waited} cycles, although the other buffer is free");
    assert_eq!(bench.sum("write_back"), 6);
    assert_eq!(bench.read(0, &[0, 1]), 4);
    assert_eq!(bench.sum("buffer_read"), 0);
}

#[test]
fn a_result_for_a_draining_buffer_takes_an_entry_at_its_end() {
    let mut bench = Bench::active(2);
    bench.write(2, 0..4);
    bench.command(CommandOp::Deactivate, 2);
    bench.command(CommandOp::Activate, 1);
    bench.write(2, [3]);
    assert_eq!(bench.sum("buffer_append"), 1);
    assert_eq!(
        bench.event_bits("buffer_entries", 0..8),
        5,
        "register 3 has two entries; the younger is last"
    );
    bench.idle(40);
    assert_eq!(bench.sum("write_back"), 5);
    assert_eq!(bench.sum("late_write"), 0);
}

#[test]
fn a_result_for_a_buffer_that_is_gone_goes_to_the_sttram() {
    let mut bench = Bench::active(2);
    bench.write(2, [0]);
    bench.command(CommandOp::Deactivate, 2);
    bench.idle(10);
    bench.command(CommandOp::Activate, 1);
    bench.write(2, [3, 3]);
    assert_eq!(bench.sum_bits("late_write", 0..1), 2, "bank 0");
    assert_eq!(bench.sum("buffer_write"), 1);
    assert_eq!(bench.sum("result_wait_bank"), 3, "the second waits for the first");
    // The warp returns: its registers are read from the STT-RAM after the write.
    bench.command(CommandOp::Deactivate, 1);
    bench.write(2, [4]);
    bench.command(CommandOp::Activate, 2);
    bench.read(2, &[4]);
    assert_eq!(bench.sum("buffer_read"), 0);
}

#[test]
fn a_full_buffer_that_drains_lets_late_results_wait() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..64);
    assert_eq!(bench.sum("buffer_write"), 64);
    bench.command(CommandOp::Deactivate, 0);
    bench.write(0, [5]);
    assert_eq!(bench.sum("write_back"), 64);
    assert_eq!(bench.sum("late_write"), 1, "after the last entry");
    assert!(bench.sum("result_wait_full") > 60 * 4);
    assert_eq!(bench.sum("period_entries_49_to_64"), 1);
}

#[test]
fn an_exit_empties_a_full_buffer_without_writing_it_back() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..64);
    assert_eq!(bench.command(CommandOp::Exit, 0), 1);
    bench.idle(1);
    assert_eq!(bench.event("filling_cycles") | bench.event("draining_cycles"), 0);
    assert_eq!(bench.command(CommandOp::Activate, 1), 1);
    bench.idle(20);
    assert_eq!(bench.sum("sttram_write"), 0);
    assert_eq!(bench.sum("buffer_drop"), 1);
    assert_eq!(bench.sum("dropped_entries"), 64);
    assert_eq!(bench.sum("period_entries_49_to_64"), 1);
}

/// Two warps that come to a barrier one after the other: both buffers drain at once, each into its bank.
#[test]
fn a_barrier_in_the_middle_of_a_drain_lets_both_buffers_drain() {
    let mut bench = Bench::active(0);
    bench.leave(0, 0..8);
    bench.command(CommandOp::Activate, 1);
    bench.leave(1, 0..4);
    bench.idle(1);
    assert_eq!(bench.event("draining_cycles"), 0b11);
    let waited = bench.command(CommandOp::Activate, 4);
    assert!(waited > 1);
    bench.idle(60);
    assert_eq!((bench.sum_bits("write_back", 0..1), bench.sum_bits("write_back", 1..2)), (8, 4));
}

/// Both warps are even: their buffers drain into one bank, the first that left first.
#[test]
fn two_buffers_of_one_bank_drain_one_after_the_other() {
    let mut bench = Bench::active(0);
    bench.leave(0, 0..3);
    bench.command(CommandOp::Activate, 2);
    bench.leave(2, 0..3);
    let mut order = Vec::new();
    for _ in 0..40 {
        bench.step(&ready());
        if bench.event("write_back") != 0 {
            order.push(bench.event("write_back"));
        }
    }
    let before = 6 - order.len();
    assert_eq!(order, [0b01, 0b01, 0b01, 0b10, 0b10, 0b10][before..]);
    assert_eq!(bench.sum_bits("sttram_write", 0..1), 6);
}
