//! The events of runs made by hand.

use heddle_port::{Command, CommandOp, Issue, LowerKind, ResultWrite};

use super::bench::{ATOMIC, Bench, READ, WRITE, ready, spilled};

/// Of a run in one set of two ways, by hand: every look-up, row, transition and reason.
#[test]
fn the_counters_of_a_run_made_by_hand() {
    let mut bench = Bench::new(2);
    let set = |n: u32| 0x20_0000 + 512 * n;
    bench.write(0); // takes way 0
    bench.fetch(set(0)); // takes way 1
    bench.request(READ, set(0)); // hits
    bench.idle(5);
    bench.request(WRITE, set(0)); // makes it dirty
    bench.idle(5);
    bench.base(512);
    bench.write(0); // writes the line back and takes way 1
    bench.idle(5);
    bench.fetch(set(1)); // is not kept
    bench.read(&[0], 1); // frees way 1
    bench.idle(5);
    bench.fetch(set(2)); // takes way 1
    bench.fetch(set(3)); // takes it again
    bench.write(0); // and again
    bench.idle(5);
    bench.request(WRITE, set(4)); // finds nothing
    bench.request(ATOMIC, set(4));
    bench.until(|m| m.lower_request.kind == LowerKind::Atomic as u8 && m.lower_request.valid);
    bench.answer(0);
    bench.idle(9);
    bench.expect_sums(&[
        ("inactive_to_reg", 2),
        ("cache_to_reg", 1),
        ("reg_dead", 1),
        ("inactive_to_cache", 2),
        ("cache_to_cache", 1),
        ("cache_to_dirty", 1),
        ("evict_for_register", 1),
        ("evict_for_line", 0),
        ("fill_refused", 1),
        ("load_hit", 1),
        ("load_miss", 4),
        ("load_merged", 0),
        ("store_hit", 1),
        ("store_through", 1),
        ("bypassed", 1),
        // Results: 3 and the one that came again. Lines: 4 loads, 4 fills, a hit, 2 stores, an atomic. A
        // read.
        ("tag_lookup", 4 + 12 + 1),
        // The line on its way out, the hit, the operand.
        ("row_read", 3),
        // Three results, three lines that were kept, the store.
        ("row_write", 7),
    ]);
}

/// What the run above leaves out: lines that lose their place or are dropped, waits, an exit, a flush, the
/// levels.
#[test]
fn the_counters_of_evictions_and_waits_made_by_hand() {
    let mut bench = Bench::new(2);
    let set = |n: u32| 0x20_0000 + 512 * n;
    let mut start = ready();
    start.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 2, ..Command::default() };
    bench.step(&start);
    // Two loads of a line, one of which joins; then the line and another one are dirty.
    bench.request(READ, set(0));
    bench.request(READ, set(0));
    bench.until(|m| m.lower_request.valid);
    let id = bench.mem().lower_request.id;
    bench.idle(2);
    bench.answer(id);
    bench.idle(6);
    bench.fetch(set(1));
    for n in [0, 1] {
        bench.request(WRITE, set(n));
        bench.idle(4);
    }
    bench.fetch(set(2)); // writes line 0 back and takes its place
    bench.idle(4);
    bench.request(ATOMIC, set(1)); // writes line 1 back and, looked up again, finds nothing
    bench.until(|m| m.lower_request.kind == LowerKind::Atomic as u8 && m.lower_request.valid);
    bench.answer(0);
    bench.idle(6);
    bench.request(ATOMIC, set(2)); // drops a clean line
    bench.until(|m| m.lower_request.kind == LowerKind::Atomic as u8 && m.lower_request.valid);
    bench.answer(0);
    bench.idle(6);
    assert_eq!(bench.held(), (0, 0));
    bench.read(&[1], 0); // never written
    bench.idle(6);
    // Registers 0 and 1 of banks 0 and 1.
    bench.write(0);
    bench.write(1);
    // Two instructions read the same register in the same cycle: the second waits.
    let mut input = ready();
    for slot in 0..2 {
        input.issue[slot] =
            Issue { valid: true, tag: 7 + slot as u16, mask: u32::MAX, source_valid: 1, ..Issue::default() };
    }
    bench.step(&input);
    bench.idle(8);
    // A result of the register is accepted as it is read: the read waits behind it.
    let mut input = ready();
    input.issue[0] = Issue { valid: true, tag: 9, mask: u32::MAX, source_valid: 1, ..Issue::default() };
    input.result[0] = ResultWrite { valid: true, mask: u32::MAX, last: true, ..ResultWrite::default() };
    bench.step(&input);
    bench.idle(8);
    let mut exit = ready();
    exit.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
    bench.step(&exit);
    bench.idle(8);
    // A flush finds one dirty line.
    bench.fetch(set(5));
    bench.request(WRITE, set(5));
    bench.idle(6);
    bench.memory.flush = true;
    bench.idle(1);
    bench.memory.flush = false;
    bench.idle(1_040);
    assert!(bench.mem().idle);
    bench.expect_sums(&[
        ("load_merged", 1),
        ("evict_for_line", 1),
        ("evict_for_bypass", 1),
        ("cache_dropped", 1),
        ("register_miss", 1),
        ("bank_conflict", 1),
        ("read_behind_write", 1),
        ("reg_ended", 2),
        ("flushed_line", 1),
        // The cycle in which the atomic's dirty line leaves.
        ("memory_stall", 1),
    ]);
}

