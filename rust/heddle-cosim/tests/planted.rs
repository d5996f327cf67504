//! The planted-bug suite: every small edit of the RTL is activated and found on a shipped kernel, not by
//! a timeout alone, with exit code 3 and a report that names the right register or signal.
//!
//! All bugs of a design are in one instrumented build and chosen at run time; the lists are
//! `testbench/<design>/planted_bugs.toml`.

mod common;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use heddle_rtl::{Manifest, planted};
use heddle_workloads::Size;
use libtest_mimic::{Arguments, Trial, run};

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

/// What is wrong with the answer to one bug, or what found it.
fn try_bug(design: &str, bug: &planted::PlantedBug, kernel: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("temporary folder");
    heddle_cosim::try_bug(common::cosim(design, kernel, Size::Smoke, &folder), bug)
}

/// The bugs of a design's list that name the kernel which finds them.
fn with_kernel(list: &[planted::PlantedBug]) -> Vec<(&planted::PlantedBug, &str)> {
    list.iter().filter_map(|bug| Some((bug, bug.kernel.as_deref()?))).collect()
}

/// A design's list covers the classes that its manifest asks for.
fn covers_classes(manifest: &Manifest, bugs: &[(&planted::PlantedBug, &str)]) {
    let design = &manifest.name;
    let there: BTreeSet<String> = bugs.iter().map(|(bug, _)| bug.class.to_string()).collect();
    let usual = || CLASSES.map(str::to_owned).to_vec();
    let classes = manifest.tests.classes.clone().unwrap_or_else(usual);
    for class in &classes {
        assert!(there.contains(class), "{design}: no planted bug of class '{class}'; there are {there:?}");
    }
    assert!(bugs.len() >= classes.len(), "{design}: {} planted bugs", bugs.len());
}

/// Every bug is found; those of one elaboration are in one build.
fn suite(manifest: &Manifest, bugs: &[(&planted::PlantedBug, &str)]) {
    let design = &manifest.variant_name(manifest.tests.planted.as_deref().unwrap_or_default());
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

/// A test for each design that has RTL, by its manifest, and one more, which is ignored, for the bugs of its other
/// elaborations, each of which is another build.
fn main() {
    let manifests = Manifest::load_all(&common::root()).expect("the manifests");
    let mut trials = Vec::new();
    for manifest in manifests.into_iter().filter(|manifest| manifest.has_rtl && manifest.variant.is_none()) {
        let list = planted::load(&common::root(), &manifest).expect("the list");
        let (others, default): (Vec<_>, Vec<_>) = list.into_iter().partition(|bug| bug.elaboration.is_some());
        let name = format!("every_planted_bug_of_{}_is_found", manifest.name);
        if !with_kernel(&others).is_empty() {
            let (name, manifest) = (format!("{name}_in_its_other_elaborations"), manifest.clone());
            let trial = Trial::test(name, move || {
                suite(&manifest, &with_kernel(&others));
                Ok(())
            });
            trials.push(trial.with_ignored_flag(true));
        }
        trials.push(Trial::test(name, move || {
            let bugs = with_kernel(&default);
            covers_classes(&manifest, &bugs);
            suite(&manifest, &bugs);
            Ok(())
        }));
    }
    run(&Arguments::from_args(), trials).exit();
}
