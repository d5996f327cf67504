//! Each verdict, on results made by hand.

mod common;

use std::collections::BTreeMap;

use common::stock;
use heddle_claims::{ClaimError, Evidence, Judgement, Stock, Verdict, judge, load_from};
use heddle_experiments::{ResultRow, ResultSet};
use serde_json::json;

/// An experiment of three kernels with four points.
const EXPERIMENT: &str = "osm-cache";
/// Instructions a cycle by point: OSM gains a fifth with 8 KB; the run with 16 KB is not there.
const IPC: [(&str, f64); 3] = [
    ("baseline", 1.0),
    ("osm shared_memory.cache_bytes=4096", 0.5),
    ("osm shared_memory.cache_bytes=8192", 1.2),
];

fn results(stock: &Stock) -> BTreeMap<String, ResultSet> {
    let experiment = &stock.experiments()[EXPERIMENT];
    let mut set = ResultSet::default();
    for point in experiment.points() {
        let Some((_, ipc)) = IPC.iter().find(|(label, _)| *label == point.label()) else { continue };
        for (kernel, times) in experiment.kernels.iter().zip([1.0, 2.0, 4.0]) {
            let row = json!({ "ipc": ipc * times, "occupancy": 0.25 });
            let row = row.as_object().cloned().expect("an object");
            let (point, kernel) = (point.clone(), kernel.clone());
            set.rows.push(ResultRow { point, kernel, key: String::new(), row });
        }
    }
    BTreeMap::from([(EXPERIMENT.to_owned(), set)])
}

/// The judgement on a claim with one value; `more` is of the claim, `value` of the value.
fn judged(more: &str, value: &str) -> Result<Judgement, ClaimError> {
    let shown = if value.contains("as = ") { "" } else { "as = \"change\"\n" };
    let text = format!(
        "id = \"one\"\ntitle = \"One\"\nsource = \"none\"\n[[claim]]\nid = \"one-a\"\nwhere = \"figure 1\"\n\
         quantity = \"ipc\"\n{more}\n[[claim.value]]\n{shown}experiment = \"osm-cache\"\n{value}\n"
    );
    let folder = tempfile::tempdir().expect("temporary folder");
    std::fs::write(folder.path().join("one.toml"), text).expect("writable");
    let stock = stock();
    let papers = load_from(&stock, folder.path())?;
    let evidence = Evidence::new(&stock, results(&stock));
    Ok(judge(&papers, &stock, &evidence)?.remove(0))
}

fn verdict(more: &str, value: &str) -> (Verdict, String) {
    let judgement = judged(more, value).unwrap_or_else(|e| panic!("{e}"));
    (judgement.verdict, judgement.reason)
}

const AT_8: &str = "size = \"smoke\"\npoint = \"osm shared_memory.cache_bytes=8192\"";

#[test]
fn what_is_within_the_band_is_reproduced() {
    let judgement = judged("", &format!("paper = 0.17\n{AT_8}")).expect("judged");
    assert_eq!(judgement.verdict, Verdict::Reproduced);
    let texts = [judgement.paper_text(), judgement.geometric_text(), judgement.arithmetic_text()];
    assert_eq!(texts, ["+17 %", "+20 %", "+20 %"]);
    let order = "\"osm shared_memory.cache_bytes=4096\", \"osm shared_memory.cache_bytes=8192\"";
    let (held, _) = verdict("", &format!("ascending = [{order}]\nsize = \"smoke\""));
    assert_eq!(held, Verdict::Reproduced);
}

