//! Lines of sectors: what is fetched, joined and written back of them.

use heddle_mem::{kind, outcome, space};
use heddle_port::memory::MemRequest;

use super::{Driver, arrays, line, preset, read, word};

#[test]
fn a_miss_fetches_only_the_sectors_that_the_line_lacks() {
    let volta = heddle_config::load("volta").expect("the preset ships");
    let mut d = Driver::new(&volta);
    let at = 0x1000_0000;
    let load = |address| word(space::GLOBAL, kind::READ, address);
    assert_eq!(d.alone(load(at)).0, outcome::MISS);
    assert_eq!(d.alone(load(at + 28)).0, outcome::HIT);
    assert_eq!(d.alone(load(at + 32)).0, outcome::MISS);
    assert_eq!(d.alone(read(at / 128)).0, outcome::MISS, "two of the four sectors are there");
    assert_eq!(d.alone(read(at / 128)).0, outcome::HIT);
    let s = d.system.statistics();
    assert_eq!((s.l1.read_misses, arrays(&d).sector_misses, arrays(&d).sectors_fetched), (3, 2, 4));
    assert_eq!((s.l2.read_misses, s.l2.sector_misses), (3, 2));
    assert_eq!((s.dram.reads, s.dram.sectors_read), (3, 4));

    // Whole lines, of the other presets: one miss.
    let mut d = Driver::new(&preset());
    d.alone(load(at));
    assert_eq!(d.alone(read(at / 128)).0, outcome::HIT);
    let s = d.system.statistics();
    assert_eq!((arrays(&d).sector_misses, arrays(&d).sectors_fetched, s.dram.sectors_read), (0, 4, 4));
}

#[test]
fn loads_join_a_fetch_that_brings_their_sectors() {
    let mut d = Driver::new(&heddle_config::load("volta").expect("the preset ships"));
    let at = 0x1000_0000;
    for offset in [0, 4, 64] {
        d.offer(word(space::GLOBAL, kind::READ, at + offset));
    }
    d.drain();
    let s = d.system.statistics();
    assert_eq!((s.l1.read_misses, s.l1.read_merged, s.dram.reads), (2, 1, 2));
    assert_eq!(d.alone(read(at / 128)).0, outcome::MISS);
    assert_eq!(d.system.statistics().dram.sectors_read, 4);
}

/// Of what a miss brings one sector a cycle goes to those that wait for it; a load that hits does not wait for them.
#[test]
fn a_sector_a_cycle_is_answered_of_misses() {
    let mut d = Driver::new(&heddle_config::load("volta").expect("the preset ships"));
    let at = 0x1000_0000;
    let load = |address| word(space::GLOBAL, kind::READ, address);
    d.alone(load(at + 1024));
    let two = MemRequest { mask: 0xFFFF, ..read(at / 128) };
    let tags: Vec<u16> = [read(at / 128), read(at / 128), two, load(at), load(at)].map(|r| d.offer(r)).into();
    d.drain();
    let answered = |d: &Driver, tag: u16| d.seen[&tag].answered.expect("answered");
    let after: Vec<u64> = tags.iter().map(|tag| answered(&d, *tag) - answered(&d, tags[0])).collect();
    assert_eq!(after, [0, 4, 8, 10, 11], "four sectors, four, two, one, one");
    // Hits leave in between.
    let [first, second] = [read(at / 128 + 64), read(at / 128 + 64)].map(|r| d.offer(r));
    let mut hits = Vec::new();
    while d.seen[&second].answered.is_none() {
        hits.push(d.offer(load(at + 1024)));
        assert!(d.cycle < 100_000, "no answer");
    }
    d.drain();
    let misses = answered(&d, first) + 1..answered(&d, second);
    assert_eq!(hits.iter().filter(|hit| misses.contains(&answered(&d, **hit))).count(), 3);
    // Sectors of the other presets are lines: one answer a cycle.
    let mut d = Driver::new(&preset());
    let tags: Vec<u16> = (0..2).map(|_| d.offer(read(at / 128))).collect();
    d.drain();
    assert_eq!(answered(&d, tags[1]) - answered(&d, tags[0]), 1);
}

#[test]
fn a_local_write_stays_by_sector_and_only_dirty_sectors_leave() {
    let mut volta = heddle_config::load("volta").expect("the preset ships");
    (volta.shared_memory.split, volta.shared_memory.unified_bytes) = (heddle_config::Split::Fixed, 0);
    (volta.l1d.bytes, volta.l1d.ways) = (128, 1);
    let mut d = Driver::new(&volta);
    let at = heddle_mem::LOCAL_SPACE;
    // A whole sector stays, and then a word of it too; a word of another sector goes through.
    let sector = MemRequest { mask: 0xFF, ..line(space::LOCAL, kind::WRITE, at / 128) };
    d.alone(sector);
    d.alone(word(space::LOCAL, kind::WRITE, at + 4));
    d.alone(word(space::LOCAL, kind::WRITE, at + 64));
    let s = d.system.statistics();
    assert_eq!((arrays(&d).write_hits, s.l1.write_through, s.l1.local.stores), (2, 1, 3));
    // The only way is taken: the dirty sector goes to L2, and a read of it hits there.
    d.alone(word(space::LOCAL, kind::READ, at + 128));
    assert_eq!(arrays(&d).write_backs, 1);
    d.alone(word(space::LOCAL, kind::READ, at));
    let s = d.system.statistics();
    assert_eq!((s.l2.writes, s.l2.read_hits, s.l2.read_misses), (2, 1, 1));
    assert_eq!((s.dram.local.reads, s.dram.local.writes, s.dram.global.reads), (1, 0, 0));
}
