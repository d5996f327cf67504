//! The sites of a small module: every operator, and what is no site.

use std::path::Path;
use std::process::Command;

use heddle_mutate::Site;

/// Operator, expression and replacement of each, by place; with the same start, the shorter expression is first.
const EXPECTED: &[(&str, &str, &str)] = &[
    ("arithmetic", "a_i + (b_i << 2'd3)", "(a_i) - ((b_i << 2'd3))"),
    ("shift", "b_i << 2'd3", "(b_i) >> (2'd3)"),
    ("constant", "2'd3", "2'h0"),
    ("order", "a_i < b_i", "(a_i) <= (b_i)"),
    ("choice", "(a_i < b_i) ? a_i & b_i : ~q", "((a_i < b_i)) ? (~q) : (a_i & b_i)"),
    ("bits", "a_i & b_i", "(a_i) | (b_i)"),
    ("negation", "~q", "(q)"),
    ("index", "g", "(g) + 1"),
    ("index", "g", "(g) - 1"),
    ("logic", "a_i[g] && !(|b_i)", "(a_i[g]) || (!(|b_i))"),
    ("negation", "!(|b_i)", "((|b_i))"),
    ("reduction", "|b_i", "&(b_i)"),
    ("constant", "2", "3"),
    ("constant", "'0", "'1"),
    ("constant", "2", "3"),
    ("index", "i", "(i) + 1"),
    ("index", "i", "(i) - 1"),
    ("equality", "sum[i+:1] == 1'b1", "(sum[i+:1]) != (1'b1)"),
    ("constant", "1'b1", "1'h0"),
    ("constant", "2", "3"),
    ("arithmetic", "Width'(b_i) - 7", "(Width'(b_i)) + (7)"),
    ("constant", "7", "8"),
    ("negation", "!rst_ni", "(rst_ni)"),
    ("constant", "'0", "'1"),
    ("condition", "a_i >= 5'h1f", "!(a_i >= 5'h1f)"),
    ("order", "a_i >= 5'h1f", "(a_i) > (5'h1f)"),
    ("constant", "5'h1f", "5'h0"),
];

#[test]
fn every_operator_has_its_sites_and_nothing_else_has() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = crate_folder.join("tests/data/every_operator.sv");
    let program = crate_folder.join("../../scripts/mutation-sites.py");
    let output = Command::new("python3").arg(program).arg(&file).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let sites: Vec<Site> = lines.lines().map(|line| serde_json::from_str(line).expect("a site")).collect();
    let found: Vec<(&str, &str, &str)> = sites
        .iter()
        .map(|site| (site.operator.as_str(), site.original.as_str(), site.replacement.as_str()))
        .collect();
    assert_eq!(found, EXPECTED);
    let text = std::fs::read_to_string(file).expect("there");
    for site in &sites {
        assert!(text[site.at..].starts_with(site.token.split(' ').next().unwrap_or_default()), "{site}");
        assert!((site.start..site.end).contains(&site.at), "{site}");
    }
}