/// The levels are those of the start of a cycle: a register from the cycle after its look-up to that of its
/// end.
#[test]
fn levels_count_an_entry_in_every_cycle_that_it_is_held() {
    let mut bench = Bench::new(4);
    let mut start = ready();
    start.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 2, ..Command::default() };
    bench.step(&start);
    bench.write(0);
    bench.write(1);
    let mut registers = 0;
    for _ in 0..10 {
        bench.idle(1);
        registers += bench.event("register_entries");
    }
    assert_eq!(registers, 20);
    let mut exit = ready();
    exit.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
    bench.step(&exit);
    let mut after = Vec::new();
    for _ in 0..4 {
        bench.idle(1);
        after.push(bench.event("register_entries"));
    }
    assert_eq!(after, [2, 2, 0, 0], "both in the cycle after its turn");
    bench.fetch(0x20_0000);
    bench.fetch(0x20_0001);
    bench.idle(1);
    assert_eq!((bench.event("register_entries"), bench.event("line_entries")), (0, 2));
}

/// Of LRU-fair: a spill for a line, a refill that spills a register, results that merge.
#[test]
fn the_counters_of_spills_made_by_hand() {
    let mut bench = spilled();
    bench.base(512);
    bench.write(0); // takes the place of a clean line
    bench.base(0);
    bench.write_lanes(0, 1); // fetches its register and waits beside it
    bench.read(&[0, 0], 0); // both reads wait; the refill takes the other line's place
    bench.idle(6);
    bench.answer(0);
    bench.idle(9);
    bench.base(1024 - 512);
    bench.read(&[0], 0);
    bench.idle(9);
    bench.expect_sums(&[
        ("spill_for_line", 1),
        ("spill_for_register", 0),
        ("refill_started", 1),
        ("register_refilled", 1),
        ("write_merged", 1),
        ("register_away", 2),
        ("cache_to_reg", 2),
        ("register_miss", 0),
    ]);
    // A line takes the place of the register that was used longer ago, and then the other register that of
    // the line.
    bench.fetch(0x20_0400);
    bench.idle(5);
    assert_eq!(bench.sum("spill_for_line"), 2);
    bench.request(READ, 0x20_0400);
    bench.idle(5);
    bench.base(0);
    bench.read(&[0], 0);
    bench.idle(4);
    bench.answer(0);
    bench.idle(9);
    assert_eq!(bench.sum("spill_for_register"), 1);
    assert_eq!(bench.sum("register_refilled"), 2);
}
