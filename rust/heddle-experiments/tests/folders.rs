//! Folders of results that are none, and results that are damaged.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use heddle_cosim::MadeBy;
use heddle_experiments::{
    Catalog, Experiment, ExperimentError, Failed, Identity, Observer, Plan, Rates, ResultSet, Scale, Store,
    Tally, sweep,
};

const TEXT: &str = r#"id = "one"
title = ""
source = ""
scales.smoke = { size = "smoke" }
scales.claims = { size = "paper" }
scales.paper = { size = "paper" }
kernels = ["vectoradd"]
measure = "ipc"
[[series]]
name = "baseline"
design = "baseline"
"#;

struct Silent;

impl Observer for Silent {
    fn ended(&self, _tally: &Tally, _failure: Option<&Failed>) {}
}

/// The plan of one run, with its file in `folder`.
fn plan(folder: &Path) -> (Plan, Identity) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = folder.join("one.toml");
    std::fs::write(&file, TEXT).expect("writable");
    let catalog = Catalog::new(&root, ["ipc".to_owned()]).expect("designs");
    let experiment = Experiment::load(&file, &catalog, Scale::Smoke).expect("a good file");
    let identity = Identity::new(&root, MadeBy::default()).expect("readable files");
    (Plan::new(experiment, &root, &identity).expect("a plan"), identity)
}

#[test]
fn a_file_in_place_of_the_folder_of_results_is_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (plan, identity) = plan(folder.path());
    let nowhere = folder.path().join("nowhere");
    let empty = ResultSet::load(&plan, &Store::new(&nowhere, "one")).expect("nothing was run");
    assert_eq!(empty.missing.len(), 1);
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writable");
    let all = folder.path().join("all");
    std::fs::create_dir(&all).expect("writable");
    std::fs::write(all.join("sweep"), "").expect("writable");
    for (results, named) in [(&file, &file), (&all, &all.join("sweep"))] {
        let store = Store::new(results, "one");
        let expected = format!("{} is no folder; expected the folder of results", named.display());
        for error in [
            ResultSet::load(&plan, &store).map(drop).expect_err("no folder"),
            Rates::load(results, &identity).map(drop).expect_err("no folder"),
            store.any().map(drop).expect_err("no folder"),
        ] {
            assert_eq!((error.to_string(), error.exit_code()), (expected.clone(), 2));
        }
    }
}

#[test]
fn a_damaged_result_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (plan, _) = plan(folder.path());
    let store = Store::new(folder.path(), "one");
    let path = store.folder().join("runs").join(format!("{}.json", plan.runs[0].key));
    let refused = |what: &str| {
        let swept = sweep(&plan, &store, 1, true, &AtomicBool::new(false), &Silent);
        for error in [swept.map(drop), ResultSet::load(&plan, &store).map(drop)] {
            let error = error.expect_err(what);
            assert!(matches!(error, ExperimentError::Damaged { .. }), "{what}: {error}");
            assert_eq!(error.exit_code(), 2, "{what}");
            let said = error.to_string();
            assert!(said.starts_with(&format!("{}: ", path.display())), "{what}: {said}");
            assert!(said.ends_with("; remove it and run again with --resume"), "{what}: {said}");
        }
    };
    std::fs::create_dir_all(&path).expect("writable");
    refused("a folder");
    std::fs::remove_dir(&path).expect("there");
    let other = r#"{"key":"1","identity":null,"row":{},"entries":[]}"#;
    for text in ["", "{}", "garbage", other] {
        std::fs::write(&path, text).expect("writable");
        refused(text);
    }
}
