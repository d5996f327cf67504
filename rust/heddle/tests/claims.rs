//! `heddle claims --measure`: what verdicts need runs, and nothing else.

use std::fs;

use crate::common::{heddle, text};

#[test]
fn a_claim_runs_what_it_needs_and_nothing_else() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let line = ["claims", "--only", "osm-8k", "--results", text(folder.path()), "--format", "json"];
    let with = |more: &[&'static str], told: &str| heddle(&[&line[..], more].concat()).warns(&[told]);
    let estimated = with(&["--estimate"], "44 of 44 runs are missing");
    // The baseline and one of the six other points of its experiment.
    let points: Vec<_> = estimated.json().into_iter().map(|row| row["point"].clone()).collect();
    assert_eq!(points, ["baseline", "osm shared_memory.cache_bytes=8192"]);
    assert_eq!(with(&[], "").json()[0]["verdict"], "not measured");
    let measured = with(&["--measure"], "osm-sizes: 44 runs: 0 were there, 44 passed, 0 failed");
    let row = &measured.json()[0];
    assert_eq!(row["verdict"], "not judged at this scale");
    assert!(row["geometric_mean"].as_f64().is_some_and(|mean| mean > -1.0), "{row}");
    let swept = folder.path().join("sweep/osm-sizes/runs");
    assert_eq!(fs::read_dir(&swept).expect("results").count(), 44);
    with(&["--estimate"], "0 of 0 runs are missing");
    heddle(&[&line[..], &["--measure", "-q"]].concat()).passes();
    // A result that goes away is missing again.
    let one = fs::read_dir(&swept).expect("results").next().expect("one").expect("a file").path();
    fs::remove_file(&one).expect("writable");
    with(&["--estimate"], "1 of 1 runs are missing");
}

#[test]
fn a_page_keeps_what_was_measured_and_what_is_of_other_papers() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let of = |name: &str| folder.path().join(name);
    for name in ["docs/claims.md", "docs/designs/hybrid.md"] {
        let name = std::path::Path::new(name);
        fs::copy(root.join(name), of(name.file_name().and_then(|n| n.to_str()).expect("a name")))
            .expect("copied");
    }
    let (all, hybrid) = (of("claims.md"), of("hybrid.md"));
    let none = of("results");
    let line = ["claims", "--scale", "claims", "--results", text(&none)];
    let write = |more: &[&str]| heddle(&[&line[..], more].concat());
    write(&["--only", "hybrid", "--write", text(&all)]).fails(2, &["claims of other papers, such as cerf-"]);
    write(&["--only", "hrf-area", "--write", text(&hybrid)]).fails(2, &["'hrf-area' is one claim"]);
    // Without results a page keeps those that it shows.
    write(&["--only", "hybrid", "--write", text(&hybrid), "--forget"]).passes();
    let written = fs::read_to_string(&hybrid).expect("a page");
    let shown = written.replacen("|  |  | not measured |", "| 50 % | 56 % | reproduced |", 1);
    assert_ne!(shown, written);
    fs::write(&hybrid, &shown).expect("writable");
    write(&["--only", "hybrid", "--write", text(&hybrid)])
        .fails(2, &["1 of the page's values have no results"]);
    assert_eq!(fs::read_to_string(&hybrid).expect("a page"), shown);
    // Its row stands as it was, twice over, where it is told which results it was made from.
    let told = "\n1 of them are from results of scale claims, made by commit abc.\n<!-- end of verdicts from";
    fs::write(&hybrid, shown.replace("<!-- end of verdicts from", told)).expect("writable");
    for _ in 0..2 {
        write(&["--only", "hybrid", "--write", text(&hybrid), "--keep"]).passes();
        let kept = fs::read_to_string(&hybrid).expect("a page");
        assert!(kept.contains("| 50 % | 56 % | reproduced |"), "{kept}");
        assert!(kept.contains("\n| reproduced | 1 |\n"), "{kept}");
        let told = "\n1 of them stand as they were, from results of scale claims, made by commit abc.\n";
        assert!(kept.contains(told), "{kept}");
    }
    write(&["--only", "hybrid", "--write", text(&hybrid), "--forget"]).passes();
    assert_eq!(fs::read_to_string(&hybrid).expect("a page"), written);
    // A row without a result has none to lose.
    fs::write(&hybrid, written.replacen("| not measured |", "| not built |", 1)).expect("writable");
    write(&["--only", "hybrid", "--write", text(&hybrid)]).passes();
    assert_eq!(fs::read_to_string(&hybrid).expect("a page"), written);
    // What is written once can be written again, and a page without places for verdicts is told before anything runs.
    write(&["--only", "hybrid", "--write", text(&hybrid)]).passes();
    fs::write(&hybrid, "# Nothing").expect("writable");
    write(&["--only", "hybrid", "--measure", "--write", text(&hybrid)]).fails(2, &["once"]);
    assert!(!none.exists());
}
