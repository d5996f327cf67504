//! L2 and DRAM together: the lower side of the memory port. Off-chip shared memory goes past L2.

use heddle_config::Preset;
use heddle_port::LINE_BYTES;
use heddle_port::memory::{MemLowerRequest, MemLowerResponse};

use crate::dram::{Dram, DramRequest};
use crate::interconnect::{Interconnect, Way};
use crate::l2::L2;
use crate::off_chip::OffChip;
use crate::windows::is_off_chip_shared;

/// When the last read passed DRAM, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DramTimes {
    /// It was handed over.
    pub request: u64,
    /// Its address was translated.
    pub translated: u64,
    /// Its data came.
    pub answer: u64,
}

/// What lies behind the L1 of one SM.
#[derive(Debug, Clone)]
pub struct Lower {
    l2: L2,
    off_chip: OffChip,
    interconnect: Interconnect,
    dram: Dram,
    cycle: u64,
    dram_times: DramTimes,
    response: MemLowerResponse,
    idle: bool,
}

impl Lower {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        Self {
            l2: L2::new(preset),
            off_chip: OffChip::new(preset),
            interconnect: Interconnect::new(preset),
            dram: Dram::new(preset),
            cycle: 0,
            dram_times: DramTimes::default(),
            response: MemLowerResponse::default(),
            idle: true,
        }
    }

    /// L2.
    #[must_use]
    pub fn l2(&self) -> &L2 {
        &self.l2
    }

    /// The way past L2.
    #[must_use]
    pub fn off_chip(&self) -> &OffChip {
        &self.off_chip
    }

    /// DRAM.
    #[must_use]
    pub fn dram(&self) -> &Dram {
        &self.dram
    }

    /// When the last read passed DRAM.
    #[must_use]
    pub fn dram_times(&self) -> DramTimes {
        self.dram_times
    }

    /// Whether a request offered in this cycle is taken.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.l2.ready() && self.off_chip.ready()
    }

    /// The answer of this cycle.
    #[must_use]
    pub fn response(&self) -> &MemLowerResponse {
        &self.response
    }

    /// Nothing is inside.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.idle && !self.response.valid
    }

    /// One clock edge; `request` is taken if [`Lower::ready`] was true.
    pub fn step(&mut self, request: &MemLowerRequest) {
        self.cycle += 1;
        self.response.valid = false;
        if request.valid && self.ready() {
            if is_off_chip_shared(request.line) {
                self.off_chip.push(request);
            } else {
                self.l2.push(request);
            }
            self.idle = false;
        }
        if self.idle {
            return;
        }
        if let Some(DramRequest { line, sectors, .. }) = self.dram.step(self.cycle) {
            let (request, translated) = self.dram.last_read();
            self.dram_times = DramTimes { request, translated, answer: self.cycle };
            if is_off_chip_shared(line.wrapping_mul(LINE_BYTES as u32)) {
                self.off_chip.arrive(line);
            } else {
                self.l2.fill(line, sectors, self.cycle);
            }
        }
        let Self { l2, off_chip, interconnect, dram, cycle, .. } = self;
        // Whose request was carried last waits for the other's.
        let of_l2 = if interconnect.last() == Way::L2 {
            off_chip.step(*cycle, interconnect, dram);
            l2.step(*cycle, interconnect, dram)
        } else {
            let answer = l2.step(*cycle, interconnect, dram);
            off_chip.step(*cycle, interconnect, dram);
            answer
        };
        self.response = of_l2.or_else(|| self.off_chip.answer()).unwrap_or_default();
        self.idle = self.l2.is_idle() && self.off_chip.is_idle() && self.dram.is_idle();
    }
}
