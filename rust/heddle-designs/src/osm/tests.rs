//! Timing and policies of the cache, as docs/designs/osm.md states them.

use super::bench::{Bench, TRIP, access, atomic, config, read, release, write};
use super::{CacheShape, OsmCache, OsmConfig, REQUESTS, layout};
use heddle_port::MemoryPort;
use heddle_port::memory::MemRequest;

/// Cycles from the handshake of `request` to its response, in a cache that has seen `before`.
fn latency(config: OsmConfig, before: &[MemRequest], request: &MemRequest) -> u64 {
    let mut bench = Bench::new(config);
    for request in before {
        bench.run(request);
    }
    let at = bench.send(request);
    bench.drain();
    bench.responses.last().expect("a response").0 - at
}

#[test]
fn a_hit_takes_the_configured_latency() {
    for hit_latency in [4, 28, 63] {
        let config = OsmConfig { hit_latency, ..config(3) };
        assert_eq!(latency(config, &[write(0, 0)], &read(1, 0)), hit_latency.into());
        assert_eq!(latency(config, &[write(0, 0)], &write(1, 0)), hit_latency.into());
    }
}

#[test]
fn conflicts_and_atomics_add_a_cycle_a_pass() {
    let all: Vec<MemRequest> = (0..32).map(|line| write(line as u16, line)).collect();
    let column = |stride: u32| access(0, 99, 0, u32::MAX, move |lane| stride * lane);
    assert_eq!(latency(config(3), &all, &column(4)), 28);
    assert_eq!(latency(config(3), &all, &column(124)), 28, "32 lines, 32 banks");
    assert_eq!(latency(config(3), &all, &column(8)), 29);
    assert_eq!(latency(config(3), &all, &column(128)), 28 + 31);
    let counter = access(2, 99, 0, u32::MAX, |_| 4);
    assert_eq!(latency(config(3), &all, &counter), 28 + 31);
}

#[test]
fn a_miss_adds_its_trip_and_a_write_allocation_one_cycle() {
    // Look-up, two cycles to the queue's end, the trip, and the pass after the fill.
    assert_eq!(latency(config(3), &[], &read(0, 0)), 28 + 3 + TRIP);
    assert_eq!(latency(config(3), &[], &write(0, 0)), 28 + 1);
    // 16 lines are fetched one a cycle and come one a cycle; all words are served after the last.
    let column = access(0, 0, 0, 0xFFFF, |lane| 132 * lane);
    assert_eq!(latency(config(3), &[], &column), 28 + 3 + TRIP + 15);
}

#[test]
fn an_eviction_takes_no_cycle_and_its_write_back_goes_before_the_line_that_takes_its_way() {
    let mut bench = Bench::new(config(0));
    for line in 0..9 {
        bench.run(&write(line as u16, line));
    }
    bench.run(&read(20, 0));
    assert_eq!(bench.traffic(), [('w', 0), ('w', 1), ('f', 0)]);
    let dirty: Vec<MemRequest> = (0..8).map(|line| write(line as u16, line)).collect();
    assert_eq!(latency(config(0), &dirty, &write(9, 9)), 28 + 1);
    assert_eq!(
        latency(config(0), &dirty, &read(9, 9)),
        28 + 4 + TRIP,
        "the fetch goes behind the write-back"
    );
}

#[test]
fn a_partial_write_takes_a_line_without_a_fetch_and_only_its_bytes_are_written_back() {
    let mut bench = Bench::new(config(0));
    let bytes = MemRequest { size_log2: 0, ..access(1, 0, 0, 0b111, |lane| 33 + 2 * lane) };
    bench.run(&bytes);
    assert!(bench.lower.is_empty());
    let again = MemRequest { kind: 0, tag: 1, ..bytes };
    assert_eq!(bench.run(&again).outcome, 0, "the bytes that were written are there");
    for line in 1..9 {
        bench.run(&write(line as u16, line));
    }
    assert_eq!(bench.traffic(), [('w', 0)]);
    assert_eq!(bench.lower[0].byte_mask, [0, 0b10_1010, 0, 0]);
}

#[test]
fn a_read_of_missing_bytes_fetches_them_once() {
    let mut bench = Bench::new(config(0));
    bench.run(&access(1, 0, 0, 1, |_| 0));
    assert_eq!(bench.run(&read(1, 0)).outcome, 1);
    assert_eq!(bench.run(&read(2, 0)).outcome, 0);
    assert_eq!(bench.traffic(), [('f', 0)]);
    assert_eq!(bench.count(layout::FETCH_PARTIAL), 1);
}

#[test]
fn the_nth_read_unlocks() {
    for reads_to_unlock in [1, 2, 5] {
        let mut bench = Bench::new(OsmConfig { reads_to_unlock, ..config(3) });
        bench.run(&write(0, 0));
        for n in 1..=reads_to_unlock {
            assert_eq!(bench.cache.lines().locked(0), 1, "before read {n} of {reads_to_unlock}");
            bench.run(&read(n.into(), 0));
        }
        assert_eq!(bench.cache.lines().locked(0), 0);
        assert_eq!((bench.count(layout::LOCK), bench.count(layout::UNLOCK)), (1, 1));
    }
}

