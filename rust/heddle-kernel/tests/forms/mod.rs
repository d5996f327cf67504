//! Every opcode form that real kernels use, compiled once.
//!
//! `tests/data/ptx_opcodes.csv` counts the opcodes with their modifiers in 1,261 kernels of Rodinia,
//! Parboil, PolyBench, the CUDA samples and ispass2009. Each row becomes one instruction with operands of
//! the types that the form names.

mod synthesis;

use heddle_kernel::{AllocOptions, compile};

const TABLE: &str = include_str!("../data/ptx_opcodes.csv");

/// Forms that are refused, by base opcode, with their number and what the message says.
const REFUSED: &[(&str, usize, &str)] =
    &[("wmma", 18, "'wmma' is a tensor-core instruction; tensor cores are not modelled")];

/// Rows of the table: the whole form and its base opcode.
fn rows() -> Vec<(&'static str, &'static str)> {
    let rows = TABLE.lines().skip(1).map(|line| {
        let mut fields = line.split(',');
        (fields.next().expect("a form"), fields.next().expect("a base opcode"))
    });
    rows.collect()
}

#[test]
fn every_form_compiles_or_says_why_not() {
    let mut refused = vec![0; REFUSED.len()];
    let mut compiled = 0;
    let mut faults = Vec::new();
    for (form, base) in rows() {
        let instruction = synthesis::instruction(form, base);
        let text = synthesis::kernel(&instruction);
        let result = compile("form.ptx", &text, Some("k"), AllocOptions::default());
        match (result, REFUSED.iter().position(|(b, ..)| *b == base)) {
            (Ok(_), None) => compiled += 1,
            (Ok(_), Some(_)) => faults.push(format!("{instruction}: compiles")),
            (Err(error), Some(which)) if error.to_string().contains(REFUSED[which].2) => refused[which] += 1,
            (Err(error), _) => faults.push(format!("{instruction}\n{error}")),
        }
    }
    assert!(faults.is_empty(), "{} forms:\n{}", faults.len(), faults.join("\n"));
    for ((base, number, _), found) in REFUSED.iter().zip(refused) {
        assert_eq!(found, *number, "forms of '{base}'");
    }
    assert_eq!(compiled, 457);
}

#[test]
fn the_table_has_the_63_base_opcodes_and_more_forms() {
    let mut bases: Vec<&str> = rows().iter().map(|(_, base)| *base).collect();
    bases.sort_unstable();
    bases.dedup();
    assert_eq!((bases.len(), rows().len()), (63, 475));
}

#[test]
fn the_page_lists_every_base_opcode_with_its_forms() {
    let page = include_str!("../../../../docs/ptx.md");
    for (_, base) in rows() {
        let forms = rows().iter().filter(|(_, b)| *b == base).count();
        assert!(page.contains(&format!("| `{base}` | {forms} | ")), "docs/ptx.md has no row for '{base}'");
    }
}
