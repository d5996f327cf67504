//! Counters on cases made by hand.

use super::{Bench, config, fresh};
use heddle_port::CommandOp;

/// Every result is written to the STT-RAM, or saved by a later one of its register, or lost with its warp.
#[test]
fn writes_that_are_saved_and_entries_that_are_dropped_are_told_apart() {
    let mut bench = Bench::active(0);
    bench.write(0, [1, 2, 1, 3, 1]);
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 1);
    bench.write(1, [4, 4, 5]);
    bench.idle(20);
    bench.write(0, [7]);
    assert_eq!(bench.sum("late_write"), 1, "the buffer of warp 0 is gone");
    bench.command(CommandOp::Exit, 1);
    assert_eq!(bench.sum("dropped_entries"), 2, "registers 4 and 5");
    assert_eq!(bench.sum("result_accept"), 9);
    assert_eq!(bench.sum("buffer_merge"), 3);
    assert_eq!(bench.sum("sttram_write"), 4, "registers 1, 2 and 3, and the late one");
}

#[test]
fn look_ups_of_the_control_module_are_counted() {
    let mut bench = Bench::active(0);
    bench.write(0, [1, 2, 1]);
    assert_eq!(bench.sum("rcm_write"), 3, "one a result of the active warp");
    bench.read(0, &[1, 2, 5]);
    assert_eq!(bench.sum("rcm_read"), 3, "one a source, in the buffer or not");
    assert_eq!(bench.sum("buffer_read"), 2);
    bench.read(0, &[1, 1]);
    assert_eq!(bench.sum("rcm_read"), 5, "once each, although one waits for the other");
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 1);
    bench.write(0, [3]);
    bench.idle(30);
    bench.write(0, [3]);
    assert_eq!(bench.sum("buffer_append"), 1);
    assert_eq!(bench.sum("late_write"), 1);
    assert_eq!(bench.sum("rcm_write"), 3, "results for a warp that left need no look-up");
}

#[test]
fn cycles_in_which_gated_entries_are_on_are_counted() {
    let mut bench = fresh(&config(), true);
    bench.command(CommandOp::Activate, 0);
    bench.write(0, 0..16);
    assert_eq!(bench.sum("upper_on_cycles"), 2, "both, in the cycle of the kernel's start");
    // The result is accepted in cycle 0 and asks in cycle 1; three cycles later the entries are on and it is
    // written, and in cycle 5 the queue is seen to be empty.
    let before = bench.cycles;
    bench.write(0, [16]);
    assert_eq!(bench.cycles - before, 6);
    assert_eq!(bench.sum("upper_on_cycles"), 2 + 2);
    bench.idle(7);
    bench.command(CommandOp::Exit, 0);
    bench.idle(5);
    assert_eq!(bench.sum("upper_on_cycles"), 2 + 2 + 7 + 1, "until the exit is carried out");
    assert_eq!(bench.sum("wakeup"), 1);
    let mut bench = fresh(&config(), false);
    bench.idle(11);
    assert_eq!(bench.sum("upper_on_cycles"), 2 * bench.cycles, "without gating always");
}
