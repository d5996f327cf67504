//! One SM's share of L2: capacity divided by the number of SMs, in as many whole slices as that is of all, one at least.
//!
//! Write-back; a write allocates its sectors without fetching them. What a victim has dirty goes to DRAM.

mod slice;

use heddle_config::Preset;
use heddle_port::{LINE_BYTES, MemLowerRequest};

pub(crate) use self::slice::Reply;
use self::slice::Slice;
use crate::dram::{Dram, DramRequest};
use crate::network::Network;
use crate::statistics::L2Statistics;

/// L2 behind one SM.
#[derive(Debug, Clone)]
pub struct L2 {
    latency: u64,
    slices: Vec<Slice>,
    /// The slice that may reply first.
    turn: usize,
    /// When the last request that was looked up had come.
    arrived: u64,
    statistics: L2Statistics,
}

impl L2 {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        let count = (preset.l2.slices / preset.gpu.sms.max(1)).clamp(1, 1024);
        Self {
            latency: u64::from(preset.l2.latency),
            slices: (0..count).map(|index| Slice::new(preset, index as u16, count)).collect(),
            turn: 0,
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

    /// Nothing waits for DRAM.
    pub(crate) fn is_written(&self) -> bool {
        self.slices.iter().all(Slice::is_written)
    }

    /// When the last request that was looked up had come.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Takes a request that arrives in the given cycle.
    pub(crate) fn push(&mut self, request: &MemLowerRequest, arrives: u64) {
        let slice = request.line / LINE_BYTES as u32 % self.slices.len() as u32;
        self.slices[slice as usize].push(request, arrives + self.latency);
    }

    /// Looks requests up and hands misses and write-backs to DRAM.
    pub(crate) fn step(&mut self, cycle: u64, network: &mut Network, dram: &mut Dram) {
        for slice in &mut self.slices {
            if let Some(ready) = slice.look_up(cycle, &mut self.statistics) {
                self.arrived = ready - self.latency;
                network.give_credit(cycle);
            }
            slice.hand_over(cycle, dram);
        }
    }

    /// The next reply; the slices take turns.
    pub(crate) fn reply(&mut self) -> Option<Reply> {
        let count = self.slices.len();
        for step in 0..count {
            let at = (self.turn + step) % count;
            if let Some(reply) = self.slices[at].reply() {
                self.turn = (at + 1) % count;
                return Some(reply);
            }
        }
        None
    }

    /// Takes sectors that came from DRAM for a miss of a slice; false if it has no room for them in this cycle.
    pub(crate) fn fill(&mut self, slice: u16, request: &DramRequest) -> bool {
        self.slices.get_mut(usize::from(slice)).is_none_or(|s| s.fill(request, &mut self.statistics))
    }
}
