//! `heddle claims --measure`: what verdicts need runs, and nothing else.

mod common;

use std::fs;

use common::{heddle, text};

#[test]
fn a_claim_runs_what_it_needs_and_nothing_else() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let line = ["claims", "--only", "osm-8k", "--results", text(folder.path()), "--format", "json"];
    let with = |more: &[&'static str], told: &str| heddle(&[&line[..], more].concat()).warns(&[told]);
    let estimated = with(&["--estimate"], "44 of 44 runs are missing");
    // The baseline and one of the six other points of its experiment.
    let points: Vec<_> = estimated.json().into_iter().map(|row| row["point"].clone()).collect();
    assert_eq!(points, ["baseline", "osm shared_memory.cache_bytes=8192"]);
    assert_eq!(with(&[], "").json()[0]["verdict"], "not measured");
    let measured = with(&["--measure"], "osm-sizes: 44 runs: 0 were there, 44 passed, 0 failed");
    let row = &measured.json()[0];
    assert_eq!(row["verdict"], "not judged at this scale");
    assert!(row["geometric_mean"].as_f64().is_some_and(|mean| mean > -1.0), "{row}");
    let swept = folder.path().join("sweep/osm-sizes/runs");
    assert_eq!(fs::read_dir(&swept).expect("results").count(), 44);
    with(&["--estimate"], "0 of 0 runs are missing");
    heddle(&[&line[..], &["--measure", "-q"]].concat()).passes();
    // A result that goes away is missing again.
    let one = fs::read_dir(&swept).expect("results").next().expect("one").expect("a file").path();
    fs::remove_file(&one).expect("writable");
    with(&["--estimate"], "1 of 1 runs are missing");
}
