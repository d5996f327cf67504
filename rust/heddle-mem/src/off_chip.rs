//! The way of off-chip shared memory past L2 to DRAM (OSM, section 4: shared misses bypass L2).
//!
//! Requests to the off-chip shared space are told apart by their address. They take the networks that those to L2 take, but
//! neither L2's tags nor its latency.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LINE_BYTES, LowerKind, MemLowerRequest, MemLowerResponse};

use crate::dram::{Dram, DramRequest, Source};
use crate::l2::Reply;
use crate::network::Network;
use crate::sectors::Sectors;
use crate::statistics::OffChipStatistics;

/// What is on its way between the networks and DRAM past L2.
#[derive(Debug, Clone)]
pub struct OffChip {
    sector_bytes: u32,
    /// Requests, and when they arrive. The credits of the network bound them.
    input: VecDeque<(u64, MemLowerRequest)>,
    /// Reads that DRAM has.
    reads: usize,
    replies: VecDeque<Reply>,
    /// When the last request that DRAM took had come.
    arrived: u64,
    statistics: OffChipStatistics,
}

impl OffChip {
    /// As `preset` has it.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        let credits = preset.interconnect.credits as usize;
        Self {
            sector_bytes: preset.l2.sector_bytes,
            input: VecDeque::with_capacity(credits),
            reads: 0,
            replies: VecDeque::with_capacity(credits),
            arrived: 0,
            statistics: OffChipStatistics::default(),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> &OffChipStatistics {
        &self.statistics
    }

    /// Nothing is inside.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.input.is_empty() && self.reads == 0 && self.replies.is_empty()
    }

    /// When the last request that DRAM took had come.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Takes a request that arrives in the given cycle.
    pub(crate) fn push(&mut self, request: &MemLowerRequest, arrives: u64) {
        self.input.push_back((arrives, *request));
    }

    /// Hands a request to DRAM.
    pub(crate) fn step(&mut self, cycle: u64, network: &mut Network, dram: &mut Dram) {
        let Some(&(arrived, request)) = self.input.front() else { return };
        if arrived > cycle {
            return;
        }
        let line = request.line / LINE_BYTES as u32;
        let write = [LowerKind::WriteBack as u8, LowerKind::BypassWrite as u8].contains(&request.kind);
        let sectors = Sectors::of_lower(&request, self.sector_bytes);
        let of = DramRequest { line, sectors, write, source: Source::OffChip { id: request.id } };
        if !dram.has_room(&of) {
            return;
        }
        if write {
            self.statistics.write_backs += 1;
            let bytes: u32 = request.byte_mask.iter().map(|m| m.count_ones()).sum();
            self.statistics.bytes_written += u64::from(bytes);
        } else {
            self.statistics.fetches += 1;
            self.reads += 1;
        }
        self.arrived = arrived;
        self.input.pop_front();
        network.give_credit(cycle);
        dram.push(of, cycle);
    }

    /// Sectors of a line came from DRAM for the read with the id.
    pub(crate) fn arrive(&mut self, id: u16, request: &DramRequest) {
        self.reads -= 1;
        let line = request.line.wrapping_mul(LINE_BYTES as u32);
        self.replies.push_back((MemLowerResponse { valid: true, id, line }, request.sectors.count()));
    }

    /// The next reply.
    pub(crate) fn reply(&mut self) -> Option<Reply> {
        self.replies.pop_front()
    }
}
