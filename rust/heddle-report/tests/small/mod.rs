//! Small experiments and their page.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use heddle_claims::{
    Claim, ClaimValue, Expected, FromExperiment, Judgement, Look, Mean, Measure, Need, NeedKind, Of, Paper,
    Shown, Source, Verdict,
};
use heddle_cosim::MadeBy;
use heddle_experiments::{
    Catalog, Experiment, Failed, Identity, Observer, Plan, ResultSet, Scale, Store, Tally, sweep,
};
use heddle_report::{Judged, Made, Measured, ReportError, page};
use heddle_workloads::Size;

/// Bars of two designs.
pub const BARS: &str = r#"id = "bars"
title = "Two designs & <one> kernel"
source = "LTRF, figure 0"
scales.smoke = { size = "smoke", without = ["scalarprod"] }
scales.claims = { size = "paper" }
scales.paper = { size = "paper" }
kernels = ["vectoradd", "reduction", "scalarprod"]
measure = "ipc"
normalise_to = "baseline"
[[series]]
name = "baseline"
design = "baseline"
[[series]]
name = "ltrf"
design = "ltrf"
"#;

/// Lines over a latency.
const LINES: &str = r#"id = "lines"
title = "A parameter"
source = "OSM: a table"
scales.smoke = { size = "smoke" }
scales.claims = { size = "paper" }
scales.paper = { size = "paper" }
kernels = ["vectoradd"]
measure = "cycles"
[[series]]
name = "baseline"
design = "baseline"
[series.sweep]
"l2.latency" = [100, 200, 400]
"#;

struct Silent;

impl Observer for Silent {
    fn ended(&self, _tally: &Tally, _failure: Option<&Failed>) {}
}

/// An experiment, with its runs or before them.
pub fn measured(id: &str, text: &str, run: bool) -> Measured {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join(format!("{id}.toml"));
    std::fs::write(&file, text).expect("writable");
    let catalog = Catalog::new(&root, ["ipc".to_owned(), "cycles".to_owned()]).expect("designs");
    let experiment = Experiment::load(&file, &catalog, Scale::Smoke).unwrap_or_else(|e| panic!("{e}"));
    let identity = Identity::new(&root, MadeBy::default()).expect("readable files");
    let plan = Plan::new(experiment, &root, &identity).expect("a plan");
    let store = Store::new(folder.path(), id);
    if run {
        let tally = sweep(&plan, &store, 1, false, &AtomicBool::new(false), &Silent).expect("a store");
        assert_eq!(tally.passed, plan.runs.len());
    }
    let results = ResultSet::load(&plan, &store).expect("results");
    Measured { experiment: plan.experiment, results, command: format!("sweep {id}") }
}

/// Both experiments with their results.
pub fn both() -> Vec<Measured> {
    static BOTH: OnceLock<Vec<Measured>> = OnceLock::new();
    BOTH.get_or_init(|| vec![measured("bars", BARS, true), measured("lines", LINES, true)]).clone()
}

/// A claim on the bars, one that is off and one that is not built.
pub fn judged() -> Judged {
    let experiment = &both()[0].experiment;
    let source = FromExperiment {
        experiment: experiment.id.clone(),
        points: experiment.points().into_iter().filter(|point| point.series == "ltrf").collect(),
        against: None,
        look: Look::Point,
        measure: Measure::of("ipc"),
        kernels: experiment.kernels.clone(),
        selected: None,
        of: Of::Mean,
        mean: Mean::Both,
        conditions: Vec::new(),
        size: Size::Smoke,
    };
    let need = Need { kind: NeedKind::Design, name: "none-yet".to_owned() };
    let value = |name: &str, paper: f64, source: Option<Source>| ClaimValue {
        name: name.to_owned(),
        expected: Expected::Near { value: paper, band: 0.25 },
        shown: Shown::Change,
        unit: String::new(),
        unmet: if source.is_none() { vec![need.clone()] } else { Vec::new() },
        source,
        limit: None,
        isolated_by: None,
    };
    let from = |source: FromExperiment| Some(Source::Experiment(Box::new(source)));
    // The second one is of a part of the kernels, of which the figure draws no mean.
    let part = FromExperiment { kernels: experiment.kernels[..1].to_vec(), ..source.clone() };
    let values =
        vec![value("all", 0.25, from(source)), value("part", 0.5, from(part)), value("more", 0.75, None)];
    let claim = Claim {
        id: "ltrf-ipc-0".to_owned(),
        place: "figure 0".to_owned(),
        quantity: "ipc & <more>".to_owned(),
        statements: Vec::new(),
        values,
    };
    let judgement = |value: &ClaimValue| Judgement {
        paper: "ltrf".to_owned(),
        claim: claim.id.clone(),
        value: value.name.clone(),
        place: claim.place.clone(),
        quantity: claim.quantity.clone(),
        expected: value.expected.clone(),
        shown: value.shown,
        unit: String::new(),
        ours: None,
        verdict: match &value.source {
            Some(_) => Verdict::Off { by: -0.5, or_more: false },
            None => Verdict::NotBuilt { needs: value.unmet.clone() },
        },
        reason: "off by <-50> points".to_owned(),
        command: value.source.as_ref().map(|_| "heddle sweep experiments/bars.toml --size smoke".to_owned()),
        explanation: None,
    };
    let judgements = claim.values.iter().map(judgement).collect();
    let (id, title, source) = ("ltrf".to_owned(), "LTRF".to_owned(), "the publication".to_owned());
    Judged { paper: Paper { id, title, source, claims: vec![claim] }, judgements }
}

/// Their page.
pub fn html(all: &[Measured]) -> Result<String, ReportError> {
    let made =
        Made { program: "heddle".to_owned(), commit: "c0ffee".to_owned(), command: "report".to_owned() };
    page(all, &[judged()], &made)
}
