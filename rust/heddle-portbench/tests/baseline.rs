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
