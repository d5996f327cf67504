//! What the tests of the co-simulation share.

use std::path::PathBuf;

use heddle_cosim::{Engine, Kernel, RunSpec};
use heddle_workloads::Size;

/// Root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Names of all designs that have RTL.
#[allow(dead_code, reason = "not every test program runs all designs")]
pub fn designs() -> Vec<String> {
    heddle_rtl::Manifest::names(&root()).expect("rtl/ is readable")
}

/// A co-simulation of a shipped kernel with results in `folder`.
#[allow(dead_code, reason = "not every test program runs shipped kernels")]
pub fn cosim(design: &str, kernel: &str, size: Size, folder: &tempfile::TempDir) -> RunSpec {
    let kernel = Kernel::Workload { name: kernel.to_owned(), size };
    let mut spec = RunSpec::new(root(), design, kernel, Engine::Cosim);
    spec.results = folder.path().to_owned();
    spec
}
