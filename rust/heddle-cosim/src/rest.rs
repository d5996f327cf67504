//! Whether a design comes to rest after a launch: with nothing offered it drains, and then stays as it is.

use heddle_port::{MemOut, PortWidths, RegOut, Status};

use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};

/// Cycles in a row for which both machines must be at rest after the end, with nothing offered.
const QUIET_CYCLES: u64 = 64;
/// Within so many cycles after the end the design must have come to rest: a full write buffer of the
/// slowest banks has drained by then.
const DRAIN_CYCLES: u64 = 16_384;

/// What a design drives in one cycle.
#[derive(Debug, Clone, Copy)]
pub struct Outputs {
    /// At the register port.
    pub registers: RegOut,
    /// At the memory port, of a design that has one.
    pub memory: Option<MemOut>,
}

/// Steps a design, with nothing offered, until it is at rest: no operands, no done event and nothing at the memory
/// port at any time, and from some cycle on no bank busy, every port ready and the memory port idle. `step` gives the
/// outputs of a cycle after the end, the first of them 0; `place` is where that cycle is.
///
/// # Errors
/// What `step` says, and a design that still moves or does not come to rest.
pub fn come_to_rest(
    widths: PortWidths,
    place: impl Fn(u64) -> Place,
    mut step: impl FnMut(u64) -> Result<Outputs, RunError>,
) -> Result<(), RunError> {
    let (mut out, mut memory) = (RegOut::default(), None);
    let mut quiet = 0;
    for cycle in 0..DRAIN_CYCLES {
        Outputs { registers: out, memory } = step(cycle)?;
        if out.operands.iter().any(|o| o.valid) || out.done.valid {
            let what = "the design still moves after the kernel has ended";
            let moves = format!("{:?} {:?}", out.operands, out.done);
            let mismatch = Mismatch::new(Check::Completeness, place(cycle), what);
            return Err(mismatch.side("operands and done", "none", moves).into());
        }
        if let Some(MemOut { response, performed, lower_request, .. }) = &memory
            && (response.valid || performed.valid || lower_request.valid)
        {
            let what = "the design's memory port still moves after the flush";
            let moves = format!("{response:?} {performed:?} {lower_request:?}");
            let mismatch = Mismatch::new(Check::Completeness, place(cycle), what);
            return Err(mismatch
                .side("responses, performed events and requests to L2", "none", moves)
                .into());
        }
        let ready = out.issue_ready[..widths.issue].iter().chain(&out.result_ready[..widths.result]);
        let at_rest = out.status == Status::default()
            && out.command_ready
            && ready.into_iter().all(|r| *r)
            && memory.is_none_or(|m| m.idle && m.request_ready);
        quiet = if at_rest { quiet + 1 } else { 0 };
        if quiet == QUIET_CYCLES {
            return Ok(());
        }
    }
    let what = format!("the design has not come to rest {DRAIN_CYCLES} cycles after the kernel ended");
    let ready = format!("{:?} {:?} {}", out.issue_ready, out.result_ready, out.command_ready);
    let mut mismatch = Mismatch::new(Check::Completeness, place(DRAIN_CYCLES), what)
        .side(
            "busy banks",
            format!("{:08x?}", Status::default().bank_busy),
            format!("{:08x?}", out.status.bank_busy),
        )
        .side("ready", "all", ready);
    if let Some(MemOut { idle, request_ready, .. }) = memory {
        let actual = format!("idle {idle}, ready {request_ready}");
        mismatch = mismatch.side("memory port", "idle true, ready true", actual);
    }
    Err(mismatch.into())
}

#[cfg(test)]
mod tests {
    use heddle_port::{Done, MemLowerRequest, MemPerformed, MemResponse, Operands};

    use super::*;

    const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

    fn at_rest() -> Outputs {
        let registers = RegOut {
            issue_ready: [true, true, false, false],
            result_ready: [true, true, false, false],
            command_ready: true,
            ..RegOut::default()
        };
        Outputs { registers, memory: None }
    }

    /// The outcome for a design with a memory port, which `change` changes by cycle.
    fn memory_outcome(change: fn(u64, &mut MemOut)) -> Result<(), Box<Mismatch>> {
        let place = |cycle| Place { cycle, ..Place::default() };
        let outcome = come_to_rest(WIDTHS, place, |cycle| {
            let mut memory = MemOut { request_ready: true, idle: true, ..MemOut::default() };
            change(cycle, &mut memory);
            Ok(Outputs { memory: Some(memory), ..at_rest() })
        });
        outcome.map_err(mismatch)
    }

