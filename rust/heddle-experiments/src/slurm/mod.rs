//! Runs as array jobs of Slurm, through sbatch, squeue and scancel.
//!
//! The files of results are the truth. A task runs what its list names and has no result yet, and of several
//! copies of a run the first one that is published stays; so a job that Slurm queues again, a copy that
//! outlived its node's daemon, and a controller that was away do no harm. What the queue says only tells
//! whether more is to be expected.

mod commands;
mod error;
mod follow;
mod job;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::error::ExperimentError;
use crate::plan::Plan;
use crate::runner::{Observer, Tally};
use crate::store::{Leftovers, Store};
use commands::Slurm;
pub use commands::{Queue, Waiting};
pub use error::SlurmError;
use follow::Follow;
use job::Job;

/// How runs are put into jobs.
#[derive(Debug, Clone)]
pub struct SlurmOptions {
    /// Runs that a task does one after the other.
    pub runs_per_task: NonZeroUsize,
    /// Tasks at a time; `None` leaves it to Slurm.
    pub tasks_at_a_time: Option<NonZeroUsize>,
    /// Options for sbatch, such as `--partition=short`.
    pub sbatch: Vec<String>,
    /// The repository.
    pub root: PathBuf,
    /// The program, as the nodes see it.
    pub program: PathBuf,
    /// The experiment's file.
    pub file: PathBuf,
    /// The folder below which results are.
    pub results: PathBuf,
}

/// Submits every run of the plan that `store` has no result of, and follows the jobs until all have ended, or
/// until `interrupted`, which cancels them. Jobs of an earlier sweep of this folder that are still in the
/// queue are cancelled first.
///
/// # Errors
/// [`SlurmError`] where Slurm is not there, refuses the job or does not answer; else as [`crate::sweep`].
pub fn sweep_with_slurm(
    plan: &Plan,
    store: &Store,
    options: &SlurmOptions,
    resume: bool,
    interrupted: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Tally, ExperimentError> {
    let slurm = Slurm::find()?;
    let _claim = store.claim(resume, Leftovers::Stay)?;
    store.adopt(plan)?;
    let missing = store.missing(plan)?;
    let found = plan.runs.len() - missing.len();
    let tally = Tally { runs: plan.runs.len(), found, ..Tally::default() };
    observer.ended(&tally, None);
    let name = job::name(store, &plan.experiment.id)?;
    slurm.cancel(&name)?;
    if missing.is_empty() {
        return Ok(tally);
    }
    // What runs again has not failed.
    missing.iter().try_for_each(|run| store.forget_failure(&run.key))?;
    let job = Job::write(plan, store, &missing, options, &name)?;
    let id = slurm.submit(&job.script)?;
    observer.submitted(&format!(
        "{}: job {id} of Slurm, {name}: {} runs in {} tasks; {}",
        plan.experiment.id,
        missing.len(),
        job.tasks.len(),
        job.script.display()
    ));
    let tally = Follow { slurm: &slurm, store, missing: &missing, job: &job, name: &name, observer }
        .until(tally, interrupted)?;
    if !tally.interrupted {
        store.remove_leftovers()?;
    }
    Ok(tally)
}
