//! What a refusal of the golden machine means: the kernel does wrong, or the machine under test does.

use heddle_functional::GoldenError;

use super::HISTORY;
use super::history::History;
use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};

/// Turns a golden error met in lock-step into the run's failure.
pub fn explain(error: &GoldenError, place: Place, history: &History) -> RunError {
    if let Some(kernel) = kernel_fault(error) {
        return kernel;
    }
    let (check, register) = match error {
        GoldenError::PendingRead { register, .. } => (Check::Scoreboard, Some(register.0)),
        GoldenError::UndefinedRead { register, .. } => (Check::Compiler, Some(register.0)),
        GoldenError::EarlyPass { .. }
        | GoldenError::PastEnd { .. }
        | GoldenError::Cta { .. }
        | GoldenError::TagInUse { .. } => (Check::Flow, None),
        GoldenError::Unfinished { .. } => (Check::Completeness, None),
        _ => (Check::Memory, None),
    };
    let warp = place.warp;
    let place = Place { register, ..place };
    let mut mismatch = Mismatch::new(check, place, error.to_string());
    mismatch.history = match (warp, register) {
        (Some(warp), Some(register)) => history.of_register(warp, register, u16::MAX, HISTORY),
        _ => history.recent(HISTORY),
    };
    mismatch.into()
}

/// The failure of a golden machine that runs a kernel alone.
pub fn golden_fault(error: &GoldenError) -> RunError {
    match error {
        GoldenError::Stopped { .. } => RunError::Interrupted { cycles: 0 },
        _ => kernel_fault(error).unwrap_or_else(|| RunError::Kernel { message: error.to_string() }),
    }
}

/// The failure when the kernel itself does wrong.
pub fn kernel_fault(error: &GoldenError) -> Option<RunError> {
    match error {
        GoldenError::UninitialisedRead { .. }
        | GoldenError::OutOfBounds { .. }
        | GoldenError::ReadOnly { .. }
        | GoldenError::Misaligned { .. }
        | GoldenError::Race { .. }
        | GoldenError::DivergentBarrier { .. }
        | GoldenError::BarrierNeverMet { .. }
        | GoldenError::Stuck { .. }
        | GoldenError::StuckLanes { .. }
        | GoldenError::Exec { .. }
        | GoldenError::Limit { .. }
        | GoldenError::Launch { .. } => Some(RunError::Kernel { message: error.to_string() }),
        _ => None,
    }
}