    fn mismatch(error: RunError) -> Box<Mismatch> {
        match error {
            RunError::Mismatch(mismatch) => mismatch,
            other => panic!("{other}"),
        }
    }

    /// The outcome for a design whose outputs `change` changes by cycle, and the cycles it took.
    fn outcome(change: fn(u64, &mut RegOut)) -> (Result<(), Box<Mismatch>>, u64) {
        let mut cycles = 0;
        let place = |cycle| Place { cycle, ..Place::default() };
        let outcome = come_to_rest(WIDTHS, place, |cycle| {
            cycles = cycle + 1;
            let mut out = at_rest();
            change(cycle, &mut out.registers);
            Ok(out)
        });
        (outcome.map_err(mismatch), cycles)
    }

    #[test]
    fn a_design_at_rest_is_watched_for_a_while() {
        assert_eq!(outcome(|_, _| ()), (Ok(()), QUIET_CYCLES));
        // A write buffer that drains until cycle 1000.
        let drains = |cycle, out: &mut RegOut| out.status.bank_busy[0] = u32::from(cycle < 1000);
        assert_eq!(outcome(drains), (Ok(()), 1000 + QUIET_CYCLES));
    }

    #[test]
    fn what_still_moves_is_named() {
        let late: [fn(u64, &mut RegOut); 2] = [
            |cycle, out| out.operands[1] = Operands { valid: cycle == 40, tag: 7 },
            |cycle, out| out.done = Done { valid: cycle == 40, ..Done::default() },
        ];
        for change in late {
            let (outcome, _) = outcome(change);
            let mismatch = outcome.expect_err("it moves");
            assert_eq!((mismatch.check, mismatch.place.cycle), (Check::Completeness, 40));
            assert!(mismatch.what.contains("still moves"), "{mismatch}");
            assert_eq!(mismatch.sides[0].0, "operands and done");
        }
    }

    #[test]
    fn a_design_that_never_rests_is_found() {
        let restless: [fn(u64, &mut RegOut); 4] = [
            // Never 64 cycles in a row.
            |cycle, out| out.status.bank_busy[0] = u32::from(cycle % 60 == 0),
            |_, out| out.command_ready = false,
            |_, out| out.issue_ready[1] = false,
            |_, out| out.result_ready[0] = false,
        ];
        for change in restless {
            let (outcome, cycles) = outcome(change);
            let mismatch = outcome.expect_err("it does not rest");
            assert_eq!(cycles, DRAIN_CYCLES);
            assert_eq!(mismatch.check, Check::Completeness);
            assert!(mismatch.what.contains("has not come to rest 16384 cycles"), "{mismatch}");
        }
    }

    #[test]
    fn a_memory_port_that_moves_or_does_not_rest_is_found() {
        assert_eq!(memory_outcome(|_, _| ()), Ok(()));
        assert_eq!(memory_outcome(|cycle, memory| memory.idle = cycle > 900), Ok(()));
        let moves: [fn(u64, &mut MemOut); 3] = [
            |cycle, m| m.response = MemResponse { valid: cycle == 40, ..MemResponse::default() },
            |cycle, m| m.performed = MemPerformed { valid: cycle == 40, ..MemPerformed::default() },
            |cycle, m| m.lower_request = MemLowerRequest { valid: cycle == 40, ..MemLowerRequest::default() },
        ];
        for change in moves {
            let mismatch = memory_outcome(change).expect_err("it moves");
            assert_eq!((mismatch.check, mismatch.place.cycle), (Check::Completeness, 40));
            assert!(mismatch.what.contains("memory port still moves"), "{mismatch}");
        }
        let restless: [fn(u64, &mut MemOut); 2] = [|_, m| m.idle = false, |_, m| m.request_ready = false];
        for change in restless {
            let mismatch = memory_outcome(change).expect_err("it does not rest");
            assert!(mismatch.what.contains("has not come to rest"), "{mismatch}");
            let (_, expected, actual) = mismatch.sides.last().expect("the memory port");
            assert!(expected != actual && actual.contains("false"), "{mismatch}");
        }
    }
}
