//! Every shipped kernel through the real program on every design, everything checked.

mod common;

use common::heddle;
use serde_json::Value;

/// Kernels that need local memory when they have 16 registers.
const SPILLING: [&str; 2] = ["hotspot", "divergence"];

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_else(|| panic!("no number '{key}' in {row}"))
}

/// Runs all smoke kernels and checks what each says.
fn smoke(design: &str, registers: &str) -> Vec<Value> {
    let rows = heddle(&["cosim", "-q", "-d", design, "--max-registers", registers, "--format", "json"])
        .passes()
        .json();
    let kernels = heddle(&["list", "kernels", "--format", "json"]).passes().json().len();
    assert_eq!(rows.len(), kernels);
    for row in &rows {
        assert_eq!((&row["ok"], &row["mismatches"]), (&true.into(), &0.into()), "{row}");
        for key in
            ["operands_compared", "controls_compared", "memory_words_compared", "reference_words_compared"]
        {
            assert!(number(row, key) > 0, "{key}: {row}");
        }
        assert!(number(row, "registers") <= registers.parse().expect("a number"), "{row}");
        if design == "ltrf" {
            assert!(number(row, "prefetches") > 0, "{row}");
            let rate = row["register_cache_hit_rate"].as_f64().expect("a rate");
            assert!(rate > 0.5 && rate <= 1.0, "{row}");
        }
    }
    rows
}

/// Bytes of local memory of a thread of a shipped kernel.
fn local_bytes(kernel: &str, registers: &str) -> u64 {
    let file = format!("../../../workloads/kernels/{kernel}/{kernel}.ptx");
    let program = heddle(&["compile", &file, "--max-registers", registers]).passes().stdout;
    let head = program.lines().next().expect("a head line");
    let words: Vec<&str> = head.split_whitespace().collect();
    assert_eq!(words.last(), Some(&"local"), "{head}");
    words[words.len() - 2].parse().expect("a number")
}

/// With 16 registers spills run: more instructions, with local memory, than with all registers.
fn with_spills(design: &str) {
    let (all, few) = (smoke(design, "255"), smoke(design, "16"));
    for (all, few) in all.iter().zip(&few) {
        assert_eq!(all["kernel"], few["kernel"]);
        let kernel = all["kernel"].as_str().expect("a name");
        if SPILLING.contains(&kernel) {
            assert_eq!(local_bytes(kernel, "255"), 0, "{kernel}");
            assert!(local_bytes(kernel, "16") > 0, "{kernel}");
            assert!(number(few, "warp_instructions") > number(all, "warp_instructions"), "{few}");
        }
    }
}

#[test]
fn all_kernels_on_the_baseline_with_and_without_spills() {
    with_spills("baseline");
}

#[test]
fn all_kernels_on_ltrf_with_and_without_spills() {
    with_spills("ltrf");
}

/// Two tests, so that two cores share them.
fn small(kernels: &str) {
    let rows = heddle(&["cosim", "-q", "-d", "ltrf", "-k", kernels, "-s", "small", "--format", "json"])
        .passes()
        .json();
    assert_eq!(rows.len(), kernels.split(',').count());
    for row in &rows {
        assert!(number(row, "operands_compared") > 1_000_000, "{row}");
        assert_eq!((&row["ok"], &row["size"]), (&true.into(), &"small".into()));
    }
}

#[test]
fn small_streams_and_tiles_compare_over_a_million_operands() {
    small("vectoradd,matrixmul,hotspot");
}

#[test]
fn a_small_graph_compares_over_a_million_operands() {
    small("bfs");
}
