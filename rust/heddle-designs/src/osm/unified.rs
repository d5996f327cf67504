//! The unified cache: global and local lines beside those of shared memory.

use super::bench::{Bench, TRIP, access, config, write};
use super::{CacheShape, OsmConfig, layout};
use heddle_port::memory::MemRequest;

const GLOBAL: u32 = 0x1000_0000;
const LOCAL: u32 = 0xF000_0000;

fn unified(size_log2: u8) -> Bench {
    Bench::of_shape(CacheShape::UNIFIED, config(size_log2))
}

/// All lanes access consecutive words of a line from `base` on.
fn line(kind: u8, tag: u16, space: u8, base: u32, number: u32) -> MemRequest {
    MemRequest { space, ..access(kind, tag, 0, u32::MAX, |lane| base + 128 * number + 4 * lane) }
}

fn load(tag: u16, number: u32) -> MemRequest {
    line(0, tag, 0, GLOBAL, number)
}

fn store(tag: u16, number: u32) -> MemRequest {
    line(1, tag, 0, GLOBAL, number)
}

#[test]
fn a_global_store_goes_through_and_takes_no_line() {
    let mut bench = unified(0);
    let half = MemRequest { mask: 0xFFFF, ..store(0, 3) };
    assert!(bench.run(&half).store);
    let taken = bench.lower[0];
    assert_eq!((taken.kind, taken.line, taken.byte_mask), (3, GLOBAL + 3 * 128, [u32::MAX, u32::MAX, 0, 0]));
    assert_eq!(bench.run(&load(1, 3)).outcome, 1, "no line was taken");
    assert_eq!(bench.run(&load(2, 3)).outcome, 0);
    bench.run(&store(3, 3));
    assert_eq!(bench.run(&load(4, 3)).outcome, 0, "the copy is changed, not dropped");
    assert_eq!(bench.cache.lines().locked(0), 0);
}

#[test]
fn global_and_shared_lines_share_the_ways_and_only_shared_ones_lock() {
    let mut bench = unified(0);
    bench.run(&write(0, 0));
    for number in 0..20 {
        bench.run(&load(number as u16, number));
    }
    assert!(bench.holds(0, 0), "the locked line outlives twenty global ones");
    assert!(bench.lower.iter().all(|r| r.kind == 0), "global lines leave without a write-back");
}

#[test]
fn a_volatile_read_drops_the_copy_and_goes_past() {
    let mut bench = unified(0);
    bench.run(&load(0, 5));
    let volatile = MemRequest { cache_operator: 6, ..load(1, 5) };
    assert_eq!(bench.run(&volatile).outcome, 3);
    assert_eq!(bench.run(&volatile).outcome, 3);
    assert_eq!(bench.count(layout::EVICT_CLEAN), 1);
    let kinds: Vec<u8> = bench.lower.iter().map(|r| r.kind).collect();
    assert_eq!(kinds, [0, 2, 2]);
    assert_eq!(bench.run(&load(2, 5)).outcome, 1, "no copy is left");
}

#[test]
fn a_global_atomic_is_carried_out_beyond_the_cache() {
    let mut bench = unified(0);
    assert_eq!(bench.run(&line(2, 0, 0, GLOBAL, 1)).outcome, 3);
    assert_eq!(bench.lower[0].kind, 4);
    assert_eq!(bench.cache.lines().locked(0), 0);
}

#[test]
fn local_lines_are_written_back_and_do_not_lock() {
    let mut bench = unified(0);
    bench.run(&line(1, 0, 1, LOCAL, 0));
    assert!(bench.lower.is_empty());
    assert_eq!(bench.cache.lines().locked(0), 0);
    for number in 0..8 {
        bench.run(&load(1, number));
    }
    assert_eq!(bench.lower.iter().filter(|r| r.kind == 1 && r.line == LOCAL).count(), 1);
}

#[test]
fn the_paper_s_cache_has_sixteen_sets_of_64_ways() {
    let mut bench = unified(7);
    for number in 0..1024 {
        bench.run(&load(0, number));
    }
    assert_eq!(bench.count(layout::EVICT_CLEAN), 0);
    bench.run(&load(0, 1024));
    assert_eq!(bench.count(layout::EVICT_CLEAN), 1);
    assert_eq!(bench.run(&load(0, 0)).outcome, 1, "the first line of its set is gone");
    assert_eq!(bench.run(&load(0, 1)).outcome, 0);
}

