//! What the cycle model of a design takes for each kernel.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use heddle_cosim::{Engine, Kernel, RunError, RunReport, RunSpec, Session};
use heddle_rtl::Manifest;
use heddle_workloads::Size;
use sha2::{Digest, Sha256};

use super::record::{FLUSH, Record};

/// Root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The file that keeps the record of a design.
pub fn file(design: &str) -> PathBuf {
    folder().join(format!("{design}.tsv"))
}

/// The folder of those files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden_cycles")
}

/// Manifests of all designs and variants.
pub fn manifests() -> Vec<Manifest> {
    Manifest::load_all(&root()).expect("the manifests")
}

/// Names of all designs and variants, found by their manifests.
pub fn designs() -> Vec<String> {
    manifests().iter().map(Manifest::called).collect()
}

/// Calls `work` with each design, on two threads.
pub fn for_each(designs: &[String], work: impl Fn(&str) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(design) = designs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(design);
                }
            });
        }
    });
}

/// Runs every kernel that `chosen` takes by its place, in size smoke.
pub fn measure(design: &str, chosen: impl Fn(usize) -> bool) -> Result<Record, RunError> {
    let mut kernels = BTreeMap::new();
    let mut configuration = String::new();
    let workloads = heddle_workloads::all().iter().enumerate();
    for workload in workloads.filter_map(|(place, workload)| chosen(place).then_some(workload)) {
        let kernel = Kernel::Workload { name: workload.name().to_owned(), size: Size::Smoke };
        let spec = RunSpec::new(root(), design, kernel, Engine::Sim);
        let report = Session::new(spec)?.run(&mut ())?;
        configuration = hash(&report);
        let mut numbers = report.events;
        numbers.extend([
            ("cycles".to_owned(), report.cycles),
            ("warp_instructions".to_owned(), report.warp_instructions),
        ]);
        numbers.extend(report.flush_events.into_iter().map(|(name, sum)| (format!("{FLUSH}{name}"), sum)));
        kernels.insert(report.kernel, numbers);
    }
    Ok(Record::new(configuration, kernels))
}

/// Of the preset's keys and values, the overrides of the design among them.
fn hash(report: &RunReport) -> String {
    let mut hash = Sha256::new();
    for (key, value) in report.parameters.iter().filter(|(key, _)| key.contains('.')) {
        hash.update(format!("{key} = {value}\n"));
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
