//! Co-simulation on many SMs of which some are RTL.

use std::collections::BTreeSet;

use heddle_cosim::{Engine, Fault, Mismatch, RtlSms, RunError, RunReport, RunSpec, Session};
use heddle_workloads::Size;

use crate::common;

/// A run on four SMs, of which those of `rtl` are RTL.
fn spec(design: &str, kernel: &str, rtl: &[u32], folder: &tempfile::TempDir) -> RunSpec {
    let mut spec = common::cosim(design, kernel, Size::Smoke, folder);
    spec.sms = 4;
    spec.rtl_sms = RtlSms::Some(rtl.iter().copied().collect());
    spec
}

fn run(spec: RunSpec) -> RunReport {
    let name = format!("{} {} with RTL in {:?}", spec.design, spec.kernel_name(), spec.rtl_sms());
    Session::new(spec).and_then(|mut session| session.run(&mut ())).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn mismatch(spec: RunSpec) -> Mismatch {
    match Session::new(spec).and_then(|mut session| session.run(&mut ())) {
        Err(RunError::Mismatch(mismatch)) => *mismatch,
        Err(other) => panic!("no mismatch: {other}"),
        Ok(_) => panic!("it passed"),
    }
}

/// Whichever SMs are RTL, the GPU does the same in every cycle as with cycle models alone.
#[test]
fn a_gpu_does_the_same_with_rtl_as_with_models() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let runs = [("ltrf", "histogram"), ("osm", "matrixmul"), ("cerf", "histogram"), ("ucm", "matrixmul")];
    for (design, kernel) in runs {
        let sim = run(RunSpec { engine: Engine::Sim, ..spec(design, kernel, &[0], &folder) });
        let mut controls = BTreeSet::new();
        for rtl in [&[2][..], &[0, 2], &[0, 1, 2, 3]] {
            let cosim = run(spec(design, kernel, rtl, &folder));
            assert_eq!((cosim.sms, &cosim.rtl_sms[..]), (4, rtl), "{design} {kernel}");
            assert_eq!(cosim.cycles, sim.cycles, "{design} {kernel}");
            assert_eq!(cosim.events, sim.events, "{design} {kernel}");
            assert_eq!(cosim.statistics, sim.statistics, "{design} {kernel}");
            // The golden machine judges all SMs, the shadow those that are RTL.
            assert!(cosim.operands_compared > 0 && cosim.reference_words_compared > Some(0));
            controls.insert(cosim.controls_compared);
        }
        let one = *controls.first().expect("three runs");
        assert!(controls.len() == 3 && controls.last() >= Some(&(3 * one)), "{controls:?}");
        assert!(sim.rtl_sms.is_empty());
    }
}

/// A bug of one SM alone is found there, whatever the SMs before it do in the cycle, and its waves are those of that SM.
#[test]
fn a_planted_bug_of_one_sm_is_found_in_that_sm() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for sm in [0, 2] {
        let mut spec = spec("ltrf", "hotspot", &[0, 2], &folder);
        spec.fault = Some(Fault { id: "fill-wrong-lane".to_owned(), sm: Some(sm) });
        let found = mismatch(spec);
        assert_eq!(found.place.sm, Some(sm as usize), "{found}");
        assert!(found.to_string().contains(&format!(", SM {sm}")), "{found}");
        let stem = format!("ltrf-hotspot-smoke-fill-wrong-lane-in-sm{sm}");
        let waves = format!("{stem}-sm{sm}.vcd");
        assert!(
            found.notes.iter().any(|note| note.starts_with("waves: ") && note.ends_with(&waves)),
            "{found}"
        );
        assert!(folder.path().join(waves).exists());
        let report = std::fs::read(folder.path().join(format!("{stem}.mismatch.json"))).expect("a report");
        let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
        assert_eq!(report["place"]["sm"], sm, "{report}");
    }
}

/// The kernel has four CTAs, one for each of the first four SMs: the RTL of SM 5 computes nothing.
#[test]
fn an_sm_that_is_rtl_and_gets_no_cta_is_a_run_that_proves_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let six = RunSpec { sms: 6, ..spec("ltrf", "divergence", &[5], &folder) };
    let error = Session::new(six).and_then(|mut session| session.run(&mut ())).expect_err("SM 5 is idle");
    assert_eq!(error.exit_code(), 1, "{error}");
    let text = error.to_string();
    assert!(text.contains("gives no operands on SM 5, which is RTL, to compare"), "{text}");
}

/// So is one of a design that holds its L1, in its registers or in what it brings to L2.
#[test]
fn a_planted_bug_of_one_sm_that_holds_its_l1_is_found_in_that_sm() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (design, id) in [
        ("cerf", "lane-3-not-written"),
        ("cerf", "row-of-bank-0-written-back"),
        ("ucm", "global-line-locked"),
    ] {
        let mut spec = spec(design, "bfs", &[0, 2], &folder);
        spec.fault = Some(Fault { id: id.to_owned(), sm: Some(2) });
        let found = mismatch(spec);
        assert_eq!(found.place.sm, Some(2), "{design} {id}: {found}");
    }
}
