//! `heddle fidelity`: verdicts and exit codes.

use crate::common::{heddle, text};

#[test]
fn every_trace_is_within_its_limit() {
    let rows = heddle(&["fidelity", "-q", "--format", "json"]).passes().json();
    assert!(rows.len() > 30 && rows.iter().any(|row| row["trace"] == "mean"), "{} rows", rows.len());
}

#[test]
fn a_trace_within_its_limit_passes_and_a_slower_machine_fails() {
    let trace = "ldg_l1_dep_w1";
    let line = ["fidelity", "-q", "--format", "json", trace];
    let row = &heddle(&line).passes().json()[0];
    assert_eq!((row["trace"].as_str(), row["verdict"].as_str()), (Some(trace), Some("within")));
    let slow = [&line[..], &["--set", "l1d.hit_latency=300"]].concat();
    let slow = heddle(&slow).fails(1, &["1 of 1 rows", trace]);
    let slower = &slow.json()[0];
    assert_eq!(slower["verdict"], "beyond");
    assert!(slower["distance"].as_f64() > row["distance"].as_f64());
}

#[test]
fn the_traces_that_are_kept_are_those_that_ran() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kept = text(folder.path());
    let row =
        &heddle(&["fidelity", "-q", "--format", "json", "ldg_l1_dep_w1", "-o", kept]).passes().json()[0];
    let list = folder.path().join("ldg_l1_dep_w1/kernelslist.g");
    let run = &heddle(&["sim", "-q", "--format", "json", "-p", "volta", text(&list)]).passes().json()[0];
    assert_eq!(row["cycles"], run["cycles"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_a_failure() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writable");
    heddle(&["fidelity", "-q", "ffma_dep_w1", "-o", text(&file)]).fails(1, &["cannot write", text(&file)]);
}

#[test]
fn a_name_that_no_trace_has_is_wrong_use() {
    heddle(&["fidelity", "-q", "ffma_dep_w2"])
        .fails(2, &["no micro-trace 'ffma_dep_w2'", "did you mean 'ffma_dep_w"]);
}

#[test]
fn presets_without_references_are_within_the_bounds_that_follow_from_them() {
    for preset in ["fermi", "maxwell"] {
        let rows = heddle(&["fidelity", "-q", "--format", "json", "-p", preset]).passes().json();
        assert!(rows.len() >= 15 && rows.iter().all(|row| row["verdict"] == "within"), "{preset}");
        assert!(rows.iter().all(|row| row["bound"].is_string() && row["cycles"].as_u64() > Some(500)));
    }
}

#[test]
fn a_slower_port_misses_the_exact_bound_and_a_key_moves_it() {
    let line = ["fidelity", "-q", "--format", "json", "-p", "fermi", "ffma_dep"];
    let cycles = |more: &[&str]| heddle(&[&line[..], more].concat()).passes().json()[0]["cycles"].as_u64();
    // 400 instructions, each of which takes three cycles more.
    assert_eq!(cycles(&["--set", "pipeline.fp32.latency=7"]), cycles(&[]).map(|cycles| cycles + 3 * 400));
    let slow = [&line[..], &["--set", "register_file.bank_cycles=3"]].concat();
    heddle(&slow)
        .fails(1, &["1 of 1 rows are not within the bounds that follow from the preset", "ffma_dep"]);
    heddle(&["fidelity", "-q", "-p", "fermi", "ffma_deb"]).fails(2, &["did you mean 'ffma_dep"]);
}
