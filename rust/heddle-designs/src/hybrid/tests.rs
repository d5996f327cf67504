//! The timing of each path and the special cases, as docs/designs/hybrid.md states them.

use super::{Hybrid, layout};
use heddle_port::{
    Command, CommandOp, DesignError, Issue, PortConfig, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};

const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

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

/// A model, its outputs of the current cycle, and sums of its events.
struct Bench {
    model: Hybrid,
    out: RegOut,
    cycle: u32,
    sums: [u32; 256],
}

fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

fn command(op: CommandOp, warp: u8) -> RegIn {
    let command = Command { valid: true, op: op as u8, warp, ..Command::default() };
    RegIn { command, ..ready() }
}

fn result(warp: u8, register: u8) -> ResultWrite {
    ResultWrite { valid: true, warp, register, mask: u32::MAX, last: true, ..ResultWrite::default() }
}

fn issue(warp: u8, tag: u16, sources: &[u8]) -> RegIn {
    let mut issue = Issue { valid: true, tag, warp, mask: u32::MAX, ..Issue::default() };
    for (slot, &source) in sources.iter().enumerate() {
        issue.source[slot] = source;
        issue.source_valid |= 1 << slot;
    }
    let mut input = ready();
    input.issue[0] = issue;
    input
}

impl Bench {
    /// Warp slots 0 to 7 with 64 registers each, none of them active.
    fn new(config: &PortConfig, gating: bool) -> Self {
        let mut model = Hybrid::new(WIDTHS);
        let out = model.reset(config).expect("good configuration");
        let mut bench = Self { model, out, cycle: 0, sums: [0; 256] };
        let mut start = command(CommandOp::KernelStart, 0);
        start.command.value = 64;
        start.command.gating = gating;
        bench.step(&start);
        for warp in 0..8 {
            let mut base = command(CommandOp::WarpBase, warp);
            base.command.value = u16::from(warp % 2) * 512 + u16::from(warp / 2) * 64;
            bench.step(&base);
        }
        bench
    }

    fn step(&mut self, input: &RegIn) {
        self.model.step(input, &mut self.out).expect("the contract is kept");
        self.cycle += 1;
        for (bit, sum) in self.sums.iter_mut().enumerate() {
            *sum += self.out.events[bit / 32] >> (bit % 32) & 1;
        }
    }

    fn wait(&mut self, cycles: u32) {
        for _ in 0..cycles {
            self.step(&ready());
        }
    }

    /// The number in an event field of the last cycle.
    fn level(&self, lsb: usize, width: usize) -> u32 {
        self.out.events[lsb / 32] >> (lsb % 32) & (u32::MAX >> (32 - width))
    }

    /// How often the bits of an event field were set so far.
    fn sum(&self, lsb: usize, width: usize) -> u32 {
        self.sums[lsb..lsb + width].iter().sum()
    }

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
        while self.level(layout::STAGED, 4) != 0 {
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
        let mut bench = Self::new(&config(), false);
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
    assert_eq!(bench.sum(layout::READ_CONFLICT, 1), 3);
    assert_eq!(bench.sum(layout::STT_READ, 8), 6 + 2 + 3, "even warps read from bank 0");
    assert_eq!(bench.sum(layout::STT_READ + 8, 8), 0);
}

#[test]
fn two_entries_of_one_buffer_array_conflict() {
    let mut bench = Bench::active(1);
    bench.write(1, 0..9);
    assert_eq!(bench.read(1, &[0, 7]), 4, "entries 0 and 7");
    assert_eq!(bench.read(1, &[1, 8]), 4, "entries 1 and 8");
    bench.write(1, [20]);
    assert_eq!(bench.read(1, &[1, 20]), 5, "entries 1 and 9");
    assert_eq!(bench.sum(layout::BUFFER_READ, 6), 6);
    assert_eq!(bench.sum(layout::STT_READ + 8, 8), 6, "the STT-RAM is read beside the buffer");
}

#[test]
fn a_register_keeps_its_entry_while_its_warp_is_active() {
    let mut bench = Bench::active(4);
    bench.write(4, [3, 5, 3, 3]);
    assert_eq!(bench.sum(layout::BUFFER_WRITE, 2), 4);
    assert_eq!(bench.sum(layout::BUFFER_MERGE, 2), 2);
    assert_eq!(bench.level(layout::ENTRIES, 8), 2);
    bench.command(CommandOp::Deactivate, 4);
    bench.wait(40);
    assert_eq!(bench.sum(layout::WRITE_BACK, 2), 2, "two of four writes are saved");
    assert_eq!(bench.sum(layout::STT_WRITE, 2), 2);
    assert_eq!(bench.sum(layout::PERIOD + 1, 1), 1, "a period with 1 to 4 entries");
}

#[test]
fn a_read_waits_for_the_result_that_is_not_yet_written() {
    let mut bench = Bench::active(0);
    let mut input = issue(0, 9, &[6]);
    input.result[0] = result(0, 6);
    bench.step(&input);
    bench.wait(1);
    assert_eq!(bench.sum(layout::READ_BEHIND_RESULT, 1), 1);
    bench.wait(3);
    assert!(bench.out.operands[0].valid);
    assert_eq!(bench.sum(layout::BUFFER_READ, 6), 1);
}

#[test]
fn the_next_warp_fills_the_other_buffer_while_the_first_drains() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..10);
    bench.command(CommandOp::Deactivate, 0);
    assert_eq!(bench.command(CommandOp::Activate, 1), 1, "the other buffer is free");
    assert_eq!(bench.level(layout::DRAINING, 2), 0b01);
    bench.write(1, 0..5);
    assert_eq!(bench.level(layout::FILLING, 2), 0b10);
    assert_eq!(bench.level(layout::ENTRIES + 8, 8), 5);
    assert_eq!(bench.read(1, &[0, 1]), 4, "bank 1 is not disturbed by writes to bank 0");
    bench.wait(60);
    assert_eq!(bench.sum(layout::WRITE_BACK, 1), 10);
    assert_eq!(bench.sum(layout::STT_WRITE, 1), 10);
}

