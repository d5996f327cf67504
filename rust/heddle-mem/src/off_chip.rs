//! The way of off-chip shared memory past L2 to DRAM (OSM, section 4: shared misses bypass L2).
//!
//! Requests to the off-chip shared space are told apart by their address. They take the interconnect, whose
//! time there and back is `l2.bypass_latency`, and the bandwidth that L2 has too ([`Interconnect`]), but neither L2's tags nor its
//! latency.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LINE_BYTES, LowerKind, MemLowerRequest, MemLowerResponse};

use crate::dram::{Dram, DramRequest};
use crate::interconnect::{Interconnect, Way};
use crate::sectors::Sectors;
use crate::statistics::OffChipStatistics;

/// Requests that wait for the interconnect.
const INPUT_QUEUE: usize = 16;

/// What is on its way between the SM and DRAM past L2.
#[derive(Debug, Clone)]
pub struct OffChip {
    latency: u64,
    sector_bytes: u32,
    input: VecDeque<MemLowerRequest>,
    /// With the cycle in which it reaches DRAM.
    to_dram: VecDeque<(u64, DramRequest)>,
    /// Line and id of the reads that DRAM has.
    reads: Vec<(u32, u8)>,
    answers: VecDeque<MemLowerResponse>,
    statistics: OffChipStatistics,
}

impl OffChip {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        Self {
            latency: u64::from(preset.l2.bypass_latency),
            sector_bytes: preset.l2.sector_bytes,
            input: VecDeque::with_capacity(INPUT_QUEUE),
            to_dram: VecDeque::with_capacity(INPUT_QUEUE),
            reads: Vec::with_capacity(64),
            answers: VecDeque::with_capacity(64),
            statistics: OffChipStatistics::default(),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> &OffChipStatistics {
        &self.statistics
    }

    /// Whether a request can be taken.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.input.len() < INPUT_QUEUE
    }

    /// Nothing is inside.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.input.is_empty() && self.to_dram.is_empty() && self.reads.is_empty() && self.answers.is_empty()
    }

    /// Takes a request.
    pub fn push(&mut self, request: &MemLowerRequest) {
        self.input.push_back(*request);
    }

    /// One cycle of the way to DRAM.
    pub(crate) fn step(&mut self, cycle: u64, interconnect: &mut Interconnect, dram: &mut Dram) {
        if interconnect.is_free(cycle)
            && self.to_dram.len() < INPUT_QUEUE
            && let Some(request) = self.input.pop_front()
        {
            interconnect.carry(&request, Way::OffChip, cycle);
            self.send(&request, cycle);
        }
        while let Some(&(ready, request)) = self.to_dram.front() {
            if ready > cycle || !dram.has_room() {
                break;
            }
            self.to_dram.pop_front();
            dram.push(request, cycle);
        }
    }

    fn send(&mut self, request: &MemLowerRequest, cycle: u64) {
        let line = request.line / LINE_BYTES as u32;
        let write = [LowerKind::WriteBack as u8, LowerKind::BypassWrite as u8].contains(&request.kind);
        if write {
            self.statistics.write_backs += 1;
            let bytes: u32 = request.byte_mask.iter().map(|m| m.count_ones()).sum();
            self.statistics.bytes_written += u64::from(bytes);
        } else {
            self.statistics.fetches += 1;
            self.reads.push((line, request.id));
        }
        let sectors = Sectors::of_lower(request, self.sector_bytes);
        self.to_dram.push_back((cycle + self.latency, DramRequest { line, sectors, write }));
    }

    /// A line came from DRAM.
    pub fn arrive(&mut self, line: u32) {
        let Some(at) = self.reads.iter().position(|&(l, _)| l == line) else { return };
        let (_, id) = self.reads.remove(at);
        let address = line.wrapping_mul(LINE_BYTES as u32);
        self.answers.push_back(MemLowerResponse { valid: true, id, line: address });
    }

    /// An answer that has come back.
    pub fn answer(&mut self) -> Option<MemLowerResponse> {
        self.answers.pop_front()
    }
}
