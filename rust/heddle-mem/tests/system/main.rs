//! The memory side of one SM, driven through the memory port.

mod atomics;
mod policies;
mod warm;

use std::collections::HashMap;

use heddle_config::{Allocation, Preset, SetIndex, WriteHit};
use heddle_mem::{L1Arrays, MemorySystem, kind, outcome, space};
use heddle_port::memory::MemRequest;

fn preset() -> Preset {
    heddle_config::load("maxwell").expect("the preset ships")
}

/// With an L1 whose sets follow from the lowest bits of lines, which take their places when they come; global stores write the
/// lines that they find and leave none.
fn plain() -> Preset {
    let mut preset = preset();
    preset.l1d.sets = SetIndex::Linear;
    preset.l1d.allocation = Allocation::OnFill;
    (preset.l1d.write_hit, preset.l1d.write_allocate) = (WriteHit::Through, false);
    preset
}

/// A request and when it was offered, performed and answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    offered: u64,
    performed: Option<u64>,
    answered: Option<u64>,
    outcome: u8,
    mask: u32,
    store: bool,
}

struct Driver {
    system: MemorySystem,
    cycle: u64,
    seen: HashMap<u16, Seen>,
    performed_order: Vec<u16>,
    next_tag: u16,
}

impl Driver {
    fn new(preset: &Preset) -> Self {
        Self {
            system: MemorySystem::new(preset),
            cycle: 0,
            seen: HashMap::new(),
            performed_order: Vec::new(),
            next_tag: 0,
        }
    }

    fn step(&mut self) {
        let out = *self.system.out();
        if out.performed.valid {
            let seen = self.seen.get_mut(&out.performed.tag).expect("a known tag is performed");
            assert_eq!((seen.performed, out.performed.mask), (None, seen.mask), "performed once, all lanes");
            seen.performed = Some(self.cycle);
            self.performed_order.push(out.performed.tag);
        }
        if out.response.valid {
            let seen = self.seen.get_mut(&out.response.tag).expect("a known tag is answered");
            assert!(seen.performed.is_some(), "performed before answered");
            assert_eq!((seen.answered, out.response.mask), (None, seen.mask), "answered once, all lanes");
            assert_eq!(seen.store, out.response.store);
            seen.answered = Some(self.cycle);
            seen.outcome = out.response.outcome;
        }
        self.system.step().expect("no contract violation");
        self.cycle += 1;
    }

    /// Offers a request as soon as the port takes it.
    fn offer(&mut self, mut request: MemRequest) -> u16 {
        while !self.system.out().request_ready {
            self.step();
        }
        let tag = self.next_tag;
        self.next_tag += 1;
        request.valid = true;
        request.tag = tag;
        let seen = Seen {
            offered: self.cycle,
            mask: request.mask,
            store: request.kind == kind::WRITE,
            ..Seen::default()
        };
        self.seen.insert(tag, seen);
        *self.system.request_mut() = request;
        self.step();
        tag
    }

    fn drain(&mut self) {
        while !self.system.is_idle() {
            self.step();
            assert!(self.cycle < 1_000_000, "the memory side does not become idle");
        }
        self.step();
        assert!(self.seen.values().all(|s| s.answered.is_some()), "every request is answered");
    }

    /// Offers a request alone and returns its outcome and the cycles until the answer.
    fn alone(&mut self, request: MemRequest) -> (u8, u64) {
        self.drain();
        let tag = self.offer(request);
        self.drain();
        let seen = self.seen[&tag];
        (seen.outcome, seen.answered.expect("answered") - seen.offered)
    }
}

/// Counters of the arrays of the Rust L1.
fn arrays(d: &Driver) -> L1Arrays {
    d.system.statistics().l1.arrays.expect("the L1 is in Rust")
}

/// All lanes on consecutive words of a line.
fn line(space: u8, kind: u8, number: u32) -> MemRequest {
    MemRequest {
        space,
        kind,
        mask: u32::MAX,
        size_log2: 2,
        address: std::array::from_fn(|lane| number * 128 + 4 * lane as u32),
        ..MemRequest::default()
    }
}

fn read(number: u32) -> MemRequest {
    line(space::GLOBAL, kind::READ, number)
}

/// Look-up, queue to L2, answer's register and fill, one cycle each; both networks, a line as a packet with a header of 8
/// bytes; L2.
fn l2_round(preset: &Preset) -> u64 {
    let net = &preset.interconnect;
    let flits = (8 + 128u32).div_ceil(net.flit_bytes);
    u64::from(3 + net.request_delay + preset.l2.latency + flits - 1 + net.reply_delay)
}

