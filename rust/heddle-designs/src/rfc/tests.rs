//! Hits, misses, who gives way, and what is written back, as docs/designs/comparators.md states it.

use super::{Cache, CachedByWrite, Kept};
use crate::common::Versions;
use crate::testing::{self, command, issues, ready};
use heddle_port::{CommandOp, DESIGN_WORDS, DesignError, PortConfig, RegisterFile};

type Bench = testing::Bench<CachedByWrite>;

const BANK_CYCLES: u8 = 6;
/// Cycles until the operands of a hit are there, and of a miss.
const HIT: u32 = 4;
const MISS: u32 = 3 + BANK_CYCLES as u32;

/// Two active warps with two registers each.
fn config() -> PortConfig {
    let mut own = [0; DESIGN_WORDS];
    let word = testing::instance("rfc", testing::WIDTHS).word("rfc", "cache_registers").expect("a word");
    own[word] = 4;
    PortConfig { bank_cycles: BANK_CYCLES, rows_per_bank: 8, active_warps: 2, own, ..PortConfig::default() }
}

/// Warp slot 0 is active; its registers begin at warp register 0.
fn active() -> Bench {
    let mut bench = Bench::new(&config());
    bench.step(&command(CommandOp::KernelStart, 0, 16));
    bench.step(&command(CommandOp::Activate, 0, 0));
    bench
}

fn write(bench: &mut Bench, register: u8, mask: u32) {
    assert!(bench.out.result_ready[0]);
    let mut input = ready();
    input.result[0] = testing::result(0, register);
    input.result[0].mask = mask;
    bench.step(&input);
}

fn writes(bench: &mut Bench, registers: &[u8]) {
    registers.iter().for_each(|&register| write(bench, register, u32::MAX));
}

/// Cycles until the operand is there; afterwards nothing is under way.
fn read(bench: &mut Bench, register: u8) -> u32 {
    let cycles = bench.latency(&issues(testing::issue(1, 0, &[register])));
    bench.idle(4);
    cycles
}

/// Reads a register for the last time.
fn last_read(bench: &mut Bench, register: u8) {
    let mut issue = testing::issue(1, 0, &[register]);
    issue.dead = 1;
    bench.latency(&issues(issue));
    bench.idle(4);
}

/// Cycles until the command is carried out.
fn carried_out(bench: &mut Bench, op: CommandOp) -> u32 {
    let first = bench.cycles;
    bench.step(&command(op, 0, 0));
    while !bench.out.done.valid {
        bench.idle(1);
        assert!(bench.cycles - first < 200, "{op:?} never ends");
    }
    bench.cycles - first
}

#[test]
fn a_result_allocates_and_is_read_at_the_speed_of_the_cache() {
    let mut bench = active();
    writes(&mut bench, &[3]);
    assert_eq!(read(&mut bench, 3), HIT);
    bench.expect_sums(&[("cache_hit", 1), ("cache_miss", 0), ("result_to_cache", 1), ("main_bank_write", 0)]);
}

#[test]
fn sources_in_the_cache_do_not_wait_for_each_other() {
    let mut bench = active();
    writes(&mut bench, &[3, 19]);
    assert_eq!(bench.latency(&issues(testing::issue(1, 0, &[3, 19, 3]))), HIT);
}

#[test]
fn a_miss_is_read_in_the_main_file_and_does_not_allocate() {
    let mut bench = active();
    assert_eq!(read(&mut bench, 3), MISS);
    assert_eq!(read(&mut bench, 3), MISS);
    bench.expect_sums(&[("cache_hit", 0), ("cache_miss", 2), ("main_bank_read", 2)]);
}

#[test]
fn the_oldest_gives_way_whatever_was_read_or_written_since() {
    let mut bench = active();
    writes(&mut bench, &[1, 2]);
    read(&mut bench, 1);
    writes(&mut bench, &[1, 3]);
    bench.expect_sums(&[("evict_write_back", 1), ("evict_dead", 0)]);
    bench.idle(BANK_CYCLES.into());
    bench.expect_sums(&[("main_bank_write", 1)]);
    assert_eq!([1, 2, 3].map(|register| read(&mut bench, register)), [MISS, HIT, HIT]);
}

#[test]
fn a_dead_register_is_dropped_and_a_result_brings_it_back() {
    let mut bench = active();
    writes(&mut bench, &[1, 2]);
    last_read(&mut bench, 1);
    last_read(&mut bench, 2);
    writes(&mut bench, &[2, 3, 4]);
    bench.idle(BANK_CYCLES.into());
    bench.expect_sums(&[("evict_dead", 1), ("evict_write_back", 1), ("main_bank_write", 1)]);
    assert_eq!(read(&mut bench, 2), MISS);
}

#[test]
fn a_warp_that_leaves_has_what_lives_written_back() {
    let mut bench = active();
    writes(&mut bench, &[1, 2]);
    last_read(&mut bench, 1);
    carried_out(&mut bench, CommandOp::Deactivate);
    bench.idle(BANK_CYCLES.into());
    bench.expect_sums(&[("flush_write_back", 1), ("flush_dead", 1), ("main_bank_write", 1)]);
    writes(&mut bench, &[5]);
    bench.expect_sums(&[("result_to_main", 1), ("result_to_cache", 2)]);
    bench.idle(BANK_CYCLES.into());
    bench.step(&command(CommandOp::Activate, 0, 0));
    assert_eq!([2, 5].map(|register| read(&mut bench, register)), [MISS, MISS]);
}

