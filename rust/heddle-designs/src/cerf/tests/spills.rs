//! LRU-fair: registers that leave and come back.

use heddle_port::{Command, CommandOp, LowerKind, PortConfig};

use super::bench::{Bench, READ, config, ready, spilled};
use crate::testing::command;

#[test]
fn a_read_waits_for_its_spilled_register_and_other_reads_go_on() {
    let mut bench = spilled();
    bench.write(4);
    bench.read(&[0], 0);
    assert_eq!(bench.until(|m| m.lower_request.valid), 1);
    let refill = bench.mem().lower_request;
    assert_eq!((refill.kind, refill.line), (LowerKind::Fill as u8, 0xFFFE_0000));
    assert_eq!(bench.event("refill_started"), 1);
    assert_eq!(bench.event("register_away"), 1);
    bench.idle(1);
    assert_eq!(bench.latency(&[4]), 5, "a read of the same tag bank");
    bench.idle(20);
    assert!(!bench.out.operands[0].valid, "the register is not there");
    bench.answer(refill.id);
    bench.idle(2);
    assert_eq!(bench.event("register_refilled"), 1, "start, place");
    let waited = (0..20).find(|_| {
        bench.idle(1);
        bench.out.operands[0].valid
    });
    assert_eq!(waited, Some(3), "look-up, data banks, collector, dispatch");
    assert!(bench.mem().idle);
    assert_eq!(bench.held(), (2, 1));
}

#[test]
fn a_masked_write_to_a_spilled_register_fetches_it_and_a_full_one_does_not() {
    let mut bench = spilled();
    bench.write_lanes(0, 0xFF);
    assert_eq!(bench.event("write_merged"), 1);
    assert_eq!(bench.event("refill_started"), 1);
    assert_eq!(bench.held(), (0, 2), "it has no entry yet");
    bench.write_lanes(0, 0xFF00);
    assert_eq!(bench.event("write_merged"), 1);
    assert_eq!(bench.event("refill_started"), 0, "it is on its way");
    assert_eq!(bench.event("mshrs_in_use"), 1);
    bench.answer(0);
    bench.idle(4);
    assert_eq!(bench.held(), (1, 1));
    let mut bench = spilled();
    bench.write(0);
    assert!(!bench.mem().lower_request.valid);
    assert_eq!(bench.held(), (1, 1));
}

#[test]
fn a_warp_that_ends_waits_for_a_register_on_its_way_and_forgets_a_spilled_one() {
    let exit = || {
        let mut input = ready();
        input.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
        input
    };
    let mut bench = spilled();
    bench.step(&exit());
    bench.idle(2);
    assert!(bench.out.done.valid);
    assert_eq!(bench.latency(&[0]), 5, "nothing is fetched");
    assert!(bench.mem().idle);
    let mut bench = spilled();
    bench.write_lanes(0, 1);
    bench.step(&exit());
    for _ in 0..20 {
        bench.idle(1);
        assert!(!bench.out.done.valid, "the register is on its way");
    }
    bench.answer(0);
    let ended = (0..20).any(|_| {
        bench.idle(1);
        bench.out.done.valid
    });
    assert!(ended);
    assert_eq!(bench.held(), (0, 1));
}

#[test]
fn a_fair_bench_ignores_dead_bits() {
    let mut bench = Bench::with(PortConfig { fair: true, ..config() });
    bench.write(1);
    bench.read(&[1], 1);
    bench.idle(6);
    assert_eq!(bench.held(), (1, 0));
}

#[test]
fn an_interleaved_register_lies_in_another_bank_and_has_its_own_address_in_memory() {
    let own = [1, 0, 0, 0, 0, 0, 0, 0];
    let mut bench = Bench::with(PortConfig { ways: 2, fair: true, own, ..config() });
    bench.step(&command(CommandOp::KernelStart, 0, 8));
    bench.base(16);
    bench.write(0);
    // Its row 4, in tag bank 1 and not 0.
    bench.fetch(0x20_0011);
    bench.request(READ, 0x20_0211);
    bench.until(|m| m.lower_request.valid);
    bench.idle(1);
    bench.answer(0);
    bench.until(|m| m.lower_request.valid);
    let spill = bench.mem().lower_request;
    assert_eq!((spill.kind, spill.line), (LowerKind::WriteBack as u8, 0xFFFE_0000 + 16 * 128));
    bench.idle(8);
    assert_eq!(bench.held(), (0, 2));
    bench.read(&[0], 0);
    bench.until(|m| m.lower_request.valid);
    let refill = bench.mem().lower_request;
    assert_eq!((refill.kind, refill.line), (LowerKind::Fill as u8, spill.line));
    bench.idle(1);
    bench.answer(refill.id);
    bench.idle(4);
    assert_eq!(bench.held(), (1, 1));
}
