//! One SM's share of the bandwidth of the interconnect, which the requests to L2 and those past it take together.

use heddle_config::Preset;
use heddle_port::MemLowerRequest;

use crate::sectors::SECTOR_BYTES;

/// Where a request goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To L2.
    L2,
    /// Past it.
    OffChip,
}

/// The interconnect as one SM has it.
#[derive(Debug, Clone)]
pub struct Interconnect {
    sms: u64,
    bytes_per_cycle: u64,
    next_free: u64,
    last: Way,
}

impl Interconnect {
    /// The share that `preset` gives one SM.
    pub fn new(preset: &Preset) -> Self {
        Self {
            sms: u64::from(preset.gpu.sms.max(1)),
            bytes_per_cycle: u64::from(preset.l2.bytes_per_cycle.max(1)),
            next_free: 0,
            last: Way::L2,
        }
    }

    /// Whether a request can go in this cycle.
    pub fn is_free(&self, cycle: u64) -> bool {
        cycle >= self.next_free
    }

    /// Where the last request went.
    pub fn last(&self) -> Way {
        self.last
    }

    /// Carries a request, for as many cycles as its sectors take of the bandwidth.
    pub fn carry(&mut self, request: &MemLowerRequest, way: Way, cycle: u64) {
        let sectors = request.byte_mask.iter().filter(|m| **m != 0).count() as u64;
        let bytes = sectors.max(1) * u64::from(SECTOR_BYTES);
        self.next_free = cycle + (bytes * self.sms).div_ceil(self.bytes_per_cycle);
        self.last = way;
    }
}
