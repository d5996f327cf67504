//! One run of the bench.

use heddle_port::bits::get_bits;
use heddle_port::{DesignError, MemData, MemIn, MemOut, RegIn, RegOut, RegisterData, RegisterFile};

use crate::compare;
use crate::config::BenchConfig;
use crate::failure::{Failure, FailureKind};
use crate::memory::MemoryTraffic;
use crate::shared_cache::SharedTraffic;
use crate::summary::Summary;
use crate::traffic::Traffic;

/// The event of designs that tell of a register which is not there.
const ROW_FAULT: &str = "row_fault";

/// Bound of the last phase, in units of the patience.
const LONGEST_END: u64 = 50;

/// Drives `rtl` and `model` in lock-step with the traffic of `seed` for `cycles` cycles, and then until
/// all warps have been read back and ended.
///
/// # Errors
/// The first thing that is wrong.
pub fn run(
    config: &BenchConfig,
    rtl: &mut dyn RegisterData,
    model: &mut dyn RegisterFile,
    seed: u64,
    cycles: u64,
) -> Result<Summary, Failure> {
    Session::new(config, rtl, Some(model), seed).run(cycles)
}

/// As [`run`], without a model: values and waits are checked, outputs are not.
///
/// # Errors
/// The first thing that is wrong.
pub fn run_alone(
    config: &BenchConfig,
    rtl: &mut dyn RegisterData,
    seed: u64,
    cycles: u64,
) -> Result<Summary, Failure> {
    Session::new(config, rtl, None, seed).run(cycles)
}

struct Session<'a> {
    config: &'a BenchConfig,
    rtl: &'a mut dyn RegisterData,
    model: Option<&'a mut dyn RegisterFile>,
    traffic: Traffic<'a>,
    memory: Option<Box<MemorySession>>,
}

/// The traffic that fits what the design holds.
enum MemorySource {
    Lines(Box<MemoryTraffic>),
    Shared(Box<SharedTraffic>),
}

impl MemorySource {
    fn new(config: &BenchConfig, seed: u64) -> Self {
        if config.held.shared {
            let lines = 8 << config.port.cache_size_log2.min(7);
            Self::Shared(Box::new(SharedTraffic::new(seed, lines, config.held.cached)))
        } else {
            Self::Lines(Box::new(MemoryTraffic::new(seed, config.memory_sets)))
        }
    }

    fn cycle(
        &mut self,
        cycle: u64,
        ending: bool,
        out: &MemOut,
        data: Option<&MemData>,
        input: &mut MemIn,
        patience: u64,
    ) -> Result<bool, FailureKind> {
        match self {
            Self::Lines(traffic) => traffic.cycle(cycle, ending, out, data, input, patience),
            Self::Shared(traffic) => traffic.cycle(cycle, ending, out, data, input, patience),
        }
    }

    fn count(&self, summary: &mut Summary) {
        match self {
            Self::Lines(traffic) => {
                summary.memory_requests = traffic.requests;
                summary.loaded = traffic.loaded;
                summary.longest_response = traffic.longest;
                (summary.spills, summary.refills) = (traffic.spills, traffic.refills);
            }
            Self::Shared(traffic) => {
                summary.memory_requests = traffic.requests();
                summary.loaded = traffic.loaded();
            }
        }
    }
}

/// The memory port of both.
struct MemorySession {
    traffic: MemorySource,
    input: MemIn,
}

impl<'a> Session<'a> {
    fn new(
        config: &'a BenchConfig,
        rtl: &'a mut dyn RegisterData,
        model: Option<&'a mut dyn RegisterFile>,
        seed: u64,
    ) -> Self {
        let memory = rtl.memory_side().map(|_| {
            Box::new(MemorySession { traffic: MemorySource::new(config, seed), input: MemIn::default() })
        });
        Self { config, rtl, model, traffic: Traffic::new(config, seed), memory }
    }

