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

/// What becomes of the runs with a breach in which neither an assertion nor an event of `design` tells of it, where more
/// than those that do must.
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
    let untold = |breach: Breach| {
        let (mut told, mut ended, mut wrong) = (0, Vec::new(), Vec::new());
        for seed in Breach::SEEDS {
            let ran = run(breach, seed);
            let what = format!("{}, {breach}, seed {seed}: {ran:?}", design.manifest.name);
            match ran {
                Err(Failure {
                    kind: FailureKind::Design(DesignError::Rtl { .. }) | FailureKind::Fault(_),
                    ..
                }) => told += 1,
                Ok(_) => ended.push(what),
                Err(_) => wrong.push(what),
            }
        }
        // Traffic of other seeds may come to its end without the breach.
        if told < breach.least() {
            wrong.append(&mut ended);
        }
        wrong
    };
    Breach::ALL.into_iter().flat_map(untold).collect()
}

#[test]
fn a_register_that_is_not_there_is_told() {
    let all = Manifest::load_all(&root()).expect("the manifests");
    let designs = all.iter().filter(|one| one.has_rtl && one.called() == one.name);
    let silent: Vec<String> = designs.flat_map(|manifest| silent(&manifest.name)).collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
