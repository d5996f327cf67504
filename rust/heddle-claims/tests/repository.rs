//! The claims of the repository, and files that are wrong.

mod common;

use std::collections::BTreeMap;

use common::{stock, stock_at};
use heddle_claims::{
    Evidence, Expected, Paper, Source, Verdict, count, judge, line, load, load_from, only, write_into,
};
use heddle_experiments::Scale;

#[test]
fn all_claims_of_the_repository_load() {
    let papers = load(&stock()).unwrap_or_else(|e| panic!("{e}"));
    let ids: Vec<&str> = papers.iter().map(|paper| paper.id.as_str()).collect();
    assert_eq!(ids, ["cerf", "hybrid", "ltrf", "osm", "racetrack"]);
    let claims = |paper: &Paper| paper.claims.len();
    assert_eq!(papers.iter().map(claims).collect::<Vec<_>>(), [14, 8, 20, 16, 12]);
    for value in papers.iter().flat_map(|p| &p.claims).flat_map(|c| &c.values) {
        assert_eq!(value.source.is_none(), !value.unmet.is_empty(), "{}", value.name);
        if let Some(Source::Experiment(source)) = &value.source {
            assert!(!source.points.is_empty() && !source.kernels.is_empty(), "{}", value.name);
        }
    }
}

/// Sizes, the mapping's example and the table of occupancies follow from the structures and the compiler alone.
#[test]
fn what_follows_from_the_structures_is_reproduced_without_results() {
    let stock = stock();
    let evidence = Evidence::new(&stock, BTreeMap::new());
    let judged = |claim: &str| {
        let papers = only(load(&stock).expect("claims"), claim).expect("the claim");
        judge(&papers, &stock, &evidence).expect("judged")
    };
    for (claim, values) in [
        ("cerf-storage", 2),
        ("ltrf-wcb", 2),
        ("ltrf-example", 3),
        ("rm-example", 1),
        ("rm-occ-table", 10),
        ("hrf-area", 2),
    ] {
        let reproduced = judged(claim).into_iter().filter(|j| j.verdict == Verdict::Reproduced);
        assert_eq!(reproduced.count(), values, "{claim}");
    }
    // All 470 cycles are there only where the TLB is asked.
    let off = judged("osm-latency").into_iter().filter(|j| j.verdict != Verdict::Reproduced);
    assert_eq!(off.map(|j| j.expected).collect::<Vec<_>>(), [Expected::Near { value: 470.0, band: 0.25 }]);
}

/// What `heddle claims --write` would change on a page: nothing of what needs no results, and of the rest no more than
/// what is measured.
#[test]
fn the_pages_say_what_the_command_writes() {
    let stock = stock_at(Scale::Claims);
    let papers = load(&stock).expect("claims");
    let pages = papers.iter().map(|paper| (format!("docs/designs/{}.md", paper.id), vec![paper.clone()]));
    for (name, papers) in pages.chain([("docs/claims.md".to_owned(), papers.clone())]) {
        let page = std::fs::read_to_string(common::root().join(&name)).expect("the page");
        let evidence = Evidence::new(&stock, BTreeMap::new());
        let written = write_into(&page, &papers, &stock, &evidence, false).expect("written");
        let parts = |text: &str| {
            let (before, rest) = text.split_once("verdicts from results -->").expect("the second table");
            let (table, after) = rest.split_once("These values, by verdict").expect("its end");
            let rows = table.lines().map(|row| row.split('|').take(4).collect::<Vec<_>>().join("|"));
            let after = after.split_once("<!--").expect("the line after it").1;
            (before.to_owned(), rows.collect::<Vec<_>>(), after.to_owned())
        };
        let line = page.lines().zip(written.lines()).find(|(page, written)| page != written);
        let told = "run scripts/claims.sh with the folder of results";
        assert!(
            parts(&page) == parts(&written),
            "{name}: {told}; first in the page and as written: {line:?}"
        );
    }
}

/// Every value and every claim is counted once.
#[test]
fn counts_by_verdict_sum_to_all() {
    let stock = stock();
    let papers = load(&stock).expect("claims");
    let judged = judge(&papers, &stock, &Evidence::new(&stock, BTreeMap::new())).expect("judged");
    let counts = count(&judged.iter().collect::<Vec<_>>());
    assert_eq!(counts.iter().map(|count| count.values).sum::<usize>(), judged.len());
    let claims: usize = papers.iter().map(|paper| paper.claims.len()).sum();
    assert_eq!(counts.iter().map(|count| count.claims).sum::<usize>(), claims);
    assert!(line(&judged).contains("0 workload not comparable"), "said where there is none, too");
}

