//! PC, masks, predicates and branches of the machine under test against the golden machine.

use heddle_isa::{Pc, Program};
use heddle_port::LaneMask;
use heddle_sm::{BranchEvent, IssueEvent, PredicateEvent, Stop};

use super::history::{Access, At};
use super::owed::Due;
use super::{Checker, HISTORY};
use crate::mismatch::{Check, Mismatch, Place};

/// What is wrong where other predicates are written than the instruction at `pc` has, or in other lanes than `mask`.
pub(super) fn other_predicates(
    program: &Program,
    (pc, mask): (Pc, LaneMask),
    event: &PredicateEvent<'_>,
    place: impl FnOnce() -> Place,
) -> Option<Mismatch> {
    let instr = program.instrs.get(pc.index());
    let predicates = instr.map(|i| i.pred_dsts.as_slice()).unwrap_or_default();
    if (predicates, mask) == (event.predicates, event.exec) {
        return None;
    }
    let what = format!("{} writes other predicates or other lanes", event.tag);
    let mismatch = Mismatch::new(Check::Flow, place(), what)
        .side("predicates", format!("{predicates:?}"), format!("{:?}", event.predicates))
        .side("lanes", mask.to_string(), event.exec.to_string());
    Some(mismatch)
}

impl Checker<'_> {
    /// Steps the golden machine and compares which instruction it expects, in which lanes.
    pub(super) fn check_issue(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let (cycle, tag) = (self.cycle(event.cycle), self.golden_tag(event.tag));
        let expected = match self.golden.issue(event.cta, event.warp_in_cta, tag) {
            Ok(expected) => expected,
            Err(error) => {
                let place = Place {
                    cta: Some(event.cta),
                    ..self.place(event.cycle, Some(event.slot), Some(event.pc))
                };
                return self.refuse_issue(error, place, event.cycle);
            }
        };
        self.compared.flow += 3;
        if expected.pc == event.pc && expected.active == event.active && expected.exec == event.exec {
            let Some(instr) = self.program.instrs.get(event.pc.index()) else {
                let place = self.place(event.cycle, Some(event.slot), Some(event.pc));
                return self.stop(Mismatch::new(
                    Check::Flow,
                    place,
                    format!("the program has no {}", event.pc),
                ));
            };
            if let Some(replay) = &mut self.replay {
                replay.issued(tag, expected);
            }
            self.owed.issued(event.tag, instr, event.through_port);
            if event.through_port {
                let at = At::new(cycle, event.slot, event.tag, event.pc, event.exec);
                for register in instr.source_regs() {
                    self.history.register(at, Access::ReadIssued, register.0, None);
                }
            }
            return Ok(());
        }
        let (pc, active, exec) = (expected.pc, expected.active, expected.exec);
        let place =
            Place { cta: Some(event.cta), ..self.place(event.cycle, Some(event.slot), Some(event.pc)) };
        let mut mismatch = Mismatch::new(
            Check::Flow,
            place,
            format!(
                "warp {} of CTA {} issues another instruction than expected",
                event.warp_in_cta, event.cta
            ),
        )
        .side("pc", pc.to_string(), event.pc.to_string())
        .side("active lanes", active.to_string(), event.active.to_string())
        .side("executing lanes", exec.to_string(), event.exec.to_string());
        mismatch.history = self.history.recent(HISTORY);
        self.stop(mismatch)
    }

    /// Compares predicates as they are written.
    pub(super) fn check_predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(self.golden_tag(event.tag)) else {
            return self.unknown_tag(event.cycle, event.tag);
        };
        let place = || Place { cta: Some(expected.cta), ..self.place(event.cycle, None, Some(event.pc)) };
        if let Some(mut mismatch) = other_predicates(self.program, (expected.pc, expected.exec), event, place)
        {
            mismatch.history = self.history.recent(HISTORY);
            return self.stop(mismatch);
        }
        for (index, (pred, value)) in event.predicates.iter().zip(event.values).enumerate() {
            self.compared.flow += u64::from(event.exec.count());
            let wrong = (expected.results.preds[index] ^ value) & event.exec.0;
            if wrong != 0 {
                let lane = wrong.trailing_zeros();
                let golden = LaneMask(expected.results.preds[index] & event.exec.0);
                let place = Place {
                    cta: Some(expected.cta),
                    lane: u8::try_from(lane).ok(),
                    signal: Some(pred.to_string()),
                    ..self.place(event.cycle, None, Some(event.pc))
                };
                let what = format!("predicate {pred} is wrong in lanes {}", LaneMask(wrong));
                let mut mismatch = Mismatch::new(Check::Flow, place, what).side(
                    pred.to_string(),
                    golden.to_string(),
                    LaneMask(value & event.exec.0).to_string(),
                );
                mismatch.history = self.history.recent(HISTORY);
                return self.stop(mismatch);
            }
        }
        self.came(event.cycle, event.tag, Due::Predicates)
    }

    /// Compares which lanes take a branch: those in which the guard holds.
    pub(super) fn check_branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(self.golden_tag(event.tag)) else {
            return self.unknown_tag(event.cycle, event.tag);
        };
        self.compared.flow += 1;
        let golden = expected.exec;
        if golden == event.taken {
            return self.came(event.cycle, event.tag, Due::Branch);
        }
        let place = self.place(event.cycle, None, Some(event.pc));
        let mut mismatch = Mismatch::new(Check::Flow, place, "other lanes take the branch than expected")
            .side("taken", golden.to_string(), event.taken.to_string());
        mismatch.history = self.history.recent(HISTORY);
        self.stop(mismatch)
    }
}
