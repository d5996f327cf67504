//! Folders of results that are none, and results that are damaged.

use std::sync::atomic::AtomicBool;

use heddle_experiments::{ExperimentError, Rates, ResultSet, Store, sweep, sweep_listed};
use serde_json::{Value, json};

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
    let other = r#"{"key":"1","identity":null,"row":{},"entries":[],"digest":""}"#;
    for text in ["", "{}", "garbage", other] {
        std::fs::write(&path, text).expect("writable");
        refused(text);
    }
}

#[test]
fn a_result_that_was_changed_by_hand_is_refused() {
    let bench = Bench::new();
    let (plan, store) = bench.plan("two", ONE);
    let swept = |resume| sweep(&plan, &store, 1, resume, &AtomicBool::new(false), &Silent);
    assert_eq!(swept(false).expect("a store").passed, 1);
    let path = store.folder().join("runs").join(format!("{}.json", plan.runs[0].key));
    let text = std::fs::read_to_string(&path).expect("a result");
    let result: Value = serde_json::from_str(&text).expect("JSON");
    let changed = |at: &str, to: Value| {
        let mut other = result.clone();
        *other.pointer_mut(at).unwrap_or_else(|| panic!("no {at}")) = to;
        other
    };
    let cycles = result["row"]["cycles"].as_u64().expect("a number");
    let mut others = vec![
        changed("/row/ipc", json!(-1)),
        changed("/row/ipc", json!(null)),
        changed("/row/cycles", json!(cycles * 2)),
        changed("/row/kernel", json!("bfs")),
        changed("/row/design", json!("nosuch")),
        changed("/row/schema", json!(0)),
        changed("/row/ok", json!(false)),
        changed("/entries/0/cycles", json!(1)),
        changed("/identity", json!({})),
        changed("/digest", json!("")),
    ];
    let mut without = result.clone();
    without["row"].as_object_mut().and_then(|row| row.remove("ipc_stack")).expect("a stack");
    others.push(without);
    for other in others {
        std::fs::write(&path, other.to_string()).expect("writable");
        for error in
            [swept(true).map(drop), ResultSet::load(&plan, &store).map(drop), store.ready(&plan, true)]
        {
            let error = error.expect_err("it was changed");
            assert_eq!(error.exit_code(), 2);
            let expected = format!(
                "{}: it is not what the run wrote: its digest is that of another text; remove it and run again with --resume",
                path.display()
            );
            assert_eq!(error.to_string(), expected);
        }
    }
    // Other spaces say nothing else.
    std::fs::write(&path, serde_json::to_string_pretty(&result).expect("JSON")).expect("writable");
    assert_eq!(swept(true).expect("as it was").found, 1);
}

#[test]
fn a_list_of_runs_is_read_without_its_blank_lines_and_a_wrong_key_has_a_place() {
    let bench = Bench::new();
    let (plan, store) = bench.plan("two", ONE);
    let list = bench.folder.path().join("list");
    let key = &plan.runs[0].key;
    let listed = |text: &str| {
        std::fs::write(&list, text).expect("writable");
        sweep_listed(&plan, &store, &list, &AtomicBool::new(true), &Silent)
    };
    assert_eq!(listed(&format!("\n{key}\n\n")).expect("a list").runs, 1);
    let error = listed(&format!("{key}\n\nc0ffee\n")).expect_err("no such run");
    let expected = format!("{}:3:1: experiment 'two' has no run c0ffee; expected ", list.display());
    assert!(error.to_string().starts_with(&expected), "{error}");
}
