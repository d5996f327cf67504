//! The timing of each path, as docs/designs/racetrack.md states it.

use super::mapping::Place;
use super::{Racetrack, layout};
use heddle_port::{
    Command, CommandOp, DesignError, Issue, PortConfig, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};

const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

fn config(preshift: bool) -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        write_cycles: 1,
        shift_cycles: 1,
        rows_per_bank: 128,
        preshift,
        ..PortConfig::default()
    }
}

/// A model and its outputs of the current cycle.
struct Bench {
    model: Racetrack,
    out: RegOut,
}

impl Bench {
    fn new(config: &PortConfig) -> Self {
        let mut model = Racetrack::new(WIDTHS);
        let out = model.reset(config).expect("good configuration");
        Self { model, out }
    }

    fn step(&mut self, input: &RegIn) {
        self.model.step(input, &mut self.out).expect("the contract is kept");
    }

    fn event(&self, lsb: usize, width: usize) -> u32 {
        self.out.events[lsb / 32] >> (lsb % 32) & (u32::MAX >> (32 - width))
    }

    fn issue(&mut self, tag: u16, rows: &[(u8, u16)]) {
        let mut input = ready();
        let mut issue = Issue { valid: true, tag, ..Issue::default() };
        for (slot, &(bank, row)) in rows.iter().enumerate() {
            // One warp slot a source, so that rows beyond a warp's registers can be named.
            let mut base = ready();
            base.command = Command {
                valid: true,
                op: CommandOp::WarpBase as u8,
                warp: 0,
                value: row * 16,
                ..Command::default()
            };
            assert_eq!(slot, 0, "one source an instruction here");
            self.step(&base);
            issue.source[slot] = bank;
            issue.source_valid |= 1 << slot;
        }
        input.issue[0] = issue;
        self.step(&input);
    }

    /// Cycles until `tag` comes out, and the shifts and preshifts on the way.
    fn wait(&mut self, tag: u16) -> (usize, u32, u32) {
        let (mut shifts, mut preshifts) = (0, 0);
        for cycles in 1..200 {
            if self.out.operands.iter().any(|o| o.valid && o.tag == tag) {
                return (cycles, shifts, preshifts);
            }
            self.step(&ready());
            shifts += self.event(layout::SHIFT, 16).count_ones();
            preshifts += self.event(layout::PRESHIFT, 16).count_ones();
        }
        panic!("the operands never come");
    }
}

fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

fn result(register: u8, mask: u32) -> ResultWrite {
    ResultWrite { valid: true, register, mask, last: true, ..ResultWrite::default() }
}

#[test]
fn an_aligned_register_takes_five_cycles_and_each_step_one_more() {
    for (row, steps) in [(0, 0), (7, 0), (8, 1), (64, 8), (127, 15)] {
        let mut bench = Bench::new(&config(false));
        bench.issue(3, &[(2, row)]);
        assert_eq!(bench.wait(3), (5 + steps, steps as u32, 0), "row {row}");
    }
}

#[test]
fn read_and_shift_cycles_are_configured() {
    let slow = PortConfig { bank_cycles: 3, shift_cycles: 2, ..config(false) };
    let mut bench = Bench::new(&slow);
    bench.issue(3, &[(2, 16)]);
    assert_eq!(bench.wait(3).0, 5 + 2 * 2 + 2);
}

#[test]
fn with_as_many_ports_as_domains_nothing_shifts() {
    let mut bench = Bench::new(&PortConfig { shift_cycles: 0, ..config(true) });
    bench.issue(3, &[(2, 127)]);
    assert_eq!(bench.wait(3), (5, 0, 0));
}

#[test]
fn the_position_is_kept_and_the_way_back_is_as_long() {
    let mut bench = Bench::new(&config(false));
    bench.issue(1, &[(0, 40)]);
    assert_eq!(bench.wait(1).1, 5);
    bench.issue(2, &[(0, 41)]);
    assert_eq!(bench.wait(2).1, 0, "the same offset at another port");
    assert_eq!(bench.event(layout::POSITION, 4), 5);
    bench.issue(3, &[(0, 16)]);
    assert_eq!(bench.wait(3).1, 3);
}

