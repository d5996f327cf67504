//! Accesses of global memory that go past the cache, or through it.

use heddle_port::memory::{MemLowerRequest, MemPerformed};
use heddle_port::{DesignError, LowerKind, NUM_LANES};

use super::super::lines::line_number;
use super::super::lookup::{lane_bytes, look_up};
use super::super::pass::one_line;
use super::super::requests::Pending;
use super::super::sectors::{Wanted, bytes_of};
use super::super::{REQUESTS, layout};
use super::{ATOMIC, AWAY, BYPASSED, OsmCache, lower_request};

impl OsmCache {
    /// Sends a global store off chip; a line that is here gets its bytes too.
    pub(super) fn write_through(
        &mut self,
        place: usize,
        pending: &Pending,
        lower_room: usize,
        fill: bool,
        performed: &mut MemPerformed,
    ) -> Option<MemLowerRequest> {
        let look = look_up(&self.lines, &self.sums, pending, false);
        let open = look.ready | look.absent;
        if open == 0 {
            self.raise(layout::TAG_LOOKUP);
            self.wait_lines(place, look.awaited);
            return None;
        }
        if lower_room == 0 {
            self.raise(layout::TAG_LOOKUP);
            self.raise(layout::STALL_LOWER);
            return None;
        }
        if self.port_is_taken(&pending.request, fill) {
            return None;
        }
        self.raise(layout::TAG_LOOKUP);
        let request = &pending.request;
        let pass = one_line(open, &request.address, request.size_log2);
        let bytes = (0..NUM_LANES)
            .filter(|lane| pass.lanes >> lane & 1 != 0)
            .fold(0, |all, lane| all | lane_bytes(request.address[lane], request.size_log2));
        self.raise(layout::THROUGH);
        *performed = self.pass(place, pending, &look, pass);
        let lane = (pass.lanes.trailing_zeros() as usize).min(NUM_LANES - 1);
        Some(lower_request(LowerKind::BypassWrite, 0, line_number(request.address[lane]), bytes))
    }

    /// Sends a volatile read or a global atomic off chip; a copy of its line is dropped first.
    pub(super) fn go_past(
        &mut self,
        place: usize,
        pending: &Pending,
        lower_room: usize,
        performed: &mut MemPerformed,
    ) -> Result<Option<MemLowerRequest>, DesignError> {
        self.raise(layout::TAG_LOOKUP);
        let look = look_up(&self.lines, &self.sums, pending, false);
        if look.ready | look.absent == 0 {
            self.wait_lines(place, look.awaited);
            return Ok(None);
        }
        if look.ready != 0 {
            let index = usize::from(look.index[look.ready.trailing_zeros() as usize]);
            if self.lines.filling(index) != 0 {
                self.raise(layout::STALL_COPY);
                return Ok(None);
            }
            return match self.evict(index) {
                None => Ok(None),
                Some(write_back) => Err(self.contract(format!(
                    "the line at {:#010x} of global memory has dirty bytes",
                    write_back.line
                ))),
            };
        }
        if lower_room == 0 {
            self.raise(layout::STALL_LOWER);
            return Ok(None);
        }
        let request = &pending.request;
        let wanted = Wanted::of(pending, pending.lanes, self.config.sectors);
        *performed = MemPerformed { valid: true, tag: request.tag, mask: pending.lanes };
        self.requests.send_away(place);
        self.raise(layout::PAST);
        let kind = if request.kind == ATOMIC { LowerKind::Atomic } else { LowerKind::BypassRead };
        Ok(Some(lower_request(kind, AWAY + place as u16, wanted.number, bytes_of(wanted.sectors))))
    }

    /// The answer to the request at `place`, which went past the cache.
    pub(super) fn come_back(&mut self, place: usize) -> Result<(), DesignError> {
        if place >= REQUESTS || !self.requests.is_away(place) {
            return Err(self.contract(format!("an answer to place {place}, which has sent nothing past")));
        }
        let request = self.requests.at(place).request;
        self.requests.finish(place);
        self.raise(layout::RETURN);
        self.respond_soon(&request, BYPASSED);
        Ok(())
    }
}
