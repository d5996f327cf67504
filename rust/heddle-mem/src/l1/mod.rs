//! L1 data cache and shared memory of one SM behind the memory port.
//!
//! Requests are taken one a cycle into an input register and looked up in order; an access is
//! performed in the cycle after its look-up. A request that finds no MSHR, no merge slot or no place in
//! the queue to L2, or shared memory still busy with a conflict, waits there and holds up those behind.
//! Of what misses bring, one sector a cycle goes to the loads that wait for it: behind a load that waited for four sectors, the
//! next is answered four cycles later.
//!
//! Global stores go to L2; what they do with a line that is there, and whether they leave one, is `l1d.write_hit` and
//! `l1d.write_allocate`. Local stores stay in the L1 (write-back) when the sectors are there or the warp writes them whole;
//! otherwise they are written through. A line that is fetched takes its place with its miss or when it comes (`l1d.allocation`).
//! Volatile, `.cg` and `.cv` accesses and atomics go past the L1; atomics drop its copy, and what is on its way of it is not kept.
//! Whoever holds the values of the lines learns from [`LineEvents`] when they are taken and when they leave.

mod lines;
mod read;
mod warm;
mod write;

use std::collections::VecDeque;

use heddle_config::{Allocation as Place, L1d, SharedMemory};
use heddle_port::memory::{MemLowerRequest, MemPerformed, MemRequest, MemResponse};
use heddle_port::{DesignError, LINE_BYTES, LOWER_ID_BITS, LineEvents, LowerKind, MemIn, MemOut, MemoryPort};

use crate::lower::is_store;
use crate::mshr::{Answered, Mshrs};
use crate::sectors::{SECTOR_BYTES, Sectors};
use crate::shared::SharedUnit;
use crate::statistics::{L1Arrays, L1Statistics, SpaceStatistics};
use crate::tags::TagArray;
use crate::{kind, space};

/// Requests that wait for L2 to take them.
const LOWER_QUEUE: usize = 8;
/// Most MSHRs: the values that the id of a lower request has.
const MOST_MSHRS: u32 = 1 << LOWER_ID_BITS;
/// Cache operators that go past the L1: `.cg`, `.cv`, volatile.
pub const BYPASS_OPERATORS: [u8; 3] = [1, 4, 6];

/// The one of these that strong loads have: volatile, relaxed, acquire.
const STRONG_OPERATOR: u8 = 6;

/// A response and the cycle from which it may leave.
type Timed = (u64, MemResponse);

/// A read that waits for sectors of its line, and how many of the cache's size these are.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    response: MemResponse,
    sectors: u32,
}

/// L1 data cache with LRU replacement and shared memory with 32 banks.
#[derive(Debug, Clone)]
pub struct L1 {
    cache: L1d,
    shared: SharedUnit,
    cycle: u64,
    tags: TagArray,
    mshrs: Mshrs<Waiting>,
    input: MemRequest,
    fills: VecDeque<Waiting>,
    /// The cycle from which the next of them may leave.
    fills_from: u64,
    hits: VecDeque<Timed>,
    stores: VecDeque<Timed>,
    lower: VecDeque<MemLowerRequest>,
    statistics: L1Statistics,
    arrays: L1Arrays,
    /// What the last clock edge did to lines of global memory.
    lines: LineEvents,
    /// They leave at the next clock edge.
    invalidates: bool,
    /// Before this cycle nothing moves unless a request or an answer comes.
    quiet_until: u64,
}

