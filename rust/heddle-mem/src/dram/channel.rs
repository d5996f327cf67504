//! A channel with open rows and first-ready, first-come-first-served scheduling.
//!
//! Its data bus takes half as long for half of a line's sectors. Writes wait apart from reads and go when no read waits, or when `dram.write_high` of them are there, until `dram.write_low` are left.
//!
//! A column command goes to the oldest request whose row is open, as soon as the bus is free for its data. A bank whose open
//! row nobody waits for closes it and opens that of its oldest request meanwhile, each as soon as its times allow it: until then a request for the
//! open row may come, and other banks are not kept from opening theirs.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::LINE_BYTES;

use super::DramRequest;
use super::banks::{Banks, Found, MOST_BANKS, Request, Timing};
use crate::paced::Paced;
use crate::rows::Rows;
use crate::sectors::SECTOR_BYTES;
use crate::share::Share;
use crate::space;
use crate::statistics::DramStatistics;
use crate::windows::space_of;

/// A channel.
#[derive(Debug, Clone)]
pub struct Channel {
    timing: Timing,
    rows: Rows,
    capacity: usize,
    write_capacity: usize,
    write_high: usize,
    write_low: usize,
    banks: Banks,
    /// Reads whose address is being translated, and until when.
    translating: VecDeque<(u64, Request)>,
    reads: VecDeque<Request>,
    writes: VecDeque<Request>,
    /// Writes go before reads.
    draining: bool,
    done: VecDeque<(u64, DramRequest)>,
    bus: Paced,
    /// A request came, or one left: rows may have to be opened.
    changed: bool,
    /// The next cycle in which a row can be closed or opened for a request that waits; none where no request needs it.
    next_row: Option<u64>,
    next_try: u64,
    /// Cycles in which the last read was handed over and had its address.
    last_read: (u64, u64),
    /// Sectors that the bus has moved.
    moved: u64,
}

impl Channel {
    /// One of those that `share` has of the DRAM of `preset`.
    pub fn new(preset: &Preset, share: Share) -> Self {
        let d = &preset.dram;
        let banks = (d.banks_per_channel as usize).clamp(1, MOST_BANKS);
        let mhz = preset.gpu.core_mhz;
        let core = |t| d.core_cycles(t, mhz);
        let (rate, unit) = share.channels(preset).bandwidth;
        let cycles = u64::from(mhz) * unit;
        let bytes = u64::from(d.bytes_per_clock) * u64::from(d.clock_mhz) * rate;
        Self {
            timing: Timing {
                cl: core(d.cl),
                rp: core(d.rp),
                rc: core(d.rc),
                ras: core(d.ras),
                rcd: core(d.rcd),
                rrd: core(d.rrd),
                latency: u64::from(d.latency),
                translation: u64::from(d.translation_latency),
            },
            rows: Rows { lines_per_row: (d.row_bytes / LINE_BYTES as u32).max(1), banks: banks as u32 },
            capacity: d.queue.max(1) as usize,
            write_capacity: d.write_queue.max(1) as usize,
            write_high: d.write_high as usize,
            write_low: d.write_low as usize,
            banks: Banks::new(banks),
            translating: VecDeque::new(),
            reads: VecDeque::with_capacity(d.queue as usize),
            writes: VecDeque::with_capacity(d.write_queue as usize),
            draining: false,
            done: VecDeque::with_capacity(64),
            bus: Paced::new(cycles, bytes),
            changed: false,
            next_row: None,
            next_try: 0,
            last_read: (0, 0),
            moved: 0,
        }
    }

    /// Whether a request can be handed over. An address that has to be translated does not take a place in the queue
    /// meanwhile.
    pub fn has_room(&self, request: &DramRequest) -> bool {
        if request.write {
            self.writes.len() < self.write_capacity
        } else {
            self.is_to_be_translated(request) || self.reads.len() < self.capacity
        }
    }

    /// Off-chip shared memory has a fixed place, and what L2 writes has its address translated already.
    fn is_to_be_translated(&self, request: &DramRequest) -> bool {
        let address = request.line.wrapping_mul(LINE_BYTES as u32);
        self.timing.translation > 0 && !request.write && space_of(address) != space::SHARED
    }

    /// No read waits and no data is on its way.
    pub fn is_idle(&self) -> bool {
        self.translating.is_empty() && self.reads.is_empty() && self.done.is_empty()
    }

