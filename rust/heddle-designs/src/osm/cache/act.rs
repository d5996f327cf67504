//! What the cache does for the oldest request that does not wait: fetches, evictions, the end of a CTA.

use heddle_port::memory::{MemLowerRequest, MemPerformed};
use heddle_port::{DesignError, LowerKind};

use super::super::layout;
use super::super::lines::{Place, line_number, wake_class};
use super::super::lookup::{Lookup, look_up};
use super::super::pass::{one_line, select};
use super::super::requests::Pending;
use super::{ATOMIC, GLOBAL, HIT, OsmCache, PAST_OPERATORS, READ, RELEASE, WRITE, lower_request};

impl OsmCache {
    /// The fill `id` has come.
    pub(super) fn fill(&mut self, id: u16) -> Result<(), DesignError> {
        let Some(index) = self.fills.finish(id) else {
            return Err(self.contract(format!("fill {id} has come, which is not on its way")));
        };
        self.events[layout::BANKS_WRITTEN / 32] = self.lines.missing_words(index);
        self.lines.end_fill(index);
        self.requests.wake(wake_class(index));
        self.raise_line(layout::FILL, index);
        Ok(())
    }

    /// One action for the oldest request that does not wait; a lower request that comes of it.
    pub(super) fn act(
        &mut self,
        lower_room: bool,
        performed: &mut MemPerformed,
    ) -> Result<Option<MemLowerRequest>, DesignError> {
        let Some(place) = self.requests.oldest_active() else { return Ok(None) };
        let pending = *self.requests.at(place);
        if pending.request.kind == RELEASE {
            return self.release(place, &pending).map(|()| None);
        }
        self.raise(layout::TAG_LOOKUP);
        if pending.request.space == GLOBAL {
            let past = PAST_OPERATORS.contains(&pending.request.cache_operator);
            if pending.request.kind == ATOMIC || (pending.request.kind == READ && past) {
                return self.go_past(place, &pending, lower_room, performed);
            }
            if pending.request.kind == WRITE {
                return Ok(self.write_through(place, &pending, lower_room, performed));
            }
        }
        let look = look_up(&self.lines, &pending, pending.request.kind != WRITE);
        if look.ready != 0 {
            let request = &pending.request;
            let pass = if request.space == GLOBAL {
                one_line(look.ready, &request.address, request.size_log2)
            } else {
                select(look.ready, &request.address, request.size_log2, request.kind == ATOMIC)
            };
            *performed = self.pass(place, &pending, &look, pass);
            return Ok(None);
        }
        let needed = look.partial | look.absent;
        if needed == 0 {
            self.wait_lines(place, &look);
            return Ok(None);
        }
        let lane = needed.trailing_zeros() as usize;
        if look.partial >> lane & 1 != 0 {
            return Ok(self.fetch(place, usize::from(look.index[lane]), layout::FETCH_PARTIAL, lower_room));
        }
        let number = line_number(pending.request.address[lane]);
        Ok(match self.lines.place_for(number) {
            Place::None => {
                self.raise(layout::STALL_SET);
                None
            }
            Place::Victim(index) => self.evict(index, lower_room),
            Place::Free(index) if pending.request.kind == WRITE => {
                self.lines.allocate(index, number);
                self.raise_line(layout::WRITE_ALLOCATE, index);
                None
            }
            Place::Free(index) => {
                if lower_room && self.fills.has_room() {
                    self.lines.allocate(index, number);
                }
                self.fetch(place, index, layout::FETCH, lower_room)
            }
        })
    }

    /// Fetches the missing bytes of the line at `index`, if there is room for it.
    fn fetch(
        &mut self,
        place: usize,
        index: usize,
        event: usize,
        lower_room: bool,
    ) -> Option<MemLowerRequest> {
        if !lower_room {
            self.raise(layout::STALL_LOWER);
            return None;
        }
        let Some(id) = self.fills.start(index) else {
            self.raise(layout::STALL_FILLS);
            return None;
        };
        self.lines.begin_fill(index);
        self.requests.missed(place);
        self.raise_line(event, index);
        Some(lower_request(LowerKind::Fill, id, self.lines.number(index), u128::MAX))
    }

    pub(super) fn evict(&mut self, index: usize, lower_room: bool) -> Option<MemLowerRequest> {
        let dirty = self.lines.is_dirty(index);
        if dirty && !lower_room {
            self.raise(layout::STALL_LOWER);
            return None;
        }
        let left = self.lines.evict(index);
        self.left = Some(left.number);
        self.raise_line(if dirty { layout::EVICT_DIRTY } else { layout::EVICT_CLEAN }, index);
        if left.locked {
            self.raise(layout::EVICT_LOCKED);
        }
        if dirty {
            self.events[layout::BANKS_READ / 32] = u32::MAX;
        }
        dirty.then(|| lower_request(LowerKind::WriteBack, 0, left.number, left.dirty))
    }

    /// Drops the lines of a CTA slot when no write-back is on its way any more.
    fn release(&mut self, place: usize, pending: &Pending) -> Result<(), DesignError> {
        if !self.lower.is_empty() || self.staged.is_some() {
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

    pub(super) fn wait_lines(&mut self, place: usize, look: &Lookup) {
        self.requests.wait(place, look.awaited);
        self.raise(layout::WAIT_LINES);
    }
}
