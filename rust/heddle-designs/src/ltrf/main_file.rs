//! The banks of the main register file and the lanes to them, as in `main_register_file.sv`.

use super::NUM_MAIN_BANKS;
use super::fetch_paths::{Fetch, FetchPaths};
use super::lanes::Lanes;
use super::results::Sent;
use crate::common::{BankTimers, Rotating};
use heddle_port::{MAX_BANKS, members};

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

/// One bank of every lane.
#[derive(Debug, Clone)]
struct Row {
    timers: BankTimers,
    /// Banks whose last access was a write.
    wrote: u16,
    /// Banks with a read whose data are not in the outbound lane yet; of these, banks whose data are there.
    pending: u16,
    there: u16,
    pending_row: [u16; NUM_MAIN_BANKS],
    pending_meta: [Outbound; NUM_MAIN_BANKS],
}

/// Banks and lanes. Lane `l` has the banks of the rows whose number, modulo the banks of a lane, is theirs.
#[derive(Debug, Clone)]
pub struct MainFile {
    banks: Vec<Row>,
    /// Fetches that are not at their bank yet, where a lane has one.
    paths: FetchPaths,
    /// Towards the banks.
    pub inbound: Lanes<Inbound>,
    /// From the banks.
    pub outbound: Lanes<Outbound>,
    /// Arbiters of the outbound lanes among their banks.
    turns: [Rotating; NUM_MAIN_BANKS],
}

/// What the banks and lanes did in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct MainCycle {
    /// Lanes of which a bank starts to read.
    pub reads: u16,
    /// Lanes of which a bank is written.
    pub writes: u16,
    /// Banks that were occupied: bank `k` of the lanes from bit 16 `k` on.
    pub busy: [u32; MAX_BANKS / 32],
    /// Beats towards the banks.
    pub beats_in: u16,
    /// Beats from the banks.
    pub beats_out: u16,
}

/// Banks that leave their data to the outbound lane, or that can start a read: bank `k` of each lane in word `k`.
pub type ByBank = [u16; MAX_BANKS / NUM_MAIN_BANKS];

impl MainFile {
    /// Idle banks, `lane_banks` at each lane, and empty lanes. A word comes `bank_cycles` after its fetch was
    /// granted; an access occupies its bank for `busy_cycles`, 1 to `bank_cycles`, and the other cycles a fetch is on
    /// its way to the bank. Both are `eighths` of a cycle more on average.
    #[must_use]
    pub fn new(
        lane_banks: usize,
        bank_cycles: u8,
        busy_cycles: u8,
        eighths: u8,
        crossbar_cycles: u8,
    ) -> Self {
        let row = Row {
            timers: BankTimers::new(busy_cycles, eighths),
            wrote: 0,
            pending: 0,
            there: 0,
            pending_row: [0; NUM_MAIN_BANKS],
            pending_meta: [Outbound::default(); NUM_MAIN_BANKS],
        };
        Self {
            banks: vec![row; lane_banks],
            paths: FetchPaths::new(bank_cycles - busy_cycles),
            inbound: Lanes::new(crossbar_cycles),
            outbound: Lanes::new(crossbar_cycles),
            turns: [Rotating::default(); NUM_MAIN_BANKS],
        }
    }

    /// Which bank of its lane holds `row`.
    #[inline]
    #[must_use]
    pub fn bank_of(&self, row: u16) -> usize {
        usize::from(row) % self.banks.len()
    }

    /// Lanes of which bank `k` is wanted by the register that has arrived.
    #[inline]
    fn arrived(&self, k: usize) -> u16 {
        let valid = self.inbound.valid();
        if self.banks.len() == 1 {
            return valid;
        }
        members(valid)
            .filter(|lane| self.bank_of(self.inbound.row(*lane)) == k)
            .fold(0, |lanes, lane| lanes | 1 << lane)
    }

    /// Banks to which a fetch can be granted.
    #[inline]
    #[must_use]
    pub fn read_ready(&self) -> ByBank {
        if self.paths.direct() {
            return self.open(&self.departing());
        }
        let mut ready = ByBank::default();
        ready[0] = self.paths.ready();
        ready
    }