#[test]
fn what_is_off_says_by_how_much_and_what_explains_it() {
    let (off, reason) = verdict(
        "",
        &format!("paper = 0.5\nisolated_by = {{ experiment = \"osm-sizes\", shows = \"its size\" }}\n{AT_8}"),
    );
    let command = "heddle sweep experiments/osm-sizes.toml --resume --scale smoke";
    let Verdict::Off { by, or_more: false } = off else { panic!("{off:?}") };
    assert!((by + 0.3).abs() < 1e-9, "{by}");
    assert_eq!(reason, format!("off by -30 points; its size: {command}"));
    // What explains all values of a claim is refused where each has something of its own.
    let of_claim = "isolated_by = { experiment = \"osm-cache\", shows = \"the cache\" }";
    let (_, reason) = verdict(of_claim, &format!("paper = 0.5\n{AT_8}"));
    assert!(
        reason.starts_with("off by -30 points; the cache: heddle sweep experiments/osm-cache.toml "),
        "{reason}"
    );
    let own = "isolated_by = { experiment = \"osm-sizes\", shows = \"its size\" }";
    let empty =
        judged("isolated_by = { experiment = \"osm-cache\", shows = \"\" }", &format!("paper = 0.5\n{AT_8}"));
    let error = empty.map(|_| ()).expect_err("it says nothing").to_string();
    assert!(
        error.contains("one.toml:8:")
            && error.contains("expected what the experiment shows, in words without"),
        "{error}"
    );
    let unused = judged(of_claim, &format!("paper = 0.5\n{own}\n{AT_8}\nname = \"a\""));
    let error = unused.map(|_| ()).expect_err("nothing takes it").to_string();
    assert!(error.contains("one.toml:8:15: no value of the claim"), "{error}");
    let (loss, _) = verdict("", &format!("paper = -0.2\nband = 3.0\n{AT_8}"));
    assert!(matches!(loss, Verdict::Off { .. }), "the sign has to be the paper's");
    let order = "\"osm shared_memory.cache_bytes=8192\", \"osm shared_memory.cache_bytes=4096\"";
    let (broken, _) = verdict("", &format!("ascending = [{order}]\nsize = \"smoke\""));
    assert!(matches!(broken, Verdict::Off { .. }));
}

#[test]
fn what_does_not_exist_is_not_built() {
    let (verdict, reason) =
        verdict("needs = [\"design:none-yet\", \"design:osm\"]", &format!("paper = 0.2\n{AT_8}"));
    assert!(matches!(verdict, Verdict::NotBuilt { .. }));
    assert_eq!(reason, "design none-yet", "osm exists");
}

#[test]
fn a_step_is_a_share_of_the_whole_change() {
    let part = |of: &str| {
        format!("paper = 0.2857\nas = \"share\"\npart = {{ from = \"baseline\", of = {of} }}\n{AT_8}")
    };
    let point = |bytes: u32| format!("\"osm shared_memory.cache_bytes={bytes}\"");
    // From 1 to 1.2, of 0.5 to 1.2.
    let judgement = judged("", &part(&format!("[{}, {}]", point(4096), point(8192)))).expect("judged");
    assert_eq!(judgement.verdict, Verdict::Reproduced);
    assert_eq!([judgement.geometric_text(), judgement.arithmetic_text()], ["28.57 %", "28.57 %"]);
    let (missing, _) = verdict("", &part(&format!("[{}, {}]", point(4096), point(16384))));
    assert_eq!(missing, Verdict::NotMeasured { missing: 3, of: 12 });
    let (no_change, _) = verdict("", &part("[\"baseline\", \"baseline\"]"));
    assert_eq!(no_change, Verdict::NotMeasured { missing: 12, of: 12 });
}

#[test]
fn results_that_are_not_there_are_not_measured() {
    let (verdict, _) =
        verdict("", "paper = 0.2\nsize = \"smoke\"\npoint = \"osm shared_memory.cache_bytes=16384\"");
    assert_eq!(verdict, Verdict::NotMeasured { missing: 3, of: 3 });
}

#[test]
fn small_inputs_are_not_judged() {
    let judgement =
        judged("", "paper = 0.2\npoint = \"osm shared_memory.cache_bytes=8192\"").expect("judged");
    let needed = Verdict::NotJudged { needs: "paper".to_owned(), has: "smoke".to_owned() };
    assert_eq!(judgement.verdict, needed);
    assert_eq!(judgement.arithmetic_text(), "+20 %", "it is shown");
}

