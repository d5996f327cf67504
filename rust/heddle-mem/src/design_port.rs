//! The memory port of an SM whose design holds the L1: shared memory beside the design's memory port.
//!
//! The design sees the requests of global and local memory, in order; those of shared memory are served here.
//! Both have their own performed events; where they meet, the one of shared memory waits. A load that hits
//! in the design takes the rest of the L1's hit latency in the load-store pipeline, so that only where data
//! lie differs between designs.

use std::collections::VecDeque;

use heddle_config::{L1d, SharedMemory};
use heddle_port::memory::{MemPerformed, MemRequest, MemResponse};
use heddle_port::{
    DesignError, LaneWords, LineEvents, LowerKind, MemData, MemIn, MemOut, MemoryPort, TAG_BITS,
};

use crate::shared::SharedUnit;
use crate::statistics::L1Statistics;
use crate::{outcome, space};

/// Cycles from a load's performed event to its response in a design with one look-up, one access and one response
/// register.
const DESIGN_HIT_CYCLES: u64 = 2;

/// A response on its way, with what a load brought.
type Held = (u64, MemResponse, Option<Box<LaneWords>>);

/// What stands between the SM and a design's memory port.
#[derive(Debug, Clone)]
pub struct DesignPort {
    hit_wait: u64,
    cycle: u64,
    shared: SharedUnit,
    shared_input: MemRequest,
    to_design: MemIn,
    fills: VecDeque<Held>,
    hits: VecDeque<Held>,
    stores: VecDeque<Held>,
    /// By tag: the space that the design was asked for last.
    space_of: Vec<u8>,
    /// What the last clock edge did to the design's lines.
    lines: LineEvents,
    statistics: L1Statistics,
}

impl DesignPort {
    /// With the shared memory and the L1's hit latency of a preset.
    #[must_use]
    pub fn new(cache: &L1d, shared: &SharedMemory) -> Self {
        Self {
            hit_wait: u64::from(cache.hit_latency).saturating_sub(DESIGN_HIT_CYCLES),
            cycle: 0,
            shared: SharedUnit::new(shared),
            shared_input: MemRequest::default(),
            to_design: MemIn::default(),
            fills: VecDeque::with_capacity(64),
            hits: VecDeque::with_capacity(64),
            stores: VecDeque::with_capacity(64),
            space_of: vec![space::GLOBAL; 1 << TAG_BITS],
            lines: LineEvents::default(),
            statistics: L1Statistics::default(),
        }
    }

    /// What happened so far, as the port shows it.
    #[must_use]
    pub fn statistics(&self) -> &L1Statistics {
        &self.statistics
    }

    /// What the last clock edge did to the lines of global memory that the design holds.
    pub(crate) fn line_events(&self) -> &LineEvents {
        &self.lines
    }

    /// The same, from the design.
    pub(crate) fn design_lines(&mut self, events: &LineEvents) {
        self.lines.clone_from(events);
    }

    /// What the design's memory port is driven with in the current cycle.
    #[must_use]
    pub fn to_design(&self) -> &MemIn {
        &self.to_design
    }

    /// The design's outputs of the next cycle, after its clock edge; `out` and `data` become those of the port.
    pub fn from_design(
        &mut self,
        design: &MemOut,
        design_data: Option<&MemData>,
        out: &mut MemOut,
        data: &mut MemData,
    ) {
        let cycle = self.cycle;
        out.performed = design.performed;
        if !design.performed.valid
            && self.shared_input.valid
            && self.shared.look_up(cycle, &self.shared_input, &mut self.statistics)
        {
            let MemRequest { tag, mask, .. } = self.shared_input;
            out.performed = MemPerformed { valid: true, tag, mask };
            self.shared_input.valid = false;
        }
        if design.response.valid {
            self.hold(&design.response, design_data);
        }
        out.response = self.next_response(data);
        out.lower_request = design.lower_request;
        if let Some(design_data) = design_data.filter(|_| design.lower_request.valid) {
            data.lower_request = design_data.lower_request;
        }
        out.request_ready = design.request_ready && !self.shared_input.valid;
        out.idle = design.idle
            && !self.shared_input.valid
            && self.shared.is_empty()
            && self.fills.is_empty()
            && self.hits.is_empty()
            && self.stores.is_empty()
            && !out.response.valid
            && !out.performed.valid;
    }

