//! The banks of the main register file and the lanes to them, as in `main_register_file.sv`.

use super::NUM_MAIN_BANKS;
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
    /// Idle banks and empty lanes.
    #[must_use]
    pub fn new(bank_cycles: u8, crossbar_cycles: u8) -> Self {
        Self {
            timers: BankTimers::new(bank_cycles),
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

    /// Banks that can start a read.
    #[inline]
    #[must_use]
    pub fn read_ready(&self) -> u16 {
        self.free() & !(self.pending & !self.departing()) & !(self.inbound.valid() & !self.wrote)
    }

    /// Banks whose read data enter the outbound lane in this cycle.
    #[inline]
    fn departing(&self) -> u16 {
        self.there & !self.outbound.busy()
    }

    /// Whether the register of row `row` is on its way from bank `bank` to the cache.
    #[inline]
    #[must_use]
    pub fn fetching(&self, bank: usize, row: u16) -> bool {
        (self.pending >> bank & 1 != 0 && self.pending_row[bank] == row) || self.outbound.holds(bank, row)
    }

    /// The clock edge for what is under way; `reads` are the banks that start a read, `filled` the outbound
    /// lanes whose register the cache takes. Returns what happened.
    pub fn tick(&mut self, reads: u16, filled: u16) -> MainCycle {
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
        MainCycle { writes, busy: tick.busy as u16, beats_in, beats_out }
    }

    /// A read starts whose register goes to the cache.
    pub fn start_read(&mut self, bank: usize, row: u16, meta: Outbound) {
        self.pending |= 1 << bank;
        self.pending_row[bank] = row;
        self.pending_meta[bank] = meta;
    }

    /// Results enter their lanes.
    pub fn start_results(&mut self, sent: &Sent) {
        for bank in (0..NUM_MAIN_BANKS).filter(|bank| sent.main_banks >> bank & 1 != 0) {
            self.inbound.start(bank, sent.rows[bank], Inbound, 0);
        }
    }
}
