//! Stores, and lines that take their place.

use heddle_config::WriteHit;
use heddle_port::{LINE_BYTES, LowerKind, members};

use super::{BYPASS_OPERATORS, L1, LOWER_QUEUE};
use crate::sectors::Sectors;
use crate::tags::{Evicted, Found};
use crate::{outcome, space};

impl L1 {
    /// A store.
    pub(super) fn write(&mut self) -> bool {
        if self.lower.len() >= LOWER_QUEUE {
            return false;
        }
        let line = self.line();
        let bytes = self.byte_mask();
        let sector_bytes = self.cache.sector_bytes;
        let sectors = Sectors::of_bytes(&bytes, sector_bytes);
        let whole = Sectors::whole(&bytes, sector_bytes);
        let partial = sectors.without(whole);
        let local = self.input.space == space::LOCAL;
        if local && (partial.is_empty() || self.tags.access(line, partial) == Found::Hit) {
            if !self.tags.has_room(line) {
                return false;
            }
            self.arrays.write_hits += 1;
            self.keep(line, sectors, sectors);
        } else {
            self.statistics.write_through += 1;
            self.write_through(line, whole, local);
            self.send(LowerKind::BypassWrite, 0, line, bytes);
        }
        self.of_space().stores += 1;
        self.stores.push_back((self.cycle + 1, self.response(outcome::HIT)));
        true
    }

    /// What a write that goes to L2 does in the cache.
    fn write_through(&mut self, line: u32, whole: Sectors, local: bool) {
        let there = self.tags.access(line, Sectors::NONE) == Found::Hit;
        let evicts = there && !local && self.cache.write_hit == WriteHit::Evict;
        if evicts {
            self.arrays.write_evictions += 1;
            self.tags.invalidate(line);
            self.leaves(line);
        }
        let past = BYPASS_OPERATORS.contains(&self.input.cache_operator);
        if !local && !past && self.cache.write_allocate && !whole.is_empty() && self.tags.has_room(line) {
            self.keep(line, whole, Sectors::NONE);
            self.takes(line, whole, false);
        } else if !evicts {
            self.arrays.line_writes += u64::from(there);
        }
    }

    /// Bytes of the line that the request's lanes write.
    fn byte_mask(&self) -> [u32; LINE_BYTES / 32] {
        let mut mask = [0u32; LINE_BYTES / 32];
        let size = 1u32 << self.input.size_log2;
        for lane in members(self.input.mask) {
            let first = self.input.address[lane] % LINE_BYTES as u32;
            let bits = (1u64 << size) - 1;
            mask[(first / 32) as usize] |= (bits << (first % 32)) as u32;
        }
        mask
    }

    /// Puts sectors of a line into the cache; what a victim has dirty goes to L2 first.
    pub(super) fn keep(&mut self, line: u32, sectors: Sectors, dirty: Sectors) {
        self.arrays.line_writes += 1;
        let evicted = self.tags.fill(line, sectors, dirty);
        self.make_room(evicted);
    }

    /// A line leaves; what it has dirty goes to L2.
    pub(super) fn make_room(&mut self, evicted: Option<Evicted>) {
        let Some(victim) = evicted else { return };
        self.leaves(victim.line);
        if !victim.dirty.is_empty() {
            self.arrays.write_backs += 1;
            self.arrays.line_reads += 1;
            self.send(LowerKind::WriteBack, 0, victim.line, victim.dirty.bytes());
        }
    }
}