    fn hold(&mut self, response: &MemResponse, data: Option<&MemData>) {
        let lanes = data.filter(|_| !response.store).map(|d| Box::new(d.response));
        let s = &mut self.statistics;
        let of = self.space_of.get(usize::from(response.tag)).copied().unwrap_or(space::GLOBAL);
        let (queue, ready) = if response.store {
            s.of_space(of).stores += 1;
            (&mut self.stores, self.cycle)
        } else {
            s.of_space(of).read(response.outcome);
            match response.outcome {
                outcome::HIT => {
                    s.read_hits += 1;
                    (&mut self.hits, self.cycle + self.hit_wait)
                }
                other => {
                    *match other {
                        outcome::MISS => &mut s.read_misses,
                        outcome::MERGED => &mut s.read_merged,
                        _ => &mut s.bypassed,
                    } += 1;
                    (&mut self.fills, self.cycle)
                }
            }
        };
        queue.push_back((ready, *response, lanes));
    }

    /// The response of the next cycle: fills before shared memory before hits before stores, as in the Rust L1.
    fn next_response(&mut self, data: &mut MemData) -> MemResponse {
        let cycle = self.cycle;
        let mut taken = self.fills.pop_front();
        if taken.is_none()
            && let Some(response) = self.shared.take(cycle)
        {
            return response;
        }
        for queue in [&mut self.hits, &mut self.stores] {
            if taken.is_none() && queue.front().is_some_and(|(ready, ..)| *ready <= cycle) {
                taken = queue.pop_front();
            }
        }
        let Some((_, response, lanes)) = taken else { return MemResponse::default() };
        if let Some(lanes) = lanes {
            data.response = *lanes;
        }
        response
    }
}

impl MemoryPort for DesignPort {
    fn reset(&mut self) -> MemOut {
        self.shared = SharedUnit::new(self.shared.config());
        self.cycle = 0;
        self.shared_input.valid = false;
        self.to_design = MemIn::default();
        self.fills.clear();
        self.hits.clear();
        self.stores.clear();
        self.lines.begin();
        self.statistics = L1Statistics::default();
        MemOut { request_ready: true, idle: true, ..MemOut::default() }
    }

