//! The checker of intervals sees each broken rule.

use heddle_isa::{IntervalId, Intervals, Pc, Program};
use heddle_passes::{IntervalFault, PassError, check_intervals, form_intervals};
use heddle_port::Reg;

use crate::listing1::listing1;

/// The fault that the checker finds after a change to the right intervals of listing 1.
fn fault(change: impl FnOnce(&mut Program, &mut Intervals)) -> IntervalFault {
    let (mut program, mut intervals) = form_intervals(&listing1(), 4).expect("intervals");
    check_intervals(&program, &intervals).expect("right intervals");
    change(&mut program, &mut intervals);
    match check_intervals(&program, &intervals) {
        Err(PassError::Intervals { fault, .. }) => fault,
        other => panic!("expected a fault of the intervals, got {other:?}"),
    }
}

#[test]
fn an_instruction_without_interval() {
    let found = fault(|_, i| {
        i.of_pc.pop();
    });
    assert_eq!(found, IntervalFault::Coverage { instructions: 17, assigned: 16 });
    let found = fault(|_, i| i.of_pc[9] = IntervalId(5));
    assert_eq!(found, IntervalFault::Unknown { pc: Pc(9), interval: IntervalId(5), count: 5 });
}

#[test]
fn an_interval_under_a_wrong_number_or_header() {
    let found = fault(|_, i| i.intervals.swap(1, 2));
    assert_eq!(found, IntervalFault::Number { index: 1, id: IntervalId(2) });
    let found = fault(|_, i| i.intervals[3].header = Pc(16));
    assert_eq!(found, IntervalFault::Header { id: IntervalId(3), header: Pc(16) });
    let found = fault(|_, i| i.intervals[0].header = Pc(1));
    assert_eq!(found, IntervalFault::KernelEntry { id: IntervalId(0), header: Pc(1) });
}

#[test]
fn an_edge_into_the_middle() {
    // The back edge of the loop enters interval 1 at pc 4.
    let found = fault(|_, i| i.intervals[1].header = Pc(5));
    assert_eq!(
        found,
        IntervalFault::SecondEntry { id: IntervalId(1), from: Pc(3), to: Pc(4), header: Pc(5) }
    );
    // A branch inside interval 2 that goes to the middle of interval 1.
    let found = fault(|p, _| p.instrs[14] = crate::builder::bra(8));
    assert_eq!(
        found,
        IntervalFault::SecondEntry { id: IntervalId(1), from: Pc(14), to: Pc(8), header: Pc(4) }
    );
}

#[test]
fn a_working_set_that_is_too_large_or_lacks_a_register() {
    let found = fault(|_, i| i.intervals[1].working_set.set(9, true));
    assert_eq!(found, IntervalFault::TooLarge { id: IntervalId(1), registers: 5, limit: 4 });
    let found = fault(|_, i| i.intervals[1].working_set.set(5, false));
    assert_eq!(found, IntervalFault::Missing { pc: Pc(5), register: Reg(5), id: IntervalId(1) });
}

#[test]
fn a_way_out_of_the_program() {
    let (mut program, intervals) = form_intervals(&listing1(), 4).expect("intervals");
    program.instrs[16] = crate::builder::read(&[]);
    let found = check_intervals(&program, &intervals);
    assert!(
        matches!(found, Err(PassError::Target { pc: Pc(16), target: Pc(17), end: Pc(17), .. })),
        "{found:?}"
    );
}
