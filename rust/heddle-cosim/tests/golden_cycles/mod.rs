//! Cycles and events of every design with every kernel are those of the files beside this test.
//!
//! Any difference fails, an improvement too. A change that is meant is written by
//! `cargo run --release -p heddle-cosim --example rewrite_golden_cycles`, and its reason belongs in the commit.

mod coverage;
mod measure;
mod record;

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use measure::{designs, file, folder, for_each, measure};
use record::Record;

/// Differences of one design that are printed.
const SHOWN: usize = 8;

/// What is wrong with a design, if anything.
fn judge(design: &str) -> Option<String> {
    let golden = fs::read_to_string(file(design)).map_err(|e| e.to_string()).and_then(|t| Record::parse(&t));
    let golden = match golden {
        Ok(golden) => golden,
        Err(error) => return Some(format!("{design}: {}: {error}", file(design).display())),
    };
    let measured = match measure(design) {
        Ok(measured) => measured,
        Err(error) => return Some(format!("{design}: {error}")),
    };
    let differences = golden.differences(&measured);
    let shown: String = differences.iter().take(SHOWN).map(|line| format!("\n  {line}")).collect();
    (!differences.is_empty()).then(|| format!("{design}: {} differences{shown}", differences.len()))
}

#[test]
fn cycles_and_events_are_golden() {
    let failures = Mutex::new(Vec::new());
    for_each(&designs(), |design| {
        if let Some(failure) = judge(design) {
            failures.lock().expect("no thread has panicked").push(failure);
        }
    });
    let mut failures = failures.into_inner().expect("no thread has panicked");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{}\nif this is meant: cargo run --release -p heddle-cosim --example rewrite_golden_cycles",
        failures.join("\n")
    );
}

#[test]
fn every_file_belongs_to_a_design() {
    let designs: BTreeSet<String> = designs().into_iter().collect();
    let entries = fs::read_dir(folder()).expect("the folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files: BTreeSet<String> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "tsv"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    assert_eq!(files, designs);
}

const TABLE: &str =
    "configuration\tc0ffee\nkernel\tcycles\twarp_instructions\tbank_read\nbfs\t10\t5\t7\nnn\t3\t1\t0\n";

fn table() -> Record {
    Record::parse(TABLE).expect("a record")
}

#[test]
fn a_record_is_read_as_it_is_written() {
    assert_eq!(table().text(), TABLE);
    assert_eq!(table().differences(&table()), [""; 0]);
}

#[test]
fn every_difference_is_named() {
    let mut other = table();
    other.configuration = "decade".to_owned();
    let bfs = other.kernels.get_mut("bfs").expect("the kernel");
    bfs.insert("cycles".to_owned(), 9);
    bfs.insert("bank_read".to_owned(), 8);
    other.kernels.remove("nn");
    assert_eq!(
        table().differences(&other),
        [
            "configuration decade, golden c0ffee",
            "bfs: bank_read 8, golden 7",
            "bfs: cycles 9, golden 10",
            "nn: only in the golden",
        ]
    );
    assert_eq!(other.differences(&table()).last().map(String::as_str), Some("nn: not in the golden"));
    let mut renamed = table();
    for numbers in renamed.kernels.values_mut() {
        let sum = numbers.remove("bank_read").expect("the event");
        numbers.insert("bank_reads".to_owned(), sum);
    }
    assert_eq!(
        table().differences(&renamed),
        ["'bank_read' is counted only in the golden", "'bank_reads' is not in the golden"]
    );
}

#[test]
fn a_broken_file_says_where() {
    for (broken, message) in [
        ("", "line 1: "),
        ("configuration\t1\n", "line 2: "),
        ("configuration\t1\nkernel\tcycles\nbfs\tx\n", "line 3: invalid digit"),
        ("configuration\t1\nkernel\tcycles\nbfs\t1\t2\n", "line 3: 2 numbers, 1 are expected"),
        ("configuration\t1\nkernel\tcycles\nbfs\t1\nbfs\t1\n", "line 4: kernel 'bfs' is there twice"),
    ] {
        let error = Record::parse(broken).expect_err(message);
        assert!(error.starts_with(message), "{error}");
    }
}
