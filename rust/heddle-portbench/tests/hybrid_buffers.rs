//! The write buffers of the hybrid register file alone, with the register control module and the arbiter of
//! their write-back: RTL and model in lock-step under random traffic, every output compared in every cycle.
//! The model has no data; the bench itself knows what each entry holds.

use std::path::Path;

use heddle_designs::hybrid::buffer::{Buffer, Change, Gating, State};
use heddle_designs::hybrid::queue::Staged;
use heddle_designs::hybrid::write_buffers::{BufferCycle, WriteBuffers};
use heddle_designs::hybrid::{NUM_BANKS, NUM_BUFFERS, bank_of};
use heddle_port::{NUM_LANES, NUM_SOURCES};
use heddle_rtl::{Block, Manifest, planted};
use verilated_runtime::{Instance, Options};

type Data = [u32; NUM_LANES];

/// Words of testbench/hybrid/write_buffers_shim.cpp.
const IN: usize = 39;
const OUT: usize = 599;
/// First word of the data: those of the writes, a bank each, and those that are read.
const WRITE_DATA: usize = 23;
const READ_DATA: usize = 87;
const ENTRIES: usize = 64;
const ARRAYS: usize = 8;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn manifest() -> Manifest {
    Manifest::load(root(), "hybrid").expect("the manifest")
}

fn block() -> Block {
    let block = Block::new(root(), &manifest(), "write_buffers", "testbench/hybrid/write_buffers_shim.cpp");
    block.expect("the block").inside("write_buffers_bench", "testbench/hybrid/write_buffers_bench.sv")
}

/// The block as shipped, in the random state of a seed.
fn shipped() -> impl Fn(u64) -> Instance {
    let library = block().build().expect("it builds");
    move |seed| library.instance(&Options { seed, ..Options::default() }).expect("an instance of the block")
}

struct Words(u64);

