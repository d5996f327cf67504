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
