//! Kernels of this folder with functional streams: what depends on timing is found, and executed in full.

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Functional, RunSpec, Session, Streams};

use super::suite;

/// The CTAs of one of two SMs, so many at once.
fn spec(at_once: u32) -> RunSpec {
    let mut spec = suite::compaction().spec_of("baseline", Engine::Sim);
    spec.ctas = Ctas::Share;
    let setting = |key: &str, value: u32| Override { key: key.to_owned(), value: value.to_string() };
    spec.overrides.extend([setting("sm.ctas", at_once), setting("gpu.sms", 2)]);
    spec
}

fn run(spec: RunSpec) -> (String, Functional) {
    let mut session = Session::new(spec).expect("a good run");
    let report = session.run(&mut ()).expect("it passes");
    (serde_json::to_string(&report).expect("a report"), session.functional().clone())
}

#[test]
fn a_result_that_depends_on_timing_is_executed_in_full_where_timing_differs() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let streams = Streams { folder: folder.path().to_owned(), made_by: String::new() };
    let in_full =
        Functional::InFull { launch: 0, why: "what the CTAs of the SM leave depends on timing".to_owned() };
    let expected = [(2, Functional::Recorded), (1, in_full.clone()), (2, Functional::Replayed), (1, in_full)];
    for (at_once, expected) in expected {
        let (report, functional) = run(RunSpec { streams: Some(streams.clone()), ..spec(at_once) });
        assert_eq!(functional, expected, "{at_once}");
        assert_eq!(report, run(spec(at_once)).0, "{at_once}");
    }
}