impl Words {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * u64::from(n)) >> 31) as u32
    }

    fn word(&mut self) -> u32 {
        (self.below(1 << 16) << 16) | self.below(1 << 16)
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// A result that waits at the head of the queue.
#[derive(Clone)]
struct Oldest {
    warp: u8,
    number: u8,
    mask: u32,
    data: Data,
}

/// What the traffic is like for a while.
struct Phase {
    cycles: u32,
    /// Registers that results and sources are about.
    registers: u32,
    /// Cycles of an active period, on the average.
    stay: u32,
    /// Of 8 cycles, those in which a bank is open.
    open: u32,
    /// A result comes in one of so many cycles.
    results: u32,
}

/// What one cycle drives.
struct Stimulus {
    changes: [Change; NUM_BUFFERS],
    youngest: usize,
    open: [bool; NUM_BANKS],
    numbers: [u8; NUM_SOURCES],
    grant: u32,
}

struct Traffic {
    words: Words,
    phase: Phase,
    oldest: Option<Oldest>,
    youngest: usize,
}

impl Traffic {
    fn new(seed: u64) -> Self {
        let phase = Phase { cycles: 0, registers: 1, stay: 1, open: 1, results: 1 };
        Self { words: Words(seed), phase, oldest: None, youngest: 1 }
    }

    fn next(&mut self, model: &WriteBuffers) -> Stimulus {
        let w = &mut self.words;
        self.phase.cycles = self.phase.cycles.saturating_sub(1);
        if self.phase.cycles == 0 {
            self.phase = Phase {
                cycles: 500 + w.below(3000),
                registers: [4, 20, 64][w.below(3) as usize],
                stay: [10, 60, 600][w.below(3) as usize],
                open: 1 + w.below(8),
                results: 1 + w.below(3),
            };
        }
        let buffers = model.buffers();
        let filling = buffers.iter().position(|b| b.state == State::Fill);
        if self.oldest.is_none() && w.one_in(self.phase.results) {
            let draining = buffers.iter().find(|b| b.state == State::Drain);
            let warp = match (filling, draining, w.below(16)) {
                (Some(b), _, 0..12) => buffers[b].owner,
                (_, Some(buffer), 0..15) => buffer.owner,
                _ => w.below(32) as u8,
            };
            let mask = if w.one_in(2) { u32::MAX } else { w.word() };
            let number = w.below(self.phase.registers) as u8;
            self.oldest = Some(Oldest { warp, number, mask, data: std::array::from_fn(|_| w.word()) });
        }
        let changes = self.command(buffers, filling);
        let w = &mut self.words;
        let open = std::array::from_fn(|_| w.below(8) < self.phase.open);
        let numbers = std::array::from_fn(|_| w.below(self.phase.registers) as u8);
        let grant = if changes == [Change::None; NUM_BUFFERS] { filling } else { None };
        let grant = grant.map_or(0, |b| self.grant(model, buffers[b].owner, &numbers));
        Stimulus { changes, youngest: self.youngest, open, numbers, grant }
    }

    /// At most one command, as the command unit gives them. A warp ends when no result of it waits.
    fn command(&mut self, buffers: &[Buffer; NUM_BUFFERS], filling: Option<usize>) -> [Change; NUM_BUFFERS] {
        let mut changes = [Change::None; NUM_BUFFERS];
        let w = &mut self.words;
        let waits = |warp: u8| self.oldest.as_ref().is_some_and(|o| o.warp == warp);
        if let Some(b) = filling {
            if w.one_in(self.phase.stay) {
                let ends = w.one_in(3) && !waits(buffers[b].owner);
                changes[b] = if ends { Change::Drop } else { Change::Close };
                return changes;
            }
        } else if w.one_in(3) {
            let warp = w.below(32) as u8;
            let other = 1 - self.youngest;
            let free = |b: usize| buffers[b].state == State::Free;
            let own = buffers.iter().any(|b| b.state != State::Free && b.owner == warp);
            if !own && (free(0) || free(1)) {
                let choice = if free(other) { other } else { self.youngest };
                changes[choice] = Change::Open(warp);
                return changes;
            }
        }
        let draining = (0..NUM_BUFFERS).find(|&b| buffers[b].state == State::Drain);
        if let Some(b) = draining
            && w.one_in(300)
            && !waits(buffers[b].owner)
        {
            changes[b] = Change::Drop;
        }
        changes
    }

    /// Sources of `warp` that are read: none whose result waits, entries of different arrays.
    fn grant(&mut self, model: &WriteBuffers, warp: u8, numbers: &[u8; NUM_SOURCES]) -> u32 {
        let (mut grant, mut arrays) = (0, 0_u32);
        for (s, &number) in numbers.iter().enumerate() {
            let waits = self.oldest.as_ref().is_some_and(|o| o.warp == warp && o.number == number);
            let array = model.find(number).map_or(0, |slot| 1 << (usize::from(slot) % ARRAYS));
            if !waits && arrays & array == 0 && !self.words.one_in(4) {
                grant |= 1 << s;
                arrays |= array;
            }
        }
        grant
    }
}

/// What an entry holds.
#[derive(Clone, Copy, Default)]
struct Entry {
    number: u8,
    mask: u32,
    data: Data,
}

/// A value, as far as it means something.
struct Expected {
    name: &'static str,
    word: usize,
    value: u32,
    bits: u32,
}

fn bits(set: [bool; 2]) -> u32 {
    u32::from(set[0]) | u32::from(set[1]) << 1
}

/// How often something that is seldom happened.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Seen {
    merges: u32,
    appends: u32,
    late: u32,
    full: u32,
    power: u32,
    lost: u32,
    both_written: u32,
    reads: u32,
    written_back: u32,
}

struct Bench {
    rtl: Instance,
    model: WriteBuffers,
    traffic: Traffic,
    entries: [[Entry; ENTRIES]; NUM_BUFFERS],
    /// Reads of the cycle before: buffer, entry, lanes, data.
    reads: Vec<(usize, u8, u32, Data)>,
    seen: Seen,
}

