//! Timing and contract of the cycle model alone.

use super::Cached;
use crate::testing::{self, issues, ready};
use heddle_port::{CommandOp, DesignError, PortConfig, RegIn, RegisterFile, ResultWrite};

type Bench = testing::Bench<Cached>;

pub(super) const CONFIG: PortConfig = PortConfig {
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
    own: [16, 0, 0, 1, 0, 0, 0, 0],
};

impl Bench {
    /// Sends a command and returns the cycles from its handshake to its done event.
    pub(super) fn command(&mut self, op: CommandOp, warp: u8, value: u16, vector: u32) -> u32 {
        let mut input = testing::command(op, warp, value);
        input.command.vector[0] = vector;
        while !self.out.command_ready {
            self.step(&ready());
        }
        let first = self.cycles;
        self.step(&input);
        while !self.out.done.valid {
            self.step(&ready());
            assert!(self.cycles - first < 1000, "{op:?} is never done");
        }
        assert_eq!((self.out.done.op, self.out.done.warp), (op as u8, warp));
        self.cycles - first
    }
}

fn issue(warp: u8, sources: &[u8]) -> RegIn {
    issues(testing::issue(5, warp, sources))
}

#[test]
fn a_prefetch_takes_bank_crossbar_and_cache_and_decoding_in_turns() {
    // Cycles with banks of 1 and 6 cycles, of one register, of four and of sixteen in as many banks.
    for (decode_width, cycles) in [(16, [11, 11, 11]), (4, [11, 11, 14]), (1, [11, 14, 26])] {
        for (set, expected) in [0b1, 0b1111, 0xffff].into_iter().zip(cycles) {
            for bank_cycles in [1, 6] {
                let mut own = CONFIG.own;
                own[0] = decode_width;
                let mut bench = Bench::new(&PortConfig { bank_cycles, own, ..CONFIG });
                bench.command(CommandOp::Activate, 3, 0, 0);
                let taken = bench.command(CommandOp::Prefetch, 3, 0, set);
                assert_eq!(taken, expected + u32::from(bank_cycles) - 1, "{set:#x}, {decode_width} a cycle");
            }
        }
    }
}

#[test]
fn a_deactivation_is_done_when_the_registers_are_on_their_way() {
    let own = [16, 0, 0, 0, 0, 0, 0, 0];
    let mut bench = Bench::new(&PortConfig { bank_cycles: 6, own, ..CONFIG });
    bench.command(CommandOp::Activate, 3, 0, 0);
    bench.command(CommandOp::Prefetch, 3, 0, 0xffff);
    assert_eq!(bench.command(CommandOp::Deactivate, 3, 0, 0), 4);
    assert_eq!(bench.sum("write_back"), 16);
}

/// With early release the offset is free before the registers, two in each main bank, have left.
#[test]
fn a_deactivation_with_early_release_is_done_at_once() {
    let mut bench = Bench::new(&PortConfig { bank_cycles: 6, active_warps: 1, ..CONFIG });
    bench.command(CommandOp::Activate, 3, 0, 0);
    bench.command(CommandOp::Prefetch, 3, 0, 0x00ff_00ff);
    let before = bench.sum("write_back");
    assert_eq!(bench.command(CommandOp::Deactivate, 3, 0, 0), 3);
    assert!(bench.sum("write_back") - before < 16, "some are still there");
    let other = bench.command(CommandOp::Activate, 4, 0, 0);
    assert_eq!(bench.sum("write_back") - before, 16, "the slot's next warp is active when all have left");
    assert!(other > 3, "{other} cycles");
}

#[test]
fn registers_of_one_main_bank_are_fetched_one_after_the_other() {
    let mut bench = Bench::new(&PortConfig { bank_cycles: 6, ..CONFIG });
    bench.command(CommandOp::Activate, 3, 0, 0);
    let apart = bench.command(CommandOp::Prefetch, 3, 0, 0b11);
    bench.command(CommandOp::Prefetch, 3, 0, 0);
    let same = bench.command(CommandOp::Prefetch, 3, 0, 1 | 1 << 16);
    assert!(same >= apart + 6, "{same} and {apart} cycles");
}

/// With a bank that is busy for b of its L cycles a register alone takes as long as before, and the second of one bank
/// follows max(b, c) cycles later, not max(L, c).
#[test]
fn a_pipelined_bank_has_its_latency_once() {
    for (busy, after) in [(0, 20), (20, 20), (9, 9), (1, 4)] {
        let own = [16, busy, 0, 1, 0, 0, 0, 0];
        let mut bench = Bench::new(&PortConfig { bank_cycles: 20, own, ..CONFIG });
        bench.command(CommandOp::Activate, 3, 0, 0);
        let one = bench.command(CommandOp::Prefetch, 3, 0, 0b1);
        assert_eq!(one, 11 + 19, "busy for {busy}");
        bench.command(CommandOp::Prefetch, 3, 0, 0);
        (0..100).for_each(|_| bench.step(&ready()));
        assert_eq!(bench.command(CommandOp::Prefetch, 3, 0, 1 | 1 << 16), one + after, "busy for {busy}");
    }
}

