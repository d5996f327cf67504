//! Shared memory of one SM.

use std::collections::VecDeque;

use heddle_config::SharedMemory;
use heddle_port::memory::{MemRequest, MemResponse};

use crate::banks::shared_cycles;
use crate::statistics::L1Statistics;
use crate::{kind, outcome};

/// Shared memory with 32 banks: an access works for as many cycles as its conflicts ask for, and the next one
/// waits.
#[derive(Debug, Clone)]
pub(crate) struct SharedUnit {
    config: SharedMemory,
    free: u64,
    done: VecDeque<(u64, MemResponse)>,
}

impl SharedUnit {
    /// Nothing under way.
    pub fn new(config: &SharedMemory) -> Self {
        Self { config: config.clone(), free: 0, done: VecDeque::with_capacity(64) }
    }

    /// The configuration.
    pub fn config(&self) -> &SharedMemory {
        &self.config
    }

    /// Nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Begins an access; false if one before it is still working.
    pub fn look_up(&mut self, cycle: u64, request: &MemRequest, statistics: &mut L1Statistics) -> bool {
        if cycle < self.free {
            return false;
        }
        let atomic = request.kind == kind::ATOMIC;
        let cycles = u64::from(shared_cycles(&request.address, request.mask, request.size_log2, atomic));
        self.free = cycle + cycles;
        statistics.shared_accesses += 1;
        statistics.shared_conflict_cycles += cycles - 1;
        match request.kind {
            kind::WRITE => statistics.shared.stores += 1,
            _ => statistics.shared.read_hits += 1,
        }
        let response = MemResponse {
            valid: true,
            tag: request.tag,
            mask: request.mask,
            part: request.part,
            outcome: outcome::HIT,
            store: request.kind == kind::WRITE,
        };
        self.done.push_back((cycle + cycles - 1 + u64::from(self.config.latency), response));
        true
    }

    /// The cycle from which the next response may leave.
    pub fn next(&self) -> Option<u64> {
        self.done.front().map(|(ready, _)| *ready)
    }

    /// The next response that may leave in `cycle`.
    pub fn take(&mut self, cycle: u64) -> Option<MemResponse> {
        if self.done.front().is_none_or(|(ready, _)| *ready > cycle) {
            return None;
        }
        self.done.pop_front().map(|(_, response)| response)
    }
}
