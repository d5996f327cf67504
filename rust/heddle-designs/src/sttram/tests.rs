//! Every write stalls, as docs/designs/hybrid.md states it.

use super::{Sttram, layout};
use heddle_port::{
    Command, CommandOp, DesignError, Issue, PortConfig, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};

const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

fn config(write_cycles: u8) -> PortConfig {
    PortConfig { bank_cycles: 1, write_cycles, rows_per_bank: 64, active_warps: 1, ..PortConfig::default() }
}

fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

fn result(warp: u8, register: u8) -> ResultWrite {
    ResultWrite { valid: true, warp, register, mask: u32::MAX, last: true, ..ResultWrite::default() }
}

fn issue(input: &mut RegIn, warp: u8, sources: &[u8]) {
    let mut issue = Issue { valid: true, tag: 9, warp, mask: u32::MAX, ..Issue::default() };
    for (slot, &source) in sources.iter().enumerate() {
        issue.source[slot] = source;
        issue.source_valid |= 1 << slot;
    }
    input.issue[0] = issue;
}

struct Bench {
    model: Sttram,
    out: RegOut,
    stalls: u32,
    writes: u32,
}

impl Bench {
    /// Warp slots 0 and 1, each at the beginning of its half.
    fn new(write_cycles: u8) -> Self {
        let mut model = Sttram::new(WIDTHS);
        let out = model.reset(&config(write_cycles)).expect("good configuration");
        let mut bench = Self { model, out, stalls: 0, writes: 0 };
        for warp in 0..2 {
            let op = CommandOp::WarpBase as u8;
            let value = u16::from(warp) * 512;
            let command = Command { valid: true, op, warp, value, ..Command::default() };
            bench.step(&RegIn { command, ..ready() });
        }
        bench
    }

    fn step(&mut self, input: &RegIn) {
        self.model.step(input, &mut self.out).expect("the contract is kept");
        self.stalls += self.out.events[0] >> layout::WRITE_STALL & 1;
        self.writes += (self.out.events[0] >> layout::STT_WRITE & 0b11).count_ones();
    }

    /// Cycles from `input`, which issues, to the operands.
    fn latency(&mut self, input: &RegIn) -> u32 {
        self.step(input);
        for cycles in 1..100 {
            if self.out.operands[0].valid {
                return cycles;
            }
            self.step(&ready());
        }
        panic!("no operands");
    }
}

#[test]
fn without_results_operands_take_four_cycles() {
    let mut input = ready();
    issue(&mut input, 1, &[0, 1, 2]);
    assert_eq!(Bench::new(4).latency(&input), 4);
    issue(&mut input, 0, &[3, 11]);
    assert_eq!(Bench::new(4).latency(&input), 5, "one array twice");
}

#[test]
fn each_result_stalls_the_reads_for_its_write() {
    for (write_cycles, results, expected) in [(4, 1, 8), (4, 2, 12), (1, 1, 5), (1, 2, 6)] {
        let mut bench = Bench::new(write_cycles);
        let mut input = ready();
        issue(&mut input, 0, &[0]);
        for slot in 0..results {
            // Of the other bank: all reads wait all the same.
            input.result[slot] = result(1, slot as u8);
        }
        assert_eq!(bench.latency(&input), expected, "{results} writes of {write_cycles} cycles");
        assert_eq!(bench.stalls, results as u32 * u32::from(write_cycles));
        assert_eq!(bench.writes, results as u32);
    }
}

#[test]
fn results_are_taken_until_the_queue_is_full() {
    let mut bench = Bench::new(4);
    let mut input = ready();
    input.result[0] = result(0, 1);
    input.result[1] = result(0, 2);
    let mut accepted = 0;
    for _ in 0..3 {
        accepted += (0..2).filter(|&port| bench.out.result_ready[port]).count();
        bench.step(&input);
    }
    assert_eq!(accepted, 5, "four places, and one result is being written");
}

#[test]
fn what_does_not_fit_is_refused() {
    for (config, key) in [
        (PortConfig { write_cycles: 0, ..config(4) }, "register_file.write_cycles"),
        (PortConfig { rows_per_bank: 65, ..config(4) }, "register_file.rows_per_bank"),
    ] {
        match Sttram::new(WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
    let mut bench = Bench::new(4);
    let op = CommandOp::KernelStart as u8;
    let command = Command { valid: true, op, value: 80, ..Command::default() };
    let error = bench.model.step(&RegIn { command, ..ready() }, &mut bench.out).expect_err("80 registers");
    assert!(error.to_string().contains("80 registers a thread"), "{error}");
}
