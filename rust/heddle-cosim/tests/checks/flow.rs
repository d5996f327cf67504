//! Program counter, lanes, predicates, branches.

use heddle_cosim::Check;
use heddle_isa::Pred;

use super::fault::{Deed, Fault};
use super::machine::{found, found_at_once};

const OTHER_INSTRUCTION: &str = "issues another instruction than expected";

#[test]
fn another_pc_is_found() {
    let fault = Fault::Issue(|e| {
        e.pc.0 += 1;
        Deed::Change
    });
    found_at_once(fault, Check::Flow, OTHER_INSTRUCTION, "pc");
}

#[test]
fn other_active_lanes_are_found() {
    let fault = Fault::Issue(|e| {
        // A lane that does not execute, so that only the active lanes differ.
        let idle = e.active.0 & !e.exec.0;
        e.active.0 &= !(idle & idle.wrapping_neg());
        if idle == 0 { Deed::Wait } else { Deed::Change }
    });
    found_at_once(fault, Check::Flow, OTHER_INSTRUCTION, "active lanes");
}

#[test]
fn other_executing_lanes_are_found() {
    let fault = Fault::Issue(|e| {
        e.exec.0 ^= 1 << 7;
        Deed::Change
    });
    found_at_once(fault, Check::Flow, OTHER_INSTRUCTION, "executing lanes");
}

#[test]
fn a_warp_or_cta_that_is_not_there_is_found() {
    let warp = Fault::Issue(|e| {
        e.warp_in_cta = 9;
        Deed::Change
    });
    found_at_once(warp, Check::Flow, "has 2 warps, so no warp 9", "");
    let cta = Fault::Issue(|e| {
        e.cta = 77;
        Deed::Change
    });
    found_at_once(cta, Check::Flow, "CTA 77: is not running", "");
}

#[test]
fn an_instruction_that_is_passed_over_is_found() {
    let (mismatch, _) = found(Fault::Issue(|_| Deed::Drop), Check::Flow, OTHER_INSTRUCTION);
    assert!(mismatch.sides.iter().any(|(label, e, a)| label == "pc" && e != a), "{mismatch}");
}

#[test]
fn predicates_in_other_lanes_are_found() {
    let fault = Fault::Predicates(|w| {
        w.exec ^= 1;
        Deed::Change
    });
    found_at_once(fault, Check::Flow, "writes other predicates", "lanes");
}

#[test]
fn another_predicate_is_found() {
    let other = Fault::Predicates(|w| {
        w.predicates[0] = Pred(7);
        Deed::Change
    });
    found_at_once(other, Check::Flow, "writes other predicates", "predicates");
    let fewer = Fault::Predicates(|w| {
        w.predicates.pop();
        w.values.pop();
        Deed::Change
    });
    found_at_once(fewer, Check::Flow, "writes other predicates", "predicates");
}

#[test]
fn a_wrong_predicate_value_is_found() {
    let fault = Fault::Predicates(|w| {
        w.values[1] ^= 1 << 13;
        Deed::Change
    });
    let (mismatch, struck) = found(fault, Check::Flow, "is wrong in lanes 0x00002000");
    assert_eq!((Some(mismatch.place.cycle), mismatch.place.lane), (struck, Some(13)));
}

#[test]
fn predicates_that_are_not_written_or_twice_are_found() {
    let never = Fault::Predicates(|_| Deed::Drop);
    found(never, Check::Completeness, "retires without having been compared: predicates");
    let twice = Fault::Predicates(|_| Deed::Repeat);
    found_at_once(twice, Check::Completeness, "Predicates of", "");
}

#[test]
fn other_lanes_that_branch_are_found() {
    let fault = Fault::Branch(|e| {
        e.taken.0 ^= 1 << 31;
        Deed::Change
    });
    found_at_once(fault, Check::Flow, "other lanes take the branch", "taken");
}

#[test]
fn a_branch_that_is_not_decided_or_twice_is_found() {
    let never = Fault::Branch(|_| Deed::Drop);
    found_at_once(never, Check::Completeness, "retires without having been compared: branch", "");
    let twice = Fault::Branch(|_| Deed::Repeat);
    found_at_once(twice, Check::Completeness, "Branch of", "");
}
