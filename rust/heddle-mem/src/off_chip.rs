//! The way of off-chip shared memory past L2 to DRAM (OSM, section 4: shared misses bypass L2).
//!
//! Requests to the off-chip shared space are told apart by their address. They take the networks that those to L2 take, but
//! neither L2's tags nor its latency. Each channel of DRAM has a way of its own.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LowerKind, MemLowerRequest};

use crate::dram::{Dram, DramRequest, Source};
use crate::gate::{Gate, Incoming};
use crate::lower::is_store;
use crate::network::Network;
use crate::reply::{Reply, ReplyPort};
use crate::sectors::Sectors;
use crate::share::Share;
use crate::statistics::OffChipStatistics;
use crate::windows::{line_of, place_of};

/// The way to one channel.
#[derive(Debug, Clone, Default)]
struct Way {
    gate: Gate,
    /// Requests, their SMs, and when they arrived. The credits of the networks bound them.
    input: VecDeque<(u64, u16, MemLowerRequest)>,
    /// Reads that DRAM has.
    reads: usize,
    replies: VecDeque<Reply>,
    port: ReplyPort,
}

/// What is on its way between the networks and DRAM past L2.
#[derive(Debug, Clone)]
pub struct OffChip {
    sector_bytes: u32,
    ways: Vec<Way>,
    /// The way that may reply first.
    turn: usize,
    /// When the last request that DRAM took had come.
    arrived: u64,
    statistics: OffChipStatistics,
}

impl OffChip {
    /// As `preset` has it, with the channels of `share`.
    #[must_use]
    pub fn new(preset: &Preset, share: Share) -> Self {
        let channels = share.channels(preset).units as usize;
        Self {
            sector_bytes: preset.l2.sector_bytes,
            ways: vec![Way::default(); channels],
            turn: 0,
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
        self.ways
            .iter()
            .all(|w| w.gate.is_empty() && w.input.is_empty() && w.reads == 0 && w.replies.is_empty())
    }

    /// The next cycle after this one in which something may move here of itself; none where nothing is here, or only what
    /// waits for DRAM.
    pub(crate) fn next(&self, cycle: u64) -> Option<u64> {
        let of = |way: &Way| match way.input.is_empty() && way.replies.is_empty() {
            true => way.gate.next(cycle),
            false => Some(cycle + 1),
        };
        self.ways.iter().filter_map(of).min()
    }

    /// When the last request that DRAM took had come.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// A request is on its way here.
    pub(crate) fn push(&mut self, incoming: Incoming) {
        let way = place_of(line_of(incoming.request.line, incoming.sm)) % self.ways.len() as u32;
        self.ways[way as usize].gate.push(incoming);
    }

    /// Hands a request of each way to DRAM. True if there was one.
    pub(crate) fn step(&mut self, cycle: u64, networks: &mut [Network], dram: &mut Dram) -> bool {
        let mut handed = false;
        let Self { ways, sector_bytes, arrived: last, statistics, .. } = self;
        for (number, way) in ways.iter_mut().enumerate() {
            if let Some(incoming) = way.gate.take(cycle) {
                way.input.push_back((cycle, incoming.sm, incoming.request));
            }
            let Some(&(arrived, sm, request)) = way.input.front() else { continue };
            let line = line_of(request.line, sm);
            let write = [LowerKind::WriteBack as u8, LowerKind::BypassWrite as u8].contains(&request.kind);
            let sectors = Sectors::of_lower(&request, *sector_bytes);
            let source = Source::OffChip { way: number as u16, sm, id: request.id };
            let of = DramRequest { line, sectors, write, source };
            if !dram.has_room(&of) {
                continue;
            }
            if write {
                statistics.write_backs += 1;
                let bytes: u32 = request.byte_mask.iter().map(|m| m.count_ones()).sum();
                statistics.bytes_written += u64::from(bytes);
            } else {
                statistics.fetches += 1;
                way.reads += 1;
            }
            *last = arrived;
            way.input.pop_front();
            networks[usize::from(sm)].give_credit(cycle, is_store(&request));
            dram.push(of, cycle);
            handed = true;
        }
        handed
    }

    /// Sectors of a line came from DRAM for the read `id` of an SM that took way `way`.
    pub(crate) fn arrive(&mut self, (way, sm, id): (u16, u16, u16), request: &DramRequest) {
        if let Some(way) = self.ways.get_mut(usize::from(way)) {
            way.reads -= 1;
            way.replies.push_back(Reply::new(sm, id, request.line, request.sectors));
        }
    }

    /// Sends at most a reply of each way; the ways take turns. True if there was one.
    pub(crate) fn send_replies(&mut self, cycle: u64, networks: &mut [Network]) -> bool {
        let (count, mut first) = (self.ways.len(), None);
        for step in 0..count {
            let at = (self.turn + step) % count;
            let Way { port, replies, .. } = &mut self.ways[at];
            if port.send(replies, networks, cycle) {
                first.get_or_insert(at);
            }
        }
        if let Some(at) = first {
            self.turn = (at + 1) % count;
        }
        first.is_some()
    }
}
