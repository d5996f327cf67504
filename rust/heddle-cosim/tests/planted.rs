//! The planted-bug suite: every small edit of the RTL is activated and found on a shipped kernel, not by
//! a timeout alone, with exit code 3 and a report that names the right register or signal.
//!
//! All bugs of a design are in one instrumented build and chosen at run time; the lists are
//! `testbench/<design>/planted_bugs.toml`.

mod common;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use heddle_cosim::{Check, Fault, RunError, Session};
use heddle_rtl::{Manifest, planted};
use heddle_workloads::Size;

/// Classes that every design's list must cover.
const CLASSES: [&str; 8] = [
    "arbitration",
    "hazard",
    "allocation",
    "addressing",
    "lane mask",
    "write-back",
    "activation",
    "full-empty",
];

/// What is wrong with the suite's answer to one bug, or what found it.
fn try_bug(design: &str, bug: &planted::PlantedBug, kernel: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let variant = bug.variant.as_ref().map(|variant| format!("{design}-{variant}"));
    let design = variant.as_deref().unwrap_or(design);
    let mut spec = common::cosim(design, kernel, Size::Smoke, &folder);
    spec.fault = Some(Fault { id: bug.id.clone() });
    let mut session = Session::new(spec).map_err(|e| e.to_string())?;
    let outcome = session.run(&mut ());
    let activations = session.fault_activations().unwrap_or(0);
    let mismatch = match outcome {
        Ok(_) => return Err(format!("not found; it changed a value {activations} times")),
        Err(RunError::Mismatch(mismatch)) => mismatch,
        Err(other) => return Err(format!("exit code {} instead of 3: {other}", other.exit_code())),
    };
    let text = mismatch.to_string();
    if activations == 0 {
        return Err(format!("found without being activated: {text}"));
    }
    if mismatch.check == Check::Hang {
        return Err(format!("found by a timeout alone: {text}"));
    }
    if !bug.expect.iter().any(|name| text.contains(name)) {
        return Err(format!("the report names none of {:?}:\n{text}", bug.expect));
    }
    if !mismatch.notes.iter().any(|n| n.starts_with("waves: ") && n.ends_with(".vcd")) {
        return Err(format!("no waveform window:\n{text}"));
    }
    if mismatch.place.signal.is_none() && mismatch.place.register.is_none() {
        return Err(format!("the report names neither register nor signal:\n{text}"));
    }
    Ok(format!("{} at cycle {}: {}", mismatch.check, mismatch.place.cycle, mismatch.what))
}

fn suite(design: &str) {
    suite_of(design, &CLASSES, &[], 12);
}

/// At least `least` bugs over the classes in `classes` and `more`.
fn suite_of(design: &str, classes: &[&str], more: &[&str], least: usize) {
    let manifest = Manifest::load(&common::root(), design).expect("the manifest");
    let list = planted::load(&common::root(), &manifest).expect("the list");
    let bugs: Vec<(&planted::PlantedBug, &str)> =
        list.iter().filter_map(|bug| Some((bug, bug.kernel.as_deref()?))).collect();
    let there: BTreeSet<String> = bugs.iter().map(|(bug, _)| bug.class.to_string()).collect();
    for &class in classes.iter().chain(more) {
        assert!(there.contains(class), "{design}: no planted bug of class '{class}'; there are {there:?}");
    }
    assert!(bugs.len() >= least, "{design}: {} planted bugs", bugs.len());
    // The build is made once, before the threads ask for it.
    if let Err(message) = try_bug(design, bugs[0].0, bugs[0].1) {
        println!("{}: {message}", bugs[0].0.id);
    }
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((bug, kernel)) = bugs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match try_bug(design, bug, kernel) {
                        Ok(found) => println!("{design} {} ({}): {found}", bug.id, bug.class),
                        Err(what) => {
                            failures.lock().expect("no thread panics").push(format!("{}: {what}", bug.id));
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread panics");
    assert!(
        failures.is_empty(),
        "{design}: {} of {} bugs\n{}",
        failures.len(),
        bugs.len(),
        failures.join("\n")
    );
}

#[test]
fn every_planted_bug_of_the_baseline_is_found() {
    suite("baseline");
}

#[test]
fn every_planted_bug_of_ltrf_is_found() {
    suite("ltrf");
}

#[test]
fn every_planted_bug_of_racetrack_is_found() {
    suite("racetrack");
}

/// With power gating, so that its bugs make a difference too.
#[test]
fn every_planted_bug_of_the_hybrid_register_file_is_found() {
    suite("hybrid-gated");
}

#[test]
fn every_planted_bug_of_sttram_is_found() {
    suite("sttram");
}

#[test]
fn every_planted_bug_of_cerf_is_found() {
    let more = ["replacement", "state transition", "spill and refill", "MSHR merge"];
    suite_of("cerf", &CLASSES, &more, 15);
}

#[test]
fn every_planted_bug_of_osm_is_found() {
    suite_of("osm", &CLASSES, &["lock", "unlock", "victim choice", "byte mask"], 15);
}

/// Those of what only the unified cache has.
#[test]
fn every_planted_bug_of_ucm_is_found() {
    suite_of("ucm", &["lock", "activation"], &[], 2);
}
