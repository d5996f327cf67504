//! The two write buffers with the control module and their write-back.

use super::buffer::{Buffer, Change, Gating, State, Taking, use_class};
use super::queue::Staged;
use super::rcm::Rcm;
use super::write_back::{Demand, Grants, grant};
use super::{NUM_BANKS, NUM_BUFFERS, bank_of, layout};
use crate::common::set_bits;
use heddle_port::Events;

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

/// A set of buffers or banks as bits.
#[inline]
pub(super) fn bits(set: [bool; 2]) -> u32 {
    u32::from(set[0]) | u32::from(set[1]) << 1
}

/// Two numbers of eight bits.
#[inline]
fn bytes(numbers: [u8; 2]) -> u32 {
    u32::from(u16::from_le_bytes(numbers))
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

    /// Events of a cycle, from the state when it began; `changes` is what commands do to the buffers.
    #[inline]
    pub fn events(&self, events: &mut Events, cycle: &BufferCycle, changes: &[Change; NUM_BUFFERS]) {
        let (buffers, taking, gating) = (&self.buffers, &cycle.taking, self.gating);
        let all = |of: &dyn Fn(usize) -> bool| bits(std::array::from_fn(of));
        let state = |b: usize| buffers[b].state;
        let late = cycle.oldest.filter(|_| cycle.grants.late).map_or(0, |staged| 1 << bank_of(staged.warp));
        set_bits(events, layout::STT_WRITE, bits(cycle.grants.writes));
        set_bits(events, layout::WRITE_BACK, bits(cycle.grants.entries));
        set_bits(events, layout::LATE_WRITE, late);
        set_bits(events, layout::RESULT_WAIT_BANK, u32::from(cycle.late && !cycle.grants.late));
        set_bits(events, layout::BUFFER_WRITE, all(&|b| taking[b].accepted));
        set_bits(events, layout::BUFFER_MERGE, all(&|b| taking[b].accepted && !taking[b].new_entry));
        set_bits(events, layout::BUFFER_APPEND, all(&|b| taking[b].new_entry && state(b) == State::Drain));
        set_bits(events, layout::BUFFER_DROP, all(&|b| changes[b] == Change::Drop));
        set_bits(events, layout::WAKEUP, all(&|b| buffers[b].wakes(gating, taking[b].waits_power)));
        set_bits(events, layout::UPPER_ON, all(&|b| buffers[b].upper_on(gating)));
        set_bits(events, layout::FILLING, all(&|b| state(b) == State::Fill));
        set_bits(events, layout::DRAINING, all(&|b| state(b) == State::Drain));
        set_bits(events, layout::OWNER, bytes(buffers.map(|b| b.owner)));
        set_bits(events, layout::ENTRIES, bytes(buffers.map(|b| b.count)));
        set_bits(events, layout::DRAINED, bytes(buffers.map(|b| b.drained)));
        let looked_up = (0..NUM_BUFFERS).any(|b| taking[b].accepted && state(b) == State::Fill);
        set_bits(events, layout::RCM_WRITE, u32::from(looked_up));
        let waits_power = taking.iter().any(|t| t.waits_power);
        let waits_full = cycle.requests != [false; NUM_BUFFERS] && !cycle.left && !waits_power;
        set_bits(events, layout::RESULT_WAIT_POWER, u32::from(waits_power));
        set_bits(events, layout::RESULT_WAIT_FULL, u32::from(waits_full));
        for b in (0..NUM_BUFFERS).filter(|&b| changes[b] != Change::None) {
            let used = buffers[b].count + u8::from(taking[b].new_entry);
            if state(b) == State::Fill {
                set_bits(events, layout::PERIOD, use_class(used));
            }
            if changes[b] == Change::Drop {
                let lost = buffers[b].lost(taking[b], cycle.grants.entries[b]);
                set_bits(events, layout::DROPPED, lost as u32);
                set_bits(events, layout::DROPPED + 32, (lost >> 32) as u32);
            }
        }
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
