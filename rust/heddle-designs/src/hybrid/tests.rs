//! The timing of each path and the special cases, as docs/designs/hybrid.md states them.

use super::Buffered;
use crate::testing::{self, issues, ready, result};
use heddle_port::{CommandOp, DesignError, PortConfig, RegIn, RegisterFile, ResultWrite};

type Bench = testing::Bench<Buffered>;

fn config() -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        write_cycles: 4,
        rows_per_bank: 64,
        active_warps: 1,
        wakeup_cycles: 3,
        ..PortConfig::default()
    }
}

fn command(op: CommandOp, warp: u8) -> RegIn {
    testing::command(op, warp, 0)
}

fn issue(warp: u8, tag: u16, sources: &[u8]) -> RegIn {
    issues(testing::issue(tag, warp, sources))
}

/// Warp slots 0 to 7 with 64 registers each, none of them active.
fn fresh(config: &PortConfig, gating: bool) -> Bench {
    let mut bench = Bench::new(config);
    let mut start = testing::command(CommandOp::KernelStart, 0, 64);
    start.command.gating = gating;
    bench.step(&start);
    for warp in 0..8 {
        let base = u16::from(warp % 2) * 512 + u16::from(warp / 2) * 64;
        bench.step(&testing::command(CommandOp::WarpBase, warp, base));
    }
    bench
}

impl Bench {
    /// Sends a command and waits for its answer; returns the cycles from the handshake to the answer.
    fn command(&mut self, op: CommandOp, warp: u8) -> u32 {
        assert!(self.out.command_ready);
        self.step(&command(op, warp));
        for cycles in 1..2000 {
            if self.out.done.valid {
                assert_eq!((self.out.done.op, self.out.done.warp), (op as u8, warp));
                return cycles;
            }
            assert!(!self.out.command_ready, "a command that waits keeps others out");
            self.step(&ready());
        }
        panic!("no answer");
    }

    /// Results of a warp, which then becomes inactive.
    fn leave(&mut self, warp: u8, registers: impl IntoIterator<Item = u8>) {
        self.write(warp, registers);
        self.command(CommandOp::Deactivate, warp);
    }

    /// Results for the registers of a warp, one after the other, until all are written somewhere.
    fn write(&mut self, warp: u8, registers: impl IntoIterator<Item = u8>) {
        for register in registers {
            let mut input = ready();
            input.result[0] = result(warp, register);
            while !self.out.result_ready[0] {
                self.step(&ready());
            }
            self.step(&input);
        }
        self.step(&ready());
        while self.event("staged_results") != 0 {
            self.step(&ready());
        }
    }

    /// Cycles from the issue of an instruction to its operands.
    fn read(&mut self, warp: u8, sources: &[u8]) -> u32 {
        self.step(&issue(warp, 9, sources));
        for cycles in 1..2000 {
            if self.out.operands.iter().any(|o| o.valid && o.tag == 9) {
                return cycles;
            }
            self.step(&ready());
        }
        panic!("no operands");
    }

    fn active(warp: u8) -> Self {
        let mut bench = fresh(&config(), false);
        bench.command(CommandOp::Activate, warp);
        bench
    }
}

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

#[test]
fn a_broken_contract_is_reported() {
    let broken = |bench: &mut Bench, input: &RegIn, text: &str| {
        let error = bench.model.step(input, &mut bench.out).expect_err(text);
        assert!(matches!(error, DesignError::Contract { .. }));
        assert!(error.to_string().contains(text), "{error}");
    };
    broken(&mut Bench::active(0), &command(CommandOp::Activate, 1), "while another warp is");
    broken(&mut Bench::active(0), &issue(1, 3, &[0]), "is not active");
    let mut start = command(CommandOp::KernelStart, 0);
    start.command.value = 65;
    broken(&mut fresh(&config(), false), &start, "65 registers");
    let mut bench = fresh(&config(), false);
    let mut base = command(CommandOp::WarpBase, 3);
    base.command.value = 100;
    bench.step(&base);
    let mut input = ready();
    input.result[0] = result(3, 0);
    broken(&mut bench, &input, "odd ones 512 to 1023");
}

#[test]
fn bad_configurations_are_refused() {
    for (config, key) in [
        (PortConfig { bank_cycles: 0, ..config() }, "register_file.bank_cycles"),
        (PortConfig { write_cycles: 0, ..config() }, "register_file.write_cycles"),
        (PortConfig { rows_per_bank: 128, ..config() }, "register_file.rows_per_bank"),
        (PortConfig { active_warps: 8, ..config() }, "scheduler.active_warps"),
        (PortConfig { wakeup_cycles: 0, ..config() }, "register_file.wakeup_cycles"),
    ] {
        match testing::model::<Buffered>(testing::WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
}
