//! The two write buffers with the control module and their write-back.

use super::buffer::{Buffer, Change, Gating, State, Taking, use_class};
use super::queue::Staged;
use super::rcm::Rcm;
use super::write_back::{Demand, Grants, grant};
use super::{NUM_BANKS, NUM_BUFFERS, bank_of};
use crate::common::event_fields;

/// The write buffers and what finds the registers in them; see `rtl/hybrid/write_buffers.sv`.
#[derive(Debug, Clone, Default)]
pub struct WriteBuffers {
    rcm: Rcm,
    buffers: [Buffer; NUM_BUFFERS],
    /// Power gating, as configured.
    pub gating: Gating,
}

/// What becomes of the oldest result and of the oldest entries in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct BufferCycle {
    oldest: Option<Staged>,
    /// By buffer: the oldest result belongs to it.
    requests: [bool; NUM_BUFFERS],
    /// By buffer: whether it takes the oldest result.
    pub taking: [Taking; NUM_BUFFERS],
    /// The oldest result has no buffer.
    late: bool,
    /// The oldest result was written to a buffer or a bank.
    pub left: bool,
    /// What is written to the STT-RAM.
    pub grants: Grants,
}

event_fields! {
    /// Places of the events of the write buffers.
    pub(super) struct BufferFields of BufferEvents {
        /// Banks that begin a write.
        sttram_write,
        /// Buffers of which an entry is written back.
        write_back,
        /// Banks to which a result goes straight.
        late_write,
        /// Buffers that take a result.
        buffer_write,
        /// Of these, where it overwrites an entry.
        buffer_merge,
        /// Of these, where the buffer drains already.
        buffer_append,
        /// Buffers emptied because their warp ended.
        buffer_drop,
        /// A result is looked up in the control module and written.
        rcm_write,
        /// The oldest result waits for a wake-up.
        result_wait_power,
        /// The oldest result waits for a full buffer.
        result_wait_full,
        /// The oldest result waits for its bank.
        result_wait_bank,
        /// Buffers whose gated entries begin to wake up.
        wakeup,
        /// Buffers whose gated entries are on.
        upper_on_cycles,
        /// Buffers that fill.
        filling_cycles,
        /// Buffers that drain.
        draining_cycles,
        /// Entries of each buffer that are written back, 8 bits a buffer.
        entries_written_back,
        /// Owner of each buffer, 8 bits a buffer.
        buffer_owner,
        /// Entries of each buffer, 8 bits a buffer.
        buffer_entries,
        /// Entries of an ending warp that were not written back, one bit an entry.
        dropped_entries,
    }
}

/// What happens in the write buffers in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Happened {
    /// Events.
    pub counted: BufferEvents,
    /// By buffer: the class of the entries used in its active period that ends, from 0.
    pub periods: [Option<usize>; NUM_BUFFERS],
}

/// A set of buffers or banks as bits.
#[inline]
fn bits(set: [bool; 2]) -> u64 {
    u64::from(set[0]) | u64::from(set[1]) << 1
}

/// Two numbers of eight bits.
#[inline]
fn bytes(numbers: [u8; 2]) -> u64 {
    u64::from(u16::from_le_bytes(numbers))
}

impl WriteBuffers {
    /// Both buffers free.
    #[must_use]
    pub fn new(gating: Gating) -> Self {
        Self { gating, ..Self::default() }
    }

    /// The buffers.
    #[inline]
    #[must_use]
    pub fn buffers(&self) -> &[Buffer; NUM_BUFFERS] {
        &self.buffers
    }

    /// The entry of a register of the active warp that lies in its buffer.
    #[inline]
    #[must_use]
    pub fn find(&self, number: u8) -> Option<u8> {
        self.rcm.find(number)
    }

