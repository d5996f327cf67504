//! The timing of each path, and what the port forbids.

use heddle_port::{Command, CommandOp, DesignError, LowerKind, PortConfig, RegisterFile, ResultWrite};

use super::bench::{ATOMIC, Bench, READ, WRITE, config, ready};
use crate::cerf::Integrated;
use crate::testing;

#[test]
fn the_tagging_stage_costs_one_cycle_more_than_the_baseline() {
    let mut bench = Bench::new(4);
    for register in 0..8 {
        bench.write(register);
    }
    assert_eq!(bench.latency(&[0]), 5);
    bench.idle(3);
    assert_eq!(bench.latency(&[0, 1, 2, 3]), 5, "different tag banks");
    bench.idle(3);
    assert_eq!(bench.latency(&[0, 4]), 6, "the same tag bank");
    bench.idle(3);
    assert_eq!(bench.latency(&[]), 2);
}

#[test]
fn a_dead_read_frees_its_entry_and_an_exit_the_rest() {
    let mut bench = Bench::new(4);
    let mut input = ready();
    input.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 3, ..Command::default() };
    bench.step(&input);
    for register in 0..3 {
        bench.write(register);
    }
    assert_eq!(bench.held(), (3, 0));
    bench.read(&[1, 1], 0b11);
    bench.idle(6);
    assert_eq!(bench.held(), (2, 0));
    input.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
    bench.step(&input);
    let mut cycles = 1;
    while !bench.out.done.valid {
        assert!(bench.out.command_ready, "other commands go on");
        bench.idle(1);
        cycles += 1;
    }
    assert_eq!((cycles, bench.out.done.op), (3, CommandOp::Exit as u8), "its turn, its group, the answer");
    assert_eq!(bench.held(), (0, 0));
}

#[test]
fn a_load_fetches_its_line_once_and_then_hits() {
    let mut bench = Bench::new(4);
    bench.request(READ, 0x20_0000);
    assert_eq!(bench.until(|m| m.performed.valid), 1);
    assert!(bench.mem().lower_request.valid);
    assert_eq!(bench.mem().lower_request.kind, LowerKind::Fill as u8);
    bench.request(READ, 0x20_0000);
    assert_eq!(bench.until(|m| m.performed.valid), 1, "the second load joins");
    assert!(!bench.mem().lower_request.valid);
    bench.answer(0);
    assert_eq!(bench.until(|m| m.response.valid), 3, "start, place, answer");
    assert_eq!(bench.mem().response.outcome, 1);
    bench.idle(1);
    assert_eq!((bench.mem().response.valid, bench.mem().response.outcome), (true, 2));
    bench.idle(1);
    assert!(bench.mem().idle);
    bench.request(READ, 0x20_0000);
    assert_eq!(bench.until(|m| m.response.valid), 3);
    assert_eq!(bench.mem().response.outcome, 0);
    assert_eq!(bench.held(), (0, 1));
}

#[test]
fn a_store_makes_a_line_dirty_and_the_line_leaves_before_its_place_is_taken() {
    let mut bench = Bench::new(2);
    let set = |n: u32| 0x20_0000 + 512 * n;
    bench.fetch(set(0));
    bench.fetch(set(1));
    for n in [0, 1] {
        bench.request(WRITE, set(n));
        bench.until(|m| m.response.valid && m.response.store);
        assert!(!bench.mem().lower_request.valid, "it stays");
        bench.idle(1);
    }
    bench.request(READ, set(2));
    bench.until(|m| m.lower_request.valid);
    let id = bench.mem().lower_request.id;
    bench.idle(1);
    bench.answer(id);
    bench.until(|m| m.lower_request.valid);
    let written = bench.mem().lower_request;
    assert_eq!((written.kind, written.line), (LowerKind::WriteBack as u8, set(0) * 128));
    bench.idle(10);
    assert_eq!(bench.held(), (0, 2));
}

#[test]
fn a_store_without_its_line_goes_through_and_an_atomic_drops_it() {
    let mut bench = Bench::new(4);
    bench.request(WRITE, 0x20_0000);
    bench.until(|m| m.lower_request.valid);
    assert_eq!(bench.mem().lower_request.kind, LowerKind::BypassWrite as u8);
    bench.idle(4);
    bench.fetch(0x20_0000);
    assert_eq!(bench.held(), (0, 1));
    bench.request(ATOMIC, 0x20_0000);
    bench.until(|m| m.lower_request.valid);
    assert_eq!(bench.mem().lower_request.kind, LowerKind::Atomic as u8);
    assert_eq!(bench.held(), (0, 0));
}

#[test]
fn what_the_port_forbids_is_an_error() {
    let mut model = testing::model::<Integrated>(testing::WIDTHS);
    assert!(matches!(
        model.reset(&PortConfig { bank_cycles: 2, ..config() }),
        Err(DesignError::Config { key: "register_file.bank_cycles", .. })
    ));
    assert!(matches!(
        model.reset(&PortConfig { ways: 3, ..config() }),
        Err(DesignError::Config { key: "register_file.ways", .. })
    ));
    assert!(matches!(
        model.reset(&PortConfig { rows_per_bank: 128, ..config() }),
        Err(DesignError::Config { key: "register_file.rows_per_bank", .. })
    ));
    let mut out = model.reset(&config()).expect("good configuration");
    let mut input = ready();
    input.command = Command { valid: true, op: CommandOp::WarpBase as u8, value: 1020, ..Command::default() };
    model.step(&input, &mut out).expect("the contract is kept");
    let mut input = ready();
    input.result[0] = ResultWrite { valid: true, register: 4, mask: 1, ..ResultWrite::default() };
    let error = model.step(&input, &mut out).expect_err("there are 1,024 registers");
    assert!(error.to_string().contains("warp register 1024"), "{error}");
}
