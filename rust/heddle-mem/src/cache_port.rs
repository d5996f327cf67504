//! The memory port of an SM whose design holds shared memory, which then lies off chip.
//!
//! Where the design does not hold global and local memory too, they are served by the Rust L1 beside it. Each of the
//! two performs at most one access a cycle; where they meet, the L1 waits. They take turns towards L2 and
//! DRAM, and their responses leave one a cycle, in the order in which they come; of two that come together the
//! design's is first.

use std::collections::VecDeque;

use heddle_config::{L1d, Preset};
use heddle_port::memory::{MemRequest, MemResponse};
use heddle_port::{
    DesignError, HeldSpaces, LaneWords, LineEvents, MemData, MemIn, MemOut, MemoryPort, TAG_BITS,
};

use crate::l1::L1;
use crate::statistics::L1Statistics;
use crate::windows::is_off_chip_shared;
use crate::{kind, outcome, space};

/// Memory spaces that requests name.
const SPACES: usize = 3;

/// The Rust L1 with its port.
#[derive(Debug, Clone)]
struct Beside {
    l1: L1,
    input: MemIn,
    out: MemOut,
}

impl Beside {
    fn new(cache: &L1d, preset: &Preset) -> Self {
        let mut l1 = L1::new(cache, &preset.shared_memory);
        let out = l1.reset();
        Self { l1, input: MemIn::default(), out }
    }
}

/// What stands between the SM and the memory port of a design that holds shared memory.
#[derive(Debug, Clone)]
pub struct CachePort {
    cycle: u64,
    beside: Option<Box<Beside>>,
    to_design: MemIn,
    /// The lower request of the current cycle is the L1's.
    lower_of_l1: bool,
    /// It was taken.
    lower_taken: bool,
    responses: VecDeque<(MemResponse, Option<Box<LaneWords>>)>,
    /// By tag: the lanes of each space for which the design was asked last. A generic load has lanes in several.
    loads_of: Vec<[u32; SPACES]>,
    /// What the last clock edge did to the design's lines of global memory.
    lines: LineEvents,
    statistics: L1Statistics,
}

impl CachePort {
    /// For a design that holds shared memory, and what else `held` says; `cache` is the L1 beside it.
    #[must_use]
    pub fn new(cache: &L1d, preset: &Preset, held: HeldSpaces) -> Self {
        Self {
            cycle: 0,
            beside: (!held.cached).then(|| Box::new(Beside::new(cache, preset))),
            to_design: MemIn::default(),
            lower_of_l1: false,
            lower_taken: false,
            responses: VecDeque::with_capacity(64),
            loads_of: vec![[0; SPACES]; 1 << TAG_BITS],
            lines: LineEvents::default(),
            statistics: L1Statistics::default(),
        }
    }

    /// The Rust L1 beside the design, if the design does not hold it.
    pub(crate) fn l1(&self) -> Option<&L1> {
        self.beside.as_ref().map(|beside| &beside.l1)
    }

    /// What the last clock edge did to lines of global memory, wherever they are.
    pub(crate) fn line_events(&self) -> &LineEvents {
        self.l1().map_or(&self.lines, L1::line_events)
    }

    /// The same, from a design that holds them.
    pub(crate) fn design_lines(&mut self, events: &LineEvents) {
        self.lines.clone_from(events);
    }

    /// The L1 beside the design, to be changed.
    pub(crate) fn l1_mut(&mut self) -> Option<&mut L1> {
        self.beside.as_mut().map(|beside| &mut beside.l1)
    }

    /// At its next clock edge everything of global memory leaves the L1 beside the design.
    pub(crate) fn invalidate(&mut self) {
        if let Some(beside) = &mut self.beside {
            beside.l1.invalidate();
        }
    }

    /// What happened so far, as the port shows it; passes over conflicting banks are events of the design.
    #[must_use]
    pub fn statistics(&self) -> L1Statistics {
        let l1 = self.beside.as_ref().map(|b| b.l1.statistics()).unwrap_or_default();
        let own = &self.statistics;
        L1Statistics {
            read_hits: l1.read_hits + own.read_hits,
            read_misses: l1.read_misses + own.read_misses,
            read_merged: l1.read_merged + own.read_merged,
            bypassed: l1.bypassed + own.bypassed,
            write_through: l1.write_through + own.write_through,
            atomics: l1.atomics + own.atomics,
            shared_accesses: own.shared_accesses,
            global: l1.global.with(&own.global),
            local: l1.local.with(&own.local),
            shared: own.shared,
            ..l1
        }
    }

    /// What the design's memory port is driven with in the current cycle.
    #[must_use]
    pub fn to_design(&self) -> &MemIn {
        &self.to_design
    }