#[test]
fn a_short_active_period_makes_the_one_after_next_wait() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..10);
    bench.command(CommandOp::Deactivate, 0);
    let left = bench.cycle;
    bench.command(CommandOp::Activate, 1);
    bench.command(CommandOp::Deactivate, 1);
    // Buffer 1 is empty and free a cycle later; buffer 0 drains. The one that is free is taken.
    assert_eq!(bench.command(CommandOp::Activate, 2), 2);
    bench.write(2, 0..3);
    bench.command(CommandOp::Deactivate, 2);
    assert_eq!(bench.level(layout::DRAINING, 2), 0b01, "the command before, then both");
    let before = bench.sum(layout::ACTIVATION_WAIT, 1);
    let waited = bench.command(CommandOp::Activate, 3);
    assert!(waited > 10, "{waited} cycles");
    // Two cycles to the first write, four for each further one, and one until the buffer counts as free.
    assert_eq!(bench.cycle - left, 2 + 9 * 4 + 2);
    assert_eq!(bench.sum(layout::ACTIVATION_WAIT, 1) - before, waited - 1);
}

#[test]
fn a_warp_that_returns_waits_until_its_registers_are_written_back() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..6);
    bench.command(CommandOp::Deactivate, 0);
    let waited = bench.command(CommandOp::Activate, 0);
    assert!(waited > 6 * 4 - 4, "{waited} cycles, although the other buffer is free");
    assert_eq!(bench.sum(layout::WRITE_BACK, 2), 6);
    assert_eq!(bench.read(0, &[0, 1]), 4);
    assert_eq!(bench.sum(layout::BUFFER_READ, 6), 0);
}

#[test]
fn a_result_for_a_draining_buffer_takes_an_entry_at_its_end() {
    let mut bench = Bench::active(2);
    bench.write(2, 0..4);
    bench.command(CommandOp::Deactivate, 2);
    bench.command(CommandOp::Activate, 1);
    bench.write(2, [3]);
    assert_eq!(bench.sum(layout::BUFFER_APPEND, 2), 1);
    assert_eq!(bench.level(layout::ENTRIES, 8), 5, "register 3 has two entries; the younger is last");
    bench.wait(40);
    assert_eq!(bench.sum(layout::WRITE_BACK, 2), 5);
    assert_eq!(bench.sum(layout::LATE_WRITE, 2), 0);
}

#[test]
fn a_result_for_a_buffer_that_is_gone_goes_to_the_sttram() {
    let mut bench = Bench::active(2);
    bench.write(2, [0]);
    bench.command(CommandOp::Deactivate, 2);
    bench.wait(10);
    bench.command(CommandOp::Activate, 1);
    bench.write(2, [3, 3]);
    assert_eq!(bench.sum(layout::LATE_WRITE, 1), 2, "bank 0");
    assert_eq!(bench.sum(layout::BUFFER_WRITE, 2), 1);
    assert_eq!(bench.sum(layout::RESULT_WAIT_BANK, 1), 3, "the second waits for the first");
    // The warp returns: its registers are read from the STT-RAM after the write.
    bench.command(CommandOp::Deactivate, 1);
    bench.write(2, [4]);
    bench.command(CommandOp::Activate, 2);
    bench.read(2, &[4]);
    assert_eq!(bench.sum(layout::BUFFER_READ, 6), 0);
}

