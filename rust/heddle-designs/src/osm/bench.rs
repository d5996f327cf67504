//! The cache with an off-chip memory behind it that answers after a fixed time, for tests.

use std::collections::VecDeque;

use super::{CacheShape, OsmCache, OsmConfig, layout};
use heddle_port::memory::{MemLowerRequest, MemLowerResponse, MemRequest, MemResponse};
use heddle_port::{DesignError, MemIn, MemOut, MemoryPort};

/// Cycles from the handshake of a fetch to its answer.
pub const TRIP: u64 = 20;

pub struct Bench {
    pub cache: OsmCache,
    pub out: MemOut,
    pub cycle: u64,
    /// The off-chip memory takes requests.
    pub lower_open: bool,
    /// The off-chip memory answers.
    pub answers: bool,
    on_the_way: VecDeque<(u64, MemLowerResponse)>,
    /// Lower requests in the order in which they were taken.
    pub lower: Vec<MemLowerRequest>,
    /// Cycle, tag and lanes.
    pub performed: Vec<(u64, u16, u32)>,
    pub responses: Vec<(u64, MemResponse)>,
    /// By bit of the cache's events.
    counts: [u32; layout::BITS],
}

/// A cache of 2^`size_log2` KB.
pub fn config(size_log2: u8) -> OsmConfig {
    OsmConfig { size_log2, ..OsmConfig::default() }
}

pub fn access(kind: u8, tag: u16, cta_slot: u8, mask: u32, offset: impl Fn(u32) -> u32) -> MemRequest {
    MemRequest {
        valid: true,
        tag,
        space: 2,
        kind,
        cta_slot,
        size_log2: 2,
        mask,
        address: std::array::from_fn(|lane| offset(lane as u32)),
        ..MemRequest::default()
    }
}

/// All lanes read consecutive words of a line of CTA slot 0.
pub fn read(tag: u16, line: u32) -> MemRequest {
    access(0, tag, 0, u32::MAX, |lane| 128 * line + 4 * lane)
}

/// All lanes write consecutive words of a line of CTA slot 0.
pub fn write(tag: u16, line: u32) -> MemRequest {
    access(1, tag, 0, u32::MAX, |lane| 128 * line + 4 * lane)
}

/// One lane adds to the first word of a line of CTA slot 0.
pub fn atomic(tag: u16, line: u32) -> MemRequest {
    access(2, tag, 0, 1, |_| 128 * line)
}

/// CTA slot `cta_slot` ends.
pub fn release(tag: u16, cta_slot: u8) -> MemRequest {
    access(3, tag, cta_slot, 0, |_| 0)
}

impl Bench {
    pub fn new(config: OsmConfig) -> Self {
        Self::of_shape(CacheShape { sets: 8, read_counter: true, word_lock: false, unified: false }, config)
    }

    pub fn of_shape(shape: CacheShape, config: OsmConfig) -> Self {
        let mut cache = OsmCache::new(shape, config).expect("good configuration");
        let out = cache.reset();
        Self {
            cache,
            out,
            cycle: 0,
            lower_open: true,
            answers: true,
            on_the_way: VecDeque::new(),
            lower: Vec::new(),
            performed: Vec::new(),
            responses: Vec::new(),
            counts: [0; layout::BITS],
        }
    }

    /// One cycle in which `request` is offered.
    pub fn try_step(&mut self, request: &MemRequest) -> Result<(), DesignError> {
        let mut input = MemIn { request: *request, lower_ready: self.lower_open, ..MemIn::default() };
        if self.answers && self.on_the_way.front().is_some_and(|(ready, _)| *ready <= self.cycle) {
            input.lower_response = self.on_the_way.pop_front().map_or_else(Default::default, |(_, r)| r);
        }
        if self.out.lower_request.valid && self.lower_open {
            let taken = self.out.lower_request;
            self.lower.push(taken);
            if [0, 2, 4].contains(&taken.kind) {
                let answer = MemLowerResponse { valid: true, id: taken.id, line: taken.line };
                self.on_the_way.push_back((self.cycle + TRIP, answer));
            }
        }
        self.cache.step(&input, &mut self.out)?;
        self.cycle += 1;
        let events = self.cache.events();
        for (bit, count) in self.counts.iter_mut().enumerate() {
            *count += events[bit / 32] >> (bit % 32) & 1;
        }
        if self.out.performed.valid {
            self.performed.push((self.cycle, self.out.performed.tag, self.out.performed.mask));
        }
        if self.out.response.valid {
            self.responses.push((self.cycle, self.out.response));
        }
        Ok(())
    }

    pub fn step(&mut self, request: &MemRequest) {
        self.try_step(request).expect("the contract is kept");
    }

    /// Offers `request` as soon as it can be taken; the cycle of its handshake.
    pub fn send(&mut self, request: &MemRequest) -> u64 {
        for _ in 0..1000 {
            if self.out.request_ready {
                let at = self.cycle;
                self.step(request);
                return at;
            }
            self.step(&MemRequest::default());
        }
        panic!("the request is never taken");
    }

    /// Waits until nothing is inside.
    pub fn drain(&mut self) {
        for _ in 0..2000 {
            self.step(&MemRequest::default());
            if self.out.idle && self.on_the_way.is_empty() {
                return;
            }
        }
        panic!("something stays inside");
    }

    /// Sends a request and waits for its end; its response.
    pub fn run(&mut self, request: &MemRequest) -> MemResponse {
        self.send(request);
        self.drain();
        self.responses.last().expect("a response").1
    }

    /// How often an event was raised.
    pub fn count(&self, event: usize) -> u32 {
        self.counts[event]
    }

    /// Look-ups of the tags, banks read, banks written.
    pub fn work(&self) -> [u32; 3] {
        let banks = |first: usize| self.counts[first..first + 32].iter().sum();
        [self.counts[layout::TAG_LOOKUP], banks(layout::BANKS_READ), banks(layout::BANKS_WRITTEN)]
    }

    /// Lines of CTA slot 0 that are fetched, and lines that are written back, in order: kind and line.
    pub fn traffic(&self) -> Vec<(char, u32)> {
        let letter = |kind| if kind == 0 { 'f' } else { 'w' };
        self.lower.iter().map(|r| (letter(r.kind), (r.line - super::SHARED_SPACE) / 128)).collect()
    }

    /// Whether a line of a CTA slot is in the cache.
    pub fn holds(&self, cta_slot: u8, line: u32) -> bool {
        let address = super::lines::shared_address(cta_slot, 128 * line);
        self.cache.lines().find(super::lines::line_number(address)).is_some()
    }
}
