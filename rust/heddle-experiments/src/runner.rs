//! Running what is missing, on several threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use heddle_cosim::{Control, Progress, RunError, RunReport, RunSpec, Session};
use heddle_files::Input;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::ExperimentError;
use crate::outcome::{Failed, Finished, Functional, Took};
use crate::plan::{Plan, PlannedRun};
use crate::slurm::Queue;
use crate::store::{Leftovers, Store};

/// Exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// The keys of the runs of a task.
const LISTED: Input = Input { expected: "keys of runs, one a line", most: 1 << 24 };

/// How far a sweep is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs of the plan.
    pub runs: usize,
    /// Those that had a result before.
    pub found: usize,
    /// Those that passed now.
    pub passed: usize,
    /// Those that failed now.
    pub failed: usize,
    /// The sweep was told to end before all had run.
    pub interrupted: bool,
    /// What those that passed now did with functional streams.
    pub streams: StreamTally,
}

/// How many runs did what with the functional stream of their kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StreamTally {
    /// They recorded it.
    pub recorded: usize,
    /// They replayed it.
    pub replayed: usize,
    /// They could not, and executed what they do not time from some launch on.
    pub in_full: usize,
}

impl Tally {
    /// A run has passed.
    fn pass(&mut self, took: &Took) {
        self.passed += 1;
        match &took.functional {
            None => {}
            Some(Functional::Recorded) => self.streams.recorded += 1,
            Some(Functional::Replayed) => self.streams.replayed += 1,
            Some(Functional::InFull { .. }) => self.streams.in_full += 1,
        }
    }
}

/// Sees runs end.
pub trait Observer: Sync {
    /// Another run ended, or none yet; `failure` says why it did not pass.
    fn ended(&self, tally: &Tally, failure: Option<&Failed>);

    /// The runs were given to Slurm, and how.
    fn submitted(&self, _what: &str) {}

    /// What Slurm has of the sweep's tasks.
    fn queued(&self, _queue: &Queue) {}

    /// Something that a person should know.
    fn told(&self, _what: &str) {}
}

/// Runs every run of the plan that `store` has no result of, `jobs` at a time, until `interrupted`.
///
/// A run that fails, or panics, is recorded and stops nothing.
///
/// # Errors
/// [`ExperimentError`]: the store cannot be written or read; what was kept until then stays.
pub fn sweep(
    plan: &Plan,
    store: &Store,
    jobs: usize,
    resume: bool,
    interrupted: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Tally, ExperimentError> {
    let _claim = store.claim(resume, Leftovers::GoAway)?;
    store.adopt(plan)?;
    let missing = store.missing(plan)?;
    let found = plan.runs.len() - missing.len();
    let tally = Mutex::new(Tally { runs: plan.runs.len(), found, ..Tally::default() });
    observer.ended(&locked(&tally), None);
    let next = AtomicUsize::new(0);
    let broken = AtomicBool::new(false);
    let work = || -> Result<(), ExperimentError> {
        while !interrupted.load(Ordering::Relaxed) && !broken.load(Ordering::Relaxed) {
            let Some(run) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let Some(outcome) = run_one(run, store, interrupted, &broken) else { break };
            let kept = match &outcome {
                Ok((finished, took)) => store.keep(finished, took),
                Err(failed) => store.keep_failure(failed),
            };
            // Without a place for results the other threads need not go on.
            kept.inspect_err(|_| broken.store(true, Ordering::Relaxed))?;
            let mut tally = locked(&tally);
            match &outcome {
                Ok((_, took)) => tally.pass(took),
                Err(_) => tally.failed += 1,
            }
            observer.ended(&tally, outcome.as_ref().err());
        }
        Ok(())
    };
    let threads = jobs.clamp(1, missing.len().max(1));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)));
        ended.collect::<Result<Vec<()>, _>>()
    })?;
    let mut tally = *locked(&tally);
    tally.interrupted = tally.found + tally.passed + tally.failed < tally.runs;
    Ok(tally)
}

