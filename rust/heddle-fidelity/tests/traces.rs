//! The traces are those with which the references were measured.

mod common;

use heddle_fidelity::{all, references};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    trace: String,
    warp_instructions: u64,
    sha256: String,
}

#[test]
fn every_trace_executes_what_the_references_were_measured_with() {
    let text = include_str!("../data/digests.csv");
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let rows: Vec<Row> = rows.collect::<Result<_, _>>().expect("rows");
    let folder = tempfile::tempdir().expect("temporary folder");
    let traces = all();
    assert_eq!(traces.len(), rows.len());
    for trace in &traces {
        let row = rows.iter().find(|row| row.trace == trace.name).expect(trace.name);
        let list = trace.write(folder.path()).expect("writable");
        let (count, sha256) = common::digest(&list).expect("well formed");
        assert_eq!((count, sha256.as_str()), (row.warp_instructions, row.sha256.as_str()), "{}", trace.name);
    }
}

#[test]
fn every_trace_has_a_reference_and_every_reference_a_trace() {
    let mut traces: Vec<&str> = all().iter().map(|trace| trace.name).collect();
    let rows = references().expect("good");
    let mut names: Vec<&str> = rows.iter().map(|row| row.trace.as_str()).collect();
    traces.sort_unstable();
    names.sort_unstable();
    assert_eq!(traces, names);
}
