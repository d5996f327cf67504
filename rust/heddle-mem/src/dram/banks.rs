//! The banks of a channel and their rows.

use std::collections::VecDeque;

use super::DramRequest;

/// Most banks of a channel.
pub const MOST_BANKS: usize = 256;

#[derive(Debug, Clone, Copy, Default)]
struct Bank {
    row: Option<u32>,
    /// Cycle of the last activate, if any.
    activated: Option<u64>,
    /// From when column commands may be given.
    ready: u64,
    /// From when the bank, which has no open row, can be activated.
    closed: u64,
    /// Another row was closed for the next activate.
    conflict: bool,
}

/// What an access found in its bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Its row was open.
    Hit,
    /// No row was open.
    Empty,
    /// Another row had to be closed first.
    Conflict,
}

/// A request and its place.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub of: DramRequest,
    pub bank: usize,
    pub row: u32,
    pub found: Found,
}

/// Row timing in core cycles.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    pub cl: u64,
    pub rp: u64,
    pub rc: u64,
    pub ras: u64,
    pub rcd: u64,
    pub rrd: u64,
    pub latency: u64,
    pub translation: u64,
}

/// The banks of a channel.
#[derive(Debug, Clone)]
pub struct Banks {
    all: Vec<Bank>,
    last_activate: Option<u64>,
}

impl Banks {
    /// `count` banks without open rows.
    pub fn new(count: usize) -> Self {
        Self { all: vec![Bank::default(); count], last_activate: None }
    }

    /// A row is open; the times of its bank stay.
    pub fn warm(&mut self, bank: usize, row: u32) {
        self.all[bank].row = Some(row);
    }

    /// From when a column command of the request can be given, if its row is open.
    pub fn ready(&self, request: &Request) -> Option<u64> {
        let bank = &self.all[request.bank];
        (bank.row == Some(request.row)).then_some(bank.ready)
    }

    /// Gives the row commands of this cycle: in each bank whose open row no request of the queue waits for, that row is closed for the
    /// oldest request, and then its own opened. Returns the first later cycle in which one of them can go on.
    pub fn open(&mut self, queue: &mut VecDeque<Request>, t: Timing, cycle: u64) -> Option<u64> {
        let mut taken = [0u64; MOST_BANKS / 64];
        for r in queue.iter() {
            taken[r.bank / 64] |= u64::from(self.all[r.bank].row == Some(r.row)) << (r.bank % 64);
        }
        let mut next = None;
        for r in queue.iter_mut() {
            let bit = 1 << (r.bank % 64);
            if taken[r.bank / 64] & bit != 0 {
                continue;
            }
            taken[r.bank / 64] |= bit;
            let bank = &mut self.all[r.bank];
            let after = |activate: Option<u64>, time: u64| activate.map_or(0, |cycle| cycle + time);
            if bank.row.is_some() && after(bank.activated, t.ras) <= cycle {
                bank.row = None;
                bank.closed = (cycle + t.rp).max(after(bank.activated, t.rc));
                bank.conflict = true;
            }
            let from = if bank.row.is_some() {
                after(bank.activated, t.ras)
            } else {
                bank.closed.max(after(self.last_activate, t.rrd))
            };
            if from > cycle {
                next = Some(next.map_or(from, |other: u64| other.min(from)));
                continue;
            }
            r.found = if bank.conflict { Found::Conflict } else { Found::Empty };
            self.last_activate = Some(cycle);
            *bank = Bank {
                row: Some(r.row),
                activated: Some(cycle),
                ready: cycle + t.rcd,
                closed: 0,
                conflict: false,
            };
        }
        next
    }
}
