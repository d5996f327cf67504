//! One clock edge of the whole cache.

use std::collections::VecDeque;

use super::config::{CacheShape, OsmConfig};
use super::fills::Fills;
use super::lines::{LINE_BITS, Lines, Place, line_number, shared_address, wake_class};
use super::locks::LockChange;
use super::lookup::{Lookup, lane_bytes, look_up};
use super::pass::{Pass, one_line, select};
use super::requests::{Pending, Requests};
use super::{LOWER_QUEUE, MOST_SETS, NAME, REQUESTS, WAYS, layout};
use heddle_port::memory::{MemLowerRequest, MemPerformed, MemRequest, MemResponse};
use heddle_port::{
    DesignError, LowerKind, MemIn, MemKind, MemOut, MemOutcome, MemSpace, MemoryPort, NUM_LANES,
};

/// Spaces, as [`MemRequest::space`] has them.
const GLOBAL: u8 = MemSpace::Global as u8;
const SHARED: u8 = MemSpace::Shared as u8;
/// Kinds of request, as [`MemRequest::kind`] has them; a fence of shared memory ends a CTA.
const READ: u8 = MemKind::Read as u8;
const WRITE: u8 = MemKind::Write as u8;
const ATOMIC: u8 = MemKind::Atomic as u8;
const RELEASE: u8 = MemKind::Fence as u8;
/// Outcomes, as [`MemResponse::outcome`] has them.
const HIT: u8 = MemOutcome::Hit as u8;
const MISS: u8 = MemOutcome::Miss as u8;
const MERGED: u8 = MemOutcome::Merged as u8;
const BYPASSED: u8 = MemOutcome::Bypassed as u8;
/// Ids of lower requests from here on are places of requests that went past the cache.
const AWAY: u8 = 64;
/// Cache operators that go past the cache: `.cg`, `.cv`, volatile.
const PAST_OPERATORS: [u8; 3] = [1, 4, 6];
/// Rows of the ring that holds responses until their time.
const RING: usize = 64;

/// The cache's events of one cycle; [`layout`] names the bits.
pub type CacheEvents = [u32; layout::BITS.div_ceil(32)];

/// The shared-memory cache without its data.
#[derive(Debug, Clone)]
pub struct OsmCache {
    shape: CacheShape,
    config: OsmConfig,
    cycle: u64,
    lines: Lines,
    requests: Requests,
    fills: Fills,
    /// A lower request that waits for the data of its line.
    staged: Option<MemLowerRequest>,
    lower: VecDeque<MemLowerRequest>,
    ring: Vec<MemResponse>,
    in_ring: usize,
    ready: bool,
    /// The line that left in the last clock edge.
    left: Option<u32>,
    events: CacheEvents,
}

impl OsmCache {
    /// An empty cache.
    ///
    /// # Errors
    /// [`DesignError::Config`]: the shape cannot take the configuration.
    pub fn new(shape: CacheShape, config: OsmConfig) -> Result<Self, DesignError> {
        config.check(&shape)?;
        Ok(Self::empty(shape, config))
    }

    fn empty(shape: CacheShape, config: OsmConfig) -> Self {
        Self {
            shape,
            config,
            cycle: 0,
            lines: Lines::new(&shape, &config),
            requests: Requests::default(),
            fills: Fills::default(),
            staged: None,
            lower: VecDeque::with_capacity(LOWER_QUEUE),
            ring: vec![MemResponse::default(); RING],
            in_ring: 0,
            ready: true,
            left: None,
            events: CacheEvents::default(),
        }
    }

