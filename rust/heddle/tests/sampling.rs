//! `heddle sim --sample`: what is estimated says so, and what cannot be is refused.

use crate::common::{heddle, text};

const LINE: [&str; 6] =
    ["sim", "-q", "-k", "divergence", "--sample=window=100,warm-up=100,every=1000", "--format"];

#[test]
fn estimates_are_marked_in_every_format() {
    let row = heddle(&[&LINE[..], &["json"]].concat()).passes().json().remove(0);
    for key in ["cycles", "ipc", "events", "statistics", "ipc_stack", "occupancy", "prefetches"] {
        assert!(row.get(key).is_none(), "{key} of a run that is not there: {row}");
    }
    let sampled = &row["sampled"];
    let (estimated, bound) = (&sampled["estimated_cycles"], &sampled["bound_cycles"]);
    assert!(estimated.as_u64() > bound.as_u64() && bound.as_u64() > Some(0), "{row}");
    assert!(sampled["windows"].as_u64() >= Some(10), "{row}");
    let table = heddle(&[&LINE[..], &["table"]].concat()).passes().stdout;
    assert!(table.contains("estimated") && table.contains("(95 %)"), "{table}");
    assert!(table.contains("with 95 % confidence of sampling alone"), "{table}");
    let csv = heddle(&[&LINE[..], &["csv"]].concat()).passes().stdout;
    let (head, values) = csv.split_once('\n').expect("two lines");
    let at = |name: &str| head.split(',').position(|key| key == name);
    assert!(at("cycles").is_none() && at("ipc").is_none(), "{head}");
    let column = at("sampled.estimated_cycles").expect("a column");
    assert_eq!(values.split(',').nth(column), Some(estimated.to_string().as_str()));
}

#[test]
fn too_few_windows_have_no_bound() {
    let line = ["sim", "-q", "-k", "divergence", "--sample", "--format"];
    let row = heddle(&[&line[..], &["json"]].concat()).passes().json().remove(0);
    assert!(row["sampled"]["bound_cycles"].is_null() && row["sampled"]["bound"].is_null(), "{row}");
    let table = heddle(&[&line[..], &["table"]].concat()).passes().stdout;
    assert!(table.contains("no bound: an entry has fewer than 10 windows"), "{table}");
}

#[test]
fn what_a_sampled_run_does_not_do_is_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let timeline = folder.path().join("t.json");
    heddle(&["cosim", "-k", "vectoradd", "--sample"]).fails(2, &["use `heddle sim`"]);
    let refused = |more: &[&str], part: &str| {
        heddle(&[&["sim", "-k", "vectoradd", "--sample"], more].concat()).fails(2, &[part]);
    };
    refused(&["--timeline", text(&timeline)], "which --timeline shows");
    refused(&["--sms", "4"], "--sample is for one SM, not for --sms 4");
    refused(&["--threads", "2"], "--threads has no meaning");
    refused(&["--per", "launch"], "(--per)");
    refused(&["--tlp", "best"], "--tlp best");
    refused(&["-d", "rfc"], "follows from every one");
    heddle(&["sim", "-k", "vectoradd", "--sample=every=3"]).fails(2, &["every=3 is less than"]);
    heddle(&["sim", "-k", "vectoradd", "--sample=windows=3"]).fails(2, &["expected window=N"]);
    assert!(!timeline.exists());
}
