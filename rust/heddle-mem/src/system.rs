//! An implementer of the memory port together with its side of the networks, and of one SM alone with L2 and DRAM.

use heddle_config::Preset;
use heddle_port::memory::MemRequest;
use heddle_port::{DesignError, LaneWords, LineData, MemData, MemIn, MemLowerResponse, MemOut, MemoryPort};

use crate::atomics::{Atomics, Offer};
use crate::audit::Requests;
use crate::division::{Division, Residents};
use crate::first_level::FirstLevel;
use crate::instruction_cache::{Fetched, InstructionCache};
use crate::lower::{Lower, is_store};
use crate::statistics::MemoryStatistics;
use crate::times::{LowerTimes, PathTimes};

/// The memory side of one SM.
#[derive(Debug, Clone)]
pub struct MemorySystem<P = FirstLevel> {
    pub(crate) port: P,
    /// Before the networks, beside the port; `None`: every fetch hits.
    instructions: Option<Box<InstructionCache>>,
    /// Slots whose line of code came in this cycle.
    code_came: u64,
    /// L2 and DRAM, of an SM that shares them with no other.
    pub(crate) lower: Option<Lower>,
    /// The networks take a request in this cycle.
    lower_ready: bool,
    /// What they bring in this cycle.
    lower_response: MemLowerResponse,
    /// What was offered in the last cycle.
    offered: Offer,
    /// Atomics between the port and L2.
    atomics: Atomics,
    /// Nothing of this SM is on its way behind its port, where L2 and DRAM are shared.
    lower_idle: bool,
    /// Stores that the networks have taken.
    pub(crate) stores_sent: u64,
    /// Stores that the SM knows to be at L2, and how many there were before the first cycle here.
    stored: u64,
    stored_before: Option<u64>,
    pub(crate) input: MemIn,
    pub(crate) out: MemOut,
    /// Data of the outputs, of a design that holds them.
    data: Box<MemData>,
    cycle: u64,
    times: PathTimes,
    /// Its auditor.
    requests: Requests,
    /// Counters of the lower side, and its cycle, when it was put behind this port.
    before: MemoryStatistics,
    began: u64,
}

impl MemorySystem<FirstLevel> {
    /// Rust L1 and shared memory, L2 and DRAM of `preset`.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        let division = Division::new(preset, &Residents::default());
        Self::with_port(FirstLevel::rust(preset, &division), preset)
    }

    /// Counters of all levels.
    #[must_use]
    pub fn statistics(&self) -> MemoryStatistics {
        MemoryStatistics {
            l1: self.port.statistics(),
            instructions: self.instructions.as_ref().map(|cache| cache.statistics()).unwrap_or_default(),
            ..self
                .lower
                .as_ref()
                .map_or_else(MemoryStatistics::default, |lower| lower.statistics().lower_since(&self.before))
        }
    }

    /// What the memory port of the design is driven with in the current cycle, if the design holds the L1.
    #[must_use]
    pub fn to_design(&self) -> Option<&MemIn> {
        match &self.port {
            FirstLevel::Design(port) => Some(port.to_design()),
            FirstLevel::Cache(port) => Some(port.to_design()),
            FirstLevel::Rust(_) => None,
        }
    }

    /// The outputs of the design's memory port after its clock edge.
    pub fn from_design(&mut self, out: &MemOut, data: Option<&MemData>) {
        match &mut self.port {
            FirstLevel::Rust(_) => {}
            FirstLevel::Design(port) => port.from_design(out, data, &mut self.out, &mut self.data),
            FirstLevel::Cache(port) => port.from_design(out, data, &mut self.out, &mut self.data),
        }
    }
}

impl<P: MemoryPort> MemorySystem<P> {
    /// Another implementer of the memory port before L2 and DRAM of `preset`.
    #[must_use]
    pub fn with_port(mut port: P, preset: &Preset) -> Self {
        let out = port.reset();
        let (input, data, times) = (MemIn::default(), Box::default(), PathTimes::default());
        let mut system = Self {
            port,
            instructions: InstructionCache::new(&preset.instruction_cache).map(Box::new),
            code_came: 0,
            lower: Some(Lower::new(preset)),
            lower_ready: false,
            lower_response: MemLowerResponse::default(),
            offered: Offer::default(),
            atomics: Atomics::default(),
            lower_idle: true,
            stores_sent: 0,
            stored: 0,
            stored_before: None,
            input,
            out,
            data,
            cycle: 0,
            times,
            requests: Requests::default(),
            before: MemoryStatistics::default(),
            began: 0,
        };
        system.see_lower();
        system
    }

    /// Shares L2 and DRAM with other SMs: from now on [`MemorySystem::share`] says before each step what they do.
    pub fn detach(&mut self) {
        self.lower = None;
        self.stored_before = None;
    }

    /// What `lower`, behind SM `sm`, does in this cycle.
    pub fn share(&mut self, lower: &Lower, sm: usize) {
        self.lower_ready = lower.ready(sm);
        self.see_response(*lower.response(sm));
        self.see_stored(lower.stored(sm));
        self.lower_idle = lower.is_idle_for(sm);
    }

    /// The networks have told of `all` stores since they are there. No store is under way where a launch begins.
    fn see_stored(&mut self, all: u64) {
        self.stored = all - *self.stored_before.get_or_insert(all);
    }

    /// Stores past the L1 of this launch that the SM knows to be at L2.
    #[must_use]
    pub fn stores_at_l2(&self) -> u64 {
        self.stored
    }

    /// What the port offered in the cycle that the last step ended.
    #[must_use]
    pub fn offered(&self) -> &Offer {
        &self.offered
    }

