//! L2 behind the SMs that are simulated: the part of its capacity that they have, in as many whole slices as that is of all, one
//! at least.
//!
//! Write-back; a write allocates its sectors without fetching them. What a victim has dirty goes to DRAM. Atomics are carried out
//! here: a read whose sectors are written, with lanes on the same word one after the other.

mod slice;

use heddle_config::Preset;
use heddle_port::MemLowerRequest;

use self::slice::Slice;
use crate::dram::{Dram, DramRequest};
use crate::gate::Incoming;
use crate::network::Network;
use crate::reply::ReplyPort;
use crate::share::Share;
use crate::statistics::L2Statistics;
use crate::windows::{line_of, place_of};

/// L2.
#[derive(Debug, Clone)]
pub struct L2 {
    latency: u64,
    slices: Vec<Slice>,
    ports: Vec<ReplyPort>,
    /// The slice that may reply first.
    turn: usize,
    /// The slice that may hand over to DRAM first.
    handing: usize,
    /// When the last request that was looked up had come.
    arrived: u64,
    statistics: L2Statistics,
}

impl L2 {
    /// The part that `share` has of the L2 of `preset`.
    #[must_use]
    pub fn new(preset: &Preset, share: Share) -> Self {
        let count = share.slices(preset).units;
        Self {
            latency: u64::from(preset.l2.latency),
            slices: (0..count).map(|index| Slice::new(preset, index as u16, share)).collect(),
            ports: vec![ReplyPort::default(); count as usize],
            turn: 0,
            handing: 0,
            arrived: 0,
            statistics: L2Statistics::default(),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> &L2Statistics {
        &self.statistics
    }

    /// No read is under way and no request waits; what has been written may still wait for DRAM.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.slices.iter().all(Slice::is_idle)
    }

    /// The next cycle after this one in which something may move here of itself.
    pub(crate) fn next(&self, cycle: u64) -> Option<u64> {
        self.slices.iter().filter_map(|slice| slice.next(cycle)).min()
    }

    /// Nothing waits for DRAM.
    pub(crate) fn is_written(&self) -> bool {
        self.slices.iter().all(Slice::is_written)
    }

    /// What the auditors found wrong.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.slices.iter().find_map(Slice::broken)
    }

    /// When the last request that was looked up had come.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// A request is on its way here.
    pub(crate) fn push(&mut self, incoming: Incoming) {
        let slice = place_of(line_of(incoming.request.line, incoming.sm)) % self.slices.len() as u32;
        self.slices[slice as usize].push(incoming);
    }

    /// Serves a request of SM `sm` without time, which opens the rows that it needs in DRAM.
    pub(crate) fn warm(&mut self, sm: u16, request: &MemLowerRequest, dram: &mut Dram) {
        let slice = place_of(line_of(request.line, sm)) % self.slices.len() as u32;
        if let Some(slice) = self.slices.get_mut(slice as usize) {
            slice.warm(sm, request, &mut self.statistics, dram);
        }
    }

    /// Looks requests up.
    pub(crate) fn look_up(&mut self, cycle: u64, networks: &mut [Network]) {
        for slice in &mut self.slices {
            slice.receive(cycle, self.latency);
            if let Some((ready, sm, store)) = slice.look_up(cycle, &mut self.statistics) {
                self.arrived = ready - self.latency;
                networks[usize::from(sm)].give_credit(cycle, store);
            }
        }
    }

    /// Hands misses and write-backs to DRAM; the slices take turns. True if there was one.
    pub(crate) fn hand_over(&mut self, cycle: u64, dram: &mut Dram) -> bool {
        let (count, mut first) = (self.slices.len(), None);
        for step in 0..count {
            let at = (self.handing + step) % count;
            if self.slices[at].hand_over(cycle, dram) {
                first.get_or_insert(at);
            }
        }
        if let Some(at) = first {
            self.handing = (at + 1) % count;
        }
        first.is_some()
    }

    /// Sends at most a reply of each slice; the slices take turns. True if there was one.
    pub(crate) fn send_replies(&mut self, cycle: u64, networks: &mut [Network]) -> bool {
        let (count, mut first) = (self.slices.len(), None);
        for step in 0..count {
            let at = (self.turn + step) % count;
            if self.ports[at].send(self.slices[at].replies(), networks, cycle) {
                first.get_or_insert(at);
            }
        }
        if let Some(at) = first {
            self.turn = (at + 1) % count;
        }
        first.is_some()
    }

    /// Takes sectors that came from DRAM for a miss of a slice; false if it has no room for them in this cycle.
    pub(crate) fn fill(&mut self, slice: u16, request: &DramRequest) -> bool {
        self.slices.get_mut(usize::from(slice)).is_none_or(|s| s.fill(request, &mut self.statistics))
    }
}