impl Bench {
    fn new(mut rtl: Instance, seed: u64, gating: Gating) -> Self {
        let mut out = vec![0; OUT];
        for _ in 0..2 {
            rtl.cycle(&[0; IN], &[], &mut out, &mut []).expect("reset");
        }
        let model = WriteBuffers::new(gating);
        let entries = [[Entry::default(); ENTRIES]; NUM_BUFFERS];
        Self { rtl, model, traffic: Traffic::new(seed), entries, reads: Vec::new(), seen: Seen::default() }
    }

    fn words(&self, stimulus: &Stimulus) -> [u32; IN] {
        let mut words = [0; IN];
        let Gating { on, wakeup_cycles } = self.model.gating;
        words[0] = 1;
        words[1] = u32::from(on) | u32::from(wakeup_cycles) << 8;
        for (b, change) in stimulus.changes.iter().enumerate() {
            words[2] |= match change {
                Change::None => 0,
                Change::Open(warp) => 1 << b | u32::from(*warp) << 8,
                Change::Close => 4 << b,
                Change::Drop => 16 << b,
            };
        }
        words[2] |= (stimulus.youngest as u32) << 6 | bits(stimulus.open) << 17;
        if let Some(oldest) = &self.traffic.oldest {
            words[2] |= 1 << 16;
            words[3] = u32::from(oldest.warp) | u32::from(oldest.number) << 8;
            words[4] = oldest.mask;
            words[7..].copy_from_slice(&oldest.data);
        }
        for (s, &number) in stimulus.numbers.iter().enumerate() {
            words[5 + s / 4] |= u32::from(number) << (8 * (s % 4));
        }
        words[6] |= stimulus.grant << 16;
        words
    }

