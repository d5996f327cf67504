//! Conformance of the execution semantics: random and corner operands of every operation against
//! independent oracles.
//!
//! `cargo test -p heddle-isa --test conformance -- --nocapture` prints the number of cases of each
//! operation and type.

mod approx;
mod compare;
mod convert;
mod float;
mod half;
mod harness;
mod integer;
mod video;
mod warp;
mod words;

/// Every part of the suite. Each is a function so that the cases can be counted together.
const PARTS: &[(&str, fn())] = &[
    ("approx::sine_and_cosine", approx::sine_and_cosine),
    ("approx::of_double_precision_by_the_upper_word", approx::of_double_precision_by_the_upper_word),
    ("approx::within_half_a_unit", approx::within_half_a_unit),
    ("compare::predicates_and_registers", compare::predicates_and_registers),
    ("compare::selections", compare::selections),
    ("convert::floats_to_floats", convert::floats_to_floats),
    ("convert::floats_to_integers", convert::floats_to_integers),
    ("convert::integers_to_floats", convert::integers_to_floats),
    ("convert::integers_to_integers", convert::integers_to_integers),
    ("float::double_precision", float::double_precision),
    ("float::half_precision", float::half_precision),
    ("float::minimum_maximum_and_signs", float::minimum_maximum_and_signs),
    ("float::single_precision", float::single_precision),
    ("float::square_roots", float::square_roots),
    ("half::approximations", half::approximations),
    ("half::arithmetic", half::arithmetic),
    ("half::comparisons", half::comparisons),
    ("half::conversions", half::conversions),
    ("half::properties", half::properties),
    ("half::single_precision_magnitudes", half::single_precision_magnitudes),
    ("integer::arithmetic", integer::arithmetic),
    ("integer::bit_fields", integer::bit_fields),
    ("integer::counting", integer::counting),
    ("integer::saturating_and_carrying", integer::saturating_and_carrying),
    ("integer::shifts", integer::shifts),
    ("integer::wide_products", integer::wide_products),
    ("video::multiply_add", video::multiply_add),
    ("video::scalar_forms", video::scalar_forms),
    ("video::simd_forms", video::simd_forms),
    ("words::dot_products", words::dot_products),
    ("words::logic_by_table", words::logic_by_table),
    ("words::masks_and_extension", words::masks_and_extension),
    ("words::nth_set_bit", words::nth_set_bit),
    ("words::permutations", words::permutations),
    ("words::products_of_24_bits", words::products_of_24_bits),
];

/// Fewer cases than this prove little.
const LEAST: u64 = 200_000;
/// The least for one operation and type.
const LEAST_EACH: u64 = 64;

#[test]
fn every_operation_agrees_with_its_oracle() {
    let mut total = 0;
    for (name, part) in PARTS {
        part();
        for (operation, cases) in harness::take_cases() {
            println!("{cases:>8}  {operation:<28} {name}");
            assert!(cases >= LEAST_EACH, "{name}: {cases} cases of {operation}");
            total += cases;
        }
    }
    println!("{total:>8}  in all");
    assert!(total >= LEAST, "{total} cases");
}