/// Runs those of the plan whose keys are in the file `keys`, one a line, and that `store` has no result of,
/// one after the other, until `interrupted`. Others may run the same and write to the same folder: the first
/// result stays.
///
/// # Errors
/// As [`sweep`]; [`ExperimentError::NoSuchRun`] where the plan has no run of a key.
pub fn sweep_listed(
    plan: &Plan,
    store: &Store,
    keys: &Path,
    interrupted: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Tally, ExperimentError> {
    let text = LISTED.text(keys)?;
    let of = |(line, key): (usize, &str)| {
        let no_such_run = || ExperimentError::NoSuchRun {
            path: keys.to_owned(),
            line: line + 1,
            id: plan.experiment.id.clone(),
            key: key.to_owned(),
        };
        plan.runs.iter().find(|run| run.key == key).ok_or_else(no_such_run)
    };
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let runs: Vec<&PlannedRun> = lines.map(of).collect::<Result<_, _>>()?;
    let mut tally = Tally { runs: runs.len(), ..Tally::default() };
    for run in runs {
        if store.finished(&run.key)?.is_some() {
            tally.found += 1;
            continue;
        }
        let Some(outcome) = run_one(run, store, interrupted, interrupted) else {
            tally.interrupted = true;
            break;
        };
        match &outcome {
            Ok((finished, took)) => {
                store.keep(finished, took)?;
                tally.pass(took);
            }
            Err(failed) => {
                store.keep_failure(failed)?;
                tally.failed += 1;
            }
        }
        observer.ended(&tally, outcome.as_ref().err());
    }
    Ok(tally)
}

fn locked(tally: &Mutex<Tally>) -> std::sync::MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Ends a run when the sweep ends.
struct Stop<'a>(&'a AtomicBool, &'a AtomicBool);

impl Control for Stop<'_> {
    fn stage(&mut self, _text: &str) {}
    fn warning(&mut self, _text: &str) {}
    fn progress(&mut self, _progress: &Progress) {}
    fn interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed) || self.1.load(Ordering::Relaxed)
    }
}

/// One run; `None` where it was told to end.
fn run_one(
    run: &PlannedRun,
    store: &Store,
    interrupted: &AtomicBool,
    broken: &AtomicBool,
) -> Option<Result<(Finished, Took), Failed>> {
    let began = Instant::now();
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut stop = Stop(interrupted, broken);
        let streamed = RunSpec { streams: Some(store.streams(run)), ..run.spec.clone() };
        let mut session = Session::new(run.tlp.applied(&streamed, &mut stop)?)?;
        let report = session.run(&mut stop)?;
        Ok((report, Functional::of(session.functional())))
    }));
    let failed = |message: String, exit_code: u8| Failed {
        key: run.key.clone(),
        point: run.point.clone(),
        design: run.spec.design.clone(),
        kernel: run.spec.kernel_name(),
        message,
        exit_code,
    };
    match ran {
        Ok(Ok((report, functional))) => {
            let took = Took { seconds: began.elapsed().as_secs_f64(), functional };
            Some(finished(run, &report).map(|f| (f, took)).map_err(|e| failed(e.to_string(), 1)))
        }
        Ok(Err(RunError::Interrupted { .. })) => None,
        Ok(Err(error)) => Some(Err(failed(error.to_string(), error.exit_code()))),
        Err(panic) => Some(Err(failed(format!("the program panicked: {}", said(panic.as_ref())), PANICKED))),
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

fn finished(run: &PlannedRun, report: &RunReport) -> Result<Finished, serde_json::Error> {
    let entries: Result<_, _> = report.parts.iter().map(object).collect();
    let (key, identity) = (run.key.clone(), run.identity.clone());
    Ok(Finished::new(key, identity, object(report)?, entries?))
}

/// A report as a JSON object.
fn object(report: &impl Serialize) -> Result<Map<String, Value>, serde_json::Error> {
    serde_json::from_value(serde_json::to_value(report)?)
}
