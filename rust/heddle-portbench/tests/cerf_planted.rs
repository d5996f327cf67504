//! Every planted bug of CERF is activated and found under random traffic.

use std::path::Path;

use heddle_port::PortConfig;
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::{Manifest, planted};

const CYCLES: u64 = 30_000;

#[test]
#[ignore = "builds the instrumented variant"]
fn every_planted_bug_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let manifest = Manifest::load(&root, "cerf").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = planted::build(&root, &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let ids = library.bugs().iter().map(|bug| (Some(bug.id.as_str()), bug.variant.is_some()));
    let mut missed = Vec::new();
    for (id, only_fair) in std::iter::once((None, false)).chain(ids) {
        // With few registers lines fill the sets, with many registers do.
        let mut found = false;
        let runs = [
            (1, 4, false, false),
            (2, 4, false, false),
            (1, 32, false, false),
            (1, 96, false, false),
            (1, 4, true, false),
            (1, 96, true, false),
            (1, 4, false, true),
            (1, 96, true, true),
        ];
        for (seed, most_registers, fair, interleaved) in runs {
            if only_fair && !fair {
                continue;
            }
            let mut rtl = library.instance(seed, id).expect("an instance");
            let port = PortConfig {
                bank_cycles: 1,
                active_warps: 32,
                rows_per_bank: 64,
                ways: 4,
                fair,
                own: [u32::from(interleaved), 0, 0, 0, 0, 0, 0, 0],
                ..PortConfig::default()
            };
            let config = BenchConfig { most_registers, ..BenchConfig::new(&manifest, rtl.made_with(), port) };
            let mut model = heddle_designs::create("cerf", rtl.made_with()).expect("the model");
            let result = run(&config, &mut rtl, &mut *model, seed, CYCLES);
            let activations = rtl.activations().expect("an instrumented model");
            match (id, result) {
                (None, result) => {
                    result.expect("nothing is wrong without a bug");
                    assert_eq!(activations, 0);
                    found = true;
                }
                (Some(id), Err(failure)) if activations > 0 => {
                    println!("{id}, fair {fair}: cycle {}: {}", failure.cycle, failure.kind);
                    found = true;
                    break;
                }
                (Some(id), result) => {
                    println!("{id}, fair {fair}: {activations} activations, {:?}", result.err())
                }
            }
        }
        if !found {
            missed.push(id.unwrap_or_default().to_owned());
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
