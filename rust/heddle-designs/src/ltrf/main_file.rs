//! The banks of the main register file and the lanes to them, as in `main_register_file.sv`.

use super::NUM_MAIN_BANKS;
use super::fetch_paths::{Fetch, FetchPaths};
use super::lanes::Lanes;
use super::results::Sent;
use crate::common::BankTimers;

/// What travels with a register towards the main register file: nothing but its data and lane mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inbound;

/// What travels with a register towards the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outbound {
    /// Warp offset.
    pub slot: u8,
    /// Architectural register.
    pub register: u8,
    /// Cache bank.
    pub cache_bank: u8,
}

/// Banks and lanes.
#[derive(Debug, Clone)]
pub struct MainFile {
    timers: BankTimers,
    /// Fetches that are not at their bank yet.
    paths: FetchPaths,
    /// Towards the banks.
    pub inbound: Lanes<Inbound>,
    /// From the banks.
    pub outbound: Lanes<Outbound>,
    /// Banks whose last access was a write.
    wrote: u16,
    /// Banks with a read whose data are not in the outbound lane yet; of these, banks whose data are there.
    pending: u16,
    there: u16,
    pending_row: [u16; NUM_MAIN_BANKS],
    pending_meta: [Outbound; NUM_MAIN_BANKS],
}

/// What the banks and lanes did in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct MainCycle {
    /// Banks that start to read.
    pub reads: u16,
    /// Banks written.
    pub writes: u16,
    /// Banks that were occupied.
    pub busy: u16,
    /// Beats towards the banks.
    pub beats_in: u16,
    /// Beats from the banks.
    pub beats_out: u16,
}

impl MainFile {
    /// Idle banks and empty lanes. A word comes `bank_cycles` after its fetch was granted; an access occupies its
    /// bank for `busy_cycles`, 1 to `bank_cycles`, and the other cycles a fetch is on its way to the bank. Both are
    /// `eighths` of a cycle more on average.
    #[must_use]
    pub fn new(bank_cycles: u8, busy_cycles: u8, eighths: u8, crossbar_cycles: u8) -> Self {
        Self {
            timers: BankTimers::new(busy_cycles, eighths),
            paths: FetchPaths::new(bank_cycles - busy_cycles),
            inbound: Lanes::new(crossbar_cycles),
            outbound: Lanes::new(crossbar_cycles),
            wrote: 0,
            pending: 0,
            there: 0,
            pending_row: [0; NUM_MAIN_BANKS],
            pending_meta: [Outbound::default(); NUM_MAIN_BANKS],
        }
    }

    /// Banks that are free in this cycle.
    #[inline]
    fn free(&self) -> u16 {
        !(self.timers.occupied() as u16)
    }

    /// Banks to which a fetch can be granted.
    #[inline]
    #[must_use]
    pub fn read_ready(&self) -> u16 {
        if self.paths.direct() { self.open() } else { self.paths.ready() }
    }

    /// Banks that can start a read.
    #[inline]
    fn open(&self) -> u16 {
        self.free() & !(self.pending & !self.departing()) & !(self.inbound.valid() & !self.wrote)
    }

    /// Banks whose read data enter the outbound lane in this cycle.
    #[inline]
    fn departing(&self) -> u16 {
        self.there & !self.outbound.busy()
    }

    /// Whether the register of row `row` of bank `bank` is on its way to the cache.
    #[inline]
    #[must_use]
    pub fn fetching(&self, bank: usize, row: u16) -> bool {
        (self.pending >> bank & 1 != 0 && self.pending_row[bank] == row)
            || self.outbound.holds(bank, row)
            || self.paths.holds(bank, row)
    }

    /// The clock edge for what is under way; `granted` are the banks to which a fetch was granted, `filled` the
    /// outbound lanes whose register the cache takes. Returns what happened.
    pub fn tick(&mut self, granted: u16, filled: u16) -> MainCycle {
        let reads = if self.paths.direct() { granted } else { self.paths.arrived() & self.open() };
        let writes = self.inbound.valid() & self.free() & !reads;
        self.wrote = (self.wrote & !reads) | writes;
        let departing = self.departing();
        let tick = self.timers.tick(reads.into(), writes.into());
        let beats_in = self.inbound.tick(writes);
        let beats_out = self.outbound.tick(filled);
        let mut rest = departing;
        while rest != 0 {
            let bank = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.outbound.start(bank, self.pending_row[bank], self.pending_meta[bank], 0);
        }
        self.pending &= !departing;
        self.there = (self.there & !departing) | tick.read_valid as u16;
        if !self.paths.direct() {
            for (bank, fetch) in self.paths.tick(reads) {
                self.start_read(bank, fetch);
            }
        }
        MainCycle { reads, writes, busy: tick.busy as u16, beats_in, beats_out }
    }

    /// A fetch that was granted in this cycle leaves the allocator.
    pub fn fetch(&mut self, bank: usize, fetch: Fetch) {
        if self.paths.direct() { self.start_read(bank, fetch) } else { self.paths.enter(bank, fetch) }
    }

    /// A read starts whose register goes to the cache.
    fn start_read(&mut self, bank: usize, fetch: Fetch) {
        self.pending |= 1 << bank;
        self.pending_row[bank] = fetch.row;
        self.pending_meta[bank] = fetch.meta;
    }

    /// Results enter their lanes.
    pub fn start_results(&mut self, sent: &Sent) {
        for bank in (0..NUM_MAIN_BANKS).filter(|bank| sent.main_banks >> bank & 1 != 0) {
            self.inbound.start(bank, sent.rows[bank], Inbound, 0);
        }
    }
}
