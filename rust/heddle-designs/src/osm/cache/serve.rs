//! Lanes that the banks serve, and the responses.

use heddle_port::memory::{MemPerformed, MemRequest, MemResponse};
use heddle_port::{NUM_LANES, members};

use super::super::additions::adds_floats;
use super::super::lines::line_number;
use super::super::locks::LockChange;
use super::super::lookup::{Lookup, lane_bytes};
use super::super::pass::Pass;
use super::super::requests::Pending;
use super::super::{MOST_SETS, WAYS, layout};
use super::{GLOBAL, HIT, MERGED, MISS, OsmCache, READ, RING, SHARED, WRITE};

/// Cycles from a decision to its response, less one, at least: banks, ring, output.
const SOONEST: u64 = 3;

impl OsmCache {
    /// Lets the banks serve lanes; those whose lines are there change them.
    pub(super) fn pass(
        &mut self,
        place: usize,
        pending: &Pending,
        look: &Lookup,
        pass: Pass,
    ) -> MemPerformed {
        let request = &pending.request;
        let mut used = [0u64; MOST_SETS];
        self.words.clear();
        let (served, mut written) = (pass.lanes & look.ready, 0);
        let first = (served.trailing_zeros() as usize).min(NUM_LANES - 1);
        for lane in members(served) {
            let index = usize::from(look.index[lane]);
            used[index / WAYS] |= 1 << (index % WAYS);
            if self.lines.locks_words() {
                self.words.add(look.index[lane], request.address[lane], request.size_log2);
            }
            if request.kind != READ {
                let bytes = lane_bytes(request.address[lane], request.size_log2);
                written |= self.lines.lacking(index, bytes);
                self.lines.put(index, bytes, request.space != GLOBAL);
            }
        }
        self.takes(request, line_number(request.address[first]), written, false);
        for (set, &ways) in used.iter().enumerate().take(self.shape.sets) {
            if ways == 0 {
                continue;
            }
            match (request.space, request.kind) {
                (SHARED, READ) => {
                    let change = self.lines.read(set, ways, &self.words);
                    self.raise_locks(change);
                }
                (SHARED, _) => {
                    let change = self.lines.write(set, ways, &self.words);
                    self.raise_locks(change);
                }
                _ => self.lines.touch(set, ways),
            }
        }
        if adds_floats(request) {
            self.sums.start(used);
        }
        self.raise(match request.kind {
            READ => layout::READ_PASS,
            WRITE => layout::WRITE_PASS,
            _ => layout::ATOMIC_PASS,
        });
        let through = (request.space, request.kind) == (GLOBAL, WRITE);
        if request.kind != WRITE {
            self.events[layout::BANKS_READ / 32] = pass.banks;
        }
        if request.kind != READ && (!through || look.ready != 0) {
            self.events[layout::BANKS_WRITTEN / 32] = pass.banks;
        }
        if self.requests.serve(place, pass.lanes) {
            self.requests.finish(place);
            let (event, outcome) = match (pending.missed, pending.merged) {
                (true, _) => (layout::MISS, MISS),
                (false, true) => (layout::MERGED, MERGED),
                (false, false) => (layout::HIT, HIT),
            };
            if !through {
                self.raise(event);
            }
            if request.space != SHARED && outcome != HIT {
                self.respond_soon(request, outcome);
            } else {
                self.respond(request, outcome);
            }
        }
        MemPerformed { valid: true, tag: request.tag, mask: pass.lanes }
    }

    /// Whether what the request writes finds the banks' write port taken.
    pub(super) fn port_is_taken(&self, request: &MemRequest, fill: bool) -> bool {
        request.kind != READ && (fill || self.sums.may_write_next() && !adds_floats(request))
    }

    fn raise_locks(&mut self, change: LockChange) {
        if change.locked {
            self.raise(layout::LOCK);
        }
        if change.unlocked {
            self.raise(layout::UNLOCK);
        }
    }

    /// The response leaves when the hit latency, counted from the request's handshake at the earliest in
    /// the cycle before, is over.
    pub(super) fn respond(&mut self, request: &MemRequest, outcome: u8) {
        self.respond_in(u64::from(self.config.hit_latency) - 1, request, outcome);
    }

    /// The response leaves as soon as no other leaves in its cycle.
    pub(super) fn respond_soon(&mut self, request: &MemRequest, outcome: u8) {
        let free = |ahead: &u64| !self.ring[(self.cycle + ahead) as usize % RING].valid;
        let last = u64::from(self.config.hit_latency) - 1;
        let ahead = (SOONEST..last).find(free).unwrap_or(last);
        self.respond_in(ahead, request, outcome);
    }

    fn respond_in(&mut self, ahead: u64, request: &MemRequest, outcome: u8) {
        self.ring[(self.cycle + ahead) as usize % RING] = MemResponse {
            valid: true,
            tag: request.tag,
            mask: request.mask,
            part: request.part,
            outcome,
            store: request.kind == WRITE,
        };
        self.in_ring += 1;
    }

    pub(super) fn take_response(&mut self) -> MemResponse {
        let row = (self.cycle % RING as u64) as usize;
        let response = std::mem::take(&mut self.ring[row]);
        self.in_ring -= usize::from(response.valid);
        response
    }
}
