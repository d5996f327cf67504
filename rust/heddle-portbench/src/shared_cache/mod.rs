//! Random traffic through the memory port of a design that holds shared memory, and global and local memory too
//! where it is unified.
//!
//! An access may be performed in several parts, and requests to different lines may overtake each other. Golden memory
//! follows the performed events and refuses an order in which a younger access to the same bytes comes first;
//! what a load brings must be what was there when its lanes were performed.

mod floats;
mod golden;
mod off_chip;
mod requests;

pub use golden::Golden;
pub use off_chip::OffChip;
pub use requests::Requests;

pub use crate::rng::Rng;

use heddle_port::{MemData, MemIn, MemOut};

use crate::failure::FailureKind;

/// Four words for each of 32 lanes.
pub type LaneData = [u32; 128];
/// A line.
pub type LineData = [u32; 32];

/// Drives a memory port.
pub(crate) struct SharedTraffic {
    golden: Golden,
    off_chip: OffChip,
    requests: Requests,
    rng: Rng,
    /// Cycle of the next change of pace, the slowest answer from off chip, and how often it takes a request, out of
    /// 100.
    until: u64,
    delay: usize,
    open: usize,
    last_answer: u64,
    /// The flush at the end has been asked for.
    flushed: bool,
    answered: u64,
}

impl SharedTraffic {
    /// Traffic for a cache of `lines` lines.
    pub(crate) fn new(seed: u64, lines: usize, unified: bool) -> Self {
        Self {
            golden: Golden::default(),
            off_chip: OffChip::default(),
            requests: Requests::new(lines, unified),
            rng: Rng::new(seed ^ 0x7368_6172_6564_0000),
            until: 0,
            delay: 1,
            open: 100,
            last_answer: 0,
            flushed: false,
            answered: 0,
        }
    }

    fn take_outputs(&mut self, cycle: u64, out: &MemOut, data: Option<&MemData>) -> Result<(), String> {
        if out.performed.valid {
            self.golden.perform(&out.performed)?;
        }
        if out.response.valid {
            self.last_answer = cycle;
            self.answered += 1;
            let mut lanes = [0; 128];
            if let Some(data) = data {
                lanes.copy_from_slice(data.response.as_flattened());
            }
            if let Some(slot) = self.golden.respond(&out.response, &lanes)? {
                self.off_chip.clear(slot);
            }
        }
        Ok(())
    }

    /// One cycle: takes the design's outputs and fills the inputs. True when all is done.
    pub(crate) fn cycle(
        &mut self,
        cycle: u64,
        ending: bool,
        out: &MemOut,
        data: Option<&MemData>,
        input: &mut MemIn,
        patience: u64,
    ) -> Result<bool, FailureKind> {
        if cycle >= self.until {
            self.delay = [1, 20, 60, 400][self.rng.below(4)];
            self.open = [100, 100, 60, 10][self.rng.below(4)];
            self.until = cycle + 1_000;
        }
        self.take_outputs(cycle, out, data).map_err(FailureKind::Protocol)?;
        input.lower_ready = ending || self.rng.percent(self.open);
        input.lower_response.valid = false;
        if let Some((answer, line)) = self.off_chip.answer(cycle, &mut self.rng) {
            input.lower_response = answer;
            input.lower_response_data = line;
        }
        if out.lower_request.valid && input.lower_ready {
            let line = data.map_or([0; 32], |data| data.lower_request);
            let delay = 1 + self.rng.below(self.delay) as u64;
            let taken = self.off_chip.take(&out.lower_request, &line, cycle, delay);
            taken.map_err(FailureKind::Protocol)?;
        }
        input.request.valid = false;
        if !ending && out.request_ready && !self.rng.percent(10) {
            if self.golden.is_empty() {
                self.last_answer = cycle;
            }
            if let Some((request, lanes)) = self.requests.next(&mut self.rng, &self.golden) {
                self.golden.accept(&request, &lanes);
                input.request = request;
                input.request_data.as_flattened_mut().copy_from_slice(&lanes);
            }
        }
        if !self.golden.is_empty() && cycle > self.last_answer + patience {
            let what = "the response to a shared-memory request".to_owned();
            return Err(FailureKind::Wait { what, limit: patience });
        }
        let at_rest = ending && self.golden.is_empty() && self.off_chip.is_empty() && out.idle;
        input.flush = at_rest && !self.flushed;
        let done = at_rest && self.flushed;
        self.flushed |= input.flush;
        Ok(done)
    }

    /// Requests answered.
    pub(crate) fn requests(&self) -> u64 {
        self.answered
    }

    /// Loaded words that were as expected.
    pub(crate) fn loaded(&self) -> u64 {
        self.golden.words_compared
    }
}
