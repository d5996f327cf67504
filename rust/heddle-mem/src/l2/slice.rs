//! A slice of L2.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LINE_BYTES, LowerKind, MemLowerRequest, MemLowerResponse};

use crate::dram::{Dram, DramRequest, Source};
use crate::mshr::{Allocation, Mshrs};
use crate::paced::Paced;
use crate::sectors::{SECTOR_BYTES, Sectors};
use crate::statistics::L2Statistics;
use crate::tags::{Found, TagArray};

/// Requests that are not answered.
const WRITES: [u8; 2] = [LowerKind::WriteBack as u8, LowerKind::BypassWrite as u8];

/// An answer, and the number of sectors that it carries.
pub type Reply = (MemLowerResponse, u32);

/// What waits for a line.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    id: u16,
    sectors: u32,
}

/// Tags, MSHRs and queues of a slice.
#[derive(Debug, Clone)]
pub struct Slice {
    index: u16,
    /// Slices over which lines go round.
    of: u32,
    sector_bytes: u32,
    room: usize,
    tags: TagArray,
    mshrs: Mshrs<Waiting>,
    port: Paced,
    /// Requests, and when they are before the tags. The credits of the network bound them.
    input: VecDeque<(u64, MemLowerRequest)>,
    misses: VecDeque<DramRequest>,
    write_backs: VecDeque<DramRequest>,
    replies: VecDeque<Reply>,
}

impl Slice {
    /// Slice `index` of the `count` that one SM has.
    pub fn new(preset: &Preset, index: u16, count: u32) -> Self {
        let l2 = &preset.l2;
        let sms = preset.gpu.sms.max(1);
        let sets = l2.bytes / sms / count / (l2.ways.max(1) * LINE_BYTES as u32);
        let room = l2.queue.max(l2.mshr_merges).max(1) as usize;
        Self {
            index,
            of: count,
            sector_bytes: l2.sector_bytes,
            room,
            tags: TagArray::new(sets, l2.ways),
            mshrs: Mshrs::new(l2.mshrs, u32::from(u16::MAX), l2.mshr_merges),
            port: Paced::new(1, u64::from(l2.slice_bytes)),
            input: VecDeque::with_capacity(preset.interconnect.credits as usize),
            misses: VecDeque::with_capacity(room),
            write_backs: VecDeque::with_capacity(room),
            replies: VecDeque::with_capacity(room),
        }
    }

    /// No read is under way and no request waits.
    pub fn is_idle(&self) -> bool {
        self.input.is_empty() && self.mshrs.is_empty() && self.replies.is_empty()
    }

    /// Nothing waits for DRAM.
    pub fn is_written(&self) -> bool {
        self.misses.is_empty() && self.write_backs.is_empty()
    }

    /// Takes a request that is before the tags in the given cycle.
    pub fn push(&mut self, request: &MemLowerRequest, ready: u64) {
        self.input.push_back((ready, *request));
    }

    /// Looks up the first request if it can go on, and returns the cycle in which it was before the tags.
    pub fn look_up(&mut self, cycle: u64, statistics: &mut L2Statistics) -> Option<u64> {
        let &(ready, request) = self.input.front()?;
        if ready > cycle || !self.port.is_free(cycle) {
            return None;
        }
        let sectors = Sectors::of_lower(&request, self.sector_bytes);
        if !self.serve(&request, sectors, statistics) {
            return None;
        }
        self.input.pop_front();
        self.port.take(cycle, u64::from(sectors.count() * SECTOR_BYTES));
        Some(ready)
    }

    /// The line as the tags number it: those of other slices are left out.
    fn within(&self, line: u32) -> u32 {
        line / self.of
    }

    fn serve(&mut self, request: &MemLowerRequest, sectors: Sectors, statistics: &mut L2Statistics) -> bool {
        let line = request.line / LINE_BYTES as u32;
        if WRITES.contains(&request.kind) {
            if self.write_backs.len() >= self.room {
                return false;
            }
            statistics.writes += 1;
            self.keep(line, sectors, sectors, statistics);
            return true;
        }
        if self.replies.len() >= self.room || self.misses.len() >= self.room {
            return false;
        }
        let found = self.tags.access(self.within(line), sectors);
        if found == Found::Hit {
            statistics.read_hits += 1;
            self.replies.push_back((answer(line, request.id), sectors.count()));
            return true;
        }
        let missing = if let Found::Lacks(missing) = found { missing } else { sectors };
        let waiting = Waiting { id: request.id, sectors: sectors.count() };
        match self.mshrs.allocate((line, missing), true, |_| waiting) {
            Allocation::Full => return false,
            Allocation::Merged => statistics.read_merged += 1,
            Allocation::New(id) => {
                statistics.read_misses += 1;
                statistics.sector_misses += u64::from(found != Found::Absent);
                let source = Source::L2 { slice: self.index, mshr: id };
                self.misses.push_back(DramRequest { line, sectors: missing, write: false, source });
            }
        }
        true
    }

    /// Puts sectors into the tags; what a victim has dirty waits for DRAM.
    fn keep(&mut self, line: u32, sectors: Sectors, dirty: Sectors, statistics: &mut L2Statistics) {
        if let Some(victim) = self.tags.fill(self.within(line), sectors, dirty)
            && !victim.dirty.is_empty()
        {
            statistics.write_backs += 1;
            let line = victim.line * self.of + u32::from(self.index);
            let source = Source::L2 { slice: self.index, mshr: 0 };
            self.write_backs.push_back(DramRequest { line, sectors: victim.dirty, write: true, source });
        }
    }

    /// Hands a miss and a write-back to DRAM, where it has room.
    pub fn hand_over(&mut self, cycle: u64, dram: &mut Dram) {
        for queue in [&mut self.misses, &mut self.write_backs] {
            if let Some(request) = queue.front().copied()
                && dram.has_room(&request)
            {
                queue.pop_front();
                dram.push(request, cycle);
            }
        }
    }

    /// Takes what came from DRAM for a miss; false if the replies or a victim have no room.
    pub fn fill(&mut self, request: &DramRequest, statistics: &mut L2Statistics) -> bool {
        let Source::L2 { mshr, .. } = request.source else { return true };
        if self.write_backs.len() >= self.room || self.replies.len() + self.mshrs.waiting(mshr) > self.room {
            return false;
        }
        let (line, replies) = (request.line, &mut self.replies);
        self.mshrs.finish(mshr, |w| replies.push_back((answer(line, w.id), w.sectors)));
        self.keep(line, request.sectors, Sectors::NONE, statistics);
        true
    }

    /// The next reply.
    pub fn reply(&mut self) -> Option<Reply> {
        self.replies.pop_front()
    }
}

fn answer(line: u32, id: u16) -> MemLowerResponse {
    MemLowerResponse { valid: true, id, line: line.wrapping_mul(LINE_BYTES as u32) }
}
