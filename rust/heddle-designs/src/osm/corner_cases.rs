//! Cases in which a cache in the place of a scratch pad could go wrong.

use super::bench::{Bench, TRIP, access, atomic, config, read, release, write};
use super::{CacheShape, FILLS, LOWER_QUEUE, OsmConfig, layout};
use heddle_port::DesignError;
use heddle_port::memory::MemRequest;

/// 1 KB: one set of 8 ways.
fn small() -> Bench {
    Bench::new(config(0))
}

fn no_lock() -> Bench {
    Bench::new(OsmConfig { lock: false, ..config(0) })
}

#[test]
fn all_ways_locked_the_least_recently_used_line_leaves() {
    let mut bench = small();
    for line in [3, 0, 1, 2, 4, 5, 6, 7] {
        bench.run(&write(line as u16, line));
    }
    assert_eq!(bench.cache.lines().locked(0), 0xFF);
    bench.run(&write(8, 8));
    assert_eq!(bench.traffic(), [('w', 3)]);
    assert_eq!(bench.count(layout::EVICT_LOCKED), 1);
    assert_eq!(bench.cache.lines().locked(0), 0xFF);
}

#[test]
fn an_unlocked_line_leaves_before_older_locked_ones() {
    let mut bench = small();
    for line in 0..8 {
        bench.run(&write(line as u16, line));
    }
    bench.run(&read(8, 5));
    bench.run(&write(9, 8));
    assert_eq!(bench.traffic(), [('w', 5)]);
    assert_eq!(bench.count(layout::EVICT_LOCKED), 0);
}

#[test]
fn a_line_written_and_never_read_stays_while_others_are_read() {
    let (mut locking, mut plain) = (small(), no_lock());
    for bench in [&mut locking, &mut plain] {
        bench.run(&write(0, 0));
        for line in 1..20 {
            bench.run(&read(line as u16, line));
        }
    }
    assert!(locking.holds(0, 0));
    assert!(locking.traffic().iter().all(|&(kind, _)| kind == 'f'));
    assert!(!plain.holds(0, 0));
    assert_eq!(plain.traffic().iter().filter(|&&t| t == ('w', 0)).count(), 1);
}

#[test]
fn equal_offsets_of_two_ctas_are_two_lines() {
    let mut bench = small();
    let offset = |lane| 4 * lane;
    bench.run(&access(1, 1, 3, u32::MAX, offset));
    bench.run(&access(1, 2, 9, u32::MAX, offset));
    assert_eq!(bench.count(layout::WRITE_ALLOCATE), 2);
    bench.run(&access(0, 3, 9, u32::MAX, offset));
    assert_eq!(bench.cache.lines().locked(0), 0b01, "only the line of slot 3 is unread");
    let other = bench.run(&access(0, 4, 4, u32::MAX, offset));
    assert_eq!(other.outcome, 1, "slot 4 finds neither");
    assert_eq!(bench.lower[0].line, 0xE000_0000 + (4 << 17));
}

#[test]
fn at_a_barrier_dirty_lines_stay_and_are_read_without_traffic() {
    let mut bench = small();
    for warp in 0..4u16 {
        bench.send(&write(warp, warp.into()));
    }
    bench.drain();
    for warp in 0..4u16 {
        let answer = bench.run(&read(8 + warp, u32::from(3 - warp)));
        assert_eq!(answer.outcome, 0);
    }
    assert!(bench.lower.is_empty());
}

#[test]
fn an_atomic_on_a_locked_line_leaves_it_locked() {
    let mut bench = small();
    bench.run(&write(0, 0));
    assert_eq!(bench.run(&atomic(1, 0)).outcome, 0);
    assert_eq!(bench.cache.lines().locked(0), 1);
    bench.run(&read(2, 0));
    assert_eq!(bench.cache.lines().locked(0), 0);
    bench.run(&atomic(3, 0));
    assert_eq!(bench.cache.lines().locked(0), 1, "an atomic writes");
    assert!(bench.lower.is_empty());
}

#[test]
fn an_atomic_fetches_the_bytes_that_it_lacks() {
    let mut bench = small();
    bench.run(&access(1, 0, 0, 0b10, |lane| 4 * lane));
    assert_eq!(bench.run(&atomic(1, 0)).outcome, 1);
    assert_eq!(bench.count(layout::FETCH_PARTIAL), 1);
    bench.run(&atomic(2, 7));
    assert_eq!(bench.count(layout::FETCH), 1);
    assert_eq!(bench.traffic(), [('f', 0), ('f', 7)]);
}