#[test]
fn a_result_for_a_register_that_waits_to_be_flushed_is_not_overtaken() {
    let mut bench = active();
    bench.step(&command(CommandOp::WarpBase, 1, 32));
    // Results of an inactive warp fill the write buffer, so that the flush waits.
    writes(&mut bench, &[1, 17]);
    let mut input = ready();
    input.result = std::array::from_fn(|_| testing::result(1, 1));
    for _ in 0..3 {
        bench.step(&input);
    }
    bench.step(&command(CommandOp::Deactivate, 0, 0));
    assert!(!bench.out.done.valid, "it waits");
    while !bench.out.result_ready[0] {
        bench.idle(1);
    }
    assert!(!bench.out.done.valid, "it still waits");
    writes(&mut bench, &[17]);
    bench.idle(64);
    assert_eq!(bench.sum("flush_write_back"), 2);
    bench.step(&command(CommandOp::Activate, 0, 0));
    assert_eq!([1, 17].map(|register| read(&mut bench, register)), [MISS, MISS]);
}

#[test]
fn lanes_that_the_cache_lacks_come_from_the_main_file() {
    let mut bench = active();
    writes(&mut bench, &[1]);
    carried_out(&mut bench, CommandOp::Deactivate);
    bench.idle(BANK_CYCLES.into());
    bench.step(&command(CommandOp::Activate, 0, 0));
    write(&mut bench, 1, 0xFF);
    assert_eq!(read(&mut bench, 1), MISS);
    bench.expect_sums(&[("cache_miss", 1), ("cache_partial", 1)]);
    let mut issue = testing::issue(2, 0, &[1]);
    issue.mask = 0xF;
    assert_eq!(bench.latency(&issues(issue)), HIT);
    bench.idle(4);
    // Its eight lanes go back over those of the main file, which has the others.
    writes(&mut bench, &[2, 3]);
    bench.idle(BANK_CYCLES.into());
    assert_eq!(read(&mut bench, 1), MISS);
}

#[test]
fn an_ended_warp_leaves_nothing() {
    let mut bench = active();
    writes(&mut bench, &[1]);
    carried_out(&mut bench, CommandOp::Exit);
    bench.step(&command(CommandOp::Activate, 0, 0));
    assert_eq!(read(&mut bench, 1), MISS, "and no older value is missed");
    bench.expect_sums(&[("main_bank_write", 0)]);
}

#[test]
fn a_warp_beyond_the_places_is_refused() {
    let mut bench = active();
    bench.step(&command(CommandOp::Activate, 1, 0));
    let error = bench.model.step(&command(CommandOp::Activate, 2, 0), &mut bench.out).expect_err("three");
    assert!(error.to_string().contains("the cache has 2 places"), "{error}");
}

#[test]
fn a_cache_without_an_entry_for_a_warp_is_refused() {
    let mut model = testing::model::<CachedByWrite>(testing::WIDTHS);
    let mut config = config();
    config.active_warps = 5;
    assert!(matches!(model.reset(&config), Err(DesignError::Config { key: "scheduler.active_warps", .. })));
}

/// A model that drops a live register has its older value read, which is found: in the whole lane mask and in one lane.
#[test]
fn a_stale_register_ends_the_run() {
    for (mask, lane) in [(u32::MAX, 0), (1 << 9, 9)] {
        let mut bench = active();
        writes(&mut bench, &[1]);
        carried_out(&mut bench, CommandOp::Deactivate);
        bench.idle(BANK_CYCLES.into());
        bench.step(&command(CommandOp::Activate, 0, 0));
        write(&mut bench, 1, mask);
        // The fault: dead, where lanes still read it.
        last_read(&mut bench, 1);
        writes(&mut bench, &[2, 3]);
        let mut input = issues(testing::issue(1, 0, &[1]));
        let error = (0..20).find_map(|_| {
            let error = bench.model.step(&input, &mut bench.out).err();
            input = ready();
            error
        });
        let Some(DesignError::Stale { design: "rfc", what, .. }) = error else { panic!("{error:?}") };
        let expected = format!("lane {lane} of warp register 1 was read in the main register file");
        assert!(what.starts_with(&expected), "{what}");
    }
}

#[test]
fn versions_tell_copies_apart_lane_by_lane() {
    let mut versions = Versions::new(2);
    let old = versions.result(1, u32::MAX);
    assert_eq!(versions.stale_copy(1, u32::MAX, &old, "the cache"), None);
    assert!(versions.stale_in_main(1, 1).is_some());
    versions.write_main(1, &old);
    assert_eq!(versions.stale_in_main(1, u32::MAX), None);
    let mut copy = old;
    let new = versions.result(1, 0b100);
    assert!(versions.stale_copy(1, 0b100, &copy, "the cache").is_some());
    assert_eq!(versions.stale_copy(1, !0b100, &copy, "the cache"), None);
    copy.update(&new);
    assert_eq!(versions.stale_copy(1, u32::MAX, &copy, "the cache"), None);
    versions.forget(1, 1);
    assert_eq!(versions.stale_in_main(1, u32::MAX), None);
}

#[test]
fn entries_of_one_warp_do_not_make_room_for_another() {
    let mut cache = Cache::new(1, 2);
    let value = Versions::new(1).result(0, 1);
    assert_eq!(cache.write(0, 7, &value), Kept::No);
    cache.activate(0).expect("a place");
    cache.activate(1).expect("a place");
    assert_eq!([0, 1].map(|warp| cache.write(warp, 7, &value)), [Kept::Allocated(None); 2]);
    let Kept::Allocated(Some(victim)) = cache.write(1, 8, &value) else { panic!("no victim") };
    assert_eq!(victim.register, 7);
    assert!(cache.find(0, 7).is_some() && cache.find(1, 7).is_none());
}
