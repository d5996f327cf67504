//! `heddle compare` with several designs and several settings.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{heddle, text};

/// Results of `sim` in a file of `folder`.
fn results(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let run = ["sim", "-q", "-k", "vectoradd,reduction", "--format", "json"];
    let path = folder.join(name);
    std::fs::write(&path, heddle(&[&run[..], more].concat()).passes().stdout).expect("writable");
    path
}

/// The files one after the other in one.
fn together(folder: &Path, name: &str, files: &[&PathBuf]) -> PathBuf {
    let path = folder.join(name);
    let all: String = files.iter().map(|f| std::fs::read_to_string(f).expect("there")).collect();
    std::fs::write(&path, all).expect("writable");
    path
}

fn compare(files: &[&PathBuf], more: &[&str]) -> Vec<Value> {
    let mut line = vec!["compare", "--format", "json"];
    line.extend(files.iter().map(|f| text(f)));
    heddle(&[&line[..], more].concat()).passes().json()
}

#[test]
fn one_design_is_compared_with_all_of_another_file() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let baseline = results(folder.path(), "baseline.jsonl", &[]);
    let both = results(folder.path(), "both.jsonl", &["-d", "baseline,ltrf"]);
    let rows = compare(&[&baseline, &both], &[]);
    let names: Vec<[&str; 3]> = rows
        .iter()
        .map(|r| ["kernel", "design_a", "design_b"].map(|key| r[key].as_str().expect("a name")))
        .collect();
    assert_eq!(
        names,
        [
            ["reduction", "baseline", "baseline"],
            ["reduction", "baseline", "ltrf"],
            ["vectoradd", "baseline", "baseline"],
            ["vectoradd", "baseline", "ltrf"],
        ]
    );
    for row in &rows {
        let (a, b) = (row["cycles_a"].as_f64().expect("a"), row["cycles_b"].as_f64().expect("b"));
        // The last bit of a fraction may differ after it was read back.
        assert!(row["cycles_b_to_a"].as_f64().is_some_and(|r| (r - b / a).abs() < 1e-12), "{row}");
        assert_eq!(row["design_b"] == "baseline", a == b, "{row}");
        assert_eq!(row["settings_b"], serde_json::json!({}));
    }
    // The other way round each run of the first file has its own.
    let rows = compare(&[&both, &baseline], &[]);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows.iter().filter(|r| r["design_b"].is_null()).count(), 2, "{rows:?}");
    heddle(&["compare", text(&both), text(&baseline), "--by", "kernel"])
        .fails(2, &["both.jsonl:3: ltrf vectoradd smoke with seed 1 is there twice", "use --by design"]);
}

#[test]
fn settings_tell_the_runs_of_one_design_apart() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let here = folder.path();
    let with =
        |cycles: &str| results(here, cycles, &["--set", &format!("register_file.bank_cycles={cycles}")]);
    let (one, four, eight) = (with("1"), with("4"), with("8"));
    let many = together(here, "many.jsonl", &[&one, &four, &eight]);
    let rows = compare(&[&one, &many], &[]);
    assert_eq!(rows.len(), 6);
    let mut last = 0.0;
    for (row, cycles) in rows.iter().filter(|r| r["kernel"] == "vectoradd").zip([1, 4, 8]) {
        assert_eq!(row["settings_b"]["register_file.bank_cycles"], cycles, "{row}");
        let ratio = row["cycles_b_to_a"].as_f64().expect("a ratio");
        assert!(ratio > last, "{row}");
        last = ratio;
    }
    let table = heddle(&["compare", text(&one), text(&many)]).passes().stdout;
    assert!(table.contains("register_file.bank_cycles=8"), "{table}");
    let csv = heddle(&["compare", text(&one), text(&many), "--format", "csv"]).passes().stdout;
    assert!(csv.contains(",register_file.bank_cycles=4,"), "{csv}");

    // Both files with several settings: each beside its own.
    let rows = compare(&[&many, &many], &[]);
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|r| r["cycles_b_to_a"] == 1.0 && r["settings_a"] == r["settings_b"]), "{rows:?}");
    // One setting of several finds its own.
    let rows = compare(&[&many, &four], &[]);
    let whole: Vec<&Value> = rows.iter().filter(|r| !r["cycles_b"].is_null()).collect();
    assert_eq!((rows.len(), whole.len()), (6, 2));
    assert!(whole.iter().all(|r| r["settings_b"]["register_file.bank_cycles"] == 4), "{rows:?}");

    // Several files, and a mean for each choice of settings.
    let rows = compare(&[&one, &four, &eight], &["--mean", "cycles"]);
    assert_eq!(rows.len(), 2);
    assert!(rows[0]["mean_b_to_a"].as_f64() < rows[1]["mean_b_to_a"].as_f64(), "{rows:?}");
    assert_eq!(rows[0]["settings_b"]["register_file.bank_cycles"], 4);
    assert!(rows[0]["settings_b"]["file"].as_str().is_some_and(|f| f.ends_with('4')), "{rows:?}");
    // The same run twice is one too many.
    let twice = together(here, "twice.jsonl", &[&one, &one]);
    heddle(&["compare", text(&one), text(&twice)]).fails(2, &["twice.jsonl:3: ", "is there twice, first in"]);
}

#[test]
fn runs_on_other_numbers_of_sms_are_told_apart() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (one, two) =
        (results(folder.path(), "one.jsonl", &[]), results(folder.path(), "two.jsonl", &["--sms", "2"]));
    let both = together(folder.path(), "both.jsonl", &[&one, &two]);
    let rows = compare(&[&one, &both], &[]);
    let sms: Vec<&Value> = rows.iter().map(|row| &row["settings_b"]["sms"]).collect();
    assert_eq!(sms, [1, 2, 1, 2]);
    let table = heddle(&["compare", text(&one), text(&two)]);
    assert!(format!("{}{}", table.stdout, table.stderr).contains("sms 1 and 2"), "{}", table.stdout);
}

#[test]
fn files_without_runs_and_runs_that_did_not_pass_are_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let good = results(folder.path(), "good.jsonl", &[]);
    let rows = std::fs::read_to_string(&good).expect("written");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path
    };
    let empty = file("empty.jsonl", "");
    let blank = file("blank.jsonl", "\n \n");
    let failed = file("failed.jsonl", &rows.replacen("\"ok\":true", "\"ok\":false", 1));
    let of_failed = "failed.jsonl:1: the run of kernel ";
    for (other, part) in [
        (&empty, "empty.jsonl holds no rows; expected JSON lines of results"),
        (&blank, "blank.jsonl holds no rows; expected JSON lines of results"),
        (&failed, of_failed),
    ] {
        for (a, b) in [(&good, other), (other, &good)] {
            for more in [&[][..], &["--mean", "cycles"]] {
                let ran = heddle(&[&["compare", text(a), text(b)], more].concat()).fails(2, &[part]);
                assert_eq!(ran.stdout, "", "{part}");
            }
        }
    }
    heddle(&["compare", text(&good), text(&failed)])
        .fails(2, &[of_failed, "on design baseline did not pass (ok = false); expected runs that passed"]);
}
