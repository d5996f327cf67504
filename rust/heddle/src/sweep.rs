//! `heddle sweep`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_experiments::{
    Catalog, Experiment, ExperimentError, Identity, Plan, RatioTable, ResultSet, SlurmOptions, Store,
    StreamTally, Tally, csv_text, json_lines, parquet_file, sweep, sweep_listed, sweep_with_slurm,
};
use serde_json::{Value, json};

use crate::args::{SweepArgs, SweepEngine};
use crate::column::Column;
use crate::cores::cores;
use crate::dictionary;
use crate::estimate::estimate;
use crate::made_by::made_by;
use crate::root::root;
use crate::settings::warn_of_unread;
use crate::sweep_progress::Shown;
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

/// Runs of a task of Slurm where nothing is said.
const RUNS_PER_TASK: NonZeroUsize = NonZeroUsize::new(10).unwrap();

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
    fit_each_other(args)?;
    let root = root()?;
    let catalog = Catalog::new(&root, measures()?)?;
    let identity = Identity::new(&root, made_by(&root))?;
    // All files are checked before anything runs.
    let plan =
        |file: &PathBuf| Ok(Plan::new(Experiment::load(file, &catalog, args.scale)?, &root, &identity)?);
    let plans = args.files.iter().map(plan).collect::<Result<Vec<Plan>, Failure>>()?;
    each_once(&plans, &args.files)?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    if args.estimate {
        let estimate = estimate(&plans, &root, &identity, &args.results, jobs)?;
        print(&estimate.rows.text(args.format))?;
        complain(&estimate.told);
        return Ok(());
    }
    if let (Some(keys), [plan]) = (&args.runs, &plans[..]) {
        return listed(plan, keys, args, interrupted);
    }
    // So are the folders of results.
    for plan in &plans {
        Store::new(&args.results, &plan.experiment.id).ready(plan, args.resume)?;
    }
    let mut whole = true;
    for (plan, file) in plans.iter().zip(&args.files) {
        for series in &plan.experiment.series {
            let swept = series.points().into_iter().next().map(|point| point.overrides).unwrap_or_default();
            warn_of_unread(&root, &series.design, series.preset.as_deref(), &swept);
        }
        let slurm = match args.engine {
            SweepEngine::Local => None,
            SweepEngine::Slurm => Some(slurm_options(args, &root, file)?),
        };
        whole &= sweep_one(plan, args, (jobs, slurm.as_ref()), interrupted)?;
    }
    if whole { Ok(()) } else { Err(Failure { message: String::new(), code: 1 }) }
}

/// Whether the arguments say something together.
fn fit_each_other(args: &SweepArgs) -> Outcome {
    let of_slurm = args.runs_per_task.is_some() || !args.sbatch.is_empty();
    if of_slurm && args.engine != SweepEngine::Slurm {
        return Err(Failure::usage("--runs-per-task and --sbatch are for --engine slurm"));
    }
    if args.runs.is_some() && (args.engine == SweepEngine::Slurm || args.files.len() != 1) {
        return Err(Failure::usage("--runs is of one experiment, on this machine"));
    }
    Ok(())
}

/// Refuses two files of one experiment, whose results would be in one folder.
fn each_once(plans: &[Plan], files: &[PathBuf]) -> Outcome {
    let mut seen = BTreeMap::new();
    for (plan, file) in plans.iter().zip(files) {
        let id = &plan.experiment.id;
        if let Some(first) = seen.insert(id, file) {
            let (first, file) = (first.display(), file.display());
            return Err(Failure::usage(format!(
                "{file}: experiment '{id}' is that of {first}; expected it once"
            )));
        }
    }
    Ok(())
}

/// How runs of an experiment are put into jobs.
fn slurm_options(args: &SweepArgs, root: &Path, file: &Path) -> Result<SlurmOptions, Failure> {
    let program = std::env::current_exe();
    let program = program.map_err(|e| Failure::failed(format!("cannot tell where the program is: {e}")))?;
    Ok(SlurmOptions {
        runs_per_task: args.runs_per_task.unwrap_or(RUNS_PER_TASK),
        tasks_at_a_time: args.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into())),
        sbatch: args.sbatch.clone(),
        root: root.to_owned(),
        program,
        file: file.to_owned(),
        results: args.results.clone(),
    })
}

/// Does what a task of a job has to.
fn listed(plan: &Plan, keys: &Path, args: &SweepArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let store = Store::new(&args.results, &plan.experiment.id);
    let Tally { runs, found, passed, failed, interrupted, .. } =
        sweep_listed(plan, &store, keys, interrupted, &Shown::new(true))?;
    let told =
        format!("{}: {runs} runs: {found} were there, {passed} passed, {failed} failed", keys.display());
    match (interrupted, failed) {
        (true, _) => Err(Failure { message: format!("interrupted; {told}"), code: 130 }),
        (false, 0) => {
            complain(&told);
            Ok(())
        }
        (false, _) => Err(Failure { message: told, code: 1 }),
    }
}

/// Runs what is missing of an experiment, so many runs at a time or as jobs, merges its results, and prints
/// its means. Whether all are there; what is not is told.
fn sweep_one(
    plan: &Plan,
    args: &SweepArgs,
    (jobs, slurm): (usize, Option<&SlurmOptions>),
    interrupted: &Arc<AtomicBool>,
) -> Result<bool, Failure> {
    let store = Store::new(&args.results, &plan.experiment.id);
    let shown = Shown::new(args.quiet);
    let swept = match slurm {
        Some(options) => sweep_with_slurm(plan, &store, options, args.resume, interrupted, &shown),
        None => sweep(plan, &store, jobs, args.resume, interrupted, &shown),
    };
    shown.clear();
    let tally = swept?;
    let results = ResultSet::load(plan, &store)?;
    let merged = csv_text(&plan.experiment, &results).map_err(Failure::failed)?;
    store.write(&store.folder().join("results.csv"), &merged)?;
    let merged = parquet_file(&plan.experiment, &results).map_err(Failure::failed)?;
    store.write(&store.folder().join("results.parquet"), &merged)?;
    store.write(&store.folder().join("results.jsonl"), json_lines(&plan.experiment, &results).as_bytes())?;
    print(&means(&plan.experiment, &results).text(args.format))?;
    let Tally { runs, found, passed, failed, interrupted, streams } = tally;
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
        tell_streams(id, streams);
    }
    Ok(failed == 0 && results.missing.is_empty())
}

/// Says what the runs did with functional streams, where there were any.
fn tell_streams(id: &str, streams: StreamTally) {
    let StreamTally { recorded, replayed, in_full } = streams;
    if streams != StreamTally::default() {
        complain(&format!(
            "{id}: functional streams: {recorded} runs recorded one, {replayed} replayed one, {in_full} ran in full"
        ));
    }
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
