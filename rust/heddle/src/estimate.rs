//! `heddle sweep --estimate`: points by seconds, before anything runs.

use std::collections::BTreeSet;
use std::path::Path;

use heddle_characters::Store as Sheets;
use heddle_experiments::{Basis, Identity, Plan, Rates, Store};
use heddle_workloads::Size;
use serde_json::{Value, json};

use crate::Failure;
use crate::column::Column;
use crate::table::Rows;

/// A row is a point of an experiment.
const COLUMNS: &[Column] = &[
    Column::kept("experiment"),
    Column::kept("point"),
    Column::kept("runs"),
    Column::kept("missing"),
    Column::kept("seconds"),
    Column::ranked("unknown", 1),
    Column::ranked("from", 2),
];
/// Seconds of a run in size smoke, where none of its kernel is there: 2,266 runs of all experiments took 371.
const SMOKE_SECONDS: f64 = 0.16;
/// Seconds of an hour.
const HOUR: f64 = 3600.0;

/// What is missing of some plans.
pub struct Estimate {
    /// A row for each point.
    pub rows: Rows,
    /// The sum in words.
    pub told: String,
}

/// What is missing of every point of `plans` below the folder `results`, and how many seconds of a core it will take,
/// together on `jobs`.
pub fn estimate(
    plans: &[Plan],
    root: &Path,
    identity: &Identity,
    results: &Path,
    jobs: usize,
) -> Result<Estimate, Failure> {
    let mut rates = Rates::load(results, identity)?;
    state(&mut rates, root)?;
    let mut rows = Rows::new(COLUMNS);
    let (mut runs, mut missing, mut seconds, mut unknown) = (0, 0, 0.0, 0);
    // Of runs that several points come to, the first one's is done.
    let mut seen = BTreeSet::new();
    for plan in plans {
        let store = Store::new(results, &plan.experiment.id);
        let has = |point: &_| plan.cells().any(|(of, _, _)| of == point);
        for point in plan.experiment.points().into_iter().filter(has) {
            let of_point = plan.first_runs(&point);
            let mut own = Point::default();
            for run in &of_point {
                if !seen.insert(run.key.clone()) {
                    continue;
                }
                runs += 1;
                if store.found(&run.key)?.is_none() {
                    own.add(rates.seconds(run));
                }
            }
            missing += own.missing;
            seconds += own.seconds;
            unknown += own.unknown;
            let row = json!({
                "experiment": plan.experiment.id, "point": point.label(), "runs": of_point.len(),
                "missing": own.missing, "seconds": own.seconds.round(), "unknown": own.unknown,
                "from": own.basis.map(Basis::name),
            });
            if let Value::Object(row) = row {
                rows.push(row);
            }
        }
    }
    let hours = seconds / HOUR;
    let together = hours / jobs as f64;
    let more =
        if unknown > 0 { format!(", and {unknown} runs of which nothing is known") } else { String::new() };
    let told = format!(
        "{missing} of {runs} runs are missing: {seconds:.0} s ({hours:.2} h) of one core, {together:.2} h on {jobs}{more}"
    );
    Ok(Estimate { rows, told })
}

/// What is missing of a point.
#[derive(Default)]
struct Point {
    missing: usize,
    seconds: f64,
    /// Missing runs that no seconds are known of.
    unknown: usize,
    /// The weakest basis of the seconds.
    basis: Option<Basis>,
}

impl Point {
    fn add(&mut self, estimated: Option<(f64, Basis)>) {
        self.missing += 1;
        let Some((seconds, basis)) = estimated else {
            self.unknown += 1;
            return;
        };
        self.seconds += seconds;
        self.basis = self.basis.max(Some(basis));
    }
}

/// States how long the baseline takes: in size paper by the kernel's character sheet, the longest of its presets.
fn state(rates: &mut Rates, root: &Path) -> Result<(), Failure> {
    let sheets = Sheets::of(root);
    for workload in heddle_workloads::all() {
        rates.state(workload.name(), Size::Smoke, SMOKE_SECONDS);
        let sheet = sheets.read(*workload).map_err(Failure::failed)?;
        let took = sheet.iter().flat_map(|sheet| sheet.runs.values()).map(|run| run.cpu_seconds);
        if let Some(longest) = took.max_by(f64::total_cmp) {
            rates.state(workload.name(), Size::Paper, longest);
        }
    }
    Ok(())
}