#[test]
fn a_full_buffer_that_drains_lets_late_results_wait() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..64);
    assert_eq!(bench.sum(layout::BUFFER_WRITE, 2), 64);
    bench.command(CommandOp::Deactivate, 0);
    bench.write(0, [5]);
    assert_eq!(bench.sum(layout::WRITE_BACK, 2), 64);
    assert_eq!(bench.sum(layout::LATE_WRITE, 2), 1, "after the last entry");
    assert!(bench.sum(layout::RESULT_WAIT_FULL, 1) > 60 * 4);
    assert_eq!(bench.sum(layout::PERIOD + 7, 1), 1);
}

#[test]
fn an_exit_empties_a_full_buffer_without_writing_it_back() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..64);
    assert_eq!(bench.command(CommandOp::Exit, 0), 1);
    bench.wait(1);
    assert_eq!(bench.level(layout::FILLING, 2) | bench.level(layout::DRAINING, 2), 0);
    assert_eq!(bench.command(CommandOp::Activate, 1), 1);
    bench.wait(20);
    assert_eq!(bench.sum(layout::STT_WRITE, 2), 0);
    assert_eq!(bench.sum(layout::BUFFER_DROP, 2), 1);
    assert_eq!(bench.sum(layout::DROPPED, 64), 64);
    assert_eq!(bench.sum(layout::PERIOD + 7, 1), 1);
}

/// Every result is written to the STT-RAM, or saved by a later one of its register, or lost with its warp.
#[test]
fn writes_that_are_saved_and_entries_that_are_dropped_are_told_apart() {
    let mut bench = Bench::active(0);
    bench.write(0, [1, 2, 1, 3, 1]);
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 1);
    bench.write(1, [4, 4, 5]);
    bench.wait(20);
    bench.write(0, [7]);
    assert_eq!(bench.sum(layout::LATE_WRITE, 2), 1, "the buffer of warp 0 is gone");
    bench.command(CommandOp::Exit, 1);
    assert_eq!(bench.sum(layout::DROPPED, 64), 2, "registers 4 and 5");
    assert_eq!(bench.sum(layout::RESULT_ACCEPT, 4), 9);
    assert_eq!(bench.sum(layout::BUFFER_MERGE, 2), 3);
    assert_eq!(bench.sum(layout::STT_WRITE, 2), 4, "registers 1, 2 and 3, and the late one");
    // A warp that ends while its buffer drains: what is written back is not dropped.
    bench.command(CommandOp::Activate, 2);
    bench.write(2, 0..6);
    bench.command(CommandOp::Deactivate, 2);
    bench.wait(6);
    bench.command(CommandOp::Exit, 2);
    bench.wait(40);
    assert_eq!(bench.sum(layout::STT_WRITE, 2), 4 + 2);
    assert_eq!(bench.sum(layout::DROPPED, 64), 2 + 4);
}

#[test]
fn look_ups_of_the_control_module_are_counted() {
    let mut bench = Bench::active(0);
    bench.write(0, [1, 2, 1]);
    assert_eq!(bench.sum(layout::RCM_WRITE, 1), 3, "one a result of the active warp");
    bench.read(0, &[1, 2, 5]);
    assert_eq!(bench.sum(layout::RCM_READ, 6), 3, "one a source, in the buffer or not");
    assert_eq!(bench.sum(layout::BUFFER_READ, 6), 2);
    bench.read(0, &[1, 1]);
    assert_eq!(bench.sum(layout::RCM_READ, 6), 5, "once each, although one waits for the other");
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 1);
    bench.write(0, [3]);
    bench.wait(30);
    bench.write(0, [3]);
    assert_eq!(bench.sum(layout::BUFFER_APPEND, 2), 1);
    assert_eq!(bench.sum(layout::LATE_WRITE, 2), 1);
    assert_eq!(bench.sum(layout::RCM_WRITE, 1), 3, "results for a warp that left need no look-up");
}

