//! `heddle fidelity`: verdicts and exit codes.

mod common;

use common::{heddle, text};

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
fn a_name_that_no_trace_has_is_wrong_use() {
    heddle(&["fidelity", "-q", "ffma_dep_w2"])
        .fails(2, &["no micro-trace 'ffma_dep_w2'", "did you mean 'ffma_dep_w"]);
}
