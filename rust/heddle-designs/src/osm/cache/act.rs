//! What the cache does for the oldest request that does not wait: fetches, evictions, the end of a CTA.

use heddle_port::memory::{MemLowerRequest, MemPerformed, MemRequest};
use heddle_port::{DesignError, LineBytes, LowerKind, TakenLine};

use super::super::layout;
use super::super::lines::{Place, wake_class};
use super::super::lookup::{Lookup, look_up};
use super::super::pass::{one_line, select};
use super::super::requests::Pending;
use super::super::sectors::{Wanted, bytes_of};
use super::{ATOMIC, GLOBAL, HIT, OsmCache, PAST_OPERATORS, READ, RELEASE, WRITE, lower_request};

/// The way that a line gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The line has it.
    Own,
    /// It is free.
    Free,
    /// A line has it, and leaves.
    Victim,
}

impl OsmCache {
    /// The fill `id` has come.
    pub(super) fn fill(&mut self, id: u16) -> Result<(), DesignError> {
        let Some((index, sectors)) = self.fills.finish(id) else {
            return Err(self.contract(format!("fill {id} has come, which is not on its way")));
        };
        let words = self.lines.end_fill(index, sectors);
        self.put(layout::BANKS_WRITTEN, words);
        self.requests.wake(wake_class(index));
        self.raise(layout::FILL);
        self.put(layout::FILLED_LINE, index as u32);
        Ok(())
    }

    /// One action for the oldest request that does not wait; a lower request that comes of it. Beside a fill,
    /// which takes the banks' write port, stores and atomic accesses give way; those that write in the next cycle do so
    /// to sums too.
    pub(super) fn act(
        &mut self,
        lower_room: usize,
        fill: bool,
        performed: &mut MemPerformed,
    ) -> Result<Option<MemLowerRequest>, DesignError> {
        let Some(place) = self.requests.oldest_active() else { return Ok(None) };
        let pending = *self.requests.at(place);
        if pending.request.kind == RELEASE {
            return self.release(place, &pending).map(|()| None);
        }
        if pending.request.space == GLOBAL {
            let past = PAST_OPERATORS.contains(&pending.request.cache_operator);
            if pending.request.kind == ATOMIC || (pending.request.kind == READ && past) {
                return self.go_past(place, &pending, lower_room, performed);
            }
            if pending.request.kind == WRITE {
                return Ok(self.write_through(place, &pending, lower_room, fill, performed));
            }
        }
        let look = look_up(&self.lines, &self.sums, &pending, pending.request.kind != WRITE);
        if look.ready != 0 {
            let request = &pending.request;
            if self.port_is_taken(request, fill) {
                return Ok(None);
            }
            let pass = if request.space == GLOBAL {
                one_line(look.ready, &request.address, request.size_log2)
            } else {
                select(look.ready, &request.address, request.size_log2, request.kind == ATOMIC)
            };
            self.raise(layout::TAG_LOOKUP);
            *performed = self.pass(place, &pending, &look, pass);
            return Ok(None);
        }
        self.raise(layout::TAG_LOOKUP);
        Ok(self.bring(place, &pending, &look, lower_room))
    }