    /// What happens in a cycle with the oldest result; `open` are the banks that are neither occupied nor
    /// read, `youngest` is the buffer that was opened last.
    #[inline]
    #[must_use]
    pub fn decide(&self, oldest: Option<Staged>, open: [bool; NUM_BANKS], youngest: usize) -> BufferCycle {
        let mut cycle = BufferCycle { oldest, ..BufferCycle::default() };
        if let Some(staged) = oldest {
            for (b, buffer) in self.buffers.iter().enumerate() {
                if buffer.state != State::Free && buffer.owner == staged.warp {
                    cycle.requests[b] = true;
                    cycle.taking[b] = buffer.offer(self.rcm.find(staged.number), self.gating);
                    cycle.left |= cycle.taking[b].accepted;
                }
            }
            cycle.late = cycle.requests == [false; NUM_BUFFERS];
        }
        cycle.grants = grant(&Demand {
            open,
            late: oldest.filter(|_| cycle.late).map(|staged| bank_of(staged.warp)),
            entries: self.buffers.map(|b| b.has_entry().then(|| bank_of(b.owner))),
            youngest,
        });
        cycle.left |= cycle.grants.late;
        cycle
    }

    /// What happens in a cycle, from the state when it began; `changes` is what commands do to the buffers.
    #[inline]
    #[must_use]
    pub fn events(&self, cycle: &BufferCycle, changes: &[Change; NUM_BUFFERS]) -> Happened {
        let (buffers, taking, gating) = (&self.buffers, &cycle.taking, self.gating);
        let all = |of: &dyn Fn(usize) -> bool| bits(std::array::from_fn(of));
        let state = |b: usize| buffers[b].state;
        let late = cycle.oldest.filter(|_| cycle.grants.late).map_or(0, |staged| 1 << bank_of(staged.warp));
        let looked_up = (0..NUM_BUFFERS).any(|b| taking[b].accepted && state(b) == State::Fill);
        let waits_power = taking.iter().any(|t| t.waits_power);
        let waits_full = cycle.requests != [false; NUM_BUFFERS] && !cycle.left && !waits_power;
        let counted = BufferEvents {
            sttram_write: bits(cycle.grants.writes),
            write_back: bits(cycle.grants.entries),
            late_write: late,
            buffer_write: all(&|b| taking[b].accepted),
            buffer_merge: all(&|b| taking[b].accepted && !taking[b].new_entry),
            buffer_append: all(&|b| taking[b].new_entry && state(b) == State::Drain),
            buffer_drop: all(&|b| changes[b] == Change::Drop),
            rcm_write: looked_up.into(),
            result_wait_power: waits_power.into(),
            result_wait_full: waits_full.into(),
            result_wait_bank: (cycle.late && !cycle.grants.late).into(),
            wakeup: all(&|b| buffers[b].wakes(gating, taking[b].waits_power)),
            upper_on_cycles: all(&|b| buffers[b].upper_on(gating)),
            filling_cycles: all(&|b| state(b) == State::Fill),
            draining_cycles: all(&|b| state(b) == State::Drain),
            entries_written_back: bytes(buffers.map(|b| b.drained)),
            buffer_owner: bytes(buffers.map(|b| b.owner)),
            buffer_entries: bytes(buffers.map(|b| b.count)),
            dropped_entries: 0,
        };
        let mut happened = Happened { counted, ..Happened::default() };
        for b in (0..NUM_BUFFERS).filter(|&b| changes[b] != Change::None) {
            let used = buffers[b].count + u8::from(taking[b].new_entry);
            happened.periods[b] = (state(b) == State::Fill).then(|| use_class(used));
            if changes[b] == Change::Drop {
                happened.counted.dropped_entries |= buffers[b].lost();
            }
        }
        happened
    }

    /// The clock edge.
    #[inline]
    pub fn tick(&mut self, cycle: &BufferCycle, changes: &[Change; NUM_BUFFERS]) {
        for (b, buffer) in self.buffers.iter_mut().enumerate() {
            let taking = cycle.taking[b];
            if let Some(staged) = cycle.oldest
                && taking.new_entry
                && buffer.state == State::Fill
            {
                self.rcm.set(staged.number, taking.slot);
            }
            if matches!(changes[b], Change::Open(_)) {
                self.rcm.clear();
            }
            buffer.tick(taking, cycle.grants.entries[b], changes[b], self.gating);
        }
    }
}
