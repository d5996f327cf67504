//! One SM's share of DRAM: one channel with open rows and first-ready, first-come-first-served
//! scheduling.
//!
//! A channel serves `sms / channels` SMs, so the data bus takes that many times longer for a line than
//! the whole channel would, and half as long for half of its sectors. All banks of the channel are there.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::LINE_BYTES;

use crate::rows::Rows;
use crate::sectors::Sectors;
use crate::space;
use crate::statistics::DramStatistics;
use crate::windows::space_of;

#[derive(Debug, Clone, Copy)]
struct Bank {
    row: Option<u32>,
    /// Cycle of the last activate, if any.
    activated: Option<u64>,
    /// From when a further column command may be given.
    free: u64,
}

/// Sectors of a line to be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramRequest {
    /// Line number (byte address / 128).
    pub line: u32,
    /// Its sectors.
    pub sectors: Sectors,
    /// They are written.
    pub write: bool,
}

#[derive(Debug, Clone, Copy)]
struct Request {
    of: DramRequest,
    bank: usize,
    row: u32,
    /// From when the scheduler sees it: its address is translated.
    from: u64,
}

/// Row timing in core cycles.
#[derive(Debug, Clone, Copy)]
struct Timing {
    cl: u64,
    rp: u64,
    rc: u64,
    ras: u64,
    rcd: u64,
    rrd: u64,
    /// By number of sectors.
    burst: [u64; 5],
    latency: u64,
    translation: u64,
}

/// DRAM behind one SM.
#[derive(Debug, Clone)]
pub struct Dram {
    timing: Timing,
    rows: Rows,
    capacity: usize,
    banks: Vec<Bank>,
    queue: VecDeque<Request>,
    done: VecDeque<(u64, DramRequest)>,
    bus_free: u64,
    last_activate: Option<u64>,
    next_try: u64,
    /// Cycles in which the last read was handed over and had its address.
    last_read: (u64, u64),
    statistics: DramStatistics,
}

impl Dram {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        let d = &preset.dram;
        let mhz = preset.gpu.core_mhz;
        let core = |t| d.core_cycles(t, mhz);
        let bytes = |sectors: usize| (sectors * LINE_BYTES / 4) as u64;
        let numerator = |sectors| bytes(sectors) * u64::from(mhz) * u64::from(preset.gpu.sms);
        let denominator = u64::from(d.bytes_per_clock) * u64::from(d.clock_mhz) * u64::from(d.channels);
        Self {
            timing: Timing {
                cl: core(d.cl),
                rp: core(d.rp),
                rc: core(d.rc),
                ras: core(d.ras),
                rcd: core(d.rcd),
                rrd: core(d.rrd),
                burst: std::array::from_fn(|n| numerator(n).div_ceil(denominator.max(1)).max(1)),
                latency: u64::from(d.latency),
                translation: u64::from(d.translation_latency),
            },
            rows: Rows {
                lines_per_row: (d.row_bytes / LINE_BYTES as u32).max(1),
                banks: d.banks_per_channel.max(1),
            },
            capacity: d.queue.max(1) as usize,
            banks: vec![Bank { row: None, activated: None, free: 0 }; d.banks_per_channel.max(1) as usize],
            queue: VecDeque::with_capacity(d.queue as usize),
            done: VecDeque::with_capacity(64),
            bus_free: 0,
            last_activate: None,
            next_try: 0,
            last_read: (0, 0),
            statistics: DramStatistics::default(),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> &DramStatistics {
        &self.statistics
    }

    /// Whether the scheduler's queue has room.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.queue.len() < self.capacity
    }

