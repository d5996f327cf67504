//! What values look for at the points of an experiment, on results made by hand.

mod common;

use std::collections::BTreeMap;

use common::stock;
use heddle_claims::{ClaimError, Evidence, Judgement, Measured, Reach, Verdict, judge, load_from};
use heddle_experiments::{ResultRow, ResultSet};
use serde_json::{Value, json};

/// An experiment with two series over the same key.
const EXPERIMENT: &str = "osm-sizes";
/// Its kernels.
const KERNELS: usize = 22;

/// The judgement on a value of the experiment, with the rows of `row` by point and place of the kernel.
fn judged(value: &str, row: impl Fn(&str, usize) -> Option<Value>) -> Result<Judgement, ClaimError> {
    let text = format!(
        "id = \"one\"\ntitle = \"One\"\nsource = \"none\"\n[[claim]]\nid = \"one-a\"\nwhere = \"figure 1\"\n\
         quantity = \"ipc\"\n[[claim.value]]\nsize = \"smoke\"\nexperiment = \"{EXPERIMENT}\"\n{value}\n"
    );
    let folder = tempfile::tempdir().expect("temporary folder");
    std::fs::write(folder.path().join("one.toml"), text).expect("writable");
    let stock = stock();
    let papers = load_from(&stock, folder.path())?;
    let experiment = &stock.experiments()[EXPERIMENT];
    assert_eq!(experiment.kernels.len(), KERNELS);
    let mut set = ResultSet::default();
    for point in experiment.points() {
        for (place, kernel) in experiment.kernels.iter().enumerate() {
            let Some(row) = row(&point.label(), place) else { continue };
            let row = row.as_object().cloned().expect("an object");
            let (point, kernel) = (point.clone(), kernel.clone());
            set.rows.push(ResultRow { point, kernel, key: String::new(), row });
        }
    }
    let evidence = Evidence::new(&stock, BTreeMap::from([(EXPERIMENT.to_owned(), set)]));
    Ok(judge(&papers, &stock, &evidence)?.remove(0))
}

/// What the series without locks is to reach.
const REACHED: &str = "unit = \"x\"\nreached = { series = \"no lock\", sweep = \"shared_memory.cache_bytes\", \
                       point = \"osm shared_memory.cache_bytes=8192\" }";

/// The point that it is to reach.
const POINT: &str = "point = \"osm shared_memory.cache_bytes=8192\"";

/// Rows in which the baseline has one instruction a cycle, OSM with 8 KB `osm`, and no lock with 4, 8, 16, 32
/// and 64 KB those of `no_lock`; each kernel has twice as many as the one before.
fn speeds(osm: f64, no_lock: [f64; 5]) -> impl Fn(&str, usize) -> Option<Value> {
    move |label, kernel| {
        let sizes = (0..5).map(|double| format!("no lock shared_memory.cache_bytes={}", 4096 << double));
        let known = sizes.zip(no_lock).collect::<BTreeMap<_, _>>();
        let speed = match label {
            "baseline" => 1.0,
            "osm shared_memory.cache_bytes=8192" => osm,
            _ => *known.get(label)?,
        };
        Some(json!({ "ipc": speed * 2f64.powi(i32::try_from(kernel).ok()?) }))
    }
}

#[test]
fn a_series_reaches_a_point_between_two_of_its_values() {
    let rows = speeds(0.9, [0.5, 0.7, 0.8, 1.0, 1.0]);
    let judgement = judged(&format!("paper = 3\n{REACHED}"), rows).expect("judged");
    assert_eq!(judgement.verdict, Verdict::Reproduced);
    // From 16 to 32 KB half of the way, by 8 KB.
    let Some(Measured::Reached { geometric: Some(Reach::At(geometric)), arithmetic: Reach::At(arithmetic) }) =
        judgement.ours
    else {
        panic!("{:?}", judgement.ours)
    };
    assert!((geometric - 3.0).abs() < 1e-9 && (arithmetic - 3.0).abs() < 1e-9);
    assert_eq!([judgement.geometric_text(), judgement.arithmetic_text()], ["3 x", "3 x"]);
}