#[test]
fn the_size_in_use_is_the_number_of_lines_kept() {
    for size_log2 in 0..=6 {
        let mut bench = Bench::new(OsmConfig { lock: false, ..config(size_log2) });
        let lines = 8u32 << size_log2;
        for line in 0..lines {
            bench.run(&write(0, line));
        }
        assert!(bench.lower.is_empty(), "{lines} lines fit");
        bench.run(&write(0, lines));
        assert_eq!(bench.traffic(), [('w', 0)]);
    }
}

#[test]
fn requests_are_taken_until_all_places_wait() {
    let mut bench = Bench::new(config(3));
    bench.answers = false;
    let mut taken = 0;
    for line in 0..REQUESTS as u16 + 12 {
        if bench.out.request_ready {
            taken += 1;
            bench.step(&read(line, line.into()));
        } else {
            bench.step(&MemRequest::default());
        }
    }
    assert_eq!(taken, REQUESTS);
    let error = bench.try_step(&read(200, 200)).expect_err("no place");
    assert!(error.to_string().contains("request_ready was low"), "{error}");
}

#[test]
fn a_line_that_comes_wakes_those_that_wait_for_it() {
    let mut bench = Bench::new(config(3));
    for (tag, line) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)] {
        bench.step(&read(tag, line));
    }
    bench.drain();
    assert_eq!(bench.responses.len(), 5);
    assert_eq!(bench.count(layout::FETCH), 3);
    assert_eq!(bench.count(layout::WAIT_LINES), 5, "each waits once, none is woken in vain");
}

#[test]
fn requests_that_no_coalescer_sends_are_reported() {
    let cases = [
        MemRequest { space: 0, ..read(0, 0) },
        MemRequest { mask: 0, ..read(0, 0) },
        MemRequest { size_log2: 5, ..read(0, 0) },
        MemRequest { size_log2: 0, ..atomic(0, 0) },
    ];
    for bad in cases {
        let mut bench = Bench::new(config(3));
        assert!(bench.try_step(&bad).is_err(), "{bad:?}");
    }
}

#[test]
fn impossible_configurations_are_refused() {
    let shape = CacheShape::default();
    let cases = [
        (OsmConfig { size_log2: 4, ..OsmConfig::default() }, "shared_memory.cache_bytes = 16384"),
        (OsmConfig { reads_to_unlock: 2, ..OsmConfig::default() }, "shared_memory.reads_to_unlock"),
        (OsmConfig { reads_to_unlock: 0, ..OsmConfig::default() }, "shared_memory.reads_to_unlock"),
        (OsmConfig { hit_latency: 3, ..OsmConfig::default() }, "shared_memory.latency"),
    ];
    for (bad, key) in cases {
        let error = OsmCache::new(shape, bad).expect_err(key);
        assert!(error.to_string().contains(key), "{error}");
    }
    assert!(OsmCache::new(CacheShape { sets: 3, ..shape }, OsmConfig::default()).is_err());
}

#[test]
fn reset_forgets_everything() {
    let mut bench = Bench::new(config(0));
    for line in 0..20 {
        bench.send(&write(0, line));
    }
    let out = bench.cache.reset();
    let mut fresh = Bench::new(config(0));
    assert_eq!(out, fresh.out);
    bench.out = out;
    for line in 0..4 {
        bench.step(&read(1, line));
        fresh.step(&read(1, line));
        assert_eq!(bench.out, fresh.out);
        assert_eq!(bench.cache.events(), fresh.cache.events());
    }
}

/// Look-ups, banks read and banks written, which energies multiply, of accesses one after the other.
#[test]
fn the_work_of_tags_and_banks_is_counted_by_hand() {
    let mut bench = Bench::new(config(0));
    let mut last = [0; 3];
    let mut of = |bench: &mut Bench, request| {
        bench.run(&request);
        let now = bench.work();
        let work: [u32; 3] = std::array::from_fn(|i| now[i] - last[i]);
        last = now;
        work
    };
    // A look-up finds nothing and takes a way, the next one serves all lanes.
    assert_eq!(of(&mut bench, write(1, 0)), [2, 0, 32]);
    assert_eq!(of(&mut bench, read(2, 0)), [1, 32, 0]);
    // Read and written in one pass.
    assert_eq!(of(&mut bench, atomic(3, 0)), [1, 1, 1]);
    // One word of a line. When all are read, its lane is served at once, the others after a fetch of 31 words.
    assert_eq!(of(&mut bench, access(1, 4, 0, 1, |_| 128)), [2, 0, 1]);
    assert_eq!(of(&mut bench, read(5, 1)), [3, 32, 31]);
    for line in 2..8 {
        of(&mut bench, write(6, line));
    }
    // The ninth line of eight: one with dirty bytes leaves.
    assert_eq!(of(&mut bench, write(7, 8)), [2, 32, 32]);
    // A CTA's end is no look-up.
    assert_eq!(of(&mut bench, release(8, 0)), [0, 0, 0]);
}
