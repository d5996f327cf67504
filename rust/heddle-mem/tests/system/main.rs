//! The memory side of one SM, driven through the memory port.

mod atomics;
mod below;
mod first_level;
mod policies;
mod sectors;
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
