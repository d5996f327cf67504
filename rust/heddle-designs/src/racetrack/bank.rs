//! One bank: the position at its ports and what it does in each cycle.

use super::mapping::Place;
use super::queues::{BUFFER_ENTRIES, Fifo, QUEUE_DEPTH, Read, Write, covered};
use crate::front::SourceRef;

/// Cycles of each action and whether banks may preshift: the configuration inputs.
#[derive(Debug, Clone, Copy)]
pub struct BankTiming {
    /// Cycles of a read.
    pub read: u8,
    /// Cycles of a write.
    pub write: u8,
    /// Cycles of a shift step; 0: as many ports as domains, so that nothing needs to shift.
    pub shift: u8,
    /// Banks that are not served shift as well.
    pub preshift: bool,
    /// A bank that was served for the first step of its way makes the others without a place.
    pub release: bool,
}

/// What a bank does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Action {
    /// Nothing.
    #[default]
    Idle,
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It shifts by one step.
    Shift,
}

/// What a bank wants in a cycle, from its state when the cycle began.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// The write buffer serves the oldest read.
    pub forward: bool,
    /// Access that is next, if there is one.
    access: Action,
    place: Place,
    /// It asks the arbitrator to be served.
    pub request: bool,
}

/// What a bank did in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct BankCycle {
    /// What it began.
    pub starts: Action,
    /// A shift that it began is one of a bank that is served, or was for an earlier step of its way.
    pub demand: bool,
    /// The access under way ends with this cycle.
    pub done: bool,
    /// Read data can be used in the next cycle.
    pub read_valid: bool,
    /// A read request was there and its data were not taken.
    pub read_waits: bool,
    /// Something was under way.
    pub busy: bool,
}

/// State of one bank.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bank {
    /// Read requests.
    pub reads: Fifo<Read, QUEUE_DEPTH>,
    /// The write buffer.
    pub writes: Fifo<Write, BUFFER_ENTRIES>,
    /// Offset that lies at the ports.
    pub position: u8,
    action: Action,
    /// Further cycles of the action, the current one included.
    left: u8,
    /// It was served for an earlier step of its way, and no place is held for the others.
    on_way: bool,
    /// Whose data the last read gives.
    pub target: SourceRef,
}

impl Bank {
    /// Whether nothing is under way and nothing waits.
    #[inline]
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.left == 0 && self.reads.items().is_empty() && self.writes.items().is_empty()
    }

    /// What it wants; `staged`: a result for this bank is not yet in its write buffer.
    #[inline]
    #[must_use]
    pub fn wish(&self, staged: bool) -> Wish {
        let free = self.left == 0;
        let mut wish = Wish { request: !free && self.action != Action::Shift, ..Wish::default() };
        let write = self.writes.items().first();
        let read = self.reads.items().first();
        if let (Some(read), false) = (read, staged) {
            let reading = !free && self.action == Action::Read;
            wish.forward = !reading && covered(self.writes.items(), read.place);
        }
        match (write, read) {
            (Some(write), _) => (wish.access, wish.place) = (Action::Write, write.place),
            (None, Some(read)) if !staged => (wish.access, wish.place) = (Action::Read, read.place),
            _ => {}
        }
        let shifts_alone = self.on_way && (!free || wish.place.offset != self.position);
        wish.request |= wish.access != Action::Idle && !shifts_alone;
        wish
    }

    /// One cycle of the bank.
    #[inline]
    pub fn step(&mut self, wish: Wish, served: bool, timing: &BankTiming) -> BankCycle {
        let mut cycle = BankCycle::default();
        let free = self.left == 0;
        if free && wish.access != Action::Idle {
            let aligned = timing.shift == 0 || wish.place.offset == self.position;
            if aligned && served {
                cycle.starts = wish.access;
            } else if !aligned && (served || self.on_way || timing.preshift) {
                cycle.starts = Action::Shift;
            }
        }
        cycle.demand = served || self.on_way;
        self.on_way = match cycle.starts {
            Action::Shift => timing.release && cycle.demand,
            Action::Idle => self.on_way && wish.access != Action::Idle,
            Action::Read | Action::Write => false,
        };
        cycle.busy = !free || cycle.starts != Action::Idle;
        let waiting = !self.reads.items().is_empty();
        if wish.forward || cycle.starts == Action::Read {
            self.target = self.reads.items()[0].target;
            self.reads.pop();
        } else {
            cycle.read_waits = waiting;
        }
        if cycle.starts == Action::Write {
            self.writes.pop();
        }
        let last_cycle = match cycle.starts {
            Action::Idle => {
                let last = self.left == 1;
                self.left = self.left.saturating_sub(1);
                last
            }
            starts => {
                let cycles = match starts {
                    Action::Read => timing.read,
                    Action::Write => timing.write,
                    _ => timing.shift,
                };
                if starts == Action::Shift {
                    let up = wish.place.offset > self.position;
                    self.position = if up { self.position + 1 } else { self.position - 1 };
                }
                self.action = starts;
                self.left = cycles - 1;
                cycles == 1
            }
        };
        cycle.read_valid = last_cycle && self.action == Action::Read;
        cycle.done = last_cycle && self.action != Action::Shift;
        cycle
    }
}
