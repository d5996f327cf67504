//! CTAs that begin, instructions and CTAs that end, and the end of the launch.

use heddle_cosim::Check;

use super::fault::{Deed, Fault};
use super::machine::{found, found_at_once};

#[test]
fn a_cta_that_starts_unseen_or_twice_is_found() {
    found(Fault::Started(|_| Deed::Drop), Check::Flow, "is not running");
    found_at_once(Fault::Started(|_| Deed::Repeat), Check::Flow, "started while it is running", "");
    let outside = Fault::Started(|e| {
        e.cta = 2;
        Deed::Change
    });
    found_at_once(outside, Check::Flow, "started, but the grid has 2 CTAs", "");
}

#[test]
fn an_instruction_that_retires_unseen_or_twice_is_found() {
    // A tag that is taken again.
    let retired = Fault::Retired(|tag| if tag.0 == 0 { Deed::Drop } else { Deed::Wait });
    found(retired, Check::Flow, "is still in use by");
    found_at_once(Fault::Retired(|_| Deed::Repeat), Check::Memory, "is not in flight", "");
}

#[test]
fn a_cta_that_ends_unseen_is_found_at_the_end() {
    let (mismatch, _) = found(
        Fault::Finished(|_| Deed::Drop),
        Check::Completeness,
        "the machine under test ends before the golden machine",
    );
    let (_, expected, actual) = &mismatch.sides[0];
    assert!(expected.contains("running") && actual == "ended", "{mismatch}");
}

#[test]
fn another_cta_that_ends_is_found() {
    let fault = Fault::Finished(|e| {
        e.cta ^= 1;
        Deed::Change
    });
    // The other one has executed everything, too, and waits for its stores: it is found when that one ends.
    found(fault, Check::Flow, "CTA");
}
