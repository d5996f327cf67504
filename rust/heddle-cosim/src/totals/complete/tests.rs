use heddle_port::EventLayout;

use super::*;

const KERNEL: ToCompare = ToCompare { values: true, memory_port: false };

fn totals(compared: Compared) -> Totals {
    let mut totals = Totals::new(&[], &EventLayout::default());
    totals.memory_words = 5;
    totals.controls = 5;
    totals.compared(compared);
    totals
}

fn whole() -> Compared {
    Compared { operands: 1, results: 1, flow: 7, memory: 1, ..Compared::default() }
}

fn fails(totals: &Totals, there: ToCompare, what: &str, code: u8) {
    let error = totals.complete(there).expect_err(what);
    assert!(error.to_string().contains(what), "{error}");
    assert_eq!(error.exit_code(), code, "{error}");
}

#[test]
fn a_reference_that_compares_nothing_is_a_failure() {
    let mut totals = Totals::new(&[], &EventLayout::default());
    let error = totals.referenced(0, true).expect_err("nothing was compared");
    assert!(error.to_string().contains("nothing was compared with the CPU reference"), "{error}");
    assert_eq!(error.exit_code(), 3);
    assert!(totals.referenced(0, false).is_ok());
    assert!(totals.referenced(3, true).is_ok());
    assert_eq!(totals.reference_words, 3);
}

#[test]
fn nothing_compared_is_a_failure() {
    fails(&totals(Compared::default()), KERNEL, "no control flow were compared", 3);
    let mut some = totals(Compared { results: 1, flow: 7, ..Compared::default() });
    fails(&some, KERNEL, "no operands, no memory accesses", 1);
    let equal = "equal: 1 results, 5 words of final memory, 7 control flow, 5 control outputs";
    fails(&some, KERNEL, equal, 1);
    some.compared(Compared { operands: 1, memory: 1, ..Compared::default() });
    assert!(some.complete(KERNEL).is_ok());
    some.compared(Compared { loads: 1, ..Compared::default() });
    fails(&some, KERNEL, "no loaded values were compared", 3);
    some.compared(Compared { loaded: 1, ..Compared::default() });
    assert!(some.complete(KERNEL).is_ok());
}

#[test]
fn a_memory_port_without_outputs_compared_is_a_failure() {
    let mut whole = totals(whole());
    let there = ToCompare { memory_port: true, ..KERNEL };
    fails(&whole, there, "no outputs of the memory port were compared", 3);
    whole.memory_outputs = 1;
    assert!(whole.complete(there).is_ok());
}

#[test]
fn spills_and_texture_fetches_of_which_nothing_is_judged_are_failures() {
    let mut spilled = totals(whole());
    spilled.spills_offered = 1;
    fails(&spilled, KERNEL, "no values of the registers that are spilled to compare", 1);
    spilled.compared(Compared { spills_judged: 1, ..Compared::default() });
    assert!(spilled.complete(KERNEL).is_ok());
    let mut fetched = totals(Compared { fetches: 32, ..whole() });
    fails(&fetched, KERNEL, "no texels of its texture fetches to compare", 1);
    fetched.compared(Compared { fetches_judged: 1, ..Compared::default() });
    assert!(fetched.complete(KERNEL).is_ok());
}

#[test]
fn fetches_outside_a_texture_and_spills_of_values_on_their_way_are_judged() {
    let mut border = totals(Compared { fetches: 32, fetches_judged: 32, texels: 0, ..whole() });
    assert!(border.complete(KERNEL).is_ok());
    border.spills_offered = 3;
    border.compared(Compared { spills_judged: 1, spilled: 0, ..Compared::default() });
    assert!(border.complete(KERNEL).is_ok());
}

#[test]
fn an_sm_that_was_named_to_be_rtl_has_something_to_compare() {
    let mut many = totals(whole());
    for (sm, operands) in [(0, 9), (2, 0)] {
        many.compared_on(sm, Compared { operands, ..Compared::default() });
    }
    fails(&many, KERNEL, "gives no operands on SM 2, which is RTL, to compare", 1);
    // A later launch may.
    many.compared_on(2, Compared { operands: 4, ..Compared::default() });
    assert!(many.complete(KERNEL).is_ok());
}