/// Five banks ask at once: four are served, the fifth shifts only where preshifting is on.
#[test]
fn the_fifth_bank_preshifts() {
    for (preshift, shifts) in [(false, (5 * 15, 0)), (true, (4 * 15, 15))] {
        let mut bench = Bench::new(&config(preshift));
        let mut input = ready();
        input.command =
            Command { valid: true, op: CommandOp::WarpBase as u8, value: 127 * 16, ..Command::default() };
        bench.step(&input);
        let mut input = ready();
        let mut issue = Issue { valid: true, tag: 1, ..Issue::default() };
        for source in 0..5 {
            issue.source[source] = source as u8;
            issue.source_valid |= 1 << source;
        }
        input.issue[0] = issue;
        bench.step(&input);
        let (cycles, served, waiting) = bench.wait(1);
        assert_eq!((served, waiting), shifts, "preshift {preshift}");
        // Without preshifting the fifth bank begins where the others end.
        assert_eq!(cycles, if preshift { 21 } else { 36 });
    }
}

#[test]
fn a_whole_result_is_forwarded_and_a_part_waits() {
    for (mask, forwarded) in [(u32::MAX, 1), (0xffff, 0)] {
        let mut bench = Bench::new(&PortConfig { write_cycles: 9, ..config(false) });
        let mut input = ready();
        // The first result keeps the bank busy, so that the second stays in the buffer.
        input.result[0] = result(16, u32::MAX);
        input.result[1] = result(0, mask);
        bench.step(&input);
        let mut input = ready();
        input.issue[0] = Issue { valid: true, tag: 4, source_valid: 1, ..Issue::default() };
        bench.step(&input);
        let mut forwards = 0;
        for _ in 0..40 {
            bench.step(&ready());
            forwards += bench.event(layout::BUFFER_READ, 16);
        }
        assert_eq!(forwards, forwarded, "mask {mask:#x}");
    }
}

#[test]
fn results_are_written_before_reads() {
    let mut bench = Bench::new(&config(false));
    let mut input = ready();
    input.result[0] = result(4, 0xff);
    input.issue[0] = Issue { valid: true, tag: 1, source_valid: 1, source: [4; 6], ..Issue::default() };
    bench.step(&input);
    let mut order = Vec::new();
    for _ in 0..10 {
        bench.step(&ready());
        if bench.event(layout::WRITE, 16) != 0 {
            order.push('w');
        }
        if bench.event(layout::READ, 16) != 0 {
            order.push('r');
        }
    }
    assert_eq!(order, ['w', 'r']);
}

#[test]
fn a_loaded_mapping_moves_rows_until_the_next_kernel() {
    let mut bench = Bench::new(&config(false));
    let mut load = ready();
    load.command = Command { valid: true, op: CommandOp::MapEntry as u8, index: 2 * 4, ..Command::default() };
    for row in 0..32 {
        // Row 0 of bank 2 changes places with row 24, whose offset is 3.
        let other = [24, row][usize::from(row != 0)];
        let other = if row == 24 { 0 } else { other };
        let entry = u32::from(Place::ascending(other).encoded());
        load.command.vector[row / 4] |= entry << (row % 4 * 8);
    }
    bench.step(&load);
    bench.issue(1, &[(2, 0)]);
    assert_eq!(bench.wait(1).1, 3);
    bench.issue(2, &[(3, 0)]);
    assert_eq!(bench.wait(2).1, 0, "another bank");
    let mut start = ready();
    start.command = Command { valid: true, op: CommandOp::KernelStart as u8, ..Command::default() };
    bench.step(&start);
    bench.issue(3, &[(2, 0)]);
    assert_eq!(bench.wait(3).1, 3, "back to offset 0");
}

#[test]
fn bad_configurations_are_refused() {
    for (config, key) in [
        (PortConfig { bank_cycles: 0, ..config(false) }, "register_file.bank_cycles"),
        (PortConfig { write_cycles: 0, ..config(false) }, "register_file.write_cycles"),
        (PortConfig { rows_per_bank: 129, ..config(false) }, "register_file.rows_per_bank"),
    ] {
        match Racetrack::new(WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
}