    /// Takes the inputs of the cycle; the outputs of the next come with [`DesignPort::from_design`].
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        self.cycle += 1;
        if input.request.valid && !out.request_ready {
            return Err(DesignError::Contract {
                design: "the SM",
                cycle: self.cycle,
                what: "a request was offered although request_ready was low".to_owned(),
            });
        }
        let design = &mut self.to_design;
        design.request.valid = false;
        if input.request.valid && input.request.space == space::SHARED {
            self.shared_input = input.request;
        } else if input.request.valid {
            design.request = input.request;
            design.request_data = input.request_data;
            if let Some(of) = self.space_of.get_mut(usize::from(input.request.tag)) {
                *of = input.request.space;
            }
        }
        design.flush = input.flush;
        design.lower_ready = input.lower_ready;
        design.lower_response = input.lower_response;
        if input.lower_response.valid {
            design.lower_response_data = input.lower_response_data;
        }
        if out.lower_request.valid && input.lower_ready {
            let s = &mut self.statistics;
            match LowerKind::from_code(out.lower_request.kind) {
                Some(LowerKind::BypassWrite) => s.write_through += 1,
                Some(LowerKind::Atomic) => s.atomics += 1,
                Some(LowerKind::WriteBack | LowerKind::Fill | LowerKind::BypassRead) | None => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use heddle_port::memory::{MemPerformed, MemRequest, MemResponse};
    use heddle_port::{MemData, MemIn, MemOut, MemoryPort};

    use super::{DESIGN_HIT_CYCLES, DesignPort};
    use crate::testing::preset;
    use crate::{outcome, space};

    struct Bench {
        port: DesignPort,
        out: MemOut,
        data: MemData,
        /// What the design drives.
        design: MemOut,
        design_data: MemData,
    }

    impl Bench {
        fn new() -> Self {
            let preset = preset();
            let mut port = DesignPort::new(&preset.l1d, &preset.shared_memory);
            let out = port.reset();
            let design = MemOut { request_ready: true, idle: true, ..MemOut::default() };
            Self { port, out, data: MemData::default(), design, design_data: MemData::default() }
        }

        /// One cycle in which the SM drives `input`; then the design's outputs are idle again.
        fn step(&mut self, input: &MemIn) {
            self.port.step(input, &mut self.out).expect("the contract is kept");
            self.port.from_design(&self.design, Some(&self.design_data), &mut self.out, &mut self.data);
            self.design = MemOut { request_ready: true, idle: true, ..MemOut::default() };
        }
    }

    fn request(tag: u16, space: u8) -> MemIn {
        let request = MemRequest { valid: true, tag, space, mask: 1, size_log2: 2, ..MemRequest::default() };
        MemIn { request, ..MemIn::default() }
    }

    #[test]
    fn shared_memory_stays_beside_the_design_and_gives_way_where_both_perform() {
        let mut bench = Bench::new();
        bench.design.performed = MemPerformed { valid: true, tag: 9, mask: 1 };
        bench.step(&request(3, space::SHARED));
        assert!(!bench.port.to_design().request.valid);
        assert_eq!((bench.out.performed.tag, bench.out.request_ready, bench.out.idle), (9, false, false));
        bench.step(&MemIn::default());
        assert_eq!((bench.out.performed.valid, bench.out.performed.tag), (true, 3));
        assert!(bench.out.request_ready);
        bench.step(&request(4, space::LOCAL));
        let seen = &bench.port.to_design().request;
        assert_eq!((seen.valid, seen.tag), (true, 4));
        assert!(!bench.out.performed.valid);
    }

    #[test]
    fn a_hit_takes_the_hit_latency_and_a_miss_does_not_wait() {
        let latency = u64::from(preset().l1d.hit_latency);
        for (outcome, wait) in [(outcome::HIT, latency - DESIGN_HIT_CYCLES), (outcome::MISS, 0)] {
            let mut bench = Bench::new();
            bench.design.response =
                MemResponse { valid: true, tag: 5, mask: 1, part: 2, outcome, store: false };
            bench.design_data.response[0] = [7, 8, 9, 10];
            bench.step(&MemIn::default());
            bench.design_data.response[0] = [0; 4];
            for _ in 0..wait {
                assert!(!bench.out.response.valid && !bench.out.idle);
                bench.step(&MemIn::default());
            }
            let response = bench.out.response;
            assert_eq!((response.valid, response.tag, response.part), (true, 5, 2), "{outcome}");
            assert_eq!(bench.data.response[0], [7, 8, 9, 10], "the data of its own cycle");
            bench.step(&MemIn::default());
            assert!(!bench.out.response.valid && bench.out.idle);
        }
    }

    #[test]
    fn a_flush_and_what_l2_says_reach_the_design() {
        let mut bench = Bench::new();
        let mut input = MemIn { flush: true, lower_ready: true, ..MemIn::default() };
        (input.lower_response.valid, input.lower_response.id) = (true, 6);
        input.lower_response_data[31] = 77;
        bench.step(&input);
        let seen = bench.port.to_design();
        assert_eq!((seen.flush, seen.lower_ready, seen.lower_response.id), (true, true, 6));
        assert_eq!(seen.lower_response_data[31], 77);
        bench.step(&MemIn::default());
        assert!(!bench.port.to_design().flush && !bench.port.to_design().lower_response.valid);
    }
}
