//! Reads and atomics.

use heddle_config::Allocation as Place;
use heddle_port::LowerKind;
use heddle_port::memory::MemResponse;

use super::{L1, LOWER_QUEUE, STRONG_OPERATOR, Waiting};
use crate::mshr::Allocation;
use crate::sectors::Sectors;
use crate::tags::Found;
use crate::{kind, outcome, space};

impl L1 {
    /// A read that may find its line here.
    pub(super) fn read(&mut self) -> bool {
        let line = self.line();
        let needed = Sectors::of_request(&self.input, self.cache.sector_bytes);
        let found = self.tags.access(line, needed);
        if found == Found::Hit || self.cache.always_hit {
            self.statistics.read_hits += 1;
            self.of_space().read_hits += 1;
            self.arrays.line_reads += 1;
            let ready = self.cycle + u64::from(self.cache.hit_latency);
            self.hits.push_back((ready, self.response(outcome::HIT)));
            if found != Found::Hit {
                self.takes(line, needed, true);
            }
            return true;
        }
        let missing = if let Found::Lacks(missing) = found { missing } else { needed };
        let on_miss = self.cache.allocation == Place::OnMiss;
        // One that joins asks L2 for nothing, and its line has its place.
        let joins = self.mshrs.has(line, missing);
        if !joins && (self.lower.len() >= LOWER_QUEUE || on_miss && !self.tags.has_room(line)) {
            return false;
        }
        let response = self.response(outcome::MISS);
        let alone = self.waiting(response, missing);
        let waiting = |merged| match merged {
            true => Waiting { response: MemResponse { outcome: outcome::MERGED, ..response }, ..alone },
            false => alone,
        };
        match self.mshrs.allocate((line, missing), true, waiting) {
            Allocation::Full => false,
            Allocation::Merged => {
                self.statistics.read_merged += 1;
                self.of_space().read_merged += 1;
                true
            }
            Allocation::New(id) => {
                self.statistics.read_misses += 1;
                self.of_space().read_misses += 1;
                self.arrays.sector_misses += u64::from(found != Found::Absent);
                self.arrays.sectors_fetched += u64::from(missing.count());
                if on_miss {
                    let evicted = self.tags.reserve(line);
                    self.make_room(evicted);
                }
                self.takes(line, missing, true);
                self.send(LowerKind::Fill, id, line, missing.bytes());
                true
            }
        }
    }

    /// A read that goes past the cache, or an atomic. The atomic drops the cache's copy, and so does a strong load where fences
    /// drop all.
    pub(super) fn bypass_read(&mut self) -> bool {
        if self.lower.len() >= LOWER_QUEUE {
            return false;
        }
        let line = self.line();
        let needed = Sectors::of_request(&self.input, self.cache.sector_bytes);
        let response = self.response(outcome::BYPASSED);
        let waiting = self.waiting(response, needed);
        let Allocation::New(id) = self.mshrs.allocate((line, needed), false, |_| waiting) else {
            return false;
        };
        self.statistics.bypassed += 1;
        self.of_space().bypassed += 1;
        let mut lower_kind = LowerKind::BypassRead;
        let atomic = self.input.kind == kind::ATOMIC;
        let strong = self.input.cache_operator == STRONG_OPERATOR && self.input.space == space::GLOBAL;
        if atomic || strong && self.cache.fence_invalidates {
            self.tags.invalidate(line);
            self.mshrs.close(line);
            self.leaves(line);
        }
        if atomic {
            self.statistics.atomics += 1;
            lower_kind = LowerKind::Atomic;
        }
        self.arrays.sectors_fetched += u64::from(needed.count());
        self.send(lower_kind, id, line, needed.bytes());
        true
    }
}