/// L2's look-up to DRAM, empty row, the SM's share of the bus for a line, fixed latency.
fn dram_round(preset: &Preset) -> u64 {
    let (d, gpu) = (&preset.dram, &preset.gpu);
    let core = |timing| d.core_cycles(timing, gpu.core_mhz);
    let bus = (128 * gpu.core_mhz * gpu.sms).div_ceil(d.bytes_per_clock * d.clock_mhz * d.channels);
    1 + core(d.rcd) + core(d.cl) + u64::from(bus + d.latency)
}

#[test]
fn latencies_of_each_level_add_up() {
    let preset = plain();
    let mut d = Driver::new(&preset);
    assert_eq!(d.alone(read(1000)), (outcome::MISS, l2_round(&preset) + dram_round(&preset)));
    assert_eq!(d.alone(read(1000)), (outcome::HIT, 1 + 82));
    // Four more lines of the set push it out of the L1, not of L2.
    for n in 1..=4 {
        d.alone(read(1000 + 32 * n));
    }
    assert_eq!(d.alone(read(1000)), (outcome::MISS, l2_round(&preset)));
    let s = d.system.statistics();
    assert_eq!((s.l1.read_misses, s.l1.read_hits, s.l2.read_misses, s.l2.read_hits), (6, 1, 5, 1));
}

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
fn shared_memory_takes_latency_and_conflicts_and_stays_busy() {
    let mut d = Driver::new(&preset());
    assert_eq!(d.alone(line(space::SHARED, kind::READ, 0)), (outcome::HIT, 1 + 24));
    let mut column = line(space::SHARED, kind::READ, 0);
    column.address = std::array::from_fn(|lane| 128 * lane as u32);
    assert_eq!(d.alone(column).1, 1 + 24 + 31);
    d.drain();
    let first = d.offer(column);
    let second = d.offer(line(space::SHARED, kind::READ, 0));
    d.drain();
    let between =
        d.seen[&second].performed.expect("performed") - d.seen[&first].performed.expect("performed");
    assert_eq!(between, 32);
}

/// Cycles between the answers to eight lines that hit in L2.
fn cycles_between_l2_hits(preset: &Preset) -> Vec<u64> {
    let mut d = Driver::new(preset);
    for n in 0..16 {
        d.alone(read(n));
        d.alone(read(4096 + n));
    }
    d.drain();
    for way in 1..=4 {
        for n in 0..16 {
            d.alone(read(8192 * way + n));
        }
    }
    d.drain();
    let tags: Vec<u16> = (0..8).map(|n| d.offer(read(n))).collect();
    d.drain();
    let times: Vec<u64> = tags.iter().map(|t| d.seen[t].answered.expect("answered")).collect();
    times.windows(2).map(|w| w[1] - w[0]).collect()
}

#[test]
fn a_slice_of_l2_and_the_replies_have_their_bandwidths() {
    let mut preset = preset();
    (preset.l2.slice_bytes, preset.interconnect.flit_bytes) = (128, 34);
    assert_eq!(cycles_between_l2_hits(&preset), [4; 7], "8 + 128 bytes are four flits");
    (preset.l2.slice_bytes, preset.interconnect.flit_bytes) = (24, 136);
    // 5 1/3 cycles each.
    assert_eq!(cycles_between_l2_hits(&preset).iter().sum::<u64>(), 37);
}

#[test]
fn misses_wait_for_no_latency_of_others() {
    // One sector of a line each: the SM's share of DRAM has 9.6 bytes a cycle, so a sector takes 3 1/3 cycles.
    let volta = heddle_config::load("volta").expect("the preset ships");
    let mut d = Driver::new(&volta);
    let lines = 512u32;
    let tags: Vec<u16> =
        (0..lines).map(|n| d.offer(word(space::GLOBAL, kind::READ, 0x1000_0000 + 128 * n))).collect();
    d.drain();
    let last = tags.iter().filter_map(|t| d.seen[t].answered).max().expect("all are answered");
    let first = d.seen[&tags[0]].answered.expect("answered");
    let (gpu, dram) = (&volta.gpu, &volta.dram);
    let share = u64::from(dram.bytes_per_clock * dram.clock_mhz * dram.channels);
    let bus = u64::from(32 * lines * gpu.core_mhz * gpu.sms) / share;
    assert!((bus..bus + bus / 20).contains(&(last - first + 4)), "{} for {bus}", last - first);
}

#[test]
fn the_end_waits_for_dram_writes_only_where_the_preset_says_so() {
    let cycles = |drain| {
        let mut volta = heddle_config::load("volta").expect("the preset ships");
        (volta.dram.drain_writes, volta.l2.bytes) = (drain, volta.l2.ways * 128 * volta.gpu.sms);
        let mut d = Driver::new(&volta);
        for n in 0..200 {
            d.offer(line(space::GLOBAL, kind::WRITE, n));
        }
        d.drain();
        let dram = d.system.statistics().dram;
        assert_eq!((dram.writes, dram.sectors_written), (200 - 24, 4 * (200 - 24)), "all but the ways");
        d.cycle
    };
    let (posted, drained) = (cycles(false), cycles(true));
    assert!(drained > posted + 1000, "{posted} {drained}");
}

