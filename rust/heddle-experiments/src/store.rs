//! The folder of an experiment's results: a file for each run, which is there whole or not at all.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use heddle_cosim::Streams;
use heddle_files::Claim;
use serde::Serialize;

use crate::error::ExperimentError;
use crate::folder::{damaged, is_there, listed, read};
use crate::identity::MADE_BY;
use crate::outcome::{Failed, Finished, Took};
use crate::plan::{Plan, PlannedRun};

/// Folders of what there is of a run.
const KINDS: [&str; 3] = ["runs", "failed", "times"];

/// What is done with files that a killed sweep left half-written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leftovers {
    /// They go away.
    GoAway,
    /// They stay, because other processes may be writing them.
    Stay,
}

/// The results of one experiment.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// The folder of functional streams, which all experiments share.
    streams: PathBuf,
}

impl Store {
    /// The results of experiment `id` below the folder `results`.
    #[must_use]
    pub fn new(results: &Path, id: &str) -> Self {
        Self { folder: Self::all(results).join(id), streams: results.join("streams") }
    }

    /// The folder with the results of all experiments below the folder `results`.
    pub(crate) fn all(results: &Path) -> PathBuf {
        results.join("sweep")
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a run finds the functional stream of its kernel, or leaves it.
    pub(crate) fn streams(&self, run: &PlannedRun) -> Streams {
        Streams { folder: self.streams.clone(), made_by: run.identity[MADE_BY].to_string() }
    }

    /// The right to sweep into this folder, for this process alone.
    ///
    /// # Errors
    /// [`ExperimentError::Busy`], [`ExperimentError::Write`], [`ExperimentError::Folder`];
    /// [`ExperimentError::Occupied`] where results are there and `resume` does not say that they are wanted.
    pub(crate) fn claim(&self, resume: bool, leftovers: Leftovers) -> Result<Claim, ExperimentError> {
        let fail = |path: &Path, source| ExperimentError::Write { path: path.to_owned(), source };
        let claim = Claim::new(&self.folder, "sweep").map_err(|e| fail(&self.folder, e))?;
        if claim.name() != "sweep" {
            return Err(ExperimentError::Busy { path: self.folder.clone() });
        }
        for name in KINDS {
            let folder = self.folder.join(name);
            fs::create_dir_all(&folder).map_err(|e| fail(&folder, e))?;
        }
        if !resume {
            self.free()?;
        }
        if leftovers == Leftovers::GoAway {
            self.remove_leftovers()?;
        }
        Ok(claim)
    }

    /// Whether a sweep of `plan` can begin in this folder, or go on in it with `resume`, as far as the files there say; nothing
    /// is written.
    ///
    /// # Errors
    /// [`ExperimentError::NoFolder`], [`ExperimentError::Folder`], [`ExperimentError::Read`],
    /// [`ExperimentError::Damaged`]; [`ExperimentError::Occupied`] where results are there without `resume`.
    pub fn ready(&self, plan: &Plan, resume: bool) -> Result<(), ExperimentError> {
        if resume { self.missing(plan).map(drop) } else { self.free() }
    }

    /// Refuses a folder that holds something of a run.
    fn free(&self) -> Result<(), ExperimentError> {
        for kind in KINDS {
            if !self.keys(kind)?.is_empty() {
                return Err(ExperimentError::Occupied { path: self.folder.clone() });
            }
        }
        Ok(())
    }

    /// Removes files that killed processes left half-written. A process that is still writing one cannot
    /// publish it then.
    pub(crate) fn remove_leftovers(&self) -> Result<(), ExperimentError> {
        for kind in KINDS {
            for path in self.files(kind)?.into_iter().filter(|path| !is_whole(path)) {
                match fs::remove_file(&path) {
                    Err(source) if source.kind() != ErrorKind::NotFound => {
                        return Err(ExperimentError::Write { path, source });
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Keys that have a file of a kind.
    pub(crate) fn keys(&self, kind: &str) -> Result<BTreeSet<String>, ExperimentError> {
        let whole = self.files(kind)?.into_iter().filter(|path| is_whole(path));
        Ok(whole.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect())
    }

    fn files(&self, kind: &str) -> Result<Vec<PathBuf>, ExperimentError> {
        listed(&self.folder.join(kind))
    }

    /// The runs of a plan that have no result, in its order.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], [`ExperimentError::Damaged`].
    pub(crate) fn missing<'a>(&self, plan: &'a Plan) -> Result<Vec<&'a PlannedRun>, ExperimentError> {
        let mut missing = Vec::new();
        for run in &plan.runs {
            if self.finished(&run.key)?.is_none() {
                missing.push(run);
            }
        }
        Ok(missing)
    }

    /// Takes over the results of the plan's runs that other experiments below the same folder have: equal keys are
    /// equal runs. A result of theirs that cannot be read is none.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], [`ExperimentError::Damaged`] of the own folder; [`ExperimentError::Folder`],
    /// [`ExperimentError::Write`].
    pub(crate) fn adopt(&self, plan: &Plan) -> Result<(), ExperimentError> {
        let others = self.others()?;
        for run in self.missing(plan)? {
            if let Some((finished, took)) = others.iter().find_map(|other| other.whole(&run.key)) {
                self.keep(&finished, &took)?;
            }
        }
        Ok(())
    }

    /// Whether there are results of any experiment below the same folder.
    ///
    /// # Errors
    /// [`ExperimentError::NoFolder`], [`ExperimentError::Folder`].
    pub fn any(&self) -> Result<bool, ExperimentError> {
        self.folder.parent().map_or(Ok(false), is_there)
    }

    /// The result of a run that this experiment or another one below the same folder has.
    ///
    /// # Errors
    /// As [`Self::any`] and [`Self::finished`].
    pub fn found(&self, key: &str) -> Result<Option<Finished>, ExperimentError> {
        if !self.any()? {
            return Ok(None);
        }
        let own = self.finished(key)?;
        if own.is_some() {
            return Ok(own);
        }
        Ok(self.others()?.iter().find_map(|other| other.whole(key)).map(|(finished, _)| finished))
    }

    /// The other experiments below the same folder, by name.
    fn others(&self) -> Result<Vec<Self>, ExperimentError> {
        let Some(all) = self.folder.parent() else { return Ok(Vec::new()) };
        let folders = listed(all)?.into_iter().filter(|folder| *folder != self.folder);
        Ok(folders.map(|folder| Self { folder, streams: self.streams.clone() }).collect())
    }

    /// The result of a run and how it was made, where both are there and whole.
    fn whole(&self, key: &str) -> Option<(Finished, Took)> {
        let finished = self.finished(key).ok()??;
        Some((finished, read(&self.file("times", key)).ok()??))
    }

    fn file(&self, kind: &str, key: &str) -> PathBuf {
        self.folder.join(kind).join(format!("{key}.json"))
    }

    /// The result of a run, where it is there.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], [`ExperimentError::Damaged`].
    pub fn finished(&self, key: &str) -> Result<Option<Finished>, ExperimentError> {
        let path = self.file("runs", key);
        let found: Option<Finished> = read(&path)?;
        if let Some(found) = &found {
            if found.key != key {
                return Err(damaged(&path, &format!("it is the result of run {}", found.key)));
            }
            if !found.is_as_written() {
                return Err(damaged(
                    &path,
                    &"it is not what the run wrote: its digest is that of another text",
                ));
            }
        }
        Ok(found)
    }

    /// Why a run failed when it last ran.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], [`ExperimentError::Damaged`].
    pub fn failed(&self, key: &str) -> Result<Option<Failed>, ExperimentError> {
        read(&self.file("failed", key))
    }

    /// Keeps a result; a failure of the run before is forgotten.
    pub(crate) fn keep(&self, run: &Finished, took: &Took) -> Result<(), ExperimentError> {
        let path = self.file("runs", &run.key);
        let bytes = json(&path, run)?;
        heddle_files::publish_new(&path, &bytes)
            .map_err(|source| ExperimentError::Write { path: path.clone(), source })?;
        self.publish("times", &run.key, took)?;
        self.forget_failure(&run.key)
    }

    /// Forgets that a run failed, where it did.
    pub(crate) fn forget_failure(&self, key: &str) -> Result<(), ExperimentError> {
        let failed = self.file("failed", key);
        match fs::remove_file(&failed) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                Err(ExperimentError::Write { path: failed, source })
            }
            _ => Ok(()),
        }
    }

    /// Keeps why a run failed.
    pub(crate) fn keep_failure(&self, run: &Failed) -> Result<(), ExperimentError> {
        self.publish("failed", &run.key, run)
    }

    fn publish(&self, kind: &str, key: &str, value: &impl Serialize) -> Result<(), ExperimentError> {
        let path = self.file(kind, key);
        self.write(&path, &json(&path, value)?)
    }

    /// Writes a file of the folder, such as the merged results, whole or not at all.
    ///
    /// # Errors
    /// [`ExperimentError::Write`].
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), ExperimentError> {
        let fail = |source| ExperimentError::Write { path: path.to_owned(), source };
        heddle_files::publish(path, bytes).map_err(fail)
    }
}

fn is_whole(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

fn json(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, ExperimentError> {
    let fail = |e: serde_json::Error| ExperimentError::Write { path: path.to_owned(), source: e.into() };
    let mut bytes = serde_json::to_vec(value).map_err(fail)?;
    bytes.push(b'\n');
    Ok(bytes)
}
