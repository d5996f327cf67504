//! The timing of each path, as docs/designs/racetrack.md states it.

use super::mapping::Regions;
use super::{NAME, Racetracks};
use crate::testing::{self, command, issues, ready};
use heddle_port::{CommandOp, DesignError, Issue, PortConfig, RegisterFile, ResultWrite};

type Bench = testing::Bench<Racetracks>;

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

impl Bench {
    /// Issues an instruction that reads a row of a bank, by way of the warp's base.
    fn issue(&mut self, tag: u16, bank: u8, row: u16) {
        self.step(&command(CommandOp::WarpBase, 0, row * 16));
        self.step(&issues(testing::issue(tag, 0, &[bank])));
    }

    /// Cycles until `tag` comes out, and the shifts and preshifts on the way.
    fn wait(&mut self, tag: u16) -> (usize, u32, u32) {
        let (shifts, preshifts) = (self.sum("shift"), self.sum("preshift"));
        for cycles in 1..200 {
            if self.out.operands.iter().any(|o| o.valid && o.tag == tag) {
                return (cycles, self.sum("shift") - shifts, self.sum("preshift") - preshifts);
            }
            self.step(&ready());
        }
        panic!("the operands never come");
    }
}

fn result(register: u8, mask: u32) -> ResultWrite {
    ResultWrite { valid: true, register, mask, last: true, ..ResultWrite::default() }
}

#[test]
fn an_aligned_register_takes_five_cycles_and_each_step_one_more() {
    for (row, steps) in [(0, 0), (7, 0), (8, 1), (64, 8), (127, 15)] {
        let mut bench = Bench::new(&config(false));
        bench.issue(3, 2, row);
        assert_eq!(bench.wait(3), (5 + steps, steps as u32, 0), "row {row}");
    }
}

#[test]
fn more_ports_leave_shorter_ways() {
    let with = |ports| testing::instance(NAME, testing::WIDTHS).with("ports", ports);
    for (row, steps) in [(0, 0), (15, 0), (16, 1), (64, 4), (127, 7)] {
        let mut bench = Bench::of(with(16), &config(false));
        bench.issue(3, 2, row);
        assert_eq!(bench.wait(3), (5 + steps, steps as u32, 0), "row {row}");
    }
    let regions = Regions::of(&with(16)).expect("8 offsets");
    let mut entries: Vec<u8> = (0..128).map(|row| regions.encoded(regions.ascending(row))).collect();
    entries.sort_unstable();
    assert_eq!(entries, (0..128).collect::<Vec<u8>>(), "each place once");
    for ports in [4, 12, 256] {
        let refused = Regions::of(&with(ports)).expect_err("ports").to_string();
        assert!(refused.contains("a power of two, 8 to 128, is expected"), "{refused}");
    }
}

#[test]
fn read_and_shift_cycles_are_configured() {
    let slow = PortConfig { bank_cycles: 3, shift_cycles: 2, ..config(false) };
    let mut bench = Bench::new(&slow);
    bench.issue(3, 2, 16);
    assert_eq!(bench.wait(3).0, 5 + 2 * 2 + 2);
}

#[test]
fn with_as_many_ports_as_domains_nothing_shifts() {
    let all = testing::instance(NAME, testing::WIDTHS).with("ports", 128);
    for mut bench in
        [Bench::new(&PortConfig { shift_cycles: 0, ..config(true) }), Bench::of(all, &config(true))]
    {
        bench.issue(3, 2, 127);
        assert_eq!(bench.wait(3), (5, 0, 0));
    }
}

#[test]
fn the_position_is_kept_and_the_way_back_is_as_long() {
    let mut bench = Bench::new(&config(false));
    bench.issue(1, 0, 40);
    assert_eq!(bench.wait(1).1, 5);
    bench.issue(2, 0, 41);
    assert_eq!(bench.wait(2).1, 0, "the same offset at another port");
    assert_eq!(bench.event("position") & 0xF, 5);
    bench.issue(3, 0, 16);
    assert_eq!(bench.wait(3).1, 3);
}

/// Five banks ask at once: the four that are served give their places back after the first step, so the fifth begins
/// one cycle later; all steps are those of banks that were served.
#[test]
fn a_shifting_bank_gives_its_place_back() {
    let mut own = [0; 8];
    own[0] = 1;
    for (shift_cycles, alone) in [(1, 20), (2, 35)] {
        let mut bench = Bench::new(&PortConfig { own, shift_cycles, ..config(false) });
        bench.step(&command(CommandOp::WarpBase, 0, 127 * 16));
        bench.step(&issues(testing::issue(1, 0, &[0, 1, 2, 3, 4])));
        assert_eq!(bench.wait(1), (alone + 1, 5 * 15, 0), "{shift_cycles} cycles a step");
    }
}

/// Five banks ask at once: four are served, the fifth shifts only where preshifting is on.
#[test]
fn the_fifth_bank_preshifts() {
    for (preshift, shifts) in [(false, (5 * 15, 0)), (true, (4 * 15, 15))] {
        let mut bench = Bench::new(&config(preshift));
        bench.step(&command(CommandOp::WarpBase, 0, 127 * 16));
        bench.step(&issues(testing::issue(1, 0, &[0, 1, 2, 3, 4])));
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
        bench.idle(40);
        assert_eq!(bench.sum("write_buffer_read"), forwarded, "mask {mask:#x}");
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
        if bench.event("main_bank_write") != 0 {
            order.push('w');
        }
        if bench.event("main_bank_read") != 0 {
            order.push('r');
        }
    }
    assert_eq!(order, ['w', 'r']);
}

#[test]
fn a_loaded_mapping_moves_rows_until_the_next_kernel() {
    let mut bench = Bench::new(&config(false));
    let mut load = command(CommandOp::MapEntry, 0, 0);
    load.command.index = 2 * 4;
    let regions = Regions::of(&testing::instance(NAME, testing::WIDTHS)).expect("ports of the default");
    for row in 0..32 {
        // Row 0 of bank 2 changes places with row 24, whose offset is 3.
        let other = [24, row][usize::from(row != 0)];
        let other = if row == 24 { 0 } else { other };
        let entry = u32::from(regions.encoded(regions.ascending(other)));
        load.command.vector[row / 4] |= entry << (row % 4 * 8);
    }
    bench.step(&load);
    bench.issue(1, 2, 0);
    assert_eq!(bench.wait(1).1, 3);
    bench.issue(2, 3, 0);
    assert_eq!(bench.wait(2).1, 0, "another bank");
    bench.step(&command(CommandOp::KernelStart, 0, 0));
    bench.issue(3, 2, 0);
    assert_eq!(bench.wait(3).1, 3, "back to offset 0");
}

#[test]
fn bad_configurations_are_refused() {
    for (config, key) in [
        (PortConfig { bank_cycles: 0, ..config(false) }, "register_file.bank_cycles"),
        (PortConfig { write_cycles: 0, ..config(false) }, "register_file.write_cycles"),
        (PortConfig { rows_per_bank: 129, ..config(false) }, "register_file.rows_per_bank"),
    ] {
        match testing::model::<Racetracks>(testing::WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
}