    /// Brings the line of the lowest lane in need, or waits.
    fn bring(
        &mut self,
        place: usize,
        pending: &Pending,
        look: &Lookup,
        lower_room: usize,
    ) -> Option<MemLowerRequest> {
        let needed = look.partial | look.absent;
        if needed == 0 {
            if look.shut != 0 {
                self.raise(layout::STALL_ADDITION);
            } else {
                self.wait_lines(place, look.awaited);
            }
            return None;
        }
        let lane = needed.trailing_zeros() as usize;
        let wanted = Wanted::of(pending, needed, self.config.sectors);
        let (index, way) = if look.partial >> lane & 1 != 0 {
            (usize::from(look.index[lane]), Way::Own)
        } else {
            match self.lines.place_for(wanted.number, &self.sums) {
                Place::None => {
                    self.raise(layout::STALL_SET);
                    return None;
                }
                Place::Victim(index) => (index, Way::Victim),
                Place::Free(index) => (index, Way::Free),
            }
        };
        let fetches = pending.request.kind != WRITE;
        let writes_back = way == Way::Victim && self.lines.is_dirty(index);
        if lower_room < usize::from(fetches) + usize::from(writes_back) {
            self.raise(layout::STALL_LOWER);
            return None;
        }
        if !fetches {
            self.raise_line(layout::WRITE_ALLOCATE, index);
            return self.take(way, index, wanted.number);
        }
        let Some(id) = self.fills.start(index, wanted.sectors) else {
            self.raise(layout::STALL_FILLS);
            return None;
        };
        let write_back = self.take(way, index, wanted.number);
        self.lines.begin_fill(index, wanted.sectors);
        let bytes = self.lines.lacking(index, bytes_of(wanted.sectors));
        self.takes(&pending.request, wanted.number, bytes, true);
        self.requests.missed(place);
        self.raise_line(if way == Way::Own { layout::FETCH_PARTIAL } else { layout::FETCH }, index);
        self.put(layout::FETCHED_SECTORS, wanted.sectors.into());
        // One with lanes that wait for sums stays the oldest, so that none overtakes it.
        if needed & !wanted.alike == 0 && look.shut == 0 {
            self.wait_lines(place, look.awaited | 1 << wake_class(index));
        }
        let fetch = lower_request(LowerKind::Fill, id, wanted.number, bytes_of(wanted.sectors));
        if write_back.is_none() {
            return Some(fetch);
        }
        self.behind = Some(fetch);
        write_back
    }

    /// Puts a line into the way at `index`, unless it is there; the write-back of the line that leaves for it.
    fn take(&mut self, way: Way, index: usize, number: u32) -> Option<MemLowerRequest> {
        let write_back = if way == Way::Victim { self.evict(index) } else { None };
        if way != Way::Own {
            self.lines.allocate(index, number);
        }
        write_back
    }

    /// The line at `index` leaves; the write-back of its dirty bytes.
    pub(super) fn evict(&mut self, index: usize) -> Option<MemLowerRequest> {
        let left = self.lines.evict(index);
        self.left = Some(left.number);
        self.global_lines.left.push(left.number);
        if left.locked {
            self.raise(layout::EVICT_LOCKED);
        }
        if left.dirty == 0 {
            self.raise_line(layout::EVICT_CLEAN, index);
            return None;
        }
        self.raise_line(layout::EVICT_DIRTY, index);
        self.events[layout::BANKS_READ / 32] = u32::MAX;
        Some(lower_request(LowerKind::WriteBack, 0, left.number, left.dirty))
    }

    /// Drops the lines of a CTA slot when no write-back and no sum is on its way any more.
    fn release(&mut self, place: usize, pending: &Pending) -> Result<(), DesignError> {
        if !self.lower.is_empty() || self.staged.is_some() || self.sums.is_closing() {
            self.raise(layout::STALL_RELEASE);
            return Ok(());
        }
        let slot = pending.request.cta_slot;
        if self.lines.release(slot).is_none() {
            return Err(self.contract(format!("CTA slot {slot} ends while a line of it is on its way")));
        }
        self.raise(layout::RELEASE);
        self.requests.finish(place);
        self.respond(&pending.request, HIT);
        Ok(())
    }

    /// The request makes the cache hold bytes of a line that it did not have.
    pub(super) fn takes(&mut self, request: &MemRequest, line: u32, bytes: LineBytes, fetched: bool) {
        if request.space == GLOBAL && bytes != 0 {
            self.global_lines.taken = Some(TakenLine { line, bytes, fetched });
        }
    }

    pub(super) fn wait_lines(&mut self, place: usize, classes: u64) {
        self.requests.wait(place, classes);
        self.raise(layout::WAIT_LINES);
    }
}