#[test]
fn a_line_on_its_way_is_never_the_victim() {
    let mut bench = small();
    bench.answers = false;
    // Eight lanes read eight lines: all ways wait for their fill.
    bench.send(&access(0, 1, 0, 0xFF, |lane| 128 * lane));
    bench.send(&write(2, 20));
    for _ in 0..50 {
        bench.step(&MemRequest::default());
    }
    assert_eq!(bench.count(layout::FETCH), 8);
    assert_eq!(bench.count(layout::EVICT_CLEAN), 0);
    assert!(bench.count(layout::STALL_SET) > 0);
    assert!(bench.performed.is_empty());
    bench.answers = true;
    bench.drain();
    let performed: u32 = bench.performed.iter().filter(|p| p.1 == 1).map(|p| p.2).sum();
    assert_eq!(performed, 0xFF);
    assert_eq!(bench.responses.len(), 2);
}

#[test]
fn a_line_may_leave_while_the_response_to_its_read_is_under_way() {
    let mut bench = small();
    for line in 0..8 {
        bench.run(&read(line as u16, line));
    }
    let at = bench.send(&read(8, 0));
    // All others are used after it, so line 0 is the next to leave.
    for line in 1..8 {
        bench.send(&read(16, line));
    }
    bench.send(&write(9, 30));
    while bench.holds(0, 0) {
        bench.step(&MemRequest::default());
    }
    assert!(bench.responses.iter().all(|(_, r)| r.tag != 8), "the response is still under way");
    bench.drain();
    let answer = bench.responses.iter().find(|(_, r)| r.tag == 8).expect("an answer");
    assert_eq!((answer.0, answer.1.outcome), (at + 28, 0));
}

#[test]
fn the_end_of_a_cta_drops_its_lines_locked_and_dirty_ones_too() {
    let mut bench = small();
    for line in 0..4 {
        bench.run(&write(line as u16, line));
    }
    bench.run(&access(1, 5, 1, 1, |_| 0));
    let answer = bench.run(&release(6, 0));
    assert_eq!((answer.tag, answer.mask), (6, 0));
    assert!((0..4).all(|line| !bench.holds(0, line)));
    assert!(bench.holds(1, 0), "another CTA's line stays");
    assert_eq!(bench.cache.lines().locked(0), 0b1_0000);
    assert!(bench.lower.is_empty(), "nothing of a dead block is written back");
    // The next CTA of the slot finds nothing of it.
    assert_eq!(bench.run(&read(7, 0)).outcome, 1);
}

#[test]
fn the_end_of_a_cta_waits_for_its_write_backs() {
    let mut bench = small();
    bench.lower_open = false;
    for line in 0..9 {
        bench.send(&write(line as u16, line));
    }
    bench.send(&release(9, 0));
    for _ in 0..50 {
        bench.step(&MemRequest::default());
    }
    assert!(bench.count(layout::STALL_RELEASE) > 0);
    assert_eq!(bench.count(layout::RELEASE), 0);
    bench.lower_open = true;
    bench.drain();
    assert_eq!(bench.count(layout::RELEASE), 1);
    assert_eq!(bench.traffic(), [('w', 0)]);
}

#[test]
fn a_cta_that_ends_before_its_reads_is_reported() {
    let mut bench = small();
    bench.send(&read(0, 0));
    bench.step(&release(1, 0));
    let error = (0..50).find_map(|_| bench.try_step(&MemRequest::default()).err()).expect("an error");
    assert!(matches!(error, DesignError::Contract { .. }));
    assert!(error.to_string().contains("CTA slot 0 ends"), "{error}");
}

#[test]
fn a_store_does_not_overtake_a_load_of_its_line() {
    let mut bench = small();
    bench.send(&access(0, 1, 0, 1, |_| 0));
    bench.send(&access(1, 2, 0, 1, |_| 0));
    bench.send(&access(0, 3, 0, 1, |_| 0));
    bench.drain();
    let order: Vec<u16> = bench.performed.iter().map(|p| p.1).collect();
    assert_eq!(order, [1, 2, 3]);
    let outcomes: Vec<u8> = bench.responses.iter().map(|r| r.1.outcome).collect();
    assert_eq!(outcomes, [1, 2, 2]);
}

#[test]
fn a_hit_overtakes_a_miss() {
    let mut bench = small();
    bench.run(&write(0, 3));
    bench.send(&read(1, 0));
    bench.send(&read(2, 3));
    bench.drain();
    let order: Vec<u16> = bench.performed.iter().map(|p| p.1).collect();
    assert_eq!(order, [0, 2, 1]);
}

#[test]
fn a_full_queue_to_memory_holds_the_fetches_up_and_loses_none() {
    let mut bench = Bench::new(config(3));
    bench.lower_open = false;
    bench.send(&access(0, 1, 0, u32::MAX, |lane| 128 * lane));
    for _ in 0..60 {
        bench.step(&MemRequest::default());
    }
    assert_eq!(bench.count(layout::FETCH) as usize, LOWER_QUEUE);
    assert!(bench.count(layout::STALL_LOWER) > 0);
    bench.lower_open = true;
    bench.drain();
    assert_eq!(bench.lower.len(), 32);
    assert_eq!(bench.performed.iter().map(|p| p.2).fold(0, |all, lanes| all ^ lanes), u32::MAX);
}

