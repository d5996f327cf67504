//! A co-simulation that is checked beside its RTL says what one says that is checked at once.

use std::path::Path;
use std::time::Duration;

use heddle_cosim::{CheckQueue, Fault, RunError, RunSpec, Session};
use heddle_rtl::{Manifest, planted};
use heddle_workloads::Size;

use crate::common;

/// Queues of all depths, and one whose other side is slow.
const QUEUES: [CheckQueue; 4] = [
    CheckQueue { cycles: 1, pause: Duration::ZERO },
    CheckQueue { cycles: 64, pause: Duration::ZERO },
    CheckQueue { cycles: CheckQueue::USUAL_CYCLES, pause: Duration::ZERO },
    CheckQueue { cycles: 64, pause: Duration::from_micros(500) },
];
const SLOW: CheckQueue = QUEUES[3];

fn spec(design: &str, kernel: &str, queue: Option<CheckQueue>, folder: &tempfile::TempDir) -> RunSpec {
    RunSpec { check_queue: queue, ..common::cosim(design, kernel, Size::Smoke, folder) }
}

/// The report that the only mismatch in `folder` left; the folder is empty afterwards.
fn report(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let mut text = None;
    for file in files {
        if file.to_string_lossy().ends_with(".mismatch.json") {
            let one = std::fs::read_to_string(&file).expect("the report");
            assert!(text.replace(one).is_none(), "one report");
        }
        std::fs::remove_file(&file).expect("it can be removed");
    }
    text.expect("a report")
}

/// A planted bug is reported alike with all of `queues` and without one.
fn same_report(design: &str, id: &str, kernel: &str, queues: &[CheckQueue]) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let found = |queue: Option<CheckQueue>| {
        let mut spec = spec(design, kernel, queue, &folder);
        spec.fault = Some(Fault::new(id));
        match Session::new(spec).and_then(|mut session| session.run(&mut ())) {
            Err(RunError::Mismatch(mismatch)) => (mismatch.to_string(), report(folder.path())),
            other => panic!("{design} {id}: no mismatch: {other:?}"),
        }
    };
    let at_once = found(None);
    for queue in queues {
        assert_eq!(found(Some(*queue)), at_once, "{design} {id} {queue:?}");
    }
}

/// All bugs of designs whose folders `wanted` names.
fn same_reports(wanted: impl Fn(&str) -> bool) {
    let manifests = Manifest::load_all(&common::root()).expect("the manifests");
    for manifest in manifests.iter().filter(|m| m.has_rtl && m.variant.is_none() && wanted(&m.name)) {
        let design = manifest.variant_name(manifest.tests.planted.as_deref().unwrap_or_default());
        let bugs = planted::load(&common::root(), manifest).expect("the list");
        let mut tried = 0;
        for bug in bugs.iter().filter(|bug| bug.elaboration.is_none() && bug.variant.is_none()) {
            if let Some(kernel) = &bug.kernel {
                same_report(&design, &bug.id, kernel, &QUEUES);
                tried += 1;
            }
        }
        println!("{design}: {tried} bugs");
        assert!(tried > 0, "{design}");
    }
}

#[test]
fn a_mismatch_is_the_same_beside_the_rtl() {
    let bugs = [("baseline", "lane-dropped", "hotspot"), ("ltrf", "fill-wrong-lane", "hotspot")];
    for (design, id, kernel) in bugs {
        same_report(design, id, kernel, &[QUEUES[0], SLOW]);
    }
}

#[test]
#[ignore = "every planted bug of three designs, five times"]
fn every_mismatch_of_three_designs_is_the_same_beside_the_rtl() {
    same_reports(|design| ["baseline", "ltrf", "cerf"].contains(&design));
}

#[test]
#[ignore = "every planted bug of the other designs, five times"]
fn every_mismatch_of_the_other_designs_is_the_same_beside_the_rtl() {
    same_reports(|design| !["baseline", "ltrf", "cerf"].contains(&design));
}

/// The results of a run as JSON.
fn result(design: &str, kernel: &str, queue: Option<CheckQueue>) -> String {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut session = Session::new(spec(design, kernel, queue, &folder)).expect("a session");
    let report = session.run(&mut ()).unwrap_or_else(|e| panic!("{design} {kernel} {queue:?}: {e}"));
    serde_json::to_string(&report).expect("JSON")
}

/// Of a cache of shared memory, lines leave while the SM is cycles ahead.
#[test]
fn counts_are_the_same_beside_the_rtl() {
    let text = result("osm", "matrixmul", None);
    assert_eq!(result("osm", "matrixmul", Some(SLOW)), text);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(report["shared_memory"]["residency"].as_f64() > Some(0.0), "{}", report["shared_memory"]);
}

#[test]
#[ignore = "all designs on several kernels, five times"]
fn counts_of_all_designs_are_the_same_beside_the_rtl() {
    for design in common::designs() {
        for kernel in ["matrixmul", "bfs", "histogram"] {
            let at_once = result(&design, kernel, None);
            for queue in QUEUES {
                assert_eq!(result(&design, kernel, Some(queue)), at_once, "{design} {kernel} {queue:?}");
            }
        }
    }
}

/// What only the RTL's side knows is said when there is nothing wrong before, and not when there is.
#[test]
fn the_end_of_the_rtls_side_is_said_after_what_was_found_before() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let ends = |queue: Option<CheckQueue>, max_cycles: Option<u64>, fault: Option<&str>| {
        let mut spec = spec("baseline", "hotspot", queue, &folder);
        (spec.max_cycles, spec.fault) = (max_cycles, fault.map(Fault::new));
        let error = Session::new(spec).and_then(|mut session| session.run(&mut ())).expect_err("it fails");
        (error.exit_code(), error.to_string())
    };
    let limit = Some(6000);
    let at_once = ends(None, limit, None);
    let of_the_sm = |text: &str| text.contains("within 6000 cycles") && !text.contains("as parsed");
    assert!(at_once.0 == 1 && of_the_sm(&at_once.1), "{}", at_once.1);
    assert_eq!(ends(Some(SLOW), limit, None), at_once);
    let (code, text) = ends(Some(SLOW), limit, Some("lane-dropped"));
    assert!(code == 3 && text.starts_with("MISMATCH (operand)"), "{text}");
}