#[test]
fn l2_and_open_rows_outlive_a_launch_and_the_l1_does_not() {
    let preset = preset();
    let mut d = Driver::new(&preset);
    let cold = l2_round(&preset) + dram_round(&preset);
    assert_eq!(d.alone(read(1000)), (outcome::MISS, cold));
    let mut next = Driver::new(&preset);
    next.system.set_lower(d.system.into_lower().expect("it was not shared"));
    assert_eq!(next.alone(read(1000)), (outcome::MISS, l2_round(&preset)), "it missed in the L1 alone");
    let rcd = preset.dram.core_cycles(preset.dram.rcd, preset.gpu.core_mhz);
    assert_eq!(next.alone(read(1001)), (outcome::MISS, cold - rcd), "the row is open");
    let s = next.system.statistics();
    assert_eq!((s.l2.read_hits, s.l2.read_misses, s.dram.reads), (1, 1, 1), "of this launch alone");
    assert_eq!((s.dram.row_hits, s.dram.row_empty), (1, 0));
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

/// A small linear congruential generator: equal seeds give equal traffic.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % n
    }
}

#[test]
fn random_traffic_is_performed_in_order_and_answered_once() {
    for seed in 0..8 {
        let mut preset = if seed % 4 == 0 { plain() } else { preset() };
        preset.l1d.write_allocate |= seed % 4 > 1;
        preset.l1d.sector_bytes = [128, 32][seed as usize % 2];
        preset.l1d.ways = [1, 4][seed as usize / 4];
        preset.l1d.mshrs = [1, 2, 32][seed as usize % 3];
        preset.dram.queue = [1, 4, 32][seed as usize % 3];
        let mut random = Random(seed);
        let mut d = Driver::new(&preset);
        for _ in 0..4000 {
            let space = [space::GLOBAL, space::GLOBAL, space::LOCAL, space::SHARED][random.below(4) as usize];
            let kind = match (random.below(8), space) {
                (0, space::GLOBAL | space::SHARED) => kind::ATOMIC,
                (0..3, _) => kind::WRITE,
                _ => kind::READ,
            };
            let mut request =
                line(space, kind, random.below(600) * if random.below(2) == 0 { 1 } else { 32 });
            request.mask = random.below(u32::MAX) | 1;
            request.cache_operator = if random.below(10) == 0 { 6 } else { 0 };
            d.offer(request);
            for _ in 0..random.below(4) {
                d.step();
            }
        }
        d.drain();
        assert_eq!(d.performed_order, (0..4000).collect::<Vec<u16>>(), "seed {seed}");
        let s = d.system.statistics();
        assert_eq!(s.l2.read_misses, s.dram.reads);
        assert!(s.dram.row_hits > 0 && s.dram.row_conflicts > 0 && arrays(&d).write_backs > 0);
    }
}

/// One lane on a word of a line.
fn word(space: u8, kind: u8, address: u32) -> MemRequest {
    MemRequest { space, kind, mask: 1, size_log2: 2, address: [address; 32], ..MemRequest::default() }
}

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

#[test]
fn requests_are_counted_by_space() {
    let mut d = Driver::new(&preset());
    let at = 0x1000_0000;
    d.alone(read(at / 128));
    d.alone(read(at / 128));
    d.alone(word(space::GLOBAL, kind::ATOMIC, at));
    d.alone(word(space::GLOBAL, kind::WRITE, at));
    d.alone(word(space::LOCAL, kind::READ, heddle_mem::LOCAL_SPACE));
    d.alone(word(space::SHARED, kind::READ, 0));
    d.alone(word(space::SHARED, kind::ATOMIC, 0));
    d.alone(word(space::SHARED, kind::WRITE, 0));
    let l1 = d.system.statistics().l1;
    let counts =
        |s: heddle_mem::SpaceStatistics| [s.read_hits, s.read_misses, s.read_merged, s.bypassed, s.stores];
    assert_eq!(counts(l1.global), [1, 1, 0, 1, 1]);
    assert_eq!(counts(l1.local), [0, 1, 0, 0, 0]);
    assert_eq!(counts(l1.shared), [2, 0, 0, 0, 1]);
    let dram = d.system.statistics().dram;
    // The atomic finds its line in L2.
    assert_eq!((dram.global.reads, dram.local.reads, dram.shared.reads), (1, 1, 0));
}
