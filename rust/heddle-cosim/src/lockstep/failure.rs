//! How a launch ends that fails.

use heddle_port::RegIn;
use heddle_sm::{SmError, Wait};

use super::LaunchContext;
use crate::check::{HISTORY, RunChecker};
use crate::error::RunError;
use crate::mismatch::{Check, Mismatch};

/// Without a golden machine beside it a hang is the kernel's when all warps wait at barriers. In a
/// co-simulation the golden machine has run the kernel to its end before.
pub(super) fn sim_failure(context: &LaunchContext<'_>, error: &SmError) -> RunError {
    match error {
        SmError::Access { .. } | SmError::Execution { .. } => RunError::Kernel { message: error.to_string() },
        SmError::Hang { waits, .. }
            if !waits.is_empty() && waits.iter().all(|w| matches!(w.wait, Wait::Barrier(_))) =>
        {
            RunError::Kernel { message: format!("a barrier that is never met: {error}") }
        }
        SmError::Hang { .. } | SmError::Stuck { .. } => hang(context, error),
        SmError::Protocol { cycle, .. } | SmError::Memory { cycle, .. } | SmError::Stopped { cycle } => {
            Mismatch::new(Check::Control, context.place(*cycle), error.to_string()).into()
        }
        _ => RunError::Kernel { message: error.to_string() },
    }
}

/// A hang of the machine under test.
fn hang(context: &LaunchContext<'_>, error: &SmError) -> RunError {
    let (cycle, waits, what) = match error {
        SmError::Hang { cycle, idle, waits } => {
            (cycle, waits, format!("nothing has moved for {idle} cycles"))
        }
        SmError::Stuck { cycle, since, waits } => {
            let since = context.base_cycle + since;
            (cycle, waits, format!("stuck: nothing has changed since cycle {since}, and nothing ever will"))
        }
        _ => return RunError::Kernel { message: error.to_string() },
    };
    let mut place = context.place(*cycle);
    if let Some(first) = waits.first() {
        place.warp = Some(first.slot.0);
        place.cta = Some(first.cta);
        place.pc = first.pc.map(|p| p.0);
        place.source = first.pc.map(|_| first.location.clone());
        place.source_text = first.pc.map(|_| first.source.clone());
    }
    let mut mismatch = Mismatch::new(Check::Hang, place, what);
    mismatch.notes = waits.iter().map(ToString::to_string).collect();
    mismatch.into()
}

/// Why the SM does not go on in a cycle of a co-simulation: `checker` stopped it, or it found something itself.
pub(super) fn tick_failure(
    context: &LaunchContext<'_>,
    checker: &mut impl RunChecker,
    cycle: u64,
    error: &SmError,
) -> RunError {
    match (error, checker.take_failure()) {
        (_, Some(failure)) => failure,
        (SmError::Hang { .. } | SmError::Stuck { .. }, None) => hang(context, error),
        (SmError::Unsupported { .. }, None) => RunError::Kernel { message: error.to_string() },
        (SmError::Access { .. } | SmError::Execution { .. }, None) => {
            lockstep_failure(context, Check::Memory, cycle, error, checker)
        }
        (_, None) => lockstep_failure(context, Check::Control, cycle, error, checker),
    }
}

fn lockstep_failure(
    context: &LaunchContext<'_>,
    check: Check,
    cycle: u64,
    error: &SmError,
    checker: &impl RunChecker,
) -> RunError {
    let mut mismatch = Mismatch::new(check, context.place(cycle), error.to_string());
    mismatch.history = checker.history().recent(HISTORY);
    mismatch.into()
}

/// The warps that the SM drives into the design in a cycle: issued instructions, then results, then the command.
pub(super) fn warps_of(input: &RegIn) -> Vec<u8> {
    let issued = input.issue.iter().filter(|issue| issue.valid).map(|issue| issue.warp);
    let results = input.result.iter().filter(|result| result.valid).map(|result| result.warp);
    let command = input.command.valid.then_some(input.command.warp);
    let mut warps = Vec::new();
    for warp in issued.chain(results).chain(command) {
        if !warps.contains(&warp) {
            warps.push(warp);
        }
    }
    warps
}

/// Whether a failed step is about the waveform file and not about the design.
pub(super) fn is_output(error: &heddle_port::DesignError) -> bool {
    error.to_string().contains("trace file")
}

/// The hierarchical name in an assertion's message, `[time] %Error: file:line: Assertion failed in NAME: ...`.
pub(super) fn assertion_name(message: &str) -> Option<String> {
    let rest = message.split("ssertion failed in ").nth(1)?;
    let name = rest.split([':', ' ', '\n']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_is_named() {
        let text = "[5] %Error: a.sv:7: Assertion failed in TOP.x.grant_is_onehot: grant 0011";
        assert_eq!(assertion_name(text), Some("TOP.x.grant_is_onehot".to_owned()));
        assert_eq!(assertion_name("%Error: something else"), None);
    }
}
