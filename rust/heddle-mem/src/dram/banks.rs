//! The banks of a channel and their rows.

use std::collections::VecDeque;

use super::DramRequest;
use crate::statistics::DramStatistics;

/// Most banks of a channel.
pub const MOST_BANKS: usize = 256;

#[derive(Debug, Clone, Copy)]
struct Bank {
    row: Option<u32>,
    /// Cycle of the last activate, if any.
    activated: Option<u64>,
    /// From when column commands may be given.
    ready: u64,
}

/// A request and its place.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub of: DramRequest,
    pub bank: usize,
    pub row: u32,
    /// Its row was opened for it.
    pub opens: bool,
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
        Self { all: vec![Bank { row: None, activated: None, ready: 0 }; count], last_activate: None }
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

    /// Opens the row of the oldest request of each bank whose open row no request of the queue waits for.
    pub fn open(
        &mut self,
        queue: &mut VecDeque<Request>,
        t: Timing,
        cycle: u64,
        statistics: &mut DramStatistics,
    ) {
        let mut wanted = [0u64; MOST_BANKS / 64];
        for r in queue.iter() {
            wanted[r.bank / 64] |= u64::from(self.all[r.bank].row == Some(r.row)) << (r.bank % 64);
        }
        for r in queue.iter_mut() {
            let bit = 1 << (r.bank % 64);
            if wanted[r.bank / 64] & bit != 0 {
                continue;
            }
            wanted[r.bank / 64] |= bit;
            let bank = &mut self.all[r.bank];
            let mut activate = cycle;
            if bank.row.is_some() {
                statistics.row_conflicts += 1;
                activate = activate.max(bank.activated.map_or(0, |a| a + t.ras)) + t.rp;
            } else {
                statistics.row_empty += 1;
            }
            activate = activate
                .max(bank.activated.map_or(0, |a| a + t.rc))
                .max(self.last_activate.map_or(0, |a| a + t.rrd));
            self.last_activate = Some(activate);
            *bank = Bank { row: Some(r.row), activated: Some(activate), ready: activate + t.rcd };
            r.opens = true;
        }
    }
}