    /// Banks that can start a read, when those of `departing` leave their data to the lane.
    #[inline]
    fn open(&self, departing: &ByBank) -> ByBank {
        let mut open = ByBank::default();
        for (k, row) in self.banks.iter().enumerate() {
            open[k] = !(row.timers.occupied() as u16)
                & !(row.pending & !departing[k])
                & !(self.arrived(k) & !row.wrote);
        }
        open
    }

    /// Banks whose read data enter the outbound lane in this cycle.
    #[inline]
    fn departing(&self) -> ByBank {
        let mut departing = ByBank::default();
        let free = !self.outbound.busy();
        if let [row] = self.banks.as_slice() {
            departing[0] = row.there & free;
            return departing;
        }
        let there = self.banks.iter().fold(0, |lanes, row| lanes | row.there) & free;
        for lane in members(there) {
            if let Some(k) = self.turns[lane].pick(self.there(lane)) {
                departing[k as usize] |= 1 << lane;
            }
        }
        departing
    }

    /// Banks of a lane whose data are there.
    fn there(&self, lane: usize) -> u32 {
        self.banks.iter().enumerate().fold(0, |banks, (k, row)| banks | u32::from(row.there >> lane & 1) << k)
    }

    /// Whether the register of row `row` at lane `lane` is on its way to the cache.
    #[inline]
    #[must_use]
    pub fn fetching(&self, lane: usize, row: u16) -> bool {
        let bank = &self.banks[self.bank_of(row)];
        (bank.pending >> lane & 1 != 0 && bank.pending_row[lane] == row)
            || self.outbound.holds(lane, row)
            || self.paths.holds(lane, row)
    }

    /// The clock edge for what is under way; `granted` are the banks to which a fetch was granted, `filled` the
    /// outbound lanes whose register the cache takes. Returns what happened.
    pub fn tick(&mut self, granted: &ByBank, filled: u16) -> MainCycle {
        let mut cycle = MainCycle::default();
        let departing = self.departing();
        let mut reads = *granted;
        if !self.paths.direct() {
            reads[0] = self.paths.arrived() & self.open(&departing)[0];
        }
        for k in 0..self.banks.len() {
            let arrived = self.arrived(k);
            let row = &mut self.banks[k];
            let writes = arrived & !(row.timers.occupied() as u16) & !reads[k];
            row.wrote = (row.wrote & !reads[k]) | writes;
            let tick = row.timers.tick(reads[k].into(), writes.into());
            row.pending &= !departing[k];
            row.there = (row.there & !departing[k]) | tick.read_valid as u16;
            cycle.reads |= reads[k];
            cycle.writes |= writes;
            cycle.busy[k / 2] |= (tick.busy as u32) << (16 * (k % 2));
        }
        cycle.beats_in = self.inbound.tick(cycle.writes);
        cycle.beats_out = self.outbound.tick(filled);
        for (k, lanes) in departing.iter().enumerate() {
            for lane in members(*lanes) {
                let row = &self.banks[k];
                self.outbound.start(lane, row.pending_row[lane], row.pending_meta[lane], 0);
                self.turns[lane].serve(k as u32);
            }
        }
        if !self.paths.direct() {
            for (lane, fetch) in self.paths.tick(reads[0]) {
                self.start_read(lane, fetch);
            }
        }
        cycle
    }

    /// A fetch that was granted in this cycle leaves the allocator.
    pub fn fetch(&mut self, lane: usize, fetch: Fetch) {
        if self.paths.direct() { self.start_read(lane, fetch) } else { self.paths.enter(lane, fetch) }
    }

    /// A read starts whose register goes to the cache.
    fn start_read(&mut self, lane: usize, fetch: Fetch) {
        let bank = self.bank_of(fetch.row);
        let bank = &mut self.banks[bank];
        bank.pending |= 1 << lane;
        bank.pending_row[lane] = fetch.row;
        bank.pending_meta[lane] = fetch.meta;
    }

    /// Results enter their lanes.
    pub fn start_results(&mut self, sent: &Sent) {
        for bank in (0..NUM_MAIN_BANKS).filter(|bank| sent.main_banks >> bank & 1 != 0) {
            self.inbound.start(bank, sent.rows[bank], Inbound, 0);
        }
    }
}
