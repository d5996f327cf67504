//! The L1: hits, misses, merges, and what goes past it.

use heddle_mem::{kind, outcome, space};

use super::{Driver, Seen, arrays, line, plain, preset, read, word};

#[test]
fn an_l1_that_always_hits_asks_l2_for_no_load() {
    let mut preset = preset();
    preset.l1d.always_hit = true;
    let mut d = Driver::new(&preset);
    for number in [1000, 2000, 1000] {
        assert_eq!(d.alone(read(number)), (outcome::HIT, 1 + 82));
    }
    assert_eq!(d.system.statistics().l2.read_misses, 0);
}

#[test]
fn reads_of_a_line_on_its_way_merge() {
    let mut d = Driver::new(&preset());
    let tags: Vec<u16> = (0..3).map(|_| d.offer(read(7))).collect();
    d.drain();
    let outcomes: Vec<u8> = tags.iter().map(|t| d.seen[t].outcome).collect();
    assert_eq!(outcomes, [outcome::MISS, outcome::MERGED, outcome::MERGED]);
    let times: Vec<u64> = tags.iter().map(|t| d.seen[t].answered.expect("answered")).collect();
    assert_eq!((times[1] - times[0], times[2] - times[1]), (1, 1), "one answer a cycle");
    let s = d.system.statistics();
    assert_eq!((s.l1.read_misses, s.l1.read_merged, s.dram.reads), (1, 2, 1));
}

#[test]
fn a_miss_without_an_mshr_waits_and_holds_up_what_follows() {
    let mut preset = preset();
    preset.l1d.mshrs = 2;
    let mut d = Driver::new(&preset);
    d.alone(read(500));
    let tags: Vec<u16> = [10, 20, 30, 500].into_iter().map(|n| d.offer(read(n))).collect();
    d.drain();
    let seen: Vec<Seen> = tags.iter().map(|t| d.seen[t]).collect();
    assert!(seen[2].performed > seen[0].answered.map(|c| c - 2), "the third waits for the first");
    assert!(seen[3].performed > seen[2].performed, "a hit behind it waits too");
    assert!(arrays(&d).stall_cycles > 100);
}

#[test]
fn global_stores_are_written_through_and_allocate_nothing() {
    let mut d = Driver::new(&plain());
    let (_, cycles) = d.alone(line(space::GLOBAL, kind::WRITE, 9));
    assert!(cycles <= 3, "acknowledged when it has left: {cycles}");
    assert_eq!(d.alone(read(9)).0, outcome::MISS);
    let s = d.system.statistics();
    assert_eq!((s.l1.write_through, s.l2.writes, s.l2.read_hits), (1, 1, 1));
    // The store, the load and its line; only the line is written.
    let a = arrays(&d);
    assert_eq!((a.tag_lookups, a.line_reads, a.line_writes), (3, 0, 1));
    d.alone(line(space::GLOBAL, kind::WRITE, 9));
    assert_eq!(d.alone(read(9)).0, outcome::HIT);
    let a = arrays(&d);
    assert_eq!(
        (a.tag_lookups, a.line_reads, a.line_writes),
        (5, 1, 2),
        "the store writes the line that it finds"
    );
}

#[test]
fn local_lines_are_kept_and_written_back_when_evicted() {
    let mut d = Driver::new(&plain());
    d.alone(line(space::LOCAL, kind::WRITE, 64));
    assert_eq!(d.alone(line(space::LOCAL, kind::READ, 64)).0, outcome::HIT);
    assert_eq!(d.system.statistics().l2.writes, 0);
    for n in 1..=4 {
        d.alone(read(64 + 32 * n));
    }
    let s = d.system.statistics();
    assert_eq!((arrays(&d).write_backs, s.l2.writes), (1, 1));
    // The local line and the four that came; the load that hits and the local line on its way out.
    let a = arrays(&d);
    assert_eq!((a.tag_lookups, a.line_reads, a.line_writes), (2 + 2 * 4, 2, 5));
    // A part of a line that is not there is written through.
    let mut part = line(space::LOCAL, kind::WRITE, 4000);
    part.mask = 3;
    d.alone(part);
    let s = d.system.statistics();
    assert_eq!((s.l1.write_through, arrays(&d).write_hits), (1, 1));
}

#[test]
fn volatile_reads_and_atomics_go_past_the_l1() {
    let mut d = Driver::new(&preset());
    let mut volatile = read(77);
    volatile.cache_operator = 6;
    assert_eq!(d.alone(volatile).0, outcome::BYPASSED);
    assert_eq!(d.alone(read(77)).0, outcome::MISS, "the volatile read left no line");
    assert_eq!(d.alone(read(77)).0, outcome::HIT);
    assert_eq!(d.alone(line(space::GLOBAL, kind::ATOMIC, 77)).0, outcome::BYPASSED);
    assert_eq!(d.alone(read(77)).0, outcome::MISS, "the atomic dropped the line");
}

#[test]
fn as_many_lines_are_on_their_way_as_the_l1_has_mshrs() {
    let volta = heddle_config::load("volta").expect("the preset ships");
    assert!(volta.l1d.mshrs > 256, "more than an id of eight bits tells apart");
    let mut d = Driver::new(&volta);
    // Lines of one sector are asked for faster than DRAM brings them.
    let load = |n: u32| word(space::GLOBAL, kind::READ, 0x1000_0000 + 128 * n);
    let tags: Vec<u16> = (0..volta.l1d.mshrs + 1).map(|n| d.offer(load(n))).collect();
    let under_way = |d: &Driver| {
        tags.iter().filter(|t| d.seen[t].performed.is_some() && d.seen[t].answered.is_none()).count()
    };
    let mut most = 0;
    while !d.system.is_idle() {
        d.step();
        most = most.max(under_way(&d));
    }
    d.drain();
    assert!((300..=volta.l1d.mshrs as usize + 2).contains(&most), "{most}");
    assert_eq!(d.system.statistics().l1.read_misses, u64::from(volta.l1d.mshrs) + 1);
}
