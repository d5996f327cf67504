//! How a launch ends that fails.

use heddle_port::{Cycle, DesignError, RegIn, Tag, WarpSlot};
use heddle_portbench::Offender;
use heddle_sm::{Sm, SmError, Wait};

use super::LaunchContext;
use crate::check::{HISTORY, RunChecker};
use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place, Transaction};

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
        SmError::Protocol { cycle, .. }
        | SmError::Memory { cycle, .. }
        | SmError::Traffic { cycle, .. }
        | SmError::Stopped { cycle } => port_failure(context.place(*cycle), error).into(),
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
        (_, None) => {
            let mut mismatch = port_failure(context.place(cycle), error);
            mismatch.history = history_of(&mismatch, checker);
            mismatch.into()
        }
    }
}

/// A checker has stopped the run, and does not say why.
pub(super) fn stopped(place: Place, cycle: u64, checker: &impl RunChecker) -> RunError {
    let mut mismatch = port_failure(place, &SmError::Stopped { cycle });
    mismatch.history = history_of(&mismatch, checker);
    mismatch.into()
}

/// The RTL stops with `message` at the clock edge of a cycle in which the SM drives `warps`.
pub(super) fn rtl_failure(place: Place, message: &str, warps: &[u8], checker: &impl RunChecker) -> Mismatch {
    let mut mismatch = Mismatch::new(Check::Assertion, place, format!("the RTL stops: {}", message.trim()));
    mismatch.place.signal = assertion_name(message);
    mismatch.place.warp = warps.first().copied();
    mismatch.history = match warps {
        [] => checker.history().recent(HISTORY),
        _ => checker.history().of_warps(warps, HISTORY),
    };
    mismatch
}

/// What the SM finds at its ports: a break of their contract has a kind of its own.
fn port_failure(place: Place, error: &SmError) -> Mismatch {
    let (check, place) = match error {
        SmError::Protocol { slot, place: at, .. } => {
            let at = at.as_deref();
            let (cta, pc) = (at.map(|at| at.cta), at.map(|at| at.pc.0));
            let (source, source_text) = (at.map(|at| at.location.clone()), at.map(|at| at.source.clone()));
            (Check::Contract, Place { cta, warp: Some(slot.0), pc, source, source_text, ..place })
        }
        SmError::Memory { error, .. } => (check_of(error), place),
        SmError::Traffic { .. } => (Check::Memory, place),
        _ => (Check::Control, place),
    };
    Mismatch::new(check, place, error.to_string())
}

/// Which check a failure of a cycle model belongs to.
pub(super) fn check_of(error: &DesignError) -> Check {
    match error {
        DesignError::Contract { .. } => Check::Contract,
        _ => Check::Control,
    }
}

/// The last transactions of the warp of a mismatch, or of all.
fn history_of(mismatch: &Mismatch, checker: &impl RunChecker) -> Vec<Transaction> {
    match mismatch.place.warp {
        Some(warp) => checker.history().of_warps(&[warp], HISTORY),
        None => checker.history().recent(HISTORY),
    }
}

/// The cycle model does not take a cycle; `offender` is whose input broke the port's contract, where it did.
pub(super) fn model_failure(
    place: Place,
    error: &DesignError,
    offender: Option<Offender>,
    cycle: u64,
    checker: &impl RunChecker,
) -> Mismatch {
    let check = check_of(error);
    let place = match offender.filter(|_| check == Check::Contract) {
        None => place,
        Some(Offender { warp, tag }) => {
            let of = |tag| checker.place_of(Cycle(cycle), WarpSlot(warp), Tag(tag));
            Place { warp: Some(warp), ..tag.and_then(of).unwrap_or(place) }
        }
    };
    let mut mismatch = Mismatch::new(check, place, error.to_string());
    mismatch.history = history_of(&mismatch, checker);
    mismatch
}

