//! How long instructions wait for their operands, measured by a run of the cycle model.

use heddle_port::TAG_BITS;
use heddle_sm::{IssueEvent, Observer, OperandsEvent, Stop};

use crate::control::Control;
use crate::error::RunError;
use crate::lockstep::LaunchObserver;
use crate::session::Session;
use crate::spec::RunSpec;

/// The times of all warp instructions of a run that read a register, from issue until all their operands are out, in
/// core cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandTimes {
    /// Instructions.
    pub instructions: u64,
    /// Sum of the times.
    pub cycles: u64,
    /// The shortest time, that of an instruction that waits for no other; none without instructions.
    pub least: Option<u64>,
}

impl OperandTimes {
    /// The average time; none without instructions.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.instructions > 0).then(|| self.cycles as f64 / self.instructions as f64)
    }
}

/// Notes when each tag was issued.
#[derive(Debug)]
struct Watch {
    issued: Vec<u64>,
    times: OperandTimes,
}

impl LaunchObserver for Watch {}

impl Observer for Watch {
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        self.issued[usize::from(event.tag.0)] = event.cycle.0;
        Ok(())
    }

    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        if event.source_valid != 0 {
            let time = event.cycle.0 - self.issued[usize::from(event.tag.0)];
            self.times.instructions += 1;
            self.times.cycles += time;
            self.times.least = Some(self.times.least.map_or(time, |least| least.min(time)));
        }
        Ok(())
    }
}

/// Runs the cycle model and measures.
///
/// # Errors
/// As a run of the cycle model.
pub fn operand_times(spec: RunSpec, control: &mut dyn Control) -> Result<OperandTimes, RunError> {
    let times = OperandTimes { instructions: 0, cycles: 0, least: None };
    let mut watch = Watch { issued: vec![0; 1 << TAG_BITS], times };
    Session::new(spec)?.observe(control, &mut watch)?;
    Ok(watch.times)
}