#[test]
fn what_stays_in_the_working_set_is_not_moved() {
    let mut bench = Bench::new(&CONFIG);
    bench.command(CommandOp::Activate, 0, 0, 0);
    bench.command(CommandOp::Prefetch, 0, 0, 0b0111);
    let before = (bench.sum("main_bank_read"), bench.sum("main_bank_write"));
    bench.command(CommandOp::Prefetch, 0, 0, 0b1110);
    assert_eq!((bench.sum("main_bank_read"), bench.sum("main_bank_write")), (before.0 + 1, before.1 + 1));
}

#[test]
fn the_working_set_returns_with_the_warp() {
    let mut bench = Bench::new(&CONFIG);
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
        let mut bench = Bench::new(&CONFIG);
        bench.command(CommandOp::Activate, 1, 0, 0);
        bench.command(CommandOp::Prefetch, 1, 0, 0xff);
        cycles.push(bench.latency(&issue(1, sources)));
    }
    assert_eq!(cycles, [5, 6, 7]);
}

#[test]
fn a_result_goes_where_its_register_is() {
    let mut bench = Bench::new(&CONFIG);
    bench.command(CommandOp::Activate, 1, 0, 0);
    bench.command(CommandOp::Prefetch, 1, 0, 0b10);
    let mut input = ready();
    input.result[0] = ResultWrite { valid: true, warp: 1, register: 1, mask: 1, ..ResultWrite::default() };
    input.result[1] = ResultWrite { register: 2, ..input.result[0] };
    bench.step(&input);
    bench.idle(20);
    assert_eq!((bench.sum("result_to_cache"), bench.sum("result_to_main")), (1, 1));
}

#[test]
fn an_operand_that_was_not_prefetched_is_a_broken_contract() {
    let mut bench = Bench::new(&CONFIG);
    bench.command(CommandOp::Activate, 1, 0, 0);
    bench.step(&issue(1, &[7]));
    let outcome = bench.model.step(&ready(), &mut bench.out);
    let Err(DesignError::Contract { what, .. }) = outcome else { panic!("{outcome:?}") };
    assert!(what.contains("register 7"), "{what}");
}

#[test]
fn impossible_configurations_are_named() {
    let mut design = testing::model::<Cached>(testing::WIDTHS);
    for (config, expected) in [
        (PortConfig { crossbar_cycles: 3, ..CONFIG }, "register_file.crossbar_cycles"),
        (PortConfig { active_warps: 9, ..CONFIG }, "scheduler.active_warps"),
        (PortConfig { registers_per_interval: 17, ..CONFIG }, "register_file.registers_per_interval"),
        (PortConfig { bank_cycles: 0, ..CONFIG }, "register_file.bank_cycles"),
        (PortConfig { own: [0; 8], ..CONFIG }, "design.decode_width"),
        (PortConfig { own: [17, 0, 0, 0, 0, 0, 0, 0], ..CONFIG }, "design.decode_width"),
        (PortConfig { own: [16, 0, 8, 0, 0, 0, 0, 0], ..CONFIG }, "register_file.bank_eighths"),
        (PortConfig { own: [16, 1, 3, 0, 0, 0, 0, 0], ..CONFIG }, "design.bank_busy_cycles"),
        (PortConfig { rows_per_bank: 0, ..CONFIG }, "register_file.rows_per_bank"),
    ] {
        let Err(DesignError::Config { key, .. }) = design.reset(&config) else { panic!("{config:?}") };
        assert_eq!(key, expected);
    }
}

/// Banks of one and a half cycles: the second access of a bank takes two.
#[test]
fn a_part_of_a_cycle_is_made_up_for_by_later_accesses() {
    let mut bench = Bench::new(&PortConfig { own: [16, 0, 4, 0, 0, 0, 0, 0], ..CONFIG });
    let taken: Vec<u32> = (0..4)
        .map(|warp| {
            bench.command(CommandOp::Activate, warp, 0, 0);
            bench.command(CommandOp::Prefetch, warp, 0, 1)
        })
        .collect();
    assert_eq!(taken, [11, 12, 11, 12]);
}

/// The cycle model has 32 warp offsets where the run asks for more than the RTL's eight.
#[test]
fn as_many_warps_are_active_as_the_manifest_has_slots_for() {
    let instance = testing::elaborated("ltrf", &[("slots", 32)]);
    let mut bench = Bench::of(instance, &PortConfig { active_warps: 32, ..CONFIG });
    for warp in 0..32 {
        bench.command(CommandOp::Activate, warp, 0, 0);
        bench.command(CommandOp::Prefetch, warp, 0, 0b11);
    }
    // No place is left: the command stays until one leaves.
    bench.step(&testing::command(CommandOp::Activate, 40, 0));
    for _ in 0..100 {
        assert!(!bench.out.done.valid && !bench.out.command_ready);
        bench.step(&ready());
    }
}
