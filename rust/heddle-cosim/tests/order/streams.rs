//! Kernels of this folder with functional streams: what depends on timing is found, and executed in full.

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Functional, RunSpec, Session, Streams};

use super::suite;

/// The CTAs of `sms` SMs of `of`, on each so many at once.
fn spec(at_once: u32, (sms, of): (u32, u32)) -> RunSpec {
    let mut spec = suite::compaction().spec_of("baseline", Engine::Sim);
    spec.ctas = Ctas::Share;
    spec.sms = sms;
    let setting = |key: &str, value: u32| Override { key: key.to_owned(), value: value.to_string() };
    spec.overrides.extend([setting("sm.ctas", at_once), setting("gpu.sms", of)]);
    spec
}

fn run(spec: RunSpec) -> (String, Functional) {
    let mut session = Session::new(spec).expect("a good run");
    let report = session.run(&mut ()).expect("it passes");
    (serde_json::to_string(&report).expect("a report"), session.functional().clone())
}

/// Four CTAs on one SM of two leave others, and on two SMs of three.
#[test]
fn a_result_that_depends_on_timing_is_executed_in_full_where_timing_differs() {
    let in_full = Functional::InFull {
        launch: 0,
        why: "what the CTAs that are simulated leave depends on timing".to_owned(),
    };
    for share in [(1, 2), (2, 3)] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let streams = Streams { folder: folder.path().to_owned(), made_by: String::new() };
        let expected = [
            (2, Functional::Recorded),
            (1, in_full.clone()),
            (2, Functional::Replayed),
            (1, in_full.clone()),
        ];
        for (at_once, expected) in expected {
            let spec = spec(at_once, share);
            let (report, functional) = run(RunSpec { streams: Some(streams.clone()), ..spec.clone() });
            assert_eq!(functional, expected, "{share:?} {at_once}");
            assert_eq!(report, run(spec).0, "{share:?} {at_once}");
        }
    }
}
