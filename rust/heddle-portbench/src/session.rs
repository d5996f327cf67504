//! One run of the bench.

use std::fmt;

use heddle_port::{DesignError, RegIn, RegOut, RegisterData, RegisterFile};

use crate::compare;
use crate::config::BenchConfig;
use crate::failure::{Failure, FailureKind};
use crate::traffic::Traffic;

/// Bound of the last phase, in units of the patience.
const LONGEST_END: u64 = 50;

/// How much a run that found nothing wrong has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// The seed.
    pub seed: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Instructions issued.
    pub instructions: u64,
    /// Operands compared, a warp register each.
    pub operands: u64,
    /// Operand values compared, a lane each.
    pub values: u64,
    /// Results written.
    pub results: u64,
    /// Commands carried out.
    pub commands: u64,
    /// Warps that began and ended.
    pub warps: u64,
    /// Output fields compared between RTL and model.
    pub outputs: u64,
    /// Longest wait from an issue to its operands.
    pub longest_operands: u64,
    /// Longest wait from a command's acceptance to its done event.
    pub longest_done: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}: {} cycles, {} warps, {} instructions, {} results, {} commands; compared {} operands \
             ({} values) and {} outputs; longest wait {} cycles for operands, {} for a command",
            self.seed,
            self.cycles,
            self.warps,
            self.instructions,
            self.results,
            self.commands,
            self.operands,
            self.values,
            self.outputs,
            self.longest_operands,
            self.longest_done
        )
    }
}

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
    Session { config, rtl, model: Some(model), traffic: Traffic::new(config, seed) }.run(cycles)
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
    Session { config, rtl, model: None, traffic: Traffic::new(config, seed) }.run(cycles)
}

struct Session<'a> {
    config: &'a BenchConfig,
    rtl: &'a mut dyn RegisterData,
    model: Option<&'a mut dyn RegisterFile>,
    traffic: Traffic<'a>,
}

impl Session<'_> {
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
            if ended {
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
        if self.model.is_some() {
            summary.outputs = (cycle + 1) * compare::fields(self.config.widths);
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

    fn compare(&self, out: &RegOut, expected: &RegOut) -> Result<(), FailureKind> {
        if self.model.is_none() {
            return Ok(());
        }
        compare::first_difference(out, expected, &self.config.events).map_or(Ok(()), Err)
    }
}