#[test]
fn more_misses_than_fill_numbers_wait_for_one() {
    let mut bench = Bench::new(config(6));
    bench.answers = false;
    for part in 0..2 {
        bench.send(&access(0, part as u16, 0, u32::MAX, move |lane| 128 * (32 * part + lane)));
    }
    bench.send(&access(0, 4, 0, 1, |_| 128 * 80));
    for _ in 0..200 {
        bench.step(&MemRequest::default());
    }
    assert_eq!(bench.count(layout::FETCH) as usize, FILLS);
    assert!(bench.count(layout::STALL_FILLS) > 0);
    bench.answers = true;
    bench.drain();
    assert_eq!(bench.responses.len(), 3);
}

#[test]
fn the_sectors_that_lanes_need_are_fetched_and_no_other() {
    let mut bench = small();
    let two = access(0, 1, 0, 0b11, |lane| 4 + 64 * lane);
    bench.run(&two);
    assert_eq!(bench.lower[0].byte_mask, [u32::MAX, 0, u32::MAX, 0]);
    assert_eq!(bench.run(&two).outcome, 0);
    bench.run(&read(2, 0));
    assert_eq!(bench.lower[1].byte_mask, [0, u32::MAX, 0, u32::MAX]);
    assert_eq!((bench.count(layout::FETCH), bench.count(layout::FETCH_PARTIAL)), (1, 1));
    let mut whole = Bench::new(OsmConfig { sectors: false, ..config(0) });
    whole.run(&two);
    assert_eq!(whole.lower[0].byte_mask, [u32::MAX; 4]);
}

#[test]
fn a_sector_on_its_way_closes_itself_alone() {
    let mut bench = small();
    bench.run(&access(1, 0, 0, 1, |_| 96));
    bench.answers = false;
    bench.send(&access(0, 1, 0, 1, |_| 0));
    bench.send(&access(1, 2, 0, 1, |_| 4));
    bench.send(&access(0, 3, 0, 1, |_| 96));
    for _ in 0..50 {
        bench.step(&MemRequest::default());
    }
    let served: Vec<u16> = bench.performed.iter().map(|p| p.1).collect();
    assert_eq!(served, [0, 3], "the store to the sector waits for the load before it");
    bench.answers = true;
    bench.drain();
    let served: Vec<u16> = bench.performed.iter().map(|p| p.1).collect();
    assert_eq!(served, [0, 3, 1, 2]);
}

#[test]
fn loads_are_served_beside_a_fill_and_stores_are_not() {
    // After the fill the request that waited for it goes first, as it is older.
    for (kind, apart) in [(0, 0), (1, 2)] {
        let mut bench = small();
        bench.run(&write(0, 7));
        bench.answers = false;
        bench.send(&read(1, 0));
        for _ in 0..2 * TRIP {
            bench.step(&MemRequest::default());
        }
        bench.step(&MemRequest { kind, tag: 2, ..read(2, 7) });
        bench.performed.clear();
        bench.answers = true;
        // The line comes in the cycle in which the request is looked up.
        let comes = bench.cycle;
        for _ in 0..4 {
            bench.step(&MemRequest::default());
        }
        let at = bench.performed.iter().find(|p| p.1 == 2).expect("it is served").0;
        assert_eq!(at, comes + 1 + apart, "kind {kind}");
        assert_eq!(bench.count(layout::FILL), 1);
    }
}

#[test]
fn a_line_that_comes_as_a_request_begins_to_wait_for_it_wakes_it() {
    let mut bench = small();
    bench.answers = false;
    bench.send(&read(1, 0));
    for _ in 0..2 * TRIP {
        bench.step(&MemRequest::default());
    }
    bench.step(&read(2, 0));
    bench.answers = true;
    bench.drain();
    assert_eq!(bench.responses.len(), 2);
    assert_eq!(bench.count(layout::WAIT_LINES), 2);
}

#[test]
fn with_a_lock_bit_a_word_a_line_is_locked_until_all_are_read() {
    let shape = CacheShape { word_lock: true, ..CacheShape::default() };
    let mut bench = Bench::of_shape(shape, config(0));
    bench.run(&write(0, 0));
    bench.run(&access(0, 1, 0, 0xFFFF_FFFE, |lane| 4 * lane));
    assert_eq!(bench.cache.lines().locked(0), 1, "word 0 is unread");
    bench.run(&access(0, 2, 0, 1, |lane| 4 * lane));
    assert_eq!(bench.cache.lines().locked(0), 0);
    assert_eq!((bench.count(layout::LOCK), bench.count(layout::UNLOCK)), (1, 1));
}
