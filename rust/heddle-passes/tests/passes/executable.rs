//! What a design gets.

use std::sync::Arc;

use heddle_passes::{DesignNeeds, PassError, build_executable, dead_sources, form_intervals};

use crate::listing1::listing1;

#[test]
fn a_design_that_needs_nothing_gets_the_program_and_its_dead_bits() {
    let program = Arc::new(listing1());
    let executable = build_executable(Arc::clone(&program), DesignNeeds::default()).expect("executable");
    assert!(Arc::ptr_eq(&executable.program, &program));
    assert_eq!(executable.intervals, None);
    assert_eq!(executable.dead_sources, dead_sources(&program).expect("dead bits"));
}

#[test]
fn a_design_that_prefetches_gets_intervals() {
    let needs = DesignNeeds { intervals: Some(4), ..DesignNeeds::default() };
    let executable = build_executable(Arc::new(listing1()), needs).expect("executable");
    let (cut, intervals) = form_intervals(&listing1(), 4).expect("intervals");
    assert_eq!(*executable.program, cut);
    assert_eq!(executable.intervals, Some(intervals));
    assert_eq!(executable.dead_sources.len(), cut.instrs.len());
}

#[test]
fn a_limit_that_cannot_hold_is_an_error() {
    let needs = DesignNeeds { intervals: Some(1), ..DesignNeeds::default() };
    let error = build_executable(Arc::new(listing1()), needs).expect_err("a load accesses two registers");
    assert!(matches!(error, PassError::InstructionTooLarge { registers: 2, limit: 1, .. }), "{error}");
}

#[test]
fn code_can_have_prefetches_of_which_nothing_is_made() {
    let needs = DesignNeeds { code_intervals: Some(4), ..DesignNeeds::default() };
    let code = build_executable(Arc::new(listing1()), needs).expect("executable");
    let needs = DesignNeeds { intervals: Some(4), ..DesignNeeds::default() };
    let prefetching = build_executable(Arc::new(listing1()), needs).expect("executable");
    assert!(code.prefetches.len() > 1 && code.prefetches.is_sorted(), "{:?}", code.prefetches);
    assert_eq!((code.prefetches, code.intervals), (prefetching.prefetches, None));
    let plain = build_executable(Arc::new(listing1()), DesignNeeds::default()).expect("executable");
    assert_eq!((plain.prefetches, plain.program), (Vec::new(), code.program));
}
