//! Timing and contract of the cycle model alone.

use super::{Ltrf, layout};
use heddle_port::{
    Command, CommandOp, DesignError, Issue, PortConfig, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};

const CONFIG: PortConfig = PortConfig {
    bank_cycles: 1,
    crossbar_cycles: 4,
    active_warps: 8,
    registers_per_interval: 16,
    rows_per_bank: 128,
    write_cycles: 1,
    shift_cycles: 1,
    preshift: false,
    wakeup_cycles: 1,
    ways: 4,
    fair: false,
    cache_size_log2: 3,
    reads_to_unlock: 1,
    hit_latency: 28,
};

struct Bench {
    design: Ltrf,
    out: RegOut,
    cycles: u32,
}

impl Bench {
    fn new(config: PortConfig) -> Self {
        let mut design = Ltrf::new(PortWidths { issue: 2, result: 2 });
        let out = design.reset(&config).expect("the configuration is possible");
        Self { design, out, cycles: 0 }
    }

    fn step(&mut self, input: &RegIn) {
        self.design.step(input, &mut self.out).expect("the bench keeps the contract");
        self.cycles += 1;
    }

    /// Sends a command and returns the cycles from its handshake to its done event.
    fn command(&mut self, op: CommandOp, warp: u8, value: u16, vector: u32) -> u32 {
        let mut words = [0; 8];
        words[0] = vector;
        let command = Command { valid: true, op: op as u8, warp, value, vector: words, ..Command::default() };
        while !self.out.command_ready {
            self.step(&RegIn::default());
        }
        let first = self.cycles;
        self.step(&RegIn { command, ..RegIn::default() });
        while !self.out.done.valid {
            self.step(&RegIn::default());
            assert!(self.cycles - first < 1000, "{op:?} is never done");
        }
        assert_eq!((self.out.done.op, self.out.done.warp), (op as u8, warp));
        self.cycles - first
    }

    fn event(&self, lsb: usize, width: usize) -> u32 {
        (0..width).map(|bit| self.out.events[(lsb + bit) / 32] >> ((lsb + bit) % 32) & 1).sum()
    }
}

fn issue(warp: u8, sources: &[u8]) -> RegIn {
    let mut source = [0; 6];
    source[..sources.len()].copy_from_slice(sources);
    let mut input = RegIn { operands_ready: [true; 4], ..RegIn::default() };
    input.issue[0] = Issue {
        valid: true,
        tag: 5,
        warp,
        mask: u32::MAX,
        source_valid: ((1u32 << sources.len()) - 1) as u8,
        source,
        ..Issue::default()
    };
    input
}

#[test]
fn a_prefetch_takes_one_cycle_a_register_plus_bank_crossbar_and_cache() {
    for (bank_cycles, expected) in [(1, 14), (6, 19)] {
        let mut bench = Bench::new(PortConfig { bank_cycles, ..CONFIG });
        bench.command(CommandOp::Activate, 3, 0, 0);
        assert_eq!(bench.command(CommandOp::Prefetch, 3, 0, 0b1111), expected);
    }
}

#[test]
fn registers_of_one_main_bank_are_fetched_one_after_the_other() {
    let mut bench = Bench::new(PortConfig { bank_cycles: 6, ..CONFIG });
    bench.command(CommandOp::Activate, 3, 0, 0);
    let apart = bench.command(CommandOp::Prefetch, 3, 0, 0b11);
    bench.command(CommandOp::Prefetch, 3, 0, 0);
    let same = bench.command(CommandOp::Prefetch, 3, 0, 1 | 1 << 16);
    assert!(same >= apart + 6, "{same} and {apart} cycles");
}

