//! Every planted bug of the baseline is activated and found under random traffic.

use std::path::Path;

use heddle_port::PortConfig;
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::{Manifest, planted};

const CYCLES: u64 = 30_000;

#[test]
#[ignore = "builds the instrumented variant"]
fn every_planted_bug_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let manifest = Manifest::load(&root, "baseline").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = planted::build(&root, &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let mut port = PortConfig {
        bank_cycles: 1,
        crossbar_cycles: 4,
        active_warps: 8,
        registers_per_interval: 16,
        rows_per_bank: 128,
        ..PortConfig::default()
    };
    // Registers are interleaved, so that a bug in how they are is activated.
    port.own[0] = 1;
    let ids = library.bugs().iter().map(|bug| Some(bug.id.as_str()));
    let mut missed = Vec::new();
    for id in std::iter::once(None).chain(ids) {
        // An access takes a part of a cycle more where a bug is in how that is made up for.
        port.own[1] = if id == Some("part-of-a-cycle-lost") { 3 } else { 0 };
        let mut rtl = library.instance(1, id).expect("an instance");
        let config = BenchConfig::new(&manifest, rtl.made_with(), port);
        let mut model = heddle_designs::create("baseline", rtl.made_with()).expect("the model");
        let result = run(&config, &mut rtl, &mut *model, 1, CYCLES);
        let activations = rtl.activations().expect("an instrumented model");
        let Some(bug) = library.bugs().iter().find(|bug| Some(bug.id.as_str()) == id) else {
            result.expect("nothing is wrong without a bug");
            assert_eq!(activations, 0);
            continue;
        };
        match result {
            Err(failure) if activations > 0 => {
                println!("{}: cycle {}: {}", bug.id, failure.cycle, failure.kind);
            }
            Err(failure) => missed.push(format!("{}: {activations} activations, {failure}", bug.id)),
            Ok(summary) => missed.push(format!("{}: {activations} activations, {summary}", bug.id)),
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
