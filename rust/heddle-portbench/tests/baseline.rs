//! The baseline's RTL and its cycle model under random traffic.

mod common;

use common::{Bench, Falsify};
use heddle_port::{PortConfig, RegIn, RegOut, RegisterFile};

fn bench(elaboration: Option<&str>, width: Option<i64>) -> Bench {
    Bench::new("baseline", elaboration, width)
}

fn port(bank_cycles: u8, active_warps: u8) -> PortConfig {
    PortConfig { bank_cycles, active_warps, ..common::port() }
}

#[test]
fn rtl_and_model_agree_for_every_bank_time() {
    let bench = bench(None, None);
    for (seed, bank_cycles) in [(1, 1), (2, 2), (3, 6)] {
        bench.clean(port(bank_cycles, 8), seed, 20_000);
    }
    bench.clean(port(1, 64), 4, 20_000);
}

#[test]
#[ignore = "builds another elaboration"]
fn four_slots_a_port_agree_too() {
    let bench = bench(None, Some(4));
    bench.clean(port(1, 32), 5, 20_000);
}

#[test]
#[ignore = "builds another elaboration"]
fn the_large_elaboration_agrees_too() {
    let bench = bench(Some("8x"), None);
    let large = PortConfig { rows_per_bank: 1024, ..port(3, 32) };
    bench.clean(large, 6, 10_000);
}

#[test]
#[ignore = "builds another elaboration"]
fn four_groups_agree_too() {
    let bench = bench(Some("4-groups"), None);
    let whole = |bank_cycles| PortConfig { rows_per_bank: 256, ..port(bank_cycles, 48) };
    for (seed, bank_cycles) in [(31, 1), (32, 2)] {
        bench.clean(whole(bank_cycles), seed, 20_000);
        bench.clean(interleaved(whole(bank_cycles)), seed + 10, 20_000);
    }
    bench.names_event(whole(1), "main_bank_read", 3);
}

/// A million cycles in all; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_agree() {
    let bench = bench(None, None);
    for seed in 100..105 {
        for (bank_cycles, active) in [(1, 8), (2, 32), (6, 64)] {
            bench.clean(port(bank_cycles, active), seed, 70_000);
        }
    }
}

/// The first word of the design's own configuration: registers are interleaved.
fn interleaved(port: PortConfig) -> PortConfig {
    PortConfig { own: [1, 0, 0, 0, 0, 0, 0, 0], ..port }
}

#[test]
fn interleaved_registers_agree_too() {
    let bench = bench(None, None);
    for (seed, bank_cycles) in [(11, 1), (12, 3)] {
        bench.clean(interleaved(port(bank_cycles, 32)), seed, 20_000);
    }
}

/// The second word: an access takes so many eighths of a cycle more.
fn eighths(mut port: PortConfig, eighths: u32) -> PortConfig {
    port.own[1] = eighths;
    port
}

#[test]
fn banks_that_take_a_part_of_a_cycle_agree_too() {
    let bench = bench(None, None);
    for (seed, bank_cycles, part) in [(41, 1, 3), (42, 3, 7)] {
        bench.clean(eighths(port(bank_cycles, 16), part), seed, 10_000);
    }
}

#[test]
fn a_file_for_each_scheduler_agrees_too() {
    let bench = bench(Some("sub-cores"), None);
    let port = |bank_cycles, warps| PortConfig { rows_per_bank: 32, ..port(bank_cycles, warps) };
    for (seed, bank_cycles) in [(21, 1), (22, 2), (23, 6)] {
        bench.clean(port(bank_cycles, 32), seed, 20_000);
        bench.clean(interleaved(port(bank_cycles, 64)), seed + 10, 20_000);
    }
    bench.names(interleaved(port(1, 32)), |out| out.issue_ready[3] ^= true, "issue_ready");
    bench.names_event(interleaved(port(1, 32)), "collector_alloc", 13);
}

/// A register file that mixes up what belongs to its sub-cores is found, by its own assertions or the bench.
#[test]
fn a_slot_of_another_sub_core_is_named() {
    let bench = bench(Some("sub-cores"), None);
    let mut rtl = bench.library.instance(3).expect("an instance");
    let config = PortConfig { rows_per_bank: 32, ..port(1, 64) };
    let mut out = rtl.reset(&config).expect("good");
    let mut input = RegIn::default();
    input.issue[1].valid = true;
    input.issue[1].warp = 6;
    let error = rtl.step(&input, &mut out).expect_err("warp slot 6 belongs to sub-core 2");
    assert!(error.to_string().contains("IssueOfOwnWarp"), "{error}");
    let mut model = heddle_designs::create("baseline", rtl.made_with()).expect("the model");
    let mut out = model.reset(&config).expect("good");
    let error = model.step(&input, &mut out).expect_err("warp slot 6 belongs to sub-core 2");
    assert!(error.to_string().contains("issue slot 1 of sub-core 1 carries warp slot 6"), "{error}");
    let mut result = RegIn::default();
    result.result[3].valid = true;
    result.result[3].warp = 4;
    let mut out = model.reset(&config).expect("good");
    let error = model.step(&result, &mut out).expect_err("warp slot 4 belongs to sub-core 0");
    assert!(error.to_string().contains("result slot 3 of sub-core 3 carries warp slot 4"), "{error}");
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let bench = bench(None, None);
    let cases: [(Falsify, &str); 3] = [
        (|out| out.issue_ready[1] ^= true, "issue_ready"),
        (|out| out.result_ready[0] ^= true, "result_ready"),
        (|out| out.status.bank_busy[0] ^= 1 << 7, "bank_busy"),
    ];
    for (falsify, name) in cases {
        bench.names(common::port(), falsify, name);
    }
    for (event, bit) in [("main_bank_read", 5), ("collectors_in_use", 0)] {
        bench.names_event(common::port(), event, bit);
    }
}

#[test]
fn more_rows_than_were_elaborated_are_an_error() {
    let mut rtl = bench(None, None).library.instance(1).expect("an instance");
    let config = PortConfig { rows_per_bank: 129, ..port(1, 8) };
    let mut out = RegOut::default();
    let error = rtl
        .reset(&config)
        .and_then(|_| rtl.step(&RegIn::default(), &mut out))
        .expect_err("128 rows are there");
    assert!(error.to_string().contains("RowsAreThere"), "{error}");
}