    /// The next cycle after this one in which something may move here of itself; none where nothing is here.
    pub fn next(&self, cycle: u64) -> Option<u64> {
        let waits = !(self.reads.is_empty() && self.writes.is_empty());
        let command = waits.then_some(self.next_try);
        let address = self.translating.front().map(|(until, _)| *until);
        let data = self.done.front().map(|(ready, _)| *ready);
        command.into_iter().chain(address).chain(data).min().map(|at| at.max(cycle + 1))
    }

    /// No write waits.
    pub fn is_written(&self) -> bool {
        self.writes.is_empty()
    }

    /// Takes a request to the line that has number `within` among those of the channel.
    pub fn push(&mut self, of: DramRequest, within: u32, cycle: u64, statistics: &mut DramStatistics) {
        let (bank, row) = self.rows.place(of.line, within);
        let request = Request { of, bank, row, found: Found::Hit };
        let address = of.line.wrapping_mul(LINE_BYTES as u32);
        statistics.count(space_of(address), of.sectors.count(), of.write);
        (self.changed, self.next_try) = (true, 0);
        if of.write {
            self.writes.push_back(request);
            return;
        }
        let translation = if self.is_to_be_translated(&of) { self.timing.translation } else { 0 };
        self.last_read = (cycle, cycle + translation);
        if translation > 0 {
            self.translating.push_back((cycle + translation, request));
        } else {
            self.reads.push_back(request);
        }
    }

    /// Cycle in which the last read was handed over, and that from which its address was translated and it stood before
    /// the scheduler.
    pub fn last_read(&self) -> (u64, u64) {
        self.last_read
    }

    /// The row of a request is open.
    pub fn warm(&mut self, of: &DramRequest, within: u32) {
        let (bank, row) = self.rows.place(of.line, within);
        self.banks.warm(bank, row);
        self.changed = true;
    }

    /// Sectors that the bus has moved.
    pub fn sectors_moved(&self) -> u64 {
        self.moved
    }

    /// One cycle.
    pub fn step(&mut self, cycle: u64, statistics: &mut DramStatistics) {
        if cycle >= self.next_try && !(self.reads.is_empty() && self.writes.is_empty()) {
            self.schedule(cycle, statistics);
        }
        // What is translated stands before the scheduler in the next cycle.
        while self.reads.len() < self.capacity
            && self.translating.front().is_some_and(|(until, _)| *until <= cycle)
            && let Some((_, request)) = self.translating.pop_front()
        {
            self.reads.push_back(request);
            (self.changed, self.next_try) = (true, 0);
        }
    }

    /// A read whose data has come.
    pub fn arrived(&self, cycle: u64) -> Option<DramRequest> {
        self.done.front().filter(|(ready, _)| *ready <= cycle).map(|(_, request)| *request)
    }

    /// The read that [`Channel::arrived`] shows is taken.
    pub fn take(&mut self) {
        self.done.pop_front();
    }

    /// One column command at most, and the rows that are to be opened.
    fn schedule(&mut self, cycle: u64, statistics: &mut DramStatistics) {
        let (waiting, low, high) = (self.writes.len(), self.write_low, self.write_high);
        let draining = if self.draining { waiting > low } else { waiting >= high };
        self.draining = draining;
        let queue = if draining || self.reads.is_empty() { &mut self.writes } else { &mut self.reads };
        if self.changed || self.next_row.is_some_and(|next| next <= cycle) {
            self.next_row = self.banks.open(queue, self.timing, cycle);
            self.changed = false;
        }
        let row = self.next_row.unwrap_or(u64::MAX);
        let bus = self.bus.next().saturating_sub(self.timing.cl);
        if bus > cycle {
            self.next_try = bus.min(row);
            return;
        }
        let banks = &self.banks;
        let chosen = queue.iter().position(|r| banks.ready(r).is_some_and(|ready| ready <= cycle));
        let Some(request) = chosen.and_then(|i| queue.remove(i)) else {
            self.next_try = queue.iter().filter_map(|r| banks.ready(r)).fold(row, u64::min);
            return;
        };
        self.changed = true;
        match request.found {
            Found::Hit => statistics.row_hits += 1,
            Found::Empty => statistics.row_empty += 1,
            Found::Conflict => statistics.row_conflicts += 1,
        }
        let data = (cycle + self.timing.cl).max(self.bus.next());
        let bytes = u64::from(request.of.sectors.count() * SECTOR_BYTES);
        self.moved += bytes / u64::from(SECTOR_BYTES);
        let end = self.bus.take(data, bytes);
        if !request.of.write {
            self.done.push_back((end + self.timing.latency, request.of));
        }
    }
}