    /// What happened in the cycle that the last step ended.
    #[must_use]
    pub fn events(&self) -> &CacheEvents {
        &self.events
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The lines, to be told which of them live.
    pub fn lines_mut(&mut self) -> &mut Lines {
        &mut self.lines
    }

    /// The number of the line that left for another one in the last clock edge.
    #[must_use]
    pub fn left(&self) -> Option<u32> {
        self.left
    }

    fn raise(&mut self, bit: usize) {
        self.events[bit / 32] |= 1 << (bit % 32);
    }

    fn raise_line(&mut self, bit: usize, index: usize) {
        self.raise(bit);
        self.events[layout::LINE / 32] |= (index as u32) << (layout::LINE % 32);
    }

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    /// Nothing is inside.
    fn is_empty(&self) -> bool {
        self.requests.is_empty()
            && self.fills.is_empty()
            && self.staged.is_none()
            && self.lower.is_empty()
            && self.in_ring == 0
    }

    /// Room for another lower request.
    fn lower_has_room(&self) -> bool {
        self.lower.len() + usize::from(self.staged.is_some()) < LOWER_QUEUE
    }

    /// The fill `id` has come.
    fn fill(&mut self, id: u8) -> Result<(), DesignError> {
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
    fn act(
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

    fn evict(&mut self, index: usize, lower_room: bool) -> Option<MemLowerRequest> {
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

    /// Sends a global store off chip; a line that is here gets its bytes too.
    fn write_through(
        &mut self,
        place: usize,
        pending: &Pending,
        lower_room: bool,
        performed: &mut MemPerformed,
    ) -> Option<MemLowerRequest> {
        let look = look_up(&self.lines, pending, false);
        if look.ready | look.absent == 0 {
            self.wait_lines(place, &look);
            return None;
        }
        if !lower_room {
            self.raise(layout::STALL_LOWER);
            return None;
        }
        let request = &pending.request;
        let pass = one_line(pending.lanes, &request.address, request.size_log2);
        let bytes = (0..NUM_LANES)
            .filter(|lane| pass.lanes >> lane & 1 != 0)
            .fold(0, |all, lane| all | lane_bytes(request.address[lane], request.size_log2));
        self.raise(layout::THROUGH);
        *performed = self.pass(place, pending, &look, pass);
        let lane = (pass.lanes.trailing_zeros() as usize).min(NUM_LANES - 1);
        Some(lower_request(LowerKind::BypassWrite, 0, line_number(request.address[lane]), bytes))
    }

    /// Sends a volatile read or a global atomic off chip; a copy of its line is dropped first.
    fn go_past(
        &mut self,
        place: usize,
        pending: &Pending,
        lower_room: bool,
        performed: &mut MemPerformed,
    ) -> Result<Option<MemLowerRequest>, DesignError> {
        let look = look_up(&self.lines, pending, false);
        if look.ready != 0 {
            let index = usize::from(look.index[look.ready.trailing_zeros() as usize]);
            return match self.evict(index, true) {
                None => Ok(None),
                Some(write_back) => Err(self.contract(format!(
                    "the line at {:#010x} of global memory has dirty bytes",
                    write_back.line
                ))),
            };
        }
        if look.absent == 0 {
            self.wait_lines(place, &look);
            return Ok(None);
        }
        if !lower_room {
            self.raise(layout::STALL_LOWER);
            return Ok(None);
        }
        let request = &pending.request;
        let lane = look.absent.trailing_zeros() as usize;
        *performed = MemPerformed { valid: true, tag: request.tag, mask: pending.lanes };
        self.requests.send_away(place);
        self.raise(layout::PAST);
        let kind = if request.kind == ATOMIC { LowerKind::Atomic } else { LowerKind::BypassRead };
        Ok(Some(lower_request(kind, AWAY + place as u8, line_number(request.address[lane]), u128::MAX)))
    }

    /// The answer to the request at `place`, which went past the cache.
    fn come_back(&mut self, place: usize) -> Result<(), DesignError> {
        if place >= REQUESTS || !self.requests.is_away(place) {
            return Err(self.contract(format!("an answer to place {place}, which has sent nothing past")));
        }
        let request = self.requests.at(place).request;
        self.requests.finish(place);
        self.raise(layout::RETURN);
        self.respond(&request, BYPASSED);
        Ok(())
    }

    fn wait_lines(&mut self, place: usize, look: &Lookup) {
        self.requests.wait(place, look.awaited);
        self.raise(layout::WAIT_LINES);
    }

    /// Lets the banks serve lanes; those whose lines are there change them.
    fn pass(&mut self, place: usize, pending: &Pending, look: &Lookup, pass: Pass) -> MemPerformed {
        let request = &pending.request;
        let mut used = [0u64; MOST_SETS];
        let mut rest = pass.lanes & look.ready;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let index = usize::from(look.index[lane]);
            used[index / WAYS] |= 1 << (index % WAYS);
            if request.kind != READ {
                let bytes = lane_bytes(request.address[lane], request.size_log2);
                self.lines.put(index, bytes, request.space != GLOBAL);
            }
        }
        for (set, &ways) in used.iter().enumerate().take(self.shape.sets) {
            if ways == 0 {
                continue;
            }
            match (request.space, request.kind) {
                (SHARED, READ) => {
                    let change = self.lines.read(set, ways);
                    self.raise_locks(change);
                }
                (SHARED, _) => {
                    let change = self.lines.write(set, ways);
                    self.raise_locks(change);
                }
                _ => self.lines.touch(set, ways),
            }
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
            self.respond(request, outcome);
        }
        MemPerformed { valid: true, tag: request.tag, mask: pass.lanes }
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
    fn respond(&mut self, request: &MemRequest, outcome: u8) {
        let row = (self.cycle + u64::from(self.config.hit_latency) - 1) % RING as u64;
        self.ring[row as usize] = MemResponse {
            valid: true,
            tag: request.tag,
            mask: request.mask,
            part: request.part,
            outcome,
            store: request.kind == WRITE,
        };
        self.in_ring += 1;
    }

    /// The request as the cache keeps it: addresses off chip, aligned to the access.
    fn accepted(&self, request: &MemRequest) -> Result<MemRequest, DesignError> {
        let (kind, space) = (request.kind, request.space);
        if space > SHARED || (space != SHARED && !self.shape.unified) {
            return Err(self.contract(format!("a request to space {space}, which this cache does not hold")));
        }
        let kinds = if space == SHARED { READ..=RELEASE } else { READ..=ATOMIC };
        if !kinds.contains(&kind) || (kind == ATOMIC && space != SHARED && space != GLOBAL) {
            return Err(self.contract(format!("a request of kind {kind} to space {space}")));
        }
        let smallest = if kind == ATOMIC { 2 } else { 0 };
        let largest = if kind == ATOMIC { 3 } else { 4 };
        if kind != RELEASE && (request.mask == 0 || !(smallest..=largest).contains(&request.size_log2)) {
            return Err(self.contract(format!(
                "a request of kind {kind} with lanes {:#010x} of 2^{} bytes; at least one lane of 2^{smallest} to \
                 2^{largest} bytes is expected",
                request.mask, request.size_log2
            )));
        }
        let mut kept = *request;
        for address in &mut kept.address {
            if space == SHARED {
                *address = shared_address(request.cta_slot, *address);
            }
            *address = *address >> request.size_log2 << request.size_log2;
        }
        Ok(kept)
    }

    fn take_response(&mut self) -> MemResponse {
        let row = (self.cycle % RING as u64) as usize;
        let response = std::mem::take(&mut self.ring[row]);
        self.in_ring -= usize::from(response.valid);
        response
    }
}

fn lower_request(kind: LowerKind, id: u8, number: u32, bytes: u128) -> MemLowerRequest {
    MemLowerRequest {
        valid: true,
        kind: kind as u8,
        id,
        line: number << LINE_BITS,
        byte_mask: std::array::from_fn(|word| (bytes >> (32 * word)) as u32),
    }
}

impl MemoryPort for OsmCache {
    fn reset(&mut self) -> MemOut {
        *self = Self::empty(self.shape, self.config);
        MemOut { request_ready: true, idle: true, ..MemOut::default() }
    }

    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        self.events = CacheEvents::default();
        self.left = None;
        let lower_room = self.lower_has_room();
        let taking = input.request.valid && self.ready;
        if input.request.valid && !self.ready {
            return Err(self.contract("a request was offered although request_ready was low".to_owned()));
        }
        let idle = self.is_empty() && !taking;
        let free = self.requests.free();

        out.performed.valid = false;
        let mut staged = None;
        if input.flush {
            if !out.idle || input.request.valid {
                return Err(self.contract("a flush is asked for while requests are under way".to_owned()));
            }
            self.lines.flush();
            self.raise(layout::FLUSH);
        } else if input.lower_response.valid {
            match input.lower_response.id {
                id if id < AWAY => self.fill(id)?,
                id => self.come_back(usize::from(id - AWAY))?,
            }
        } else {
            staged = self.act(lower_room, &mut out.performed)?;
        }
        if !self.lower.is_empty() && input.lower_ready {
            self.lower.pop_front();
        }
        self.lower.extend(self.staged.take());
        self.staged = staged;
        if taking {
            let Some(place) = free else {
                return Err(self.contract("a request was taken without a free place".to_owned()));
            };
            let request = self.accepted(&input.request)?;
            self.requests.accept(place, &request);
            self.raise(layout::REQUEST);
        }
        self.ready = self.requests.has_room();

        self.cycle += 1;
        out.request_ready = self.ready;
        out.response = self.take_response();
        match self.lower.front() {
            Some(request) => out.lower_request = *request,
            None => out.lower_request.valid = false,
        }
        out.idle = idle;
        Ok(())
    }
}