/// Eight fetches take all ways of a small cache; a load that needs a way is before the store to its line.
#[test]
fn a_store_does_not_overtake_a_load_that_has_no_way() {
    let mut bench = unified(0);
    bench.answers = false;
    for number in 0..8 {
        bench.step(&load(number as u16, number));
    }
    bench.step(&load(8, 8));
    bench.step(&store(9, 8));
    for _ in 0..40 {
        bench.step(&MemRequest::default());
    }
    assert!(bench.count(layout::STALL_SET) > 0);
    assert!(bench.performed.is_empty(), "{:?}", bench.performed);
    bench.answers = true;
    bench.drain();
    let order: Vec<u16> = bench.performed.iter().map(|p| p.1).filter(|tag| *tag >= 8).collect();
    assert_eq!(order, [8, 9]);
}

#[test]
fn what_does_not_fit_the_space_is_reported() {
    let bad = [
        line(2, 0, 1, LOCAL, 0),
        MemRequest { space: 3, ..load(0, 0) },
        MemRequest { kind: 3, ..load(0, 0) },
    ];
    for request in bad {
        assert!(unified(0).try_step(&request).is_err(), "{request:?}");
    }
    let mut shared_only = Bench::new(OsmConfig::default());
    assert!(shared_only.try_step(&load(0, 0)).is_err());
}

/// Cycles from the handshake of a load to its response, with its line on the way for [`TRIP`] cycles.
#[test]
fn the_answer_of_a_miss_does_not_take_the_way_of_a_hit() {
    let mut bench = unified(3);
    let at = bench.send(&load(0, 1));
    bench.drain();
    // Look-up, two cycles to the queue's end, the trip, the pass after the fill, then banks, ring and output.
    assert_eq!(bench.responses[0].0, at + 3 + TRIP + 4);
    let at = bench.send(&load(1, 1));
    bench.drain();
    assert_eq!(bench.responses[1].0, at + 28);
}

#[test]
fn answers_that_could_leave_together_leave_one_after_the_other() {
    let mut bench = unified(3);
    bench.run(&load(0, 1));
    bench.responses.clear();
    // Hits whose answers fill the cycles in which that of the miss could leave.
    for tag in 2..20 {
        bench.step(&load(tag, 1));
    }
    let miss = bench.send(&load(1, 2));
    for tag in 20..40 {
        bench.step(&load(tag, 1));
    }
    bench.drain();
    let mut cycles: Vec<u64> = bench.responses.iter().map(|r| r.0).collect();
    assert_eq!(cycles.len(), 39);
    cycles.dedup();
    assert_eq!(cycles.len(), 39, "one a cycle");
    let of_miss = bench.responses.iter().find(|r| r.1.tag == 1).expect("an answer").0;
    assert!(of_miss > miss + 3 + TRIP + 4, "its first cycle is taken");
    assert!(of_miss <= miss + 3 + TRIP + 28, "not later than with the way of a hit");
}

#[test]
fn what_goes_past_waits_for_its_copy_and_nothing_overtakes_it() {
    let mut bench = unified(0);
    let sector =
        |kind, tag, offset: u32| MemRequest { space: 0, ..access(kind, tag, 0, 1, move |_| GLOBAL + offset) };
    bench.run(&sector(0, 0, 0));
    bench.answers = false;
    bench.send(&sector(0, 1, 64));
    for _ in 0..10 {
        bench.step(&MemRequest::default());
    }
    bench.send(&MemRequest { cache_operator: 6, ..sector(0, 2, 0) });
    bench.send(&sector(1, 3, 0));
    for _ in 0..30 {
        bench.step(&MemRequest::default());
    }
    assert!(bench.count(layout::EVICT_CLEAN) == 0 && bench.count(layout::STALL_COPY) > 0);
    bench.answers = true;
    bench.drain();
    let order: Vec<u16> = bench.performed.iter().map(|p| p.1).collect();
    assert_eq!(order, [0, 1, 2, 3]);
}

#[test]
fn a_store_through_goes_for_the_sectors_that_are_open() {
    let mut bench = unified(0);
    bench.answers = false;
    bench.send(&MemRequest { space: 0, ..access(0, 0, 0, 1, |_| GLOBAL) });
    bench.send(&store(1, 0));
    for _ in 0..30 {
        bench.step(&MemRequest::default());
    }
    assert_eq!(bench.lower[1].byte_mask, [0, u32::MAX, u32::MAX, u32::MAX]);
    assert_eq!(bench.responses.len(), 0);
    bench.answers = true;
    bench.drain();
    assert_eq!(bench.lower[2].byte_mask, [u32::MAX, 0, 0, 0]);
    let order: Vec<(u16, u32)> = bench.performed.iter().map(|p| (p.1, p.2)).collect();
    assert_eq!(order, [(1, 0xFFFF_FF00), (0, 1), (1, 0xFF)]);
}
