//! Following jobs until every run has ended.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::commands::{Queue, Slurm, Waiting};
use super::error::SlurmError;
use super::job::Job;
use crate::error::ExperimentError;
use crate::outcome::Failed;
use crate::plan::PlannedRun;
use crate::runner::{Observer, Tally};
use crate::store::Store;

/// How soon Ctrl-C is seen.
const TICK: Duration = Duration::from_millis(100);
/// Between two looks at the folder of results.
const LOOK: Duration = Duration::from_secs(1);
/// Between two questions to Slurm's controller, which others have questions for too.
const ASK: Duration = Duration::from_secs(5);
/// How long after the last task left the queue a result may come to light: folders that nodes share are not
/// seen everywhere at once.
const GRACE: Duration = Duration::from_secs(10);
/// How long Slurm's controller may be away while nothing ends.
const SILENCE: Duration = Duration::from_secs(600);
/// Seconds of a minute.
const MINUTE: u64 = 60;

/// Jobs that are followed.
pub struct Follow<'a> {
    /// Slurm's commands.
    pub slurm: &'a Slurm,
    /// Where results are.
    pub store: &'a Store,
    /// The runs of the job.
    pub missing: &'a [&'a PlannedRun],
    /// The job.
    pub job: &'a Job,
    /// What all jobs of the folder are called.
    pub name: &'a str,
    /// Sees runs end.
    pub observer: &'a dyn Observer,
}

impl Follow<'_> {
    /// Waits until every run has ended, or until `interrupted`, which cancels the jobs. Of a run that left
    /// neither a result nor the reason of a failure when the queue was empty it is recorded that it did not.
    ///
    /// # Errors
    /// Results cannot be read or written, or Slurm does not answer; the jobs go on, which the observer is told.
    pub fn until(&self, tally: Tally, interrupted: &AtomicBool) -> Result<Tally, ExperimentError> {
        self.until_all_ended(tally, interrupted).inspect_err(|error| {
            if matches!(error, ExperimentError::Slurm(_)) {
                return;
            }
            let how =
                format!("--resume cancels them and goes on, `scancel --name {}` cancels them", self.name);
            self.observer.told(&format!("the jobs that are left go on: {error}; {how}"));
        })
    }

    fn until_all_ended(&self, mut tally: Tally, interrupted: &AtomicBool) -> Result<Tally, ExperimentError> {
        let mut open: Vec<&PlannedRun> = self.missing.to_vec();
        let (mut looked, mut questions): (Option<Instant>, Questions) = (None, Questions::new());
        while !open.is_empty() {
            if interrupted.load(Ordering::Relaxed) {
                self.cancel();
                tally.interrupted = true;
                return Ok(tally);
            }
            if looked.is_none_or(|last| last.elapsed() >= LOOK) {
                looked = Some(Instant::now());
                let before = open.len();
                self.look(&mut open, &mut tally)?;
                if open.len() < before {
                    questions.something_ended();
                }
            }
            if questions.is_time() {
                questions.ask(self)?;
            }
            if questions.nothing_more_to_come() {
                self.give_up(&open, &mut tally)?;
                return Ok(tally);
            }
            sleep(TICK);
        }
        // Copies that were queued again have nothing left to do.
        self.cancel();
        Ok(tally)
    }

    /// Takes the runs that have ended out of `open`.
    fn look(&self, open: &mut Vec<&PlannedRun>, tally: &mut Tally) -> Result<(), ExperimentError> {
        let (passed, failed) = (self.store.keys("runs")?, self.store.keys("failed")?);
        let mut ended = Vec::new();
        open.retain(|run| {
            let here = passed.contains(&run.key) || failed.contains(&run.key);
            if here {
                ended.push(*run);
            }
            !here
        });
        for run in ended {
            let failure = if passed.contains(&run.key) { None } else { self.store.failed(&run.key)? };
            match &failure {
                None => tally.passed += 1,
                Some(_) => tally.failed += 1,
            }
            self.observer.ended(tally, failure.as_ref());
        }
        Ok(())
    }

    /// Cancels what is in the queue, or says that it goes on.
    fn cancel(&self) {
        if let Err(error) = self.slurm.cancel(self.name) {
            let how = format!("`scancel --name {}` cancels them", self.name);
            self.observer
                .told(&format!("the jobs that are left are not cancelled and go on: {error}; {how}"));
        }
    }

    /// Records of runs that no task will end any more that they have no result.
    fn give_up(&self, open: &[&PlannedRun], tally: &mut Tally) -> Result<(), ExperimentError> {
        let tasks = self.job.tasks_by_key();
        for run in open {
            let task = tasks.get(run.key.as_str()).copied().unwrap_or_default();
            let failure = Failed {
                key: run.key.clone(),
                point: run.point.clone(),
                design: run.spec.design.clone(),
                kernel: run.spec.kernel_name(),
                message: format!(
                    "task {task} of Slurm ended without a result of it; its log is {}",
                    self.job.log(task).display()
                ),
                exit_code: 1,
            };
            self.store.keep_failure(&failure)?;
            tally.failed += 1;
            self.observer.ended(tally, Some(&failure));
        }
        Ok(())
    }
}

/// What is known of the queue.
struct Questions {
    asked: Option<Instant>,
    /// When it was last known that there is something to wait for.
    alive: Instant,
    /// Since when the queue is known to be empty.
    empty: Option<Instant>,
    /// What has been told already.
    told: BTreeSet<String>,
}

impl Questions {
    fn new() -> Self {
        Self { asked: None, alive: Instant::now(), empty: None, told: BTreeSet::new() }
    }

    fn something_ended(&mut self) {
        self.alive = Instant::now();
    }

    fn is_time(&self) -> bool {
        self.asked.is_none_or(|last| last.elapsed() >= ASK)
    }

    fn nothing_more_to_come(&self) -> bool {
        self.empty.is_some_and(|since| since.elapsed() >= GRACE)
    }

    fn ask(&mut self, of: &Follow<'_>) -> Result<(), SlurmError> {
        self.asked = Some(Instant::now());
        match of.slurm.queue(of.name) {
            Ok(queue) => {
                self.alive = Instant::now();
                self.empty = if queue.is_empty() { self.empty.or(self.asked) } else { None };
                self.tell_held(of, &queue);
                of.observer.queued(&queue);
                self.told.remove(SILENT);
                Ok(())
            }
            Err(error) if self.alive.elapsed() < SILENCE => {
                if self.told.insert(SILENT.to_owned()) {
                    of.observer.told(&format!("{error}; results are waited for all the same"));
                }
                Ok(())
            }
            Err(error) => {
                let (minutes, message) = (SILENCE.as_secs() / MINUTE, error.to_string());
                Err(SlurmError::Silent { minutes, message, name: of.name.to_owned() })
            }
        }
    }

    /// Says once of each reason that tasks are held.
    fn tell_held(&mut self, of: &Follow<'_>, queue: &Queue) {
        for Waiting { reason } in queue.waiting.iter().filter(|task| task.is_held()) {
            if self.told.insert(reason.clone()) {
                let name = of.name;
                of.observer
                    .told(&format!("tasks of {name} are held: {reason}; `scontrol release` lets them run"));
            }
        }
    }
}

/// That the controller does not answer, among what has been told.
const SILENT: &str = "silent";