    /// Nothing waits and no data is on its way.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.done.is_empty()
    }

    /// Takes a request.
    pub fn push(&mut self, request: DramRequest, cycle: u64) {
        let (bank, row) = self.rows.place(request.line);
        // Off-chip shared memory has a fixed place, and what L2 writes has its address translated already.
        let address = request.line.wrapping_mul(LINE_BYTES as u32);
        let translated = !request.write && space_of(address) != space::SHARED;
        let from = cycle + if translated { self.timing.translation } else { 0 };
        self.queue.push_back(Request { of: request, bank, row, from });
        self.next_try = 0;
        if !request.write {
            self.last_read = (cycle, from);
        }
    }

    /// Cycle in which the last read was handed over, and that from which its address was translated and it stood before
    /// the scheduler.
    #[must_use]
    pub fn last_read(&self) -> (u64, u64) {
        self.last_read
    }

    /// One cycle; returns a read whose data has arrived.
    pub fn step(&mut self, cycle: u64) -> Option<DramRequest> {
        if !self.queue.is_empty() && cycle >= self.next_try {
            self.schedule(cycle);
        }
        match self.done.front() {
            Some(&(ready, request)) if ready <= cycle => {
                self.done.pop_front();
                Some(request)
            }
            _ => None,
        }
    }

    /// First ready: the oldest request to an open row, else the oldest whose bank is free.
    fn schedule(&mut self, cycle: u64) {
        let horizon = self.timing.rp + self.timing.rcd + self.timing.cl;
        if self.bus_free > cycle + horizon {
            self.next_try = self.bus_free - horizon;
            return;
        }
        let free = |r: &Request| self.banks[r.bank].free.max(r.from) <= cycle;
        let hit = |r: &Request| self.banks[r.bank].row == Some(r.row);
        let chosen =
            self.queue.iter().position(|r| free(r) && hit(r)).or_else(|| self.queue.iter().position(free));
        let Some(request) = chosen.and_then(|i| self.queue.remove(i)) else {
            let soonest = self.queue.iter().map(|r| self.banks[r.bank].free.max(r.from)).min();
            self.next_try = soonest.unwrap_or(0);
            return;
        };
        self.serve(request, cycle);
    }

    fn serve(&mut self, request: Request, cycle: u64) {
        let t = self.timing;
        let bank = &mut self.banks[request.bank];
        let column = if bank.row == Some(request.row) {
            self.statistics.row_hits += 1;
            cycle
        } else {
            let mut activate = cycle;
            if bank.row.is_some() {
                self.statistics.row_conflicts += 1;
                let may_close = bank.activated.map_or(0, |a| a + t.ras);
                activate = activate.max(may_close) + t.rp;
            } else {
                self.statistics.row_empty += 1;
            }
            activate = activate
                .max(bank.activated.map_or(0, |a| a + t.rc))
                .max(self.last_activate.map_or(0, |a| a + t.rrd));
            bank.activated = Some(activate);
            bank.row = Some(request.row);
            self.last_activate = Some(activate);
            activate + t.rcd
        };
        let data = (column + t.cl).max(self.bus_free);
        let DramRequest { line, sectors, write } = request.of;
        let burst = t.burst[(sectors.count() as usize).min(4)];
        self.bus_free = data + burst;
        bank.free = data.saturating_sub(t.cl).max(column) + 1;
        self.statistics.count(space_of(line.wrapping_mul(LINE_BYTES as u32)), sectors.count(), write);
        if !write {
            self.done.push_back((data + burst + t.latency, request.of));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Dram, DramRequest};
    use crate::sectors::Sectors;
    use crate::system::tests::preset;
    use crate::windows::{SHARED_BLOCK_BYTES, SHARED_SPACE};

    fn of(line: u32, sectors: Sectors) -> DramRequest {
        DramRequest { line, sectors, write: false }
    }

    /// Cycle at which the read of `line`, pushed at `start`, is there.
    fn read(dram: &mut Dram, line: u32, start: u64) -> u64 {
        arrival(dram, of(line, Sectors::ALL), start)
    }

    fn arrival(dram: &mut Dram, request: DramRequest, start: u64) -> u64 {
        dram.push(request, start);
        (start..start + 10_000).find(|&c| dram.step(c) == Some(request)).expect("the read is answered")
    }

    #[test]
    fn latencies_of_empty_open_and_other_rows_follow_from_the_timing() {
        let mut preset = preset();
        preset.gpu.core_mhz = 1000;
        preset.gpu.sms = 2;
        let d = &mut preset.dram;
        d.timing_unit = heddle_config::TimingUnit::Ns;
        (d.cl, d.rp, d.rc, d.ras, d.rcd, d.rrd) = (12, 13, 60, 28, 14, 6);
        (d.channels, d.clock_mhz, d.bytes_per_clock, d.latency) = (1, 1000, 32, 100);
        (d.banks_per_channel, d.row_bytes) = (4, 1024);
        // One line takes 128 / 32 * 2 = 8 cycles of the bus.
        let mut dram = Dram::new(&preset);
        // Empty row: rcd + cl + burst + latency.
        assert_eq!(read(&mut dram, 0, 1000), 1000 + 14 + 12 + 8 + 100);
        // Open row: cl + burst + latency.
        assert_eq!(read(&mut dram, 1, 2000), 2000 + 12 + 8 + 100);
        // Other row of the bank, long after the activate: rp more than an empty row.
        assert_eq!(read(&mut dram, 8 * 4, 3000), 3000 + 13 + 14 + 12 + 8 + 100);
        // And at once: the row must have been open for ras, and rc between activates.
        let s = *dram.statistics();
        assert_eq!((s.row_empty, s.row_hits, s.row_conflicts), (1, 1, 1));
        let mut dram = Dram::new(&preset);
        dram.push(of(0, Sectors::ALL), 0);
        dram.push(of(8 * 4, Sectors::ALL), 0);
        let mut times = Vec::new();
        for cycle in 0..500 {
            times.extend(dram.step(cycle).map(|r| (r.line, cycle)));
        }
        // The activate at 0 lets the next one come at max(ras + rp, rc) = 60.
        assert_eq!(times, [(0, 134), (32, 60 + 14 + 12 + 8 + 100)]);
    }

    #[test]
    fn an_open_row_is_served_before_an_older_request_to_another_row() {
        let mut dram = Dram::new(&preset());
        let row = 2048 / 128;
        let banks = 16;
        let mut order = Vec::new();
        read(&mut dram, 0, 0);
        dram.push(of(row * banks, Sectors::ALL), 0);
        dram.push(of(1, Sectors::ALL), 0);
        for cycle in 1000..3000 {
            order.extend(dram.step(cycle).map(|r| r.line));
        }
        assert_eq!(order, [1, row * banks]);
    }

    #[test]
    fn equal_offsets_of_sixteen_cta_slots_have_a_bank_each() {
        let mut dram = Dram::new(&preset());
        let line = |slot: u32| (SHARED_SPACE.start + slot * SHARED_BLOCK_BYTES + 0x4380) / 128;
        for (start, (row_empty, row_hits)) in [(0, (16, 0)), (100_000, (16, 16))] {
            for slot in 0..16 {
                read(&mut dram, line(slot), start + 2000 * u64::from(slot));
            }
            let s = *dram.statistics();
            assert_eq!((s.row_empty, s.row_hits, s.row_conflicts), (row_empty, row_hits, 0));
        }
    }

    #[test]
    fn fewer_sectors_take_less_of_the_bus_and_translation_comes_first() {
        let mut preset = preset();
        (preset.gpu.core_mhz, preset.gpu.sms) = (1000, 2);
        let d = &mut preset.dram;
        d.timing_unit = heddle_config::TimingUnit::Clocks;
        (d.cl, d.rcd, d.channels, d.clock_mhz, d.bytes_per_clock) = (12, 14, 1, 1000, 32);
        (d.latency, d.translation_latency) = (100, 70);
        let mut dram = Dram::new(&preset);
        let two = Sectors::of_bytes(&[1, 0, 1, 0], 32);
        // 64 bytes take 4 cycles of the bus.
        assert_eq!(arrival(&mut dram, of(0, two), 1000), 1000 + 70 + 14 + 12 + 4 + 100);
        assert_eq!(read(&mut dram, 1, 2000), 2000 + 70 + 12 + 8 + 100);
        dram.push(DramRequest { write: true, ..of(0xE000_0000 / 128, two) }, 3000);
        assert!((3000..4000).all(|c| dram.step(c).is_none()), "a write is not answered");
        let shared = DramRequest { write: false, ..of(0xE000_0000 / 128, two) };
        assert_eq!(
            arrival(&mut dram, shared, 5000),
            5000 + 12 + 4 + 100,
            "an open row, nothing to translate"
        );
        let s = *dram.statistics();
        assert_eq!((s.reads, s.writes, s.sectors_read, s.sectors_written), (3, 1, 8, 2));
        assert_eq!((s.global.reads, s.global.writes, s.shared.writes, s.local.reads), (2, 0, 1, 0));
    }
}