#[test]
fn what_stays_in_the_working_set_is_not_moved() {
    let mut bench = Bench::new(CONFIG);
    bench.command(CommandOp::Activate, 0, 0, 0);
    bench.command(CommandOp::Prefetch, 0, 0, 0b0111);
    let (mut fetched, mut written) = (0, 0);
    let mut words = [0; 8];
    words[0] = 0b1110;
    let command = Command { valid: true, op: CommandOp::Prefetch as u8, vector: words, ..Command::default() };
    bench.step(&RegIn { command, ..RegIn::default() });
    while !bench.out.done.valid {
        bench.step(&RegIn::default());
        fetched += bench.event(layout::MAIN_BANK_READ, 16);
        written += bench.event(layout::MAIN_BANK_WRITE, 16);
    }
    assert_eq!((fetched, written), (1, 1));
}

#[test]
fn the_working_set_returns_with_the_warp() {
    let mut bench = Bench::new(CONFIG);
    let empty = bench.command(CommandOp::Activate, 9, 0, 0);
    bench.command(CommandOp::Prefetch, 9, 0, 0xff);
    bench.command(CommandOp::Deactivate, 9, 0, 0);
    assert!(bench.command(CommandOp::Activate, 9, 0, 0) > empty + 8);
    bench.command(CommandOp::Exit, 9, 0, 0);
    assert_eq!(bench.command(CommandOp::Activate, 9, 0, 0), empty);
}

#[test]
fn more_than_two_sources_are_looked_up_over_several_cycles() {
    let mut cycles = Vec::new();
    for sources in [&[1, 2][..], &[1, 2, 3], &[1, 2, 3, 4, 5]] {
        let mut bench = Bench::new(CONFIG);
        bench.command(CommandOp::Activate, 1, 0, 0);
        bench.command(CommandOp::Prefetch, 1, 0, 0xff);
        bench.step(&issue(1, sources));
        let first = bench.cycles;
        while !bench.out.operands[0].valid {
            bench.step(&RegIn { operands_ready: [true; 4], ..RegIn::default() });
        }
        cycles.push(bench.cycles - first);
    }
    assert_eq!(cycles, [4, 5, 6]);
}

#[test]
fn a_result_goes_where_its_register_is() {
    let mut bench = Bench::new(CONFIG);
    bench.command(CommandOp::Activate, 1, 0, 0);
    bench.command(CommandOp::Prefetch, 1, 0, 0b10);
    let mut input = RegIn::default();
    input.result[0] = ResultWrite { valid: true, warp: 1, register: 1, mask: 1, ..ResultWrite::default() };
    input.result[1] = ResultWrite { register: 2, ..input.result[0] };
    bench.step(&input);
    let (mut cache, mut main) = (0, 0);
    for _ in 0..20 {
        bench.step(&RegIn::default());
        cache += bench.event(layout::RESULT_TO_CACHE, 4);
        main += bench.event(layout::RESULT_TO_MAIN, 4);
    }
    assert_eq!((cache, main), (1, 1));
}

#[test]
fn an_operand_that_was_not_prefetched_is_a_broken_contract() {
    let mut bench = Bench::new(CONFIG);
    bench.command(CommandOp::Activate, 1, 0, 0);
    bench.step(&issue(1, &[7]));
    let outcome = bench.design.step(&RegIn::default(), &mut bench.out);
    let Err(DesignError::Contract { what, .. }) = outcome else { panic!("{outcome:?}") };
    assert!(what.contains("register 7"), "{what}");
}

#[test]
fn impossible_configurations_are_named() {
    let mut design = Ltrf::new(PortWidths { issue: 2, result: 2 });
    for (config, expected) in [
        (PortConfig { crossbar_cycles: 3, ..CONFIG }, "register_file.crossbar_cycles"),
        (PortConfig { active_warps: 9, ..CONFIG }, "scheduler.active_warps"),
        (PortConfig { registers_per_interval: 17, ..CONFIG }, "register_file.registers_per_interval"),
        (PortConfig { bank_cycles: 0, ..CONFIG }, "register_file.bank_cycles"),
        (PortConfig { rows_per_bank: 0, ..CONFIG }, "register_file.rows_per_bank"),
    ] {
        let Err(DesignError::Config { key, .. }) = design.reset(&config) else { panic!("{config:?}") };
        assert_eq!(key, expected);
    }
}
