//! Every write stalls, as docs/designs/hybrid.md states it.

use super::StallingWrites;
use crate::testing::{self, command, issues, ready, result};
use heddle_port::{CommandOp, DesignError, PortConfig, RegIn, RegisterFile};

fn config(write_cycles: u8) -> PortConfig {
    PortConfig { bank_cycles: 1, write_cycles, rows_per_bank: 64, active_warps: 1, ..PortConfig::default() }
}

type Bench = testing::Bench<StallingWrites>;

/// Warp slots 0 and 1, each at the beginning of its half.
fn bench(write_cycles: u8) -> Bench {
    let mut bench = Bench::new(&config(write_cycles));
    for warp in 0..2 {
        bench.step(&command(CommandOp::WarpBase, warp, u16::from(warp) * 512));
    }
    bench
}

fn issue(warp: u8, sources: &[u8]) -> RegIn {
    issues(testing::issue(9, warp, sources))
}

#[test]
fn without_results_operands_take_four_cycles() {
    assert_eq!(bench(4).latency(&issue(1, &[0, 1, 2])), 4);
    assert_eq!(bench(4).latency(&issue(0, &[3, 11])), 5, "one array twice");
}

#[test]
fn each_result_stalls_the_reads_for_its_write() {
    for (write_cycles, results, expected) in [(4, 1, 8), (4, 2, 12), (1, 1, 5), (1, 2, 6)] {
        let mut bench = bench(write_cycles);
        let mut input = issue(0, &[0]);
        for slot in 0..results {
            // Of the other bank: all reads wait all the same.
            input.result[slot] = result(1, slot as u8);
        }
        assert_eq!(bench.latency(&input), expected, "{results} writes of {write_cycles} cycles");
        assert_eq!(bench.sum("write_stall"), results as u32 * u32::from(write_cycles));
        assert_eq!(bench.sum("sttram_write"), results as u32);
    }
}

#[test]
fn results_are_taken_until_the_queue_is_full() {
    let mut bench = bench(4);
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
        match testing::model::<StallingWrites>(testing::WIDTHS).reset(&config) {
            Err(DesignError::Config { key: k, .. }) => assert_eq!(k, key),
            other => panic!("{key}: {other:?}"),
        }
    }
    let mut bench = bench(4);
    let start = command(CommandOp::KernelStart, 0, 80);
    let error = bench.model.step(&start, &mut bench.out).expect_err("80 registers");
    assert!(error.to_string().contains("80 registers a thread"), "{error}");
}