impl L1 {
    /// An empty L1 and shared memory.
    #[must_use]
    pub fn new(cache: &L1d, shared: &SharedMemory) -> Self {
        let sets = cache.bytes / (cache.ways.max(1) * LINE_BYTES as u32);
        Self {
            tags: TagArray::with_index(cache.sets, sets, cache.ways),
            mshrs: Mshrs::new(cache.mshrs, MOST_MSHRS, cache.mshr_merges),
            cache: cache.clone(),
            shared: SharedUnit::new(shared),
            cycle: 0,
            input: MemRequest::default(),
            fills: VecDeque::with_capacity(64),
            fills_from: 0,
            hits: VecDeque::with_capacity(256),
            stores: VecDeque::with_capacity(256),
            lower: VecDeque::with_capacity(2 * LOWER_QUEUE),
            statistics: L1Statistics::default(),
            arrays: L1Arrays::default(),
            lines: LineEvents::default(),
            invalidates: false,
            quiet_until: 0,
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> L1Statistics {
        L1Statistics { arrays: Some(self.arrays), ..self.statistics }
    }

    /// Clock edges so far.
    pub(crate) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// What the auditor found wrong.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.tags.broken()
    }

    fn is_idle(&self) -> bool {
        !self.input.valid
            && self.mshrs.is_empty()
            && self.fills.is_empty()
            && self.shared.is_empty()
            && self.hits.is_empty()
            && self.stores.is_empty()
            && self.lower.is_empty()
    }

    /// Looks up the request in the input register; true if it leaves the register.
    fn look_up(&mut self) -> bool {
        match self.input.space {
            space::SHARED => self.shared.look_up(self.cycle, &self.input, &mut self.statistics),
            _ => self.look_up_cached(),
        }
    }

    fn response(&self, outcome: u8) -> MemResponse {
        MemResponse {
            valid: true,
            tag: self.input.tag,
            mask: self.input.mask,
            part: self.input.part,
            outcome,
            store: self.input.kind == kind::WRITE,
        }
    }

    /// One that waits for `sectors`.
    fn waiting(&self, response: MemResponse, sectors: Sectors) -> Waiting {
        let of_memory = sectors.count() * SECTOR_BYTES;
        Waiting { response, sectors: of_memory / self.cache.sector_bytes.max(SECTOR_BYTES) }
    }

    fn look_up_cached(&mut self) -> bool {
        let done = match self.input.kind {
            kind::WRITE => self.write(),
            kind::ATOMIC => self.bypass_read(),
            _ if BYPASS_OPERATORS.contains(&self.input.cache_operator) => self.bypass_read(),
            _ => self.read(),
        };
        if done {
            self.arrays.tag_lookups += 1;
        } else {
            self.arrays.stall_cycles += 1;
        }
        done
    }

    fn line(&self) -> u32 {
        let lane = (self.input.mask.trailing_zeros() as usize).min(31);
        self.input.address[lane] / LINE_BYTES as u32
    }

    /// The counters of the request's space.
    fn of_space(&mut self) -> &mut SpaceStatistics {
        self.statistics.of_space(self.input.space)
    }

    /// Stores that the networks have not taken.
    pub(crate) fn queued_stores(&self) -> u64 {
        self.lower.iter().filter(|request| is_store(request)).count() as u64
    }

    fn send(&mut self, kind: LowerKind, id: u16, line: u32, byte_mask: [u32; LINE_BYTES / 32]) {
        self.lower.push_back(MemLowerRequest {
            valid: true,
            kind: kind as u8,
            id,
            line: line.wrapping_mul(LINE_BYTES as u32),
            byte_mask,
        });
    }

    /// The response of the next cycle: fills before shared memory before hits before stores.
    fn next_response(&mut self) -> MemResponse {
        let cycle = self.cycle;
        if self.fills_from <= cycle
            && let Some(waited) = self.fills.pop_front()
        {
            self.fills_from = cycle + u64::from(waited.sectors);
            return waited.response;
        }
        if let Some(response) = self.shared.take(cycle) {
            return response;
        }
        for queue in [&mut self.hits, &mut self.stores] {
            if queue.front().is_some_and(|(ready, _)| *ready <= cycle)
                && let Some((_, response)) = queue.pop_front()
            {
                return response;
            }
        }
        MemResponse::default()
    }
}

impl MemoryPort for L1 {
    fn reset(&mut self) -> MemOut {
        *self = Self::new(&self.cache, self.shared.config());
        MemOut { request_ready: true, idle: true, ..MemOut::default() }
    }

    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        if input.request.valid && !out.request_ready {
            return Err(DesignError::Contract {
                design: "l1",
                cycle: self.cycle,
                what: "a request was offered although request_ready was low".to_owned(),
            });
        }
        self.step_holding(input, out, false);
        Ok(())
    }
}

impl L1 {
    /// L2 answers request `id`: its line takes its place, and who waits for it has its response.
    fn answered(&mut self, id: u16) {
        let fills = &mut self.fills;
        match self.mshrs.finish(id, |r| fills.push_back(r)) {
            Some(Answered::Kept(line, sectors)) => {
                self.arrays.tag_lookups += 1;
                match self.cache.allocation {
                    Place::OnFill => self.keep(line, sectors, Sectors::NONE),
                    Place::OnMiss => {
                        self.arrays.line_writes += 1;
                        self.tags.arrive(line, sectors);
                    }
                }
            }
            Some(Answered::Dropped(line)) if self.cache.allocation == Place::OnMiss => {
                self.tags.arrive(line, Sectors::NONE);
            }
            Some(Answered::Dropped(_) | Answered::Past) | None => {}
        }
    }

    /// One clock edge; with `hold`, the request in the input register waits, so that nothing is performed. A
    /// request comes only when the last outputs were ready for it.
    pub(crate) fn step_holding(&mut self, input: &MemIn, out: &mut MemOut, hold: bool) {
        self.cycle += 1;
        self.arrays.valid_line_cycles += u64::from(self.tags.valid());
        out.performed.valid = false;
        self.lines.begin();
        if self.invalidates {
            self.drop_global_lines();
        }
        if self.cycle < self.quiet_until && !input.request.valid && !input.lower_response.valid {
            out.response.valid = false;
            return;
        }
        if out.lower_request.valid && input.lower_ready {
            self.lower.pop_front();
        }
        if input.lower_response.valid {
            self.answered(input.lower_response.id);
        }
        if input.request.valid {
            self.input = input.request;
        }
        if self.input.valid && !hold && self.look_up() {
            self.input.valid = false;
            out.performed = MemPerformed { valid: true, tag: self.input.tag, mask: self.input.mask };
        }
        out.request_ready = !self.input.valid;
        out.response = self.next_response();
        match self.lower.front() {
            Some(request) => out.lower_request = *request,
            None => out.lower_request.valid = false,
        }
        let shown = out.response.valid || out.performed.valid;
        let moves = shown || self.input.valid || out.lower_request.valid || !self.fills.is_empty();
        self.quiet_until = if moves { 0 } else { self.next_response_from() };
        out.idle = self.is_idle() && !shown;
    }

    /// The cycle from which the first of the responses that wait for their time may leave.
    fn next_response_from(&self) -> u64 {
        let of_queue = |queue: &VecDeque<Timed>| queue.front().map(|(ready, _)| *ready);
        [self.shared.next(), of_queue(&self.hits), of_queue(&self.stores)]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(u64::MAX)
    }
}