    /// The control outputs of a cycle, from the model.
    fn expected(&self, stimulus: &Stimulus, cycle: &BufferCycle) -> Vec<Expected> {
        let happened = self.model.events(cycle, &stimulus.changes);
        let events = happened.counted;
        let period = happened.periods.into_iter().flatten().fold(0, |set, class| set | 1_u64 << class);
        let slots = stimulus.numbers.map(|number| self.model.find(number));
        let hit = slots.iter().enumerate().fold(0, |set, (s, slot)| set | u32::from(slot.is_some()) << s);
        let buffers = self.model.buffers();
        let state = |state| bits(buffers.map(|b| b.state == state));
        let from_buffer = bits(std::array::from_fn(|k| {
            (0..NUM_BUFFERS).any(|b| cycle.grants.entries[b] && bank_of(buffers[b].owner) == k)
        }));
        let mut all = Vec::with_capacity(40);
        let mut add = |name, word, value, bits| all.push(Expected { name, word, value, bits });
        add("pop", 0, u32::from(cycle.left), 0xff);
        add("hit", 0, hit << 8, 0xff00);
        add("buffered", 0, (hit & stimulus.grant) << 16, 0xff_0000);
        add("write", 0, bits(cycle.grants.writes) << 24, 3 << 24);
        add("from_buffer", 0, from_buffer << 26, 3 << 26);
        let filling = buffers.iter().position(|b| b.state == State::Fill);
        for (s, slot) in slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            add("hit_slot", 1 + s, slot.into(), u32::MAX);
            if let Some(b) = filling {
                add("read_mask", 7 + s, self.entries[b][usize::from(slot)].mask, u32::MAX);
            }
        }
        let upper = events.upper_on_cycles as u32;
        let states = [(State::Free, 4), (State::Fill, 6), (State::Drain, 8)];
        let states = states.iter().fold(upper << 10, |all, (s, at)| all | state(*s) << at);
        add("state and power", 13, states, u32::MAX);
        let halves = |low: u64, high: u64| (low | high << 16) as u32;
        add("owner and count", 14, halves(events.buffer_owner, events.buffer_entries), u32::MAX);
        add("drained and period", 15, halves(events.entries_written_back, period), u32::MAX);
        let happened = [
            (events.write_back, 0),
            (events.buffer_write, 2),
            (events.buffer_merge, 4),
            (events.buffer_append, 6),
            (events.wakeup, 8),
            (events.rcm_write, 10),
            (events.result_wait_power, 11),
            (events.result_wait_full, 12),
            (events.result_wait_bank, 13),
        ];
        let happened = happened.iter().fold(0, |all, &(value, at)| all | value << at);
        add("what happens", 16, happened as u32, u32::MAX);
        add("lost", 17, events.dropped_entries as u32, u32::MAX);
        add("lost", 18, (events.dropped_entries >> 32) as u32, u32::MAX);
        for (bank, entry, warp) in self.writes(cycle) {
            let base = u32::from(warp / 2) * 16;
            add("write_address", 19 + bank, base + u32::from(entry.number), u32::MAX);
            add("write_mask", 21 + bank, entry.mask, u32::MAX);
        }
        all
    }

    /// What is written to the STT-RAM: bank, contents, warp.
    fn writes(&self, cycle: &BufferCycle) -> Vec<(usize, Entry, u8)> {
        let mut writes = Vec::new();
        for (b, buffer) in self.model.buffers().iter().enumerate() {
            if cycle.grants.entries[b] {
                let entry = self.entries[b][usize::from(buffer.drained)];
                writes.push((bank_of(buffer.owner), entry, buffer.owner));
            }
        }
        if let Some(oldest) = self.traffic.oldest.as_ref().filter(|_| cycle.grants.late) {
            let entry = Entry { number: oldest.number, mask: oldest.mask, data: oldest.data };
            writes.push((bank_of(oldest.warp), entry, oldest.warp));
        }
        writes
    }

    /// One cycle; what differs.
    fn cycle(&mut self) -> Result<(), String> {
        let stimulus = self.traffic.next(&self.model);
        let oldest = self.traffic.oldest.clone();
        let staged = oldest.as_ref().map(|o| Staged { warp: o.warp, number: o.number });
        let cycle = self.model.decide(staged, stimulus.open, stimulus.youngest);
        let mut out = [0; OUT];
        self.rtl.cycle(&self.words(&stimulus), &[], &mut out, &mut []).map_err(|e| e.to_string())?;
        for Expected { name, word, value, bits } in self.expected(&stimulus, &cycle) {
            if out[word] & bits != value & bits {
                return Err(format!("{name}: {:#x} instead of {:#x}", out[word] & bits, value & bits));
            }
        }
        for (bank, entry, _) in self.writes(&cycle) {
            same("write_data", &out[WRITE_DATA + NUM_LANES * bank..], entry.mask, &entry.data)?;
        }
        for (b, slot, mask, data) in self.reads.drain(..) {
            let at = READ_DATA + NUM_LANES * (ARRAYS * b + usize::from(slot) % ARRAYS);
            same("read_data", &out[at..], mask, &data)?;
        }
        self.note(&stimulus, &cycle, oldest);
        self.model.tick(&cycle, &stimulus.changes);
        Ok(())
    }

    /// What the entries hold after the cycle, which reads are under way, and what was seen.
    fn note(&mut self, stimulus: &Stimulus, cycle: &BufferCycle, oldest: Option<Oldest>) {
        let buffers = *self.model.buffers();
        for (s, &number) in stimulus.numbers.iter().enumerate() {
            if let (Some(slot), 1) = (self.model.find(number), stimulus.grant >> s & 1)
                && let Some(b) = buffers.iter().position(|b| b.state == State::Fill)
            {
                let entry = self.entries[b][usize::from(slot)];
                self.reads.push((b, slot, entry.mask, entry.data));
                self.seen.reads += 1;
            }
        }
        for (b, taking) in cycle.taking.iter().enumerate() {
            let Some(oldest) = oldest.as_ref().filter(|_| taking.accepted) else { continue };
            let entry = &mut self.entries[b][usize::from(taking.slot)];
            if taking.new_entry {
                *entry = Entry { number: oldest.number, ..Entry::default() };
            }
            entry.mask |= oldest.mask;
            for (lane, value) in oldest.data.iter().enumerate().filter(|(l, _)| oldest.mask >> l & 1 != 0) {
                entry.data[lane] = *value;
            }
            self.seen.merges += u32::from(!taking.new_entry);
            self.seen.appends += u32::from(taking.new_entry && buffers[b].state == State::Drain);
        }
        let events = self.model.events(cycle, &stimulus.changes).counted;
        self.seen.late += u32::from(cycle.grants.late);
        self.seen.full += events.result_wait_full as u32;
        self.seen.power += events.result_wait_power as u32;
        self.seen.lost += events.dropped_entries.count_ones();
        self.seen.both_written += u32::from(cycle.grants.entries == [true; 2]);
        self.seen.written_back += cycle.grants.entries.iter().map(|&e| u32::from(e)).sum::<u32>();
        for (b, change) in stimulus.changes.iter().enumerate() {
            if matches!(change, Change::Open(_)) {
                self.traffic.youngest = b;
            }
        }
        if cycle.left {
            self.traffic.oldest = None;
        }
    }
}

