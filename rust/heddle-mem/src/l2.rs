//! One SM's share of L2: capacity divided by the number of SMs; the bandwidth is that of [`Interconnect`].
//!
//! Write-back; a write allocates its sectors without fetching them. What a victim has dirty goes to DRAM.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LINE_BYTES, LowerKind, MemLowerRequest, MemLowerResponse};

use crate::dram::{Dram, DramRequest};
use crate::interconnect::{Interconnect, Way};
use crate::sectors::Sectors;
use crate::statistics::L2Statistics;
use crate::tags::{Found, TagArray};

/// Requests that wait in front of the tags.
const INPUT_QUEUE: usize = 16;
/// Requests that are not answered.
const WRITES: [u8; 2] = [LowerKind::WriteBack as u8, LowerKind::BypassWrite as u8];

#[derive(Debug, Clone, Copy)]
struct Miss {
    line: u32,
    sectors: Sectors,
    id: u8,
}

/// L2 behind one SM.
#[derive(Debug, Clone)]
pub struct L2 {
    latency: u64,
    sector_bytes: u32,
    tags: TagArray,
    input: VecDeque<MemLowerRequest>,
    /// Hits and writes on their way through the pipeline.
    hits: VecDeque<(u64, MemLowerResponse)>,
    /// Misses that reach DRAM at the given cycle.
    to_dram: VecDeque<(u64, DramRequest)>,
    /// Reads that wait for DRAM, in order of arrival.
    misses: Vec<Miss>,
    filled: VecDeque<MemLowerResponse>,
    statistics: L2Statistics,
}

impl L2 {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        let l2 = &preset.l2;
        let sms = preset.gpu.sms.max(1);
        let sets = l2.bytes / sms / (l2.ways.max(1) * LINE_BYTES as u32);
        Self {
            latency: u64::from(l2.latency),
            sector_bytes: l2.sector_bytes,
            tags: TagArray::new(sets, l2.ways),
            input: VecDeque::with_capacity(INPUT_QUEUE),
            hits: VecDeque::with_capacity(64),
            to_dram: VecDeque::with_capacity(64),
            misses: Vec::with_capacity(256),
            filled: VecDeque::with_capacity(64),
            statistics: L2Statistics::default(),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> &L2Statistics {
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
        self.input.is_empty()
            && self.hits.is_empty()
            && self.to_dram.is_empty()
            && self.misses.is_empty()
            && self.filled.is_empty()
    }

    /// Takes a request.
    pub fn push(&mut self, request: &MemLowerRequest) {
        self.input.push_back(*request);
    }

    /// One cycle; returns the answer that leaves for the L1.
    pub(crate) fn step(
        &mut self,
        cycle: u64,
        interconnect: &mut Interconnect,
        dram: &mut Dram,
    ) -> Option<MemLowerResponse> {
        if interconnect.is_free(cycle)
            && self.to_dram.len() < INPUT_QUEUE
            && let Some(request) = self.input.pop_front()
        {
            interconnect.carry(&request, Way::L2, cycle);
            self.serve(&request, cycle);
        }
        while let Some(&(ready, request)) = self.to_dram.front() {
            if ready > cycle || !dram.has_room() {
                break;
            }
            self.to_dram.pop_front();
            dram.push(request, cycle);
        }
        if let Some(response) = self.filled.pop_front() {
            return Some(response);
        }
        match self.hits.front() {
            Some(&(ready, response)) if ready <= cycle => {
                self.hits.pop_front();
                Some(response)
            }
            _ => None,
        }
    }

    fn serve(&mut self, request: &MemLowerRequest, cycle: u64) {
        let line = request.line / LINE_BYTES as u32;
        let at = cycle + self.latency;
        let sectors = Sectors::of_lower(request, self.sector_bytes);
        if WRITES.contains(&request.kind) {
            self.statistics.writes += 1;
            self.keep(line, sectors, sectors, at);
            return;
        }
        let found = self.tags.access(line, sectors);
        if found == Found::Hit {
            self.statistics.read_hits += 1;
            self.hits.push_back((at, answer(line, request.id)));
            return;
        }
        let sectors = if let Found::Lacks(missing) = found { missing } else { sectors };
        if self.misses.iter().any(|m| m.line == line && m.sectors.contain(sectors)) {
            self.statistics.read_merged += 1;
        } else {
            self.statistics.read_misses += 1;
            self.statistics.sector_misses += u64::from(found != Found::Absent);
            self.to_dram.push_back((at, DramRequest { line, sectors, write: false }));
        }
        self.misses.push(Miss { line, sectors, id: request.id });
    }

    fn keep(&mut self, line: u32, sectors: Sectors, dirty: Sectors, at: u64) {
        if let Some(victim) = self.tags.fill(line, sectors, dirty)
            && !victim.dirty.is_empty()
        {
            self.statistics.write_backs += 1;
            let request = DramRequest { line: victim.line, sectors: victim.dirty, write: true };
            self.to_dram.push_back((at, request));
        }
    }

    /// Sectors of a line came from DRAM.
    pub fn fill(&mut self, line: u32, sectors: Sectors, cycle: u64) {
        self.keep(line, sectors, Sectors::NONE, cycle);
        let filled = &mut self.filled;
        self.misses.retain(|m| {
            let here = m.line == line && sectors.contain(m.sectors);
            if here {
                filled.push_back(answer(line, m.id));
            }
            !here
        });
    }
}

fn answer(line: u32, id: u8) -> MemLowerResponse {
    MemLowerResponse { valid: true, id, line: line.wrapping_mul(LINE_BYTES as u32) }
}