    /// What the own L2 and DRAM do in this cycle.
    fn see_lower(&mut self) {
        let Some(lower) = &self.lower else { return };
        self.lower_ready = lower.ready(0);
        let (response, stored) = (*lower.response(0), lower.stored(0));
        self.see_response(response);
        self.see_stored(stored);
    }

    /// What the networks bring goes to the instruction cache or to the port.
    fn see_response(&mut self, response: MemLowerResponse) {
        self.code_came = 0;
        if !response.valid {
            self.lower_response.valid = false;
            return;
        }
        self.lower_response = response;
        if let Some(cache) = &mut self.instructions
            && InstructionCache::owns(&response)
        {
            self.code_came = cache.answer(&response);
            self.lower_response.valid = false;
        }
    }

    /// Warp slot `slot` fetches from the line of code that holds byte `address`.
    pub fn fetch(&mut self, slot: u8, address: u32) -> Fetched {
        self.instructions.as_mut().map_or(Fetched::Hit, |cache| cache.fetch(slot, address))
    }

    /// Slots whose line of code came in the current cycle.
    #[must_use]
    pub fn code_came(&self) -> u64 {
        self.code_came
    }

    /// Puts L2 and DRAM as an earlier launch left them in place of fresh ones; before the first step. What they counted
    /// before does not count here.
    pub fn set_lower(&mut self, lower: Lower) {
        self.before = lower.statistics();
        self.began = lower.cycle();
        self.lower = Some(lower);
        self.stored_before = None;
        self.see_lower();
    }

    /// L2 and DRAM, for the next launch, if they are not shared.
    #[must_use]
    pub fn into_lower(self) -> Option<Lower> {
        self.lower
    }

    /// When the latest access passed the places on its way.
    #[must_use]
    pub fn times(&self) -> PathTimes {
        let lower = self.lower.as_ref().map_or_else(LowerTimes::default, |l| l.times().since(self.began));
        let mut times = PathTimes { lower, ..self.times };
        if self.out.response.valid {
            times.response = self.cycle;
        }
        times
    }

    /// The auditor sees the port in the current cycle.
    fn audit_port(&mut self) -> Result<(), DesignError> {
        if self.out.response.valid {
            self.requests.ends(&self.out.response);
        }
        if self.out.idle {
            self.requests.at_rest();
        }
        if self.input.request.valid {
            self.requests.begins(&self.input.request);
        }
        match self.requests.broken() {
            None => Ok(()),
            Some(what) => Err(DesignError::Model { cycle: self.cycle, what: what.to_owned() }),
        }
    }

    /// Notes what happens in the current cycle.
    fn note_times(&mut self) {
        let (now, times) = (self.cycle, &mut self.times);
        for (happens, time) in [
            (self.input.request.valid, &mut times.request),
            (self.out.performed.valid, &mut times.performed),
            (self.out.lower_request.valid && self.input.lower_ready, &mut times.lower_request),
            (self.input.lower_response.valid, &mut times.lower_response),
        ] {
            if happens {
                *time = now;
            }
        }
    }

    /// Outputs of the current cycle.
    #[must_use]
    pub fn out(&self) -> &MemOut {
        &self.out
    }

    /// The request of the current cycle; its `valid` is cleared by every step.
    pub fn request_mut(&mut self) -> &mut MemRequest {
        &mut self.input.request
    }

    /// What the lanes of the current cycle's store write, for a design that holds data.
    pub fn request_data_mut(&mut self) -> &mut LaneWords {
        &mut self.input.request_data
    }

    /// Data of the current cycle's outputs, of a design that holds them.
    #[must_use]
    pub fn data(&self) -> &MemData {
        &self.data
    }

    /// Whether L2 takes a request in the current cycle.
    #[must_use]
    pub fn lower_ready(&self) -> bool {
        self.lower_ready
    }

    /// The answer of L2 in the current cycle.
    #[must_use]
    pub fn lower_response(&self) -> &MemLowerResponse {
        &self.lower_response
    }

    /// The line that comes with the answer, for a design that holds data.
    pub fn set_lower_response_data(&mut self, line: LineData) {
        self.input.lower_response_data = line;
    }

    /// Asks a design that holds the L1 to write its dirty lines back and to drop all lines. The memory side must
    /// be idle; it is idle again when that is over.
    pub fn flush(&mut self) {
        self.input.flush = true;
    }

    /// Everything sent has been answered and written.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.out.idle
            && self.instructions.as_ref().is_none_or(|cache| cache.is_idle())
            && self.lower.as_ref().map_or(self.lower_idle, Lower::is_idle)
    }

    /// One clock edge.
    ///
    /// # Errors
    /// What the implementer of the port reports.
    pub fn step(&mut self) -> Result<(), DesignError> {
        self.input.lower_ready = self.lower_ready;
        self.input.lower_response = self.lower_response;
        self.note_times();
        self.cycle += 1;
        self.audit_port()?;
        if self.out.idle {
            self.atomics.at_rest();
        }
        if self.input.request.valid {
            self.atomics.asked(&self.input.request);
        }
        if self.out.lower_request.valid {
            self.offered = self.atomics.offer(self.out.lower_request, self.lower_ready);
        } else {
            self.offered.request.valid = false;
        }
        if let Some(cache) = &mut self.instructions {
            cache.audit(self.cycle)?;
            if !self.offered.request.valid && self.lower_ready {
                self.offered = cache.take_request().unwrap_or_default().into();
            }
        }
        let store = self.lower_ready && self.offered.request.valid && is_store(&self.offered.request);
        self.stores_sent += u64::from(store);
        self.port.step(&self.input, &mut self.out)?;
        if let Some(lower) = &mut self.lower {
            lower.step(std::slice::from_ref(&self.offered))?;
        }
        self.see_lower();
        self.input.request.valid = false;
        self.input.flush = false;
        Ok(())
    }
}
