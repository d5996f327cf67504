//! Kernels of this folder with functional streams: what others left is there after a replay, and what depends on timing
//! is found and executed in full.

use std::path::Path;

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Functional, RunError, RunSpec, Session, Streams};

use super::kernel::Order;
use super::suite;

/// The CTAs of `sms` SMs of `of`, on each so many at once.
fn spec(kernel: &Order, at_once: u32, (sms, of): (u32, u32)) -> RunSpec {
    let mut spec = kernel.spec_of("baseline", Engine::Sim);
    spec.ctas = Ctas::Share;
    spec.sms = sms;
    let setting = |key: &str, value: u32| Override { key: key.to_owned(), value: value.to_string() };
    spec.overrides.extend([setting("sm.ctas", at_once), setting("gpu.sms", of)]);
    spec
}

fn with_streams(spec: &RunSpec, folder: &Path) -> RunSpec {
    let streams = Streams { folder: folder.to_owned(), made_by: String::new() };
    RunSpec { streams: Some(streams), ..spec.clone() }
}

fn run(spec: RunSpec) -> (String, Functional) {
    let mut session = Session::new(spec).expect("a good run");
    let report = session.run(&mut ()).expect("it passes");
    (serde_json::to_string(&report).expect("a report"), session.functional().clone())
}

/// Runs `specs` with streams in one folder, each equal to the run without; what they did with the stream.
fn run_all(specs: &[RunSpec]) -> Vec<Functional> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let both = |spec: &RunSpec| {
        let (report, functional) = run(with_streams(spec, folder.path()));
        assert_eq!(report, run(spec.clone()).0, "{functional:?}");
        functional
    };
    specs.iter().map(both).collect()
}

/// Of so many launches before it, all executed or replayed.
fn depends(launch: u32) -> Functional {
    let why = "what the CTAs that are simulated leave depends on timing".to_owned();
    Functional::InFull { launch, why }
}

/// Four CTAs on one SM of two leave others, and on two SMs of three.
#[test]
fn a_result_that_depends_on_timing_is_executed_in_full_where_timing_differs() {
    for share in [(1, 2), (2, 3)] {
        let specs = [2, 1, 2, 1].map(|at_once| spec(&suite::compaction(), at_once, share));
        let expected = [Functional::Recorded, depends(0), Functional::Replayed, depends(0)];
        assert_eq!(run_all(&specs), expected, "{share:?}");
    }
}

/// The CTAs of one SM alone exchange a number in the second launch; of two, the first one or the last.
#[test]
fn what_one_sm_leaves_in_one_launch_is_enough_to_depend_on_timing() {
    for (share, racer, threads) in [((1, 3), 0, 1), ((2, 3), 0, 1), ((2, 3), 1, 1), ((2, 3), 1, 2)] {
        let kernel = suite::phases(&[0, 2], racer);
        let specs = [2, 1, 2].map(|at_once| RunSpec { threads, ..spec(&kernel, at_once, share) });
        let expected = [Functional::Recorded, depends(1), Functional::Replayed];
        assert_eq!(run_all(&specs), expected, "{share:?} {racer}");
    }
}

/// How long the second launch takes is what the other CTAs left in the first one, by stores and by atomics.
#[test]
fn a_launch_after_a_replay_finds_what_the_others_left() {
    for share in [(1, 3), (2, 3)] {
        let specs = [2, 1].map(|at_once| spec(&suite::phases(&[0, 1], 0), at_once, share));
        assert_eq!(run_all(&specs), [Functional::Recorded, Functional::Replayed], "{share:?}");
    }
}

#[test]
fn a_run_that_is_broken_off_leaves_no_stream() {
    for share in [(1, 3), (2, 3)] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let whole = spec(&suite::phases(&[0, 1], 0), 2, share);
        let short = RunSpec { max_cycles: Some(50), ..with_streams(&whole, folder.path()) };
        let error = Session::new(short).and_then(|mut session| session.run(&mut ())).expect_err("too short");
        assert!(matches!(error, RunError::OutOfCycles { .. }), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{share:?}");
    }
}
