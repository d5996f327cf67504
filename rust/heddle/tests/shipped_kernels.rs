//! Every shipped kernel through the real program, everything checked. Each runs on one design, the next
//! kernel on the next design; the ignored tests run each on all of them, with few registers too.

use std::path::Path;

use serde_json::Value;

use crate::common::heddle;

/// Kernels that need local memory when they have 16 registers.
const SPILLING: [&str; 2] = ["divergence", "hotspot"];

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_else(|| panic!("no number '{key}' in {row}"))
}

/// The first column of a list.
fn names(what: &str) -> Vec<String> {
    let csv = heddle(&["list", what, "--format", "csv"]).passes().stdout;
    let names: Vec<String> =
        csv.lines().skip(1).filter_map(|l| l.split(',').next().map(str::to_owned)).collect();
    assert!(!names.is_empty(), "{csv}");
    names
}

/// Designs and variants that have RTL.
fn designs() -> Vec<String> {
    let rows = heddle(&["list", "designs", "--format", "json"]).passes().json();
    let with_rtl = rows.iter().filter(|row| row["rtl"] == true);
    with_rtl.map(|row| row["design"].as_str().expect("a name").to_owned()).collect()
}

/// A variant has no folder of its own.
fn is_variant(design: &str) -> bool {
    !Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl")).join(design).is_dir()
}

/// Runs kernels in size smoke and checks what each says.
fn smoke(design: &str, kernels: &[&str], registers: &str) -> Vec<Value> {
    let list = kernels.join(",");
    let rows =
        heddle(&["cosim", "-q", "-d", design, "-k", &list, "--max-registers", registers, "--format", "json"])
            .passes()
            .json();
    assert_eq!(rows.len(), kernels.len());
    for (row, kernel) in rows.iter().zip(kernels) {
        assert_eq!(row["kernel"], *kernel);
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

/// Runs every second kernel from `first` on, each on the design whose turn it is.
fn each_on_one_design(first: usize) {
    let (designs, kernels) = (designs(), names("kernels"));
    for (turn, design) in designs.iter().enumerate() {
        let mine = |i: usize| i % 2 == first && i % designs.len() == turn;
        let mine: Vec<&str> =
            kernels.iter().enumerate().filter(|(i, _)| mine(*i)).map(|(_, k)| k.as_str()).collect();
        if !mine.is_empty() {
            smoke(design, &mine, "255");
        }
    }
}

#[test]
fn kernels_of_even_places_each_on_one_design() {
    each_on_one_design(0);
}

#[test]
fn kernels_of_odd_places_each_on_one_design() {
    each_on_one_design(1);
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
#[test]
fn spills_run_on_every_design() {
    for kernel in SPILLING {
        assert_eq!(local_bytes(kernel, "255"), 0, "{kernel}");
        assert!(local_bytes(kernel, "16") > 0, "{kernel}");
    }
    for design in designs().into_iter().filter(|d| !is_variant(d)) {
        let (all, few) = (smoke(&design, &SPILLING, "255"), smoke(&design, &SPILLING, "16"));
        for (all, few) in all.iter().zip(&few) {
            assert!(number(few, "warp_instructions") > number(all, "warp_instructions"), "{few}");
        }
    }
}

/// Every kernel on every design.
fn all_on_all(registers: &str) {
    let kernels = names("kernels");
    let kernels: Vec<&str> = kernels.iter().map(String::as_str).collect();
    for design in designs() {
        smoke(&design, &kernels, registers);
    }
}

#[test]
#[ignore = "minutes: make test-all"]
fn all_kernels_on_all_designs() {
    all_on_all("255");
}

#[test]
#[ignore = "minutes: make test-all"]
fn all_kernels_on_all_designs_with_16_registers() {
    all_on_all("16");
}

/// Two tests, so that two cores share them.
fn small(design: &str, kernels: &str) {
    let rows = heddle(&["cosim", "-q", "-d", design, "-k", kernels, "-s", "small", "--format", "json"])
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
    small("ltrf", "vectoradd,matrixmul");
}

#[test]
fn a_small_graph_compares_over_a_million_operands() {
    small("baseline", "bfs");
}