/// A break of the contract that is no instruction's own happens before the next one of its warp.
pub(super) fn where_it_stands(error: RunError, sm: &Sm) -> RunError {
    let RunError::Mismatch(mut mismatch) = error else { return error };
    let place = &mut mismatch.place;
    if mismatch.check == Check::Contract
        && place.pc.is_none()
        && let Some(wait) = sm.waits().into_iter().find(|wait| Some(wait.slot.0) == place.warp)
    {
        place.cta = Some(wait.cta);
        place.pc = wait.pc.map(|pc| pc.0);
        place.source = wait.pc.map(|_| wait.location);
        place.source_text = wait.pc.map(|_| wait.source);
    }
    RunError::Mismatch(mismatch)
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

/// How the tracer (`verilated-runtime/cpp/vcd_file.h`) says that the file of the waveform cannot be written.
const CANNOT_WRITE: &str = "cannot write the waveform";

/// Whether a failed step is about the waveform file and not about the design.
pub(super) fn is_output(error: &heddle_port::DesignError) -> bool {
    error.to_string().contains(CANNOT_WRITE)
}

/// The hierarchical name in an assertion's message, `[time] %Error: file:line: Assertion failed in NAME: ...`.
fn assertion_name(message: &str) -> Option<String> {
    let rest = message.split("ssertion failed in ").nth(1)?;
    let name = rest.split([':', ' ', '\n']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use heddle_isa::Pc;
    use heddle_sm::Observer;

    use super::*;
    use crate::check::InWords;
    use crate::check::history::History;

    /// A checker that knows one instruction in flight, T5.
    #[derive(Default)]
    struct OneInFlight(History);

    impl Observer for OneInFlight {}

    impl RunChecker for OneInFlight {
        fn take_failure(&mut self) -> Option<RunError> {
            None
        }

        fn history(&self) -> &History {
            &self.0
        }

        fn instruction(&self, _tag: Tag) -> Option<InWords> {
            None
        }

        fn place_of(&self, cycle: Cycle, slot: WarpSlot, tag: Tag) -> Option<Place> {
            let place = Place { cycle: cycle.0, warp: Some(slot.0), pc: Some(7), ..Place::default() };
            (tag == Tag(5)).then_some(place)
        }

        fn place_at(&self, cycle: Cycle, pc: Pc) -> Place {
            Place { cycle: cycle.0, pc: Some(pc.0), ..Place::default() }
        }

        fn finished(&self, _done: u64, _chosen: u64, _cycle: Cycle) -> Result<(), RunError> {
            Ok(())
        }
    }

    #[test]
    fn a_break_of_the_contract_by_the_sm_has_a_kind_of_its_own_and_the_place_of_its_instruction() {
        let checker = OneInFlight::default();
        let fails = |error: &DesignError, tag| {
            let offender = Some(Offender { warp: 2, tag });
            model_failure(Place::default(), error, offender, 3, &checker)
        };
        let broken = DesignError::Contract { design: "the driver", cycle: 3, what: "T5 again".to_owned() };
        let found = fails(&broken, Some(5));
        assert_eq!((found.check, found.place.warp, found.place.pc), (Check::Contract, Some(2), Some(7)));
        assert!(found.to_string().starts_with("MISMATCH (port contract): the driver: port contract broken"));
        // A command, or a result of what is not in flight.
        for tag in [None, Some(6)] {
            let found = fails(&broken, tag);
            assert_eq!((found.check, found.place.warp, found.place.pc), (Check::Contract, Some(2), None));
        }
        let stale = DesignError::Model { cycle: 3, what: "a line twice".to_owned() };
        let found = fails(&stale, Some(5));
        assert_eq!((found.check, found.place.warp), (Check::Control, None));
    }

    #[test]
    fn a_break_of_the_contract_by_the_design_has_the_place_that_the_sm_tells() {
        let at = heddle_sm::Place {
            cta: 4,
            warp_in_cta: 1,
            pc: Pc(9),
            location: "k.ptx:12:2".to_owned(),
            source: "ret;".to_owned(),
        };
        let error = SmError::Protocol {
            cycle: 8,
            slot: WarpSlot(3),
            place: Some(Box::new(at)),
            what: "operands of T5 came out, which are not being collected".to_owned(),
        };
        let found = port_failure(Place::default(), &error);
        assert_eq!((found.check, found.place.warp, found.place.cta), (Check::Contract, Some(3), Some(4)));
        let text = found.to_string();
        assert!(text.contains("warp slot 3, pc 9") && text.contains("k.ptx:12:2: ret;"), "{text}");
        let stopped = port_failure(Place::default(), &SmError::Stopped { cycle: 8 });
        assert_eq!(stopped.check, Check::Control);
    }

    #[test]
    fn an_assertion_is_named() {
        let text = "[5] %Error: a.sv:7: Assertion failed in TOP.x.grant_is_onehot: grant 0011";
        assert_eq!(assertion_name(text), Some("TOP.x.grant_is_onehot".to_owned()));
        assert_eq!(assertion_name("%Error: something else"), None);
    }
}
