//! One clock edge of the whole cache.

mod act;
mod past;
mod serve;

use std::collections::VecDeque;

use super::additions::Additions;
use super::config::{CacheShape, OsmConfig};
use super::fills::Fills;
use super::lines::{LINE_BITS, Lines, shared_address};
use super::locks::PassWords;
use super::requests::Requests;
use super::{LOWER_QUEUE, NAME, layout};
use heddle_port::memory::{MemLowerRequest, MemRequest, MemResponse};
use heddle_port::{
    DesignError, LineEvents, LowerKind, MemIn, MemKind, MemOut, MemOutcome, MemSpace, MemoryPort,
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
const AWAY: u16 = 64;
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
    sums: Additions,
    /// A lower request that waits for the data of its line.
    staged: Option<MemLowerRequest>,
    /// A fetch behind a write-back that is staged.
    behind: Option<MemLowerRequest>,
    lower: VecDeque<MemLowerRequest>,
    ring: Vec<MemResponse>,
    in_ring: usize,
    ready: bool,
    /// The line that left in the last clock edge.
    left: Option<u32>,
    /// What the last clock edge did to lines of global memory.
    global_lines: LineEvents,
    /// Words of the last pass, with a lock bit a word.
    words: PassWords,
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
            sums: Additions::default(),
            staged: None,
            behind: None,
            lower: VecDeque::with_capacity(LOWER_QUEUE),
            ring: vec![MemResponse::default(); RING],
            in_ring: 0,
            ready: true,
            left: None,
            global_lines: LineEvents::default(),
            words: PassWords::default(),
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

    /// What the last clock edge did to the lines of global memory.
    #[must_use]
    pub fn line_events(&self) -> &LineEvents {
        &self.global_lines
    }

    fn raise(&mut self, bit: usize) {
        self.events[bit / 32] |= 1 << (bit % 32);
    }

    fn raise_line(&mut self, bit: usize, index: usize) {
        self.raise(bit);
        self.put(layout::LINE, index as u32);
    }

    /// Puts a number into the events; it does not cross a word.
    fn put(&mut self, lsb: usize, value: u32) {
        self.events[lsb / 32] |= value << (lsb % 32);
    }

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    /// Nothing is inside.
    fn is_empty(&self) -> bool {
        self.requests.is_empty()
            && self.fills.is_empty()
            && !self.sums.is_closing()
            && self.staged.is_none()
            && self.lower.is_empty()
            && self.in_ring == 0
    }

    /// Lower requests that there is room for; none in the cycle in which a fetch goes behind its write-back.
    fn lower_room(&self) -> usize {
        if self.behind.is_some() {
            return 0;
        }
        LOWER_QUEUE - self.lower.len() - usize::from(self.staged.is_some())
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
        let smallest = if kind == ATOMIC { 1 } else { 0 };
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
}

fn lower_request(kind: LowerKind, id: u16, number: u32, bytes: u128) -> MemLowerRequest {
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
        self.global_lines.begin();
        let lower_room = self.lower_room();
        let taking = input.request.valid && self.ready;
        if input.request.valid && !self.ready {
            return Err(self.contract("a request was offered although request_ready was low".to_owned()));
        }
        let idle = self.is_empty() && !taking;
        let free = self.requests.free();

        out.performed.valid = false;
        let mut staged = None;
        let behind = self.behind.take();
        if input.flush {
            if !out.idle || input.request.valid {
                return Err(self.contract("a flush is asked for while requests are under way".to_owned()));
            }
            self.lines.flush();
            self.global_lines.emptied = true;
            self.raise(layout::FLUSH);
        } else if input.lower_response.valid && input.lower_response.id >= AWAY {
            self.come_back(usize::from(input.lower_response.id - AWAY))?;
        } else {
            let fill = input.lower_response.valid.then_some(input.lower_response.id);
            staged = self.act(lower_room, fill.is_some(), &mut out.performed)?;
            if let Some(id) = fill {
                self.fill(id)?;
            }
        }
        let fills = input.lower_response.valid && input.lower_response.id < AWAY;
        self.sums.end_cycle(fills && !input.flush);
        if !self.lower.is_empty() && input.lower_ready {
            self.lower.pop_front();
        }
        self.lower.extend(self.staged.take());
        self.staged = behind.or(staged);
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
