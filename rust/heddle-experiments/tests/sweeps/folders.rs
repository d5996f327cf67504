//! Folders of results that are none, and results that are damaged.

use std::sync::atomic::AtomicBool;

use heddle_experiments::{ExperimentError, Rates, ResultSet, Store, sweep};

use super::{Bench, ONE, Silent};

#[test]
fn a_file_in_place_of_the_folder_of_results_is_refused() {
    let bench = Bench::new();
    let (plan, _) = bench.plan("two", ONE);
    let folder = bench.folder.path();
    let empty = ResultSet::load(&plan, &Store::new(&folder.join("nowhere"), "two")).expect("nothing was run");
    assert_eq!(empty.missing.len(), 1);
    let file = folder.join("file");
    std::fs::write(&file, "").expect("writable");
    let all = folder.join("all");
    std::fs::create_dir(&all).expect("writable");
    std::fs::write(all.join("sweep"), "").expect("writable");
    for (results, named) in [(&file, &file), (&all, &all.join("sweep"))] {
        let store = Store::new(results, "two");
        let expected = format!("{} is no folder; expected the folder of results", named.display());
        for error in [
            ResultSet::load(&plan, &store).map(drop).expect_err("no folder"),
            Rates::load(results, &bench.identity).map(drop).expect_err("no folder"),
            store.any().map(drop).expect_err("no folder"),
        ] {
            assert_eq!((error.to_string(), error.exit_code()), (expected.clone(), 2));
        }
    }
}

#[test]
fn a_damaged_result_is_named_with_what_to_do() {
    let bench = Bench::new();
    let (plan, store) = bench.plan("two", ONE);
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
