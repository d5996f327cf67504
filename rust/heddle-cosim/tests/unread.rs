//! What the manifests say about the keys that a design reads and ignores, held against runs of the cycle model.

use std::collections::BTreeSet;

use heddle_config::Override;
use heddle_cosim::{Engine, Kernel, RunError, RunReport, RunSpec, Session, unread_settings};
use heddle_rtl::Manifest;
use heddle_workloads::Size;

use crate::common;

/// Another value than designs have, for each key that some design does not read; where a key has two values, than one of them.
const VALUES: &[(&str, &str)] = &[
    ("l1d.allocation", "on-fill"),
    ("l1d.always_hit", "true"),
    ("l1d.bytes", "65536"),
    ("l1d.fence_invalidates", "true"),
    ("l1d.hit_latency", "99"),
    ("l1d.mshr_merges", "1"),
    ("l1d.mshrs", "1"),
    ("l1d.sector_bytes", "64"),
    ("l1d.sets", "linear"),
    ("l1d.unified_bytes", "524288"),
    ("l1d.ways", "1"),
    ("l1d.write_allocate", "true"),
    ("l1d.write_hit", "through"),
    ("register_file.bank_mapping", "linear"),
    ("register_file.banks", "32"),
    ("register_file.buffer_gating", "true"),
    ("register_file.crossbar_cycles", "9"),
    ("register_file.formation", "strand"),
    ("register_file.preshift", "true"),
    ("register_file.registers_per_interval", "8"),
    ("register_file.renumbering", "bank-colour"),
    ("register_file.replacement", "fair"),
    ("register_file.shift_cycles", "5"),
    ("register_file.shift_ps", "9000"),
    ("register_file.sub_cores", "1"),
    ("register_file.wakeup_cycles", "100"),
    ("register_file.ways", "2"),
    ("register_file.write_cycles", "11"),
    ("register_file.write_ps", "15000"),
    ("shared_memory.cache_bytes", "1024"),
    ("shared_memory.reads_to_unlock", "2"),
];

/// A key that a design which does not read it refuses.
const REFUSED: (&str, &str) = ("register_file.bank_eighths", "5");

fn tried(design: &str, kernel: &str, change: Option<(&str, &str)>) -> Result<RunReport, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kernel = Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Sim);
    spec.results = folder.path().to_owned();
    spec.overrides.extend(change.map(|(key, value)| Override { key: key.into(), value: value.into() }));
    Session::new(spec).and_then(|mut session| session.run(&mut ()))
}

fn run(design: &str, kernel: &str, change: Option<(&str, &str)>) -> RunReport {
    tried(design, kernel, change).unwrap_or_else(|e| panic!("{design}, {change:?}: {e}"))
}

/// Whether a run of `kernel` does something else when the key has the value.
fn makes_a_difference(design: &str, kernel: &str, change: (&str, &str)) -> bool {
    let (plain, changed) = (run(design, kernel, None), run(design, kernel, Some(change)));
    (plain.cycles, plain.events, plain.statistics) != (changed.cycles, changed.events, changed.statistics)
}

#[test]
fn what_a_design_does_not_read_changes_nothing() {
    let all = Manifest::load_all(&common::root()).expect("the manifests");
    let named: BTreeSet<&str> =
        all.iter().flat_map(|m| m.reads.iter().chain(&m.ignores)).map(String::as_str).collect();
    assert_eq!(named, VALUES.iter().chain([&REFUSED]).map(|(key, _)| *key).collect());
    let mut unread = 0;
    for manifest in &all {
        let design = manifest.called();
        for change in VALUES {
            let set = Override { key: change.0.into(), value: change.1.into() };
            let lines = unread_settings(&common::root(), &design, None, &[set]).expect("a design");
            unread += lines.len();
            assert!(
                lines.is_empty() || !makes_a_difference(&design, "vectoradd", *change),
                "{design} reads {}",
                change.0
            );
        }
    }
    assert!(unread > 60, "{unread}");
}

/// Where the prefetches of all code lie follows from keys that only designs which prefetch read otherwise.
#[test]
fn prefetches_in_all_code_read_what_intervals_are() {
    let told = |code: &str| {
        let set = [("instruction_cache.prefetch_code", code), ("register_file.registers_per_interval", "8")];
        let set = set.map(|(key, value)| Override { key: key.into(), value: value.into() });
        unread_settings(&common::root(), "baseline", None, &set).expect("a design").len()
    };
    assert_eq!((told("all"), told("design")), (0, 1));
}

#[test]
fn a_design_that_does_not_read_parts_of_a_cycle_refuses_them() {
    let all = Manifest::load_all(&common::root()).expect("the manifests");
    let mut refused = 0;
    for manifest in all.iter().filter(|m| !m.reads.iter().any(|key| key == REFUSED.0)) {
        let error = tried(&manifest.called(), "vectoradd", Some(REFUSED)).expect_err("parts of a cycle");
        assert!(matches!(error, RunError::Usage { .. }), "{}: {error}", manifest.called());
        refused += 1;
    }
    assert!(refused > 10, "{refused}");
}

/// Each key that a manifest lists makes a difference to the design or to one of its variants.
#[test]
fn what_a_design_reads_changes_something() {
    let all = Manifest::load_all(&common::root()).expect("the manifests");
    for design in all.iter().filter(|m| m.variant.is_none()) {
        for key in &design.reads {
            let change = *VALUES.iter().chain([&REFUSED]).find(|(known, _)| known == key).expect("a value");
            let mut names = all.iter().filter(|m| m.name == design.name).map(Manifest::called);
            assert!(
                names.any(|name| ["hotspot", "bfs"]
                    .iter()
                    .any(|kernel| makes_a_difference(&name, kernel, change))),
                "{} does not read {key}",
                design.name
            );
        }
    }
}