    fn count_request(&mut self, request: &MemRequest) {
        let load = matches!(request.kind, kind::READ | kind::ATOMIC);
        if let Some(spaces) = self.loads_of.get_mut(usize::from(request.tag)) {
            for (space, lanes) in (0..).zip(spaces) {
                *lanes &= !request.mask;
                *lanes |= if load && space == request.space { request.mask } else { 0 };
            }
        }
        let s = &mut self.statistics;
        if request.kind == kind::WRITE {
            s.of_space(request.space).stores += 1;
        }
        match (request.space, request.kind) {
            (space::SHARED, kind::FENCE) => {}
            (space::SHARED, _) => s.shared_accesses += 1,
            (space::GLOBAL, kind::WRITE) => s.write_through += 1,
            (space::GLOBAL, kind::ATOMIC) => s.atomics += 1,
            _ => {}
        }
    }

    fn count_response(&mut self, response: &MemResponse) {
        let Some(spaces) = self.loads_of.get(usize::from(response.tag)) else { return };
        let Some(of) =
            (0..).zip(spaces).find_map(|(space, lanes)| (lanes & response.mask != 0).then_some(space))
        else {
            return;
        };
        let s = &mut self.statistics;
        s.of_space(of).read(response.outcome);
        if of == space::SHARED {
            return;
        }
        *match response.outcome {
            outcome::HIT => &mut s.read_hits,
            outcome::MISS => &mut s.read_misses,
            outcome::MERGED => &mut s.read_merged,
            _ => &mut s.bypassed,
        } += 1;
    }

    /// The design's outputs of the next cycle, after its clock edge; `out` and `data` become those of the port.
    pub fn from_design(
        &mut self,
        design: &MemOut,
        design_data: Option<&MemData>,
        out: &mut MemOut,
        data: &mut MemData,
    ) {
        if design.response.valid {
            self.count_response(&design.response);
            let lanes = design_data.filter(|_| !design.response.store).map(|d| Box::new(d.response));
            self.responses.push_back((design.response, lanes));
        }
        out.performed = design.performed;
        out.request_ready = design.request_ready;
        out.idle = design.idle;
        // Whose request was taken waits for the other's.
        let l1_first = self.lower_of_l1 != self.lower_taken;
        self.lower_of_l1 = false;
        out.lower_request = design.lower_request;
        if let Some(beside) = &mut self.beside {
            let Beside { l1, input, out: l1_out } = &mut **beside;
            l1.step_holding(input, l1_out, design.performed.valid);
            input.request.valid = false;
            if l1_out.performed.valid {
                out.performed = l1_out.performed;
            }
            if l1_out.response.valid {
                self.responses.push_back((l1_out.response, None));
            }
            out.request_ready &= l1_out.request_ready;
            out.idle &= l1_out.idle;
            self.lower_of_l1 = l1_out.lower_request.valid && (l1_first || !design.lower_request.valid);
            if self.lower_of_l1 {
                out.lower_request = l1_out.lower_request;
            }
        }
        if let Some(design_data) = design_data.filter(|_| design.lower_request.valid && !self.lower_of_l1) {
            data.lower_request = design_data.lower_request;
        }
        out.response.valid = false;
        if let Some((response, lanes)) = self.responses.pop_front() {
            out.response = response;
            if let Some(lanes) = lanes {
                data.response = *lanes;
            }
        }
        out.idle &= self.responses.is_empty() && !out.response.valid && !out.performed.valid;
    }
}

impl MemoryPort for CachePort {
    fn reset(&mut self) -> MemOut {
        self.cycle = 0;
        if let Some(beside) = &mut self.beside {
            beside.out = beside.l1.reset();
            beside.input = MemIn::default();
        }
        self.to_design = MemIn::default();
        self.lower_of_l1 = false;
        self.lower_taken = false;
        self.responses.clear();
        self.loads_of.fill([0; SPACES]);
        self.lines.begin();
        self.statistics = L1Statistics::default();
        MemOut { request_ready: true, idle: true, ..MemOut::default() }
    }

    /// Takes the inputs of the cycle; the outputs of the next come with [`CachePort::from_design`].
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), DesignError> {
        self.cycle += 1;
        self.lower_taken = out.lower_request.valid && input.lower_ready;
        if input.request.valid && !out.request_ready {
            return Err(DesignError::Contract {
                design: "the SM",
                cycle: self.cycle,
                what: "a request was offered although request_ready was low".to_owned(),
            });
        }
        let request = &input.request;
        let to_l1 = request.valid && request.space != space::SHARED && self.beside.is_some();
        if request.valid && !to_l1 {
            self.count_request(request);
            self.to_design.request_data = input.request_data;
            self.to_design.request = *request;
        }
        let design = &mut self.to_design;
        design.request.valid = request.valid && !to_l1;
        design.flush = input.flush;
        design.lower_ready = input.lower_ready && !self.lower_of_l1;
        design.lower_response = input.lower_response;
        if input.lower_response.valid {
            design.lower_response_data = input.lower_response_data;
        }
        if let Some(beside) = &mut self.beside {
            let l1 = &mut beside.input;
            if to_l1 {
                l1.request = *request;
            }
            l1.lower_ready = input.lower_ready && self.lower_of_l1;
            l1.lower_response = input.lower_response;
            let shared = is_off_chip_shared(input.lower_response.line);
            l1.lower_response.valid &= !shared;
            design.lower_response.valid &= shared;
        }
        Ok(())
    }
}
