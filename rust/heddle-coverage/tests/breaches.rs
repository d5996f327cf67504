//! Negative tests of fault detectors: every design tells of registers that are not there.

use std::path::{Path, PathBuf};

use heddle_cosim::{Engine, Kernel, PreparedDesign, RunSpec};
use heddle_coverage::ports;
use heddle_port::DesignError;
use heddle_portbench::{Breach, Failure, FailureKind, run_alone};
use heddle_rtl::{Manifest, build};
use heddle_workloads::Size;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace").to_owned()
}

/// What becomes of each run in which neither an assertion nor an event of `design` tells of a breach.
fn silent(design: &str) -> Vec<String> {
    let kernel = Kernel::Workload { name: "vectoradd".into(), size: Size::Smoke };
    let spec = RunSpec::new(root(), design, kernel, Engine::Cosim);
    let design = PreparedDesign::new(&spec).expect("a design");
    let library = build(&root(), &design.manifest, &design.elaboration, &mut |s| println!("{s}"));
    let library = library.expect("a model");
    let run = |breach, seed| {
        let mut rtl = library.instance(seed).expect("an instance");
        let (config, _) = ports::bench(&design, &rtl).expect("a model");
        run_alone(&config.breaking(breach), &mut rtl, seed, Breach::CYCLES)
    };
    let runs = Breach::ALL.into_iter().flat_map(|breach| Breach::SEEDS.map(move |seed| (breach, seed)));
    runs.filter_map(|(breach, seed)| match run(breach, seed) {
        Err(Failure {
            kind: FailureKind::Design(DesignError::Rtl { .. }) | FailureKind::Fault(_), ..
        }) => None,
        other => Some(format!("{}, {breach}, seed {seed}: {other:?}", design.manifest.name)),
    })
    .collect()
}

#[test]
fn a_register_that_is_not_there_is_told() {
    let all = Manifest::load_all(&root()).expect("the manifests");
    let designs = all.iter().filter(|one| one.has_rtl && one.called() == one.name);
    let silent: Vec<String> = designs.flat_map(|manifest| silent(&manifest.name)).collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
