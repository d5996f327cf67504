//! Operands that come out of the design, results that go into it.

use heddle_cosim::Check;
use heddle_port::{LaneData, NUM_SOURCES, Reg, Tag};
use heddle_sm::{OperandsEvent, ResultEvent};

use super::fault::{Deed, Fault};
use super::machine::{found, found_at_once, run};

/// The highest tag; no instruction has it in so short a run.
const NO_TAG: Tag = Tag((1 << heddle_port::TAG_BITS) - 1);

fn operands(change: fn(&mut OperandsEvent<'_>, &mut [LaneData; NUM_SOURCES]) -> Deed) -> Fault {
    Fault::Operands(change)
}

fn result(change: fn(&mut ResultEvent<'_>, &mut LaneData) -> Deed) -> Fault {
    Fault::Result(change)
}

#[test]
fn without_a_fault_everything_is_compared() {
    let passed = run(Fault::None).unwrap_or_else(|(mismatch, _)| panic!("{mismatch}"));
    assert_eq!(passed.struck, None);
    let compared = passed.compared;
    assert!(compared.operands > 1000 && compared.results > 1000, "{compared:?}");
    assert!(compared.loaded > 0 && compared.loaded == compared.loads, "{compared:?}");
    assert!(compared.flow > 200 && compared.memory > 1000, "{compared:?}");
}

#[test]
fn operands_of_another_instruction_are_found() {
    let pc = operands(|e, _| {
        e.pc.0 += 1;
        Deed::Change
    });
    found_at_once(pc, Check::Operand, "has other operands", "pc");
    let lanes = operands(|e, _| {
        e.exec.0 ^= 1 << 3;
        Deed::Change
    });
    found_at_once(lanes, Check::Operand, "has other operands", "executing lanes");
    let slots = operands(|e, _| {
        e.source_valid ^= 0b10;
        Deed::Change
    });
    found_at_once(slots, Check::Operand, "has other operands", "source slots");
    let tag = operands(|e, _| {
        e.tag = NO_TAG;
        Deed::Change
    });
    found_at_once(tag, Check::Operand, "T1023 is not in flight", "");
}

#[test]
fn a_wrong_operand_is_found_in_its_lane() {
    let fault = operands(|e, sources| {
        if e.source_valid & 0b10 == 0 || !e.exec.has(11) {
            return Deed::Wait;
        }
        sources[1][11] ^= 1 << 30;
        Deed::Change
    });
    found_at_once(fault, Check::Operand, "came out wrong", "lane 11");
}

#[test]
fn a_lane_that_does_not_execute_may_hold_anything() {
    let fault = operands(|e, sources| {
        if e.exec.has(5) || e.source_valid == 0 {
            return Deed::Wait;
        }
        sources[0][5] ^= 1;
        Deed::Change
    });
    let passed = run(fault).unwrap_or_else(|(mismatch, _)| panic!("{mismatch}"));
    assert!(passed.struck.is_some(), "an instruction executes without lane 5");
}

#[test]
fn operands_that_never_come_or_twice_are_found() {
    let never = operands(|_, _| Deed::Drop);
    found(never, Check::Completeness, "retires without having been compared: operands");
    let twice = operands(|_, _| Deed::Repeat);
    found_at_once(twice, Check::Completeness, "Operands of", "");
}

#[test]
fn a_result_of_another_register_is_found() {
    let register = result(|e, _| {
        e.register = Reg(e.register.0 + 1);
        Deed::Change
    });
    found_at_once(register, Check::Operand, "writes another register or other lanes", "register");
    let destination = result(|e, _| {
        e.destination += 1;
        Deed::Change
    });
    found_at_once(destination, Check::Operand, "writes another register or other lanes", "register");
    let lanes = result(|e, _| {
        e.mask.0 ^= 1 << 2;
        Deed::Change
    });
    found_at_once(lanes, Check::Operand, "writes another register or other lanes", "lanes");
    let tag = result(|e, _| {
        e.tag = NO_TAG;
        Deed::Change
    });
    found_at_once(tag, Check::Operand, "T1023 is not in flight", "");
}

#[test]
fn a_wrong_result_is_found_in_its_lane() {
    let fault = result(|e, data| {
        data[9] = !data[9];
        if e.mask.has(9) { Deed::Change } else { Deed::Wait }
    });
    found_at_once(fault, Check::Operand, "is wrong", "lane 9");
}

#[test]
fn a_result_that_never_comes_or_twice_is_found() {
    let never = result(|_, _| Deed::Drop);
    found(never, Check::Completeness, "retires without having been compared: result 0");
    let second = result(|e, _| if e.destination == 1 { Deed::Drop } else { Deed::Wait });
    found(second, Check::Completeness, "retires without having been compared: result 1");
    let twice = result(|_, _| Deed::Repeat);
    found_at_once(twice, Check::Completeness, "Result(0) of", "");
}
