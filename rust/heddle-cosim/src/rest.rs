//! Whether a design comes to rest after a launch: with nothing offered it drains, and then stays as it is.

use heddle_port::{PortWidths, RegOut};

use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};

/// Cycles in a row for which both machines must be at rest after the end, with nothing offered.
const QUIET_CYCLES: u64 = 64;
/// Within so many cycles after the end the design must have come to rest: a full write buffer of the
/// slowest banks has drained by then.
const DRAIN_CYCLES: u64 = 16_384;

/// Steps a design, with nothing offered, until it is at rest: no operands and no done event at any time,
/// and from some cycle on no bank busy and every port ready. `step` gives the outputs of a cycle after the
/// end, the first of them 0; `place` is where that cycle is.
///
/// # Errors
/// What `step` says, and a design that still moves or does not come to rest.
pub fn come_to_rest(
    widths: PortWidths,
    place: impl Fn(u64) -> Place,
    mut step: impl FnMut(u64) -> Result<RegOut, RunError>,
) -> Result<(), RunError> {
    let mut out = RegOut::default();
    let mut quiet = 0;
    for cycle in 0..DRAIN_CYCLES {
        out = step(cycle)?;
        if out.operands.iter().any(|o| o.valid) || out.done.valid {
            let what = "the design still moves after the kernel has ended";
            let moves = format!("{:?} {:?}", out.operands, out.done);
            let mismatch = Mismatch::new(Check::Completeness, place(cycle), what);
            return Err(mismatch.side("operands and done", "none", moves).into());
        }
        let ready = out.issue_ready[..widths.issue].iter().chain(&out.result_ready[..widths.result]);
        let at_rest = out.status.bank_busy == 0 && out.command_ready && ready.into_iter().all(|r| *r);
        quiet = if at_rest { quiet + 1 } else { 0 };
        if quiet == QUIET_CYCLES {
            return Ok(());
        }
    }
    let what = format!("the design has not come to rest {DRAIN_CYCLES} cycles after the kernel ended");
    let ready = format!("{:?} {:?} {}", out.issue_ready, out.result_ready, out.command_ready);
    Err(Mismatch::new(Check::Completeness, place(DRAIN_CYCLES), what)
        .side("busy banks", "0x0", format!("{:#x}", out.status.bank_busy))
        .side("ready", "all", ready)
        .into())
}

#[cfg(test)]
mod tests {
    use heddle_port::{Done, Operands};

    use super::*;

    const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

    fn at_rest() -> RegOut {
        RegOut {
            issue_ready: [true, true, false, false],
            result_ready: [true, true, false, false],
            command_ready: true,
            ..RegOut::default()
        }
    }

    /// The outcome for a design whose outputs `change` changes by cycle, and the cycles it took.
    fn outcome(change: fn(u64, &mut RegOut)) -> (Result<(), Box<Mismatch>>, u64) {
        let mut cycles = 0;
        let place = |cycle| Place { cycle, ..Place::default() };
        let outcome = come_to_rest(WIDTHS, place, |cycle| {
            cycles = cycle + 1;
            let mut out = at_rest();
            change(cycle, &mut out);
            Ok(out)
        });
        let outcome = outcome.map_err(|e| match e {
            RunError::Mismatch(mismatch) => mismatch,
            other => panic!("{other}"),
        });
        (outcome, cycles)
    }

    #[test]
    fn a_design_at_rest_is_watched_for_a_while() {
        assert_eq!(outcome(|_, _| ()), (Ok(()), QUIET_CYCLES));
        // A write buffer that drains until cycle 1000.
        let drains = |cycle, out: &mut RegOut| out.status.bank_busy = u32::from(cycle < 1000);
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
            |cycle, out| out.status.bank_busy = u32::from(cycle % 60 == 0),
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
}