    fn run(mut self, cycles: u64) -> Result<Summary, Failure> {
        let mut input = RegIn::default();
        let mut out = RegOut::default();
        let mut expected = RegOut::default();
        let reset = self.reset(&mut out, &mut expected);
        reset.map_err(|e| self.traffic.failure(0, e.into()))?;
        let mut cycle = 0;
        loop {
            self.compare(&out, &expected).map_err(|kind| self.traffic.failure(cycle, kind))?;
            let ended = self
                .traffic
                .cycle(cycle, cycle >= cycles, &out, self.rtl.operand_data(), &mut input)
                .map_err(|kind| self.traffic.failure(cycle, kind))?;
            let quiet = self.memory_cycle(cycle, cycle >= cycles);
            let quiet = quiet.map_err(|kind| self.traffic.failure(cycle, kind))?;
            if ended && quiet {
                break;
            }
            if cycle > cycles + self.config.patience * LONGEST_END {
                let kind = FailureKind::Wait {
                    what: "the end of all warps".to_owned(),
                    limit: self.config.patience * LONGEST_END,
                };
                return Err(self.traffic.failure(cycle, kind));
            }
            let stepped = self.step(&input, &mut out, &mut expected);
            stepped.map_err(|e| self.traffic.failure(cycle, e.into()))?;
            cycle += 1;
        }
        let mut summary = self.traffic.summary();
        summary.cycles = cycle;
        let mut fields = compare::fields(self.config.widths);
        if let Some(memory) = &self.memory {
            fields += compare::memory_fields();
            memory.traffic.count(&mut summary);
        }
        if self.model.is_some() {
            summary.outputs = (cycle + 1) * fields;
        }
        if summary.values == 0 {
            return Err(self.traffic.failure(cycle, FailureKind::NothingCompared));
        }
        Ok(summary)
    }

    fn reset(&mut self, out: &mut RegOut, expected: &mut RegOut) -> Result<(), DesignError> {
        *out = self.rtl.reset(&self.config.port)?;
        if let Some(model) = &mut self.model {
            *expected = model.reset(&self.config.port)?;
        }
        Ok(())
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut, expected: &mut RegOut) -> Result<(), DesignError> {
        self.rtl.step(input, out)?;
        match &mut self.model {
            Some(model) => model.step(input, expected),
            None => Ok(()),
        }
    }

    /// One cycle of the memory port, where there is one: compares both, and drives both. True when all is done.
    fn memory_cycle(&mut self, cycle: u64, ending: bool) -> Result<bool, FailureKind> {
        let Some(memory) = &mut self.memory else { return Ok(true) };
        let missing = || FailureKind::Protocol("the model has no memory port".to_owned());
        let Some(rtl) = self.rtl.memory_side() else { return Ok(true) };
        let out: MemOut = *rtl.memory_out();
        let data = rtl.memory_data();
        let patience = self.config.patience;
        let done = memory.traffic.cycle(cycle, ending, &out, data, &mut memory.input, patience)?;
        rtl.drive_memory(&memory.input);
        if let Some(model) = &mut self.model {
            let model = model.memory_side().ok_or_else(missing)?;
            model.drive_memory(&memory.input);
        }
        Ok(done)
    }

    /// Whether the design has the event of a fault and it is set.
    fn tells_fault(&self, out: &RegOut) -> bool {
        let field = self.config.events.field(ROW_FAULT);
        field.is_some_and(|field| get_bits(&out.events, usize::from(field.lsb), 1) != 0)
    }

    fn compare(&mut self, out: &RegOut, expected: &RegOut) -> Result<(), FailureKind> {
        if self.config.breach.is_some() && self.tells_fault(out) {
            return Err(FailureKind::Fault(ROW_FAULT));
        }
        let Some(model) = &mut self.model else { return Ok(()) };
        if let Some(difference) = compare::first_difference(out, expected, &self.config.events) {
            return Err(difference);
        }
        match (self.rtl.memory_side(), model.memory_side()) {
            (Some(rtl), Some(model)) => {
                compare::memory_difference(rtl.memory_out(), model.memory_out()).map_or(Ok(()), Err)
            }
            (None, Some(_)) => Err(FailureKind::Protocol("the RTL has no memory port".to_owned())),
            (Some(_), None) => Err(FailureKind::Protocol("the model has no memory port".to_owned())),
            (None, None) => Ok(()),
        }
    }
}
