//! Cycles and events of every design with every kernel, and of every variant with a third of them, are those of the files beside
//! this test; an ignored test runs the other two thirds.
//!
//! Any difference fails, an improvement too. A change that is meant is written by
//! `cargo run --release -p heddle-cosim --example rewrite_golden_cycles`, and its reason belongs in the commit.

mod coverage;
mod measure;
mod record;

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use heddle_rtl::Manifest;
use measure::{designs, file, folder, for_each, manifests, measure};
use record::{FLUSH, Record};

/// Differences of one design that are printed.
const SHOWN: usize = 8;

/// The rows of some kernels, without the columns of a flush that none of them has.
fn of_kernels(mut record: Record, chosen: impl Fn(&str) -> bool) -> Record {
    record.kernels.retain(|kernel, _| chosen(kernel));
    let names: BTreeSet<String> =
        record.kernels.values().flat_map(|numbers| numbers.keys().cloned()).collect();
    let flush = names.into_iter().filter(|name| name.starts_with(FLUSH));
    for name in flush {
        if record.kernels.values().all(|numbers| numbers.get(&name) == Some(&0)) {
            for numbers in record.kernels.values_mut() {
                numbers.remove(&name);
            }
        }
    }
    record
}

/// Of the kernels, a variant runs every such one in `make test`.
const SHARE: usize = 3;

/// What is wrong with a design on the kernels that `chosen` takes by their place, if anything.
fn judge(design: &str, chosen: impl Fn(usize) -> bool) -> Option<String> {
    let golden = fs::read_to_string(file(design)).map_err(|e| e.to_string()).and_then(|t| Record::parse(&t));
    let golden = match golden {
        Ok(golden) => golden,
        Err(error) => return Some(format!("{design}: {}: {error}", file(design).display())),
    };
    let names: Vec<&str> = heddle_workloads::all().iter().map(|workload| workload.name()).collect();
    let (there, all): (BTreeSet<&str>, BTreeSet<&str>) =
        (golden.kernels.keys().map(String::as_str).collect(), names.iter().copied().collect());
    if there != all {
        let other: Vec<&&str> = there.symmetric_difference(&all).collect();
        return Some(format!("{design}: only in the golden, or not in it: {other:?}"));
    }
    let left = |kernel: &str| names.iter().position(|name| *name == kernel).is_none_or(&chosen);
    let golden = of_kernels(golden, left);
    let measured = match measure(design, &chosen) {
        Ok(measured) => measured,
        Err(error) => return Some(format!("{design}: {error}")),
    };
    let differences = golden.differences(&measured);
    let shown: String = differences.iter().take(SHOWN).map(|line| format!("\n  {line}")).collect();
    (!differences.is_empty()).then(|| format!("{design}: {} differences{shown}", differences.len()))
}

/// Each design runs every kernel; `chosen` says by its place among the variants and that of the kernel whether a variant does.
fn are_golden(chosen: impl Fn(usize, usize) -> bool + Sync) {
    let manifests = manifests();
    let variants: Vec<String> =
        manifests.iter().filter(|m| m.variant.is_some()).map(Manifest::called).collect();
    let failures = Mutex::new(Vec::new());
    for_each(&designs(), |design| {
        let variant = variants.iter().position(|name| name == design);
        if let Some(failure) = judge(design, |kernel| variant.is_none_or(|variant| chosen(variant, kernel))) {
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
fn cycles_and_events_are_golden() {
    are_golden(|variant, kernel| variant % SHARE == kernel % SHARE);
}

#[test]
#[ignore = "minutes: make test-all"]
fn cycles_and_events_of_variants_are_golden_with_every_kernel() {
    are_golden(|_, _| true);
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
fn of_some_kernels_their_rows_are_left_and_no_flush_that_only_others_have() {
    let text = "configuration\tc0ffee\nkernel\tcycles\twarp_instructions\tbank_read\tflush.bank_read\n\
                bfs\t10\t5\t7\t0\nnn\t3\t1\t0\t4\n";
    let record = || Record::parse(text).expect("a record");
    assert_eq!(of_kernels(record(), |_| true), record());
    let bfs = of_kernels(record(), |kernel| kernel == "bfs");
    assert_eq!(
        bfs.text(),
        "configuration\tc0ffee\nkernel\tcycles\twarp_instructions\tbank_read\nbfs\t10\t5\t7\n"
    );
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