/// The lanes of `mask`.
fn same(name: &str, found: &[u32], mask: u32, data: &Data) -> Result<(), String> {
    for lane in (0..NUM_LANES).filter(|lane| mask >> lane & 1 != 0) {
        if found[lane] != data[lane] {
            return Err(format!("{name}: lane {lane} is {:#x} instead of {:#x}", found[lane], data[lane]));
        }
    }
    Ok(())
}

/// Without power gating, and with a short, the usual and a long wake-up.
const GATINGS: [Gating; 4] = [
    Gating { on: false, wakeup_cycles: 4 },
    Gating { on: true, wakeup_cycles: 1 },
    Gating { on: true, wakeup_cycles: 4 },
    Gating { on: true, wakeup_cycles: 40 },
];

/// `cycles` for each gating; the first cycle that differs, and how.
fn run(instance: impl Fn(u64) -> Instance, cycles: u32) -> Result<(), String> {
    for (seed, gating) in (1..).zip(GATINGS) {
        let mut bench = Bench::new(instance(seed), seed, gating);
        for number in 0..cycles {
            bench.cycle().map_err(|what| format!("{gating:?}, cycle {number}: {what}"))?;
        }
        let seen = bench.seen;
        println!("{gating:?}: {seen:?}");
        let Seen { merges, appends, late, full, power, lost, both_written, reads, written_back } = seen;
        let enough = [merges, appends, late, reads, written_back].iter().all(|&n| n > cycles / 100)
            && [full, lost, both_written].iter().all(|&n| n > cycles / 2000)
            && (power > cycles / 2000) == gating.on;
        assert!(enough, "{gating:?}: too little was seen: {seen:?}");
    }
    Ok(())
}

#[test]
fn rtl_and_model_of_the_write_buffers_agree() {
    assert_eq!(run(shipped(), 15_000), Ok(()));
}

/// A million cycles; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_of_the_write_buffers_agree() {
    assert_eq!(run(shipped(), 250_000), Ok(()));
}

/// Each planted bug of the block's modules, chosen by instance.
#[test]
#[ignore = "verilates the block with its planted bugs"]
fn every_planted_bug_of_the_write_buffers_is_found() {
    let bugs = planted::load(root(), &manifest()).expect("the list");
    let block = block().build_planted(bugs).expect("it builds");
    let instance = |bug| {
        let block = &block;
        move |seed| block.instance(seed, bug).expect("an instance of the block")
    };
    assert_eq!(run(instance(None), 15_000), Ok(()), "without a bug");
    for (place, bug) in block.bugs().iter().enumerate() {
        let what = run(instance(Some(place)), 15_000).expect_err(&bug.id);
        println!("{}: {what}", bug.id);
    }
    assert!(block.bugs().len() >= 10, "{} bugs are in the block", block.bugs().len());
}