#[test]
fn workloads_without_the_property_are_not_comparable() {
    let condition = "[[claim.value.condition]]\nproperty = \"occupancy\"\npoint = \"baseline\"\n\
                     measure = [\"occupancy\"]\nrange = ";
    let (failing, reason) = verdict("", &format!("paper = 0.2\n{AT_8}\n{condition}[0.5, 1.0]"));
    assert!(matches!(failing, Verdict::NotComparable { value, .. } if (value - 0.25).abs() < 1e-9));
    assert_eq!(reason, "occupancy is 0.25; needs 0.5 to 1");
    let (held, _) = verdict("", &format!("paper = 0.2\n{AT_8}\n{condition}[0.0, 0.5]"));
    assert_eq!(held, Verdict::Reproduced);
    // Of another experiment, against its base; for all values of a claim; and computed.
    let growth = "[[claim.condition]]\nproperty = \"growth\"\nas = \"ratio\"\nexperiment = \"osm-cache\"\n\
                  point = \"osm shared_memory.cache_bytes=8192\"\nat_least = ";
    let (failing, reason) = verdict(&format!("{growth}1.25"), &format!("paper = 0.2\n{AT_8}"));
    assert!(matches!(failing, Verdict::NotComparable { value, .. } if (value - 1.2).abs() < 1e-9));
    assert_eq!(reason, "growth is 1.2 x; needs at least 1.25 x");
    assert_eq!(verdict(&format!("{growth}1.15"), &format!("paper = 0.2\n{AT_8}")).0, Verdict::Reproduced);
    let computed = "[[claim.value.condition]]\nproperty = \"storage\"\nunit = \"KB\"\n\
                    computed = \"cerf-storage-kb\"\npaper = ";
    let (failing, reason) = verdict("", &format!("paper = 0.2\n{AT_8}\n{computed}64"));
    assert!(matches!(failing, Verdict::NotComparable { .. }));
    assert_eq!(reason, "storage is 130.375 KB; needs 32 KB to 128 KB");
    assert_eq!(verdict("", &format!("paper = 0.2\n{AT_8}\n{computed}66")).0, Verdict::Reproduced);
    // What is not measured is not compared.
    let (missing, _) = verdict(
        "",
        &format!(
            "paper = 0.2\n{AT_8}\n{}",
            condition.replace("\"occupancy\"]\n", "\"cycles\"]\n") + "[0.0, 1.0]"
        ),
    );
    assert_eq!(missing, Verdict::NotMeasured { missing: 3, of: 3 });
    let selected = "selected = { experiment = \"osm-cache\", \
                    point = \"osm shared_memory.cache_bytes=8192\", at_least = ";
    let (none, _) = verdict("", &format!("paper = 0.2\n{AT_8}\n{selected}1.5 }}"));
    assert!(matches!(none, Verdict::NotComparable { .. }));
    let (all, _) = verdict("", &format!("paper = 0.2\n{AT_8}\n{selected}1.1 }}"));
    assert_eq!(all, Verdict::Reproduced);
}

#[test]
fn a_paper_can_contradict_itself() {
    let statements = |a: f64, b: f64| {
        format!(
            "[[claim.statement]]\nwhere = \"text\"\nvalue = {a}\n[[claim.statement]]\nwhere = \"table\"\nvalue = {b}"
        )
    };
    let value = format!("paper = 0.2\n{AT_8}");
    let (apart, reason) = verdict(&statements(0.2, 0.3), &value);
    assert!(matches!(apart, Verdict::Contradicts { .. }));
    assert_eq!(reason, "text: +20 %; table: +30 %");
    assert_eq!(verdict(&statements(0.2, 0.24), &value).0, Verdict::Reproduced);
    // By table 3 of the racetrack paper a read saves 46.5 % at most.
    let beyond = format!("paper = -0.53\nlimit = \"racetrack-most-saving\"\n{AT_8}");
    assert!(matches!(verdict("", &beyond).0, Verdict::Contradicts { .. }));
    let inside = format!("paper = -0.43\nlimit = \"racetrack-most-saving\"\n{AT_8}");
    assert!(matches!(verdict("", &inside).0, Verdict::Off { .. }));
}