/// What is not reached has no number: the verdict says what it is more than.
#[test]
fn a_series_that_does_not_reach_a_point_has_a_bound() {
    let judgement =
        judged(&format!("paper = 4\n{REACHED}"), speeds(0.9, [0.5, 0.6, 0.7, 0.8, 0.85])).expect("judged");
    assert_eq!(judgement.verdict, Verdict::Off { by: 4.0, or_more: true });
    assert_eq!([judgement.geometric_text(), judgement.arithmetic_text()], ["more than 8 x", "more than 8 x"]);
    assert_eq!(judgement.reason, "off by 4 x or more");
    let judgement =
        judged(&format!("paper = 4\n{REACHED}"), speeds(0.5, [0.5, 0.6, 0.7, 0.8, 0.85])).expect("judged");
    assert_eq!(judgement.arithmetic_text(), "at most 0.5 x");
    assert_eq!(judgement.reason, "off by -3.5 x or more");
}

#[test]
fn a_mean_of_a_part_of_the_kernels_reaches_nothing() {
    let rows = speeds(0.9, [0.5, 0.7, 0.8, 1.0, 1.0]);
    let less = |label: &str, kernel| rows(label, kernel).filter(|_| label != "baseline" || kernel != 3);
    let judgement = judged(&format!("paper = 3\n{REACHED}"), less).expect("judged");
    assert_eq!(judgement.verdict, Verdict::NotMeasured { missing: 6, of: 6 * KERNELS });
    let none = judged(&format!("paper = 3\n{REACHED}"), |_, _| None).expect("judged");
    assert_eq!(none.verdict, Verdict::NotMeasured { missing: 6 * KERNELS, of: 6 * KERNELS });
}

/// What falls to a ratio of the base does so at a value that was run, which is divided by a unit.
#[test]
fn a_series_falls_to_a_ratio() {
    let least = |at_most: &str| {
        format!(
            "paper = 16\nunit = \"KB\"\nreached = {{ series = \"no lock\", \
             sweep = \"shared_memory.cache_bytes\", at_most = {at_most}, by = 1024 }}"
        )
    };
    let rows = || speeds(1.0, [2.0, 1.4, 1.2, 1.0, 0.9]);
    let judgement = judged(&least("1.3"), rows()).expect("judged");
    assert_eq!(judgement.verdict, Verdict::Reproduced);
    assert_eq!([judgement.geometric_text(), judgement.arithmetic_text()], ["16 KB", "16 KB"]);
    let just = judged(&least("1.2"), rows()).expect("judged");
    assert_eq!(just.arithmetic_text(), "16 KB", "what has it is enough");
    let never = judged(&least("0.8"), rows()).expect("judged");
    assert_eq!((never.arithmetic_text(), never.verdict.name()), ("more than 64 KB".to_owned(), "off"));
    let at_once = judged(&least("2.0"), rows()).expect("judged");
    assert_eq!((at_once.arithmetic_text(), at_once.verdict.name()), ("at most 4 KB".to_owned(), "off"));
    let none = judged(&least("1.3"), |_, _| None).expect("judged");
    assert_eq!(none.verdict, Verdict::NotMeasured { missing: 5 * KERNELS, of: 5 * KERNELS });
}

/// A kernel is the faster the later it stands in the list.
fn rising(_: &str, kernel: usize) -> Option<Value> {
    Some(json!({ "ipc": kernel }))
}

