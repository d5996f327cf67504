//! Small experiments and their page.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use heddle_cosim::MadeBy;
use heddle_experiments::{
    Catalog, Experiment, Failed, Identity, Observer, Plan, ResultSet, Store, Tally, sweep,
};
use heddle_report::{Made, Measured, ReportError, page};

/// Bars of two designs.
pub const BARS: &str = r#"id = "bars"
title = "Two designs & <one> kernel"
source = "LTRF, figure 0"
size = "smoke"
kernels = ["vectoradd", "reduction"]
measure = "ipc"
normalise_to = "baseline"
[[series]]
name = "baseline"
design = "baseline"
[[series]]
name = "ltrf"
design = "ltrf"
quoted = 1.25
"#;

/// Lines over a latency.
const LINES: &str = r#"id = "lines"
title = "A parameter"
source = "OSM: a table"
size = "smoke"
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
    let experiment = Experiment::load(&file, &catalog, None).unwrap_or_else(|e| panic!("{e}"));
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

/// Their page.
pub fn html(all: &[Measured]) -> Result<String, ReportError> {
    let made =
        Made { program: "heddle".to_owned(), commit: "c0ffee".to_owned(), command: "report".to_owned() };
    page(all, &made)
}