/// A claim that is right.
const GOOD: &str = r#"id = "one"
title = "One"
source = "none"

[[claim]]
id = "one-a"
where = "figure 1"
quantity = "ipc"
[[claim.value]]
name = "a"
paper = 0.2
as = "change"
experiment = "osm-cache"
point = "osm shared_memory.cache_bytes=8192"
"#;

/// The beginning of a condition.
const CONDITION: &str = "[[claim.value.condition]]\nproperty = \"one\"";

/// The message for a file in which `from` was replaced, without the file's name.
fn refused(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("one.toml");
    std::fs::write(&file, GOOD.replace(from, to)).expect("writable");
    match load_from(&stock(), folder.path()) {
        Err(error) => error.to_string().replace(&format!("{}:", file.display()), ""),
        Ok(_) => panic!("{to}: not refused"),
    }
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let experiment = "experiment = \"osm-cache\"";
    let point = "point = \"osm shared_memory.cache_bytes=8192\"";
    for (from, to, place, what) in [
        ("paper = 0.2", "papers = 0.2", "11:1: ", "unknown field `papers`"),
        ("paper = 0.2", "", "9:1: ", "expected one of paper, exact"),
        ("paper = 0.2", "paper = 0.2\nat_least = 1.0", "9:1: ", "expected one of paper, exact"),
        ("paper = 0.2", "at_least = 0.2\nband = 0.1", "12:8: ", "band has a meaning beside paper only"),
        ("paper = 0.2", "range = [2.0, 1.0]", "11:9: ", "expected the least value first"),
        ("id = \"one\"", "id = \"two\"", "1:6: ", "expected the name of the file, 'one'"),
        (experiment, "", "9:1: ", "expected experiment, or computed"),
        (experiment, "experiment = \"osm-cash\"", "13:14: ", "unknown experiment 'osm-cash'"),
        (
            experiment,
            "computed = \"nothing\"",
            "13:12: ",
            "what is to come stands in needs as 'measure:nothing'",
        ),
        (experiment, "computed = \"cerf-storage-kb\"", "14:9: ", "point is for results of an experiment"),
        (point, &format!("{point}\nmeasure = [\"ipc\"]\nnone = nan"), "16:8: ", "expected a finite number"),
        (point, "point = \"osm\"", "14:9: ", "experiment 'osm-cache' has no point 'osm'"),
        (point, "", "9:1: ", "expected point"),
        (point, &format!("{point}\nkernels = [\"bfs\"]"), "15:12: ", "has no kernel 'bfs'"),
        (point, &format!("{point}\nagainst = \"sram\""), "15:11: ", "has no series 'sram'"),
        (
            point,
            &format!("{point}\nmeasure = [\"events.nothing\"]"),
            "15:12: ",
            "no row of results has a number",
        ),
        (point, &format!("{point}\nmeasure = [\"energy.total_pj\"]"), "15:12: ", "energy needs technology"),
        (point, &format!("{point}\nneeds = [\"design\"]"), "15:10: ", "'design' is no need"),
        (
            point,
            &format!("{point}\npart = {{ from = \"baseline\", of = [\"baseline\", \"osm\"] }}"),
            "15:8: ",
            "expected point, as = \"share\", no of",
        ),
        (point, &format!("{point}\nlimit = \"nothing\""), "15:9: ", "unknown measure 'nothing'"),
        (point, &format!("{point}\nsize = \"huge\""), "15:8: ", "huge"),
        (
            point,
            &format!("{point}\n{CONDITION}\ncomputed = \"cerf-storage-kb\""),
            "16:12: ",
            "expected one of paper, at_least and range",
        ),
        (
            point,
            &format!("{point}\n{CONDITION}\npaper = 1"),
            "16:12: ",
            "expected computed, or the point where the property is measured",
        ),
        (
            point,
            &format!("{point}\n{CONDITION}\npaper = 1\ncomputed = \"nothing\""),
            "18:12: ",
            "unknown measure 'nothing'",
        ),
        (
            point,
            &format!("{point}\n{CONDITION}\npaper = 1\nexperiment = \"racetrack-ipc\"\npoint = \"sram\""),
            "19:9: ",
            "experiment 'racetrack-ipc' has no kernel",
        ),
        (
            point,
            &format!("{point}\n{CONDITION}\nrange = [2, 1]\npoint = \"baseline\""),
            "17:9: ",
            "expected the least value first",
        ),
    ] {
        let message = refused(from, to);
        assert!(message.starts_with(place) && message.contains(what), "{to}: {message}");
    }
}
