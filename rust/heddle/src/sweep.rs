//! `heddle sweep`.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use heddle_experiments::{
    Catalog, Experiment, ExperimentError, Failed, Identity, Observer, Plan, RatioTable, ResultSet, Store,
    Tally, csv_text, json_lines, parquet_file, sweep,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::column::Column;
use crate::cores::cores;
use crate::dictionary;
use crate::estimate::estimate;
use crate::made_by::made_by;
use crate::root::root;
use crate::settings::warn_of_unread;
use crate::sweep_args::SweepArgs;
use crate::table::Rows;
use crate::{Failure, Outcome, complain, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("point"),
    Column::ranked("measure", 2),
    Column::ranked("normalised_to", 3).optional(),
    Column::kept("kernels"),
    Column::ranked("without", 1),
    Column::kept("geometric_mean").fraction(),
    Column::kept("arithmetic_mean").fraction(),
];

/// What is shown of a sweep on a terminal.
const BAR: &str = "{spinner} [{bar:20}] {pos}/{len} runs, {per_sec}, {eta} left{msg}";

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// The numbers that a row of `heddle sim` can have.
pub fn measures() -> Result<Vec<String>, Failure> {
    let of_runs = |key: &dictionary::Key| {
        key.of == "cosim and sim" && ["integer", "number"].contains(&key.kind.trim_end_matches('?'))
    };
    Ok(dictionary::keys()?.into_iter().filter(of_runs).map(|key| key.name).collect())
}

/// Runs what is missing of each experiment, or says how long that will take.
pub fn run(args: &SweepArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let catalog = Catalog::new(&root, measures()?)?;
    let identity = Identity::new(&root, made_by(&root))?;
    // All files are checked before anything runs.
    let plan =
        |file: &PathBuf| Ok(Plan::new(Experiment::load(file, &catalog, args.scale)?, &root, &identity)?);
    let plans = args.files.iter().map(plan).collect::<Result<Vec<Plan>, Failure>>()?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    if args.estimate {
        return estimate(&plans, &root, &identity, args, jobs);
    }
    let mut whole = true;
    for plan in &plans {
        for series in &plan.experiment.series {
            let swept = series.points().into_iter().next().map(|point| point.overrides).unwrap_or_default();
            warn_of_unread(&root, &series.design, series.preset.as_deref(), &swept);
        }
        whole &= sweep_one(plan, args, jobs, interrupted)?;
    }
    if whole { Ok(()) } else { Err(Failure { message: String::new(), code: 1 }) }
}

/// Runs what is missing of an experiment, merges its results, and prints its means. Whether all are there; what is
/// not is told.
fn sweep_one(
    plan: &Plan,
    args: &SweepArgs,
    jobs: usize,
    interrupted: &Arc<AtomicBool>,
) -> Result<bool, Failure> {
    let store = Store::new(&args.results, &plan.experiment.id);
    let shown = Shown::new(args.quiet);
    let swept = sweep(plan, &store, jobs, args.resume, interrupted, &shown);
    shown.clear();
    let tally = swept?;
    let results = ResultSet::load(plan, &store)?;
    let merged = csv_text(&plan.experiment, &results).map_err(Failure::failed)?;
    store.write(&store.folder().join("results.csv"), &merged)?;
    let merged = parquet_file(&plan.experiment, &results).map_err(Failure::failed)?;
    store.write(&store.folder().join("results.parquet"), &merged)?;
    store.write(&store.folder().join("results.jsonl"), json_lines(&plan.experiment, &results).as_bytes())?;
    print(&means(&plan.experiment, &results).text(args.format))?;
    let Tally { runs, found, passed, failed, interrupted } = tally;
    let id = &plan.experiment.id;
    let told = format!("{id}: {runs} runs: {found} were there, {passed} passed, {failed} failed");
    if interrupted {
        let message = format!("interrupted; {told}; --resume goes on");
        return Err(Failure { message, code: 130 });
    }
    for (point, kernel) in &results.missing {
        complain(&format!("{} {kernel}: the run launched no such entry", point.label()));
    }
    let folder = store.folder();
    if failed > 0 {
        complain(&format!("{told}; why is in {}", folder.join("failed").display()));
    } else if !args.quiet {
        complain(&format!(
            "{told}; results.csv, results.parquet and results.jsonl are in {}",
            folder.display()
        ));
    }
    Ok(failed == 0 && results.missing.is_empty())
}

/// A row for each point, with both means over the kernels.
fn means(experiment: &Experiment, results: &ResultSet) -> Rows {
    let table = RatioTable::new(experiment, results, &experiment.measure);
    let mut rows = Rows::new(COLUMNS);
    for (point, means) in table.points.iter().zip(&table.means) {
        let values = means.map_or(0, |means| means.values);
        let row = json!({
            "point": point.label(), "measure": experiment.measure, "normalised_to": experiment.normalise_to,
            "kernels": values, "without": table.kernels.len() - values,
            "geometric_mean": means.and_then(|means| means.geometric),
            "arithmetic_mean": means.map(|means| means.arithmetic),
        });
        if let Value::Object(row) = row {
            rows.push(row);
        }
    }
    rows
}

/// Progress on a terminal, none in a pipe; failures are told in both.
struct Shown {
    bar: Option<ProgressBar>,
}

impl Shown {
    fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(0).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Shown {
    fn ended(&self, tally: &Tally, failure: Option<&Failed>) {
        let tell = || {
            if let Some(Failed { design, kernel, message, .. }) = failure {
                complain(&format!("{design} {kernel}: {message}"));
            }
        };
        let Some(bar) = &self.bar else { return tell() };
        bar.suspend(tell);
        bar.set_length((tally.runs - tally.found) as u64);
        bar.set_position((tally.passed + tally.failed) as u64);
        if tally.failed > 0 {
            bar.set_message(format!(", {} failed", tally.failed));
        }
    }
}