#[test]
fn kernels_at_an_end_are_counted() {
    let extreme = |exact: u32, end: &str| {
        format!("exact = {exact}\nunit = \"kernels\"\npoint = \"baseline\"\nextreme = {{ {end} }}")
    };
    let judgement = judged(&extreme(2, "least = [\"cutcp\", \"bfs\"]"), rising).expect("judged");
    assert_eq!((judgement.verdict.name(), judgement.arithmetic_text().as_str()), ("reproduced", "2 kernels"));
    let judgement = judged(&extreme(2, "most = [\"bfs\", \"tpacf\"]"), rising).expect("judged");
    assert_eq!(judgement.reason, "off by -1 kernels");
    // The third one is not among the two with the least.
    let least = judged(&extreme(2, "least = [\"bfs\", \"gemm\"]"), rising).expect("judged");
    assert_eq!(least.reason, "off by -1 kernels");
    let part = |label: &str, kernel| rising(label, kernel).filter(|_| kernel > 0);
    let judgement = judged(&extreme(1, "most = [\"tpacf\"]"), part).expect("judged");
    assert_eq!(judgement.verdict, Verdict::NotMeasured { missing: 1, of: KERNELS });
}

/// Where no block has shared memory the row has none of its numbers.
#[test]
fn a_number_that_a_row_does_not_have_can_count() {
    let rows = |_: &str, kernel: usize| {
        let used = if kernel < KERNELS / 2 { json!({ "utilisation": 0.5 }) } else { Value::Null };
        Some(json!({ "shared_memory": used }))
    };
    let value = "exact = 0.25\nas = \"share\"\nmean = \"arithmetic\"\npoint = \"baseline\"\n\
                 measure = [\"shared_memory.utilisation\"]";
    let without = judged(value, rows).expect("judged");
    assert_eq!(without.verdict, Verdict::NotMeasured { missing: KERNELS / 2, of: KERNELS });
    assert_eq!(judged(&format!("{value}\nnone = 0"), rows).expect("judged").verdict, Verdict::Reproduced);
}

#[test]
fn what_cannot_be_looked_for_is_refused() {
    let reached = |paper: &str, from: &str, to: &str| format!("{paper}\n{}", REACHED.replace(from, to));
    let order = "exact = 2\npoint = \"baseline\"\n";
    let part = "part = { from = \"baseline\", of = [\"baseline\", \"baseline\"] }";
    for (value, what) in [
        (reached("paper = 8", "", ""), "expected from less than 6 to more than 10"),
        (reached("exact = 4", "", ""), "expected paper, no `as`, no of"),
        (reached("paper = 4\nas = \"share\"", "", ""), "expected paper, no `as`, no of"),
        (reached("paper = 4\npoint = \"baseline\"", "", ""), "no point of the value, no ascending"),
        (reached("paper = 4", "osm shared_memory.cache_bytes=8192", "baseline"), "has no value of"),
        (reached("paper = 4", "\"shared_memory.cache_bytes\"", "\"sm.warps\""), "does not sweep"),
        (reached("paper = 4", "\"no lock\"", "\"none\""), "has no series 'none' of two points"),
        (reached("paper = 4", "unit", &format!("{part}\nunit")), "tolerated, reached, part and extreme"),
        (reached("paper = 4", "point", "at_most = 1.0, point"), "expected point alone, or at_most"),
        (reached("paper = 4", POINT, "by = 2.0"), "expected point alone, or at_most"),
        (reached("paper = 4", POINT, "at_most = 0"), "expected a number above 0"),
        (reached("paper = 4", POINT, "at_most = 1, by = -1"), "expected a number above 0"),
        (reached("paper = 4", POINT, "at_most = 1"), "expected from less than 3 to more than 5"),
        (format!("{order}extreme = {{ }}"), "expected one of least and most"),
        (format!("{order}extreme = {{ least = [\"bsf\"] }}"), "has no kernel 'bsf'"),
        (format!("{order}as = \"change\"\nextreme = {{ least = [\"bfs\"] }}"), "no `as`"),
        (format!("{order}kernels = [\"lud\"]\nextreme = {{ most = [\"nw\"] }}"), "'nw' is no kernel"),
        (format!("{order}none = 0"), "none have a meaning beside measure only"),
    ] {
        match judged(&value, |_, _| None) {
            Err(error) => assert!(error.to_string().contains(what), "{value}: {error}"),
            Ok(_) => panic!("{value}: not refused"),
        }
    }
}
