//! A slice of L2.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LowerKind, MemLowerRequest};

use crate::dram::{Dram, DramRequest, Source};
use crate::gate::{Gate, Incoming};
use crate::lower::{is_answered, is_store};
use crate::mshr::{Allocation, Mshrs};
use crate::paced::Paced;
use crate::reply::Reply;
use crate::sectors::{SECTOR_BYTES, Sectors};
use crate::share::Share;
use crate::statistics::L2Statistics;
use crate::tags::{Found, TagArray};
use crate::windows::{line_at, line_of, place_of};

/// A request before the tags.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// When it is there.
    ready: u64,
    sm: u16,
    request: MemLowerRequest,
    /// Operations of an atomic that are still to be carried out before its last ones.
    serial: u32,
}

/// What waits for a line.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    sm: u16,
    id: u16,
    sectors: Sectors,
    /// It writes them, too.
    writes: bool,
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
    atomic_interval: u64,
    gate: Gate,
    /// Requests, in order. The credits of the networks bound them.
    input: VecDeque<Before>,
    misses: VecDeque<DramRequest>,
    write_backs: VecDeque<DramRequest>,
    replies: VecDeque<Reply>,
}

impl Slice {
    /// Slice `index` of those that `share` has.
    pub fn new(preset: &Preset, index: u16, share: Share) -> Self {
        let l2 = &preset.l2;
        let part = share.slices(preset);
        let (count, (rate, unit)) = (part.units, part.bandwidth);
        let room = l2.queue.max(l2.mshr_merges).max(1) as usize;
        Self {
            index,
            of: count,
            sector_bytes: l2.sector_bytes,
            room,
            tags: TagArray::new(share.sets(preset), l2.ways),
            mshrs: Mshrs::new(l2.mshrs, u32::from(u16::MAX), l2.mshr_merges),
            port: Paced::new(unit, rate * u64::from(l2.slice_bytes)),
            atomic_interval: u64::from(l2.atomic_interval),
            gate: Gate::default(),
            input: VecDeque::with_capacity(preset.interconnect.credits as usize),
            misses: VecDeque::with_capacity(room),
            write_backs: VecDeque::with_capacity(room),
            replies: VecDeque::with_capacity(room),
        }
    }

    /// No read is under way and no request waits.
    pub fn is_idle(&self) -> bool {
        self.gate.is_empty() && self.input.is_empty() && self.mshrs.is_empty() && self.replies.is_empty()
    }

    /// The next cycle after this one in which something may move here of itself; none where nothing is here, or only what
    /// waits for DRAM.
    pub fn next(&self, cycle: u64) -> Option<u64> {
        if !(self.misses.is_empty() && self.write_backs.is_empty() && self.replies.is_empty()) {
            return Some(cycle + 1);
        }
        let first = self.input.front().map(|first| first.ready.max(cycle + 1));
        first.into_iter().chain(self.gate.next(cycle)).min()
    }

    /// What the auditor found wrong.
    pub fn broken(&self) -> Option<&str> {
        self.tags.broken()
    }

    /// Nothing waits for DRAM.
    pub fn is_written(&self) -> bool {
        self.misses.is_empty() && self.write_backs.is_empty()
    }

    /// A request is on its way here.
    pub fn push(&mut self, incoming: Incoming) {
        self.gate.push(incoming);
    }

    /// Takes a request that has passed the gate; it is before the tags `latency` cycles later. True if there was one.
    pub fn receive(&mut self, cycle: u64, latency: u64) {
        if let Some(Incoming { sm, request, serial, .. }) = self.gate.take(cycle) {
            self.input.push_back(Before { ready: cycle + latency, sm, request, serial });
        }
    }

    /// Looks up the first request if it can go on, and returns the cycle in which it was before the tags, its SM and whether it is a store. An atomic
    /// whose lanes have words in common first takes the time of all operations but the last ones.
    pub fn look_up(&mut self, cycle: u64, statistics: &mut L2Statistics) -> Option<(u64, u16, bool)> {
        let first = self.input.front_mut()?;
        if first.ready > cycle || !self.port.is_free(cycle) {
            return None;
        }
        let Before { ready, sm, request, serial } = *first;
        let cycles = u64::from(serial) * self.atomic_interval;
        if cycles > 0 {
            first.serial = 0;
            statistics.atomic_serial_cycles += cycles;
            self.port.hold(cycle, cycles);
            return None;
        }
        let sectors = Sectors::of_lower(&request, self.sector_bytes);
        if !self.serve(sm, &request, sectors, statistics) {
            return None;
        }
        self.input.pop_front();
        // A store brings the sectors of 32 bytes in which its bytes lie, however large those of the tags are.
        let moved = if is_answered(&request) { sectors } else { Sectors::of_lower(&request, SECTOR_BYTES) };
        self.port.take(cycle, u64::from(moved.count() * SECTOR_BYTES));
        if request.kind == LowerKind::Atomic as u8 {
            self.port.hold_until(cycle + self.atomic_interval);
        }
        Some((ready, sm, is_store(&request)))
    }