#[test]
fn cycles_in_which_gated_entries_are_on_are_counted() {
    let mut bench = Bench::new(&config(), true);
    bench.command(CommandOp::Activate, 0);
    bench.write(0, 0..16);
    assert_eq!(bench.sum(layout::UPPER_ON, 2), 2, "both, in the cycle of the kernel's start");
    // The result is accepted in cycle 0 and asks in cycle 1; three cycles later the entries are on and it is
    // written, and in cycle 5 the queue is seen to be empty.
    let before = bench.cycle;
    bench.write(0, [16]);
    assert_eq!(bench.cycle - before, 6);
    assert_eq!(bench.sum(layout::UPPER_ON, 2), 2 + 2);
    bench.wait(7);
    bench.command(CommandOp::Exit, 0);
    bench.wait(5);
    assert_eq!(bench.sum(layout::UPPER_ON, 2), 2 + 2 + 7 + 1, "until the exit is carried out");
    assert_eq!(bench.sum(layout::WAKEUP, 2), 1);
    let mut bench = Bench::new(&config(), false);
    bench.wait(11);
    assert_eq!(bench.sum(layout::UPPER_ON, 2), 2 * bench.cycle, "without gating always");
}

#[test]
fn an_exit_waits_for_its_last_results() {
    let mut bench = Bench::active(0);
    let mut input = command(CommandOp::Exit, 0);
    input.result = [result(0, 1), result(0, 2), ResultWrite::default(), ResultWrite::default()];
    bench.step(&input);
    assert!(!bench.out.done.valid);
    bench.wait(3);
    assert!(bench.out.done.valid);
    assert_eq!(bench.sum(layout::EXIT_WAIT, 1), 3);
    assert_eq!(bench.sum(layout::BUFFER_WRITE, 2), 2);
}

/// Two warps that come to a barrier one after the other: both buffers drain at once, each into its bank.
#[test]
fn a_barrier_in_the_middle_of_a_drain_lets_both_buffers_drain() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..8);
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 1);
    bench.write(1, 0..4);
    bench.command(CommandOp::Deactivate, 1);
    bench.wait(1);
    assert_eq!(bench.level(layout::DRAINING, 2), 0b11);
    let waited = bench.command(CommandOp::Activate, 4);
    assert!(waited > 1);
    bench.wait(60);
    assert_eq!((bench.sum(layout::WRITE_BACK, 1), bench.sum(layout::WRITE_BACK + 1, 1)), (8, 4));
}

/// Both warps are even: their buffers drain into one bank, the first that left first.
#[test]
fn two_buffers_of_one_bank_drain_one_after_the_other() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..3);
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 2);
    bench.write(2, 0..3);
    bench.command(CommandOp::Deactivate, 2);
    let mut order = Vec::new();
    for _ in 0..40 {
        bench.step(&ready());
        if bench.level(layout::WRITE_BACK, 2) != 0 {
            order.push(bench.level(layout::WRITE_BACK, 2));
        }
    }
    let before = 6 - order.len();
    assert_eq!(order, [0b01, 0b01, 0b01, 0b10, 0b10, 0b10][before..]);
    assert_eq!(bench.sum(layout::STT_WRITE, 1), 6);
}

#[test]
fn reads_come_before_writes_of_their_bank_and_wait_for_one_that_began() {
    let mut bench = Bench::active(0);
    bench.write(0, 0..4);
    bench.command(CommandOp::Deactivate, 0);
    bench.command(CommandOp::Activate, 2);
    while bench.level(layout::STT_WRITE, 2) == 0 {
        bench.step(&ready());
    }
    assert_eq!(bench.read(2, &[0]), 4 + 2, "the write has three more cycles, the issue takes one");
    assert_eq!(bench.sum(layout::READ_BEHIND_WRITE, 1), 2);
}

#[test]
fn the_seventeenth_register_waits_for_the_wake_up() {
    for (gating, waits) in [(false, 0), (true, 3)] {
        let mut bench = Bench::new(&config(), gating);
        bench.command(CommandOp::Activate, 0);
        bench.write(0, 0..16);
        assert_eq!(bench.level(layout::UPPER_ON, 2), if gating { 0 } else { 0b11 });
        bench.write(0, 16..40);
        assert_eq!(bench.sum(layout::RESULT_WAIT_POWER, 1), waits);
        assert_eq!(bench.sum(layout::WAKEUP, 2), u32::from(gating));
        assert_eq!(bench.level(layout::UPPER_ON, 1), 1);
        bench.command(CommandOp::Deactivate, 0);
        bench.wait(38 * 4);
        assert_eq!(bench.level(layout::UPPER_ON, 1), 1, "entries are still to be written back");
        bench.wait(20);
        assert_eq!(bench.level(layout::UPPER_ON, 1), u32::from(!gating));
        assert_eq!(bench.sum(layout::WRITE_BACK, 1), 40);
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
    broken(&mut Bench::new(&config(), false), &start, "65 registers");
    let mut bench = Bench::new(&config(), false);
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
        match Hybrid::new(WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
}
