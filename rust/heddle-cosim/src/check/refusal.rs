//! What a refusal of the golden machine means: the kernel does wrong, or the machine under test does.

use heddle_functional::{GoldenError, ReplayError};
use heddle_port::{Cycle, LaneMask, Tag};
use heddle_sm::Stop;

use super::history::History;
use super::sms::with_own_tag;
use super::{Checker, HISTORY};
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

impl Checker<'_> {
    /// The golden machine refuses what the machine under test does.
    #[cold]
    pub(super) fn refuse(&mut self, error: GoldenError, place: Place) -> Result<(), Stop> {
        self.failure = Some(explain(&with_own_tag(error), place, &self.history));
        Err(Stop)
    }

    /// It refuses an instruction that is issued.
    #[cold]
    pub(super) fn refuse_issue(
        &mut self,
        error: GoldenError,
        place: Place,
        cycle: Cycle,
    ) -> Result<(), Stop> {
        let judging = self.replay.as_mut().filter(|replay| replay.judges() && kernel_fault(&error).is_some());
        let judged = judging.map(|replay| replay.refuses_too(&error, None));
        self.judged(error, place, cycle, judged)
    }

    /// It refuses `lanes` of the access of its tag: the compiler is to blame where the program as parsed accesses
    /// something else.
    #[cold]
    pub(super) fn refuse_access(
        &mut self,
        error: GoldenError,
        place: Place,
        cycle: Cycle,
        (tag, lanes): (Tag, LaneMask),
    ) -> Result<(), Stop> {
        let Self { golden, replay, .. } = self;
        let (Some(replay), Some(e)) = (replay, golden.expected(tag)) else {
            return self.refuse(error, place);
        };
        let judged = if replay.judges() && kernel_fault(&error).is_some() {
            Some(replay.refuses_too(&error, Some((e, lanes))))
        } else {
            replay.refused(e).err().map(Err)
        };
        self.judged(error, place, cycle, judged)
    }

    /// What the program as parsed was refused the same of, in the same order of accesses, is the kernel's own fault;
    /// what it was not is a mismatch.
    fn judged(
        &mut self,
        error: GoldenError,
        place: Place,
        cycle: Cycle,
        judged: Option<Result<bool, ReplayError>>,
    ) -> Result<(), Stop> {
        match judged {
            None | Some(Ok(true)) => self.refuse(error, place),
            Some(Err(other)) => self.replayed(cycle, Err(other)),
            Some(Ok(false)) => {
                let what =
                    format!("in the same order of accesses the program as parsed does not do this: {error}");
                let mut mismatch = Mismatch::new(Check::Compiler, place, what);
                mismatch.history = self.history.recent(HISTORY);
                self.stop(mismatch)
            }
        }
    }
}
