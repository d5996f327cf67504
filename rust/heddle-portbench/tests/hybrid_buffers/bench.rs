//! RTL and model in lock-step, and what each entry holds.

use heddle_designs::hybrid::buffer::{Change, Gating, State};
use heddle_designs::hybrid::queue::Staged;
use heddle_designs::hybrid::write_buffers::{BufferCycle, WriteBuffers};
use heddle_designs::hybrid::{NUM_BUFFERS, bank_of};
use heddle_port::NUM_LANES;
use verilated_runtime::Instance;

use super::traffic::{Oldest, Stimulus, Traffic};
use super::{ARRAYS, Data, ENTRIES, IN, OUT, READ_DATA, WRITE_DATA};

/// What an entry holds.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    pub number: u8,
    pub mask: u32,
    pub data: Data,
}

/// A value, as far as it means something.
pub struct Expected {
    pub name: &'static str,
    pub word: usize,
    pub value: u32,
    pub bits: u32,
}

fn bits(set: [bool; 2]) -> u32 {
    u32::from(set[0]) | u32::from(set[1]) << 1
}

/// How often something that is seldom happened.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub merges: u32,
    pub appends: u32,
    pub late: u32,
    pub full: u32,
    pub power: u32,
    pub lost: u32,
    pub both_written: u32,
    pub reads: u32,
    pub written_back: u32,
}

pub struct Bench {
    pub rtl: Instance,
    pub model: WriteBuffers,
    pub traffic: Traffic,
    pub entries: [[Entry; ENTRIES]; NUM_BUFFERS],
    /// Reads of the cycle before: buffer, entry, lanes, data.
    pub reads: Vec<(usize, u8, u32, Data)>,
    pub seen: Seen,
}

impl Bench {
    pub fn new(mut rtl: Instance, seed: u64, gating: Gating) -> Self {
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
    pub fn cycle(&mut self) -> Result<(), String> {
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