    /// The line as the tags number it: those of other slices are left out.
    fn within(&self, line: u32) -> u32 {
        place_of(line) / self.of
    }

    fn serve(
        &mut self,
        sm: u16,
        request: &MemLowerRequest,
        sectors: Sectors,
        statistics: &mut L2Statistics,
    ) -> bool {
        let line = line_of(request.line, sm);
        if !is_answered(request) {
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
        let writes = request.kind == LowerKind::Atomic as u8;
        let found = self.tags.access(self.within(line), sectors);
        if found == Found::Hit {
            statistics.read_hits += 1;
            if writes {
                statistics.atomics += 1;
                self.keep(line, sectors, sectors, statistics);
            }
            self.replies.push_back(Reply::new(sm, request.id, line, sectors));
            return true;
        }
        let missing = if let Found::Lacks(missing) = found { missing } else { sectors };
        let waiting = Waiting { sm, id: request.id, sectors, writes };
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
        let there = sectors.without(missing);
        if writes && !there.is_empty() {
            self.keep(line, there, there, statistics);
        }
        statistics.atomics += u64::from(writes);
        true
    }

    /// Puts sectors into the tags; what a victim has dirty waits for DRAM.
    fn keep(&mut self, line: u32, sectors: Sectors, dirty: Sectors, statistics: &mut L2Statistics) {
        if let Some(victim) = self.tags.fill(self.within(line), sectors, dirty)
            && !victim.dirty.is_empty()
        {
            statistics.write_backs += 1;
            let line = line_at(victim.line * self.of + u32::from(self.index));
            let source = Source::L2 { slice: self.index, mshr: 0 };
            self.write_backs.push_back(DramRequest { line, sectors: victim.dirty, write: true, source });
        }
    }

    /// Hands a miss and a write-back to DRAM, where it has room. True if there was one.
    pub fn hand_over(&mut self, cycle: u64, dram: &mut Dram) -> bool {
        let mut handed = false;
        for queue in [&mut self.misses, &mut self.write_backs] {
            if let Some(request) = queue.front().copied()
                && dram.has_room(&request)
            {
                queue.pop_front();
                dram.push(request, cycle);
                handed = true;
            }
        }
        handed
    }

    /// Takes what came from DRAM for a miss; false if the replies or a victim have no room.
    pub fn fill(&mut self, request: &DramRequest, statistics: &mut L2Statistics) -> bool {
        let Source::L2 { mshr, .. } = request.source else { return true };
        let crowded = !self.replies.is_empty() && self.replies.len() + self.mshrs.waiting(mshr) > self.room;
        if self.write_backs.len() >= self.room || crowded {
            return false;
        }
        let (line, replies) = (request.line, &mut self.replies);
        let mut written = Sectors::NONE;
        self.mshrs.finish(mshr, |w| {
            replies.push_back(Reply::new(w.sm, w.id, line, w.sectors));
            written = written.with(if w.writes { w.sectors } else { Sectors::NONE });
        });
        self.keep(line, request.sectors, written.both(request.sectors), statistics);
        true
    }

    /// Serves a request and has it answered without time. What waits for DRAM only opens its row there.
    pub fn warm(
        &mut self,
        sm: u16,
        request: &MemLowerRequest,
        statistics: &mut L2Statistics,
        dram: &mut Dram,
    ) {
        let sectors = Sectors::of_lower(request, self.sector_bytes);
        self.open_written(dram);
        self.serve(sm, request, sectors, statistics);
        while let Some(miss) = self.misses.pop_front() {
            dram.warm(&miss);
            self.fill(&miss, statistics);
        }
        self.open_written(dram);
        self.replies.clear();
    }

    /// Opens the rows of what waits to be written.
    fn open_written(&mut self, dram: &mut Dram) {
        for write in self.write_backs.drain(..) {
            dram.warm(&write);
        }
    }

    /// Replies, in order.
    pub fn replies(&mut self) -> &mut VecDeque<Reply> {
        &mut self.replies
    }
}
