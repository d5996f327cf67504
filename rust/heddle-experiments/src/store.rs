//! The folder of an experiment's results: a file for each run, which is there whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_files::{Claim, Input};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ExperimentError;

/// A result has a hundred kilobytes at most.
const RUN_FILE: Input = Input { expected: "the result of a run in JSON", most: 1 << 24 };

/// A run that passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// Key of the run.
    pub key: String,
    /// What the key is the hash of.
    pub identity: Value,
    /// The row that `heddle sim --format json` prints.
    pub row: Map<String, Value>,
    /// The rows that it prints with `--per entry`, without what says which run they are of.
    pub entries: Vec<Map<String, Value>>,
}

/// A run that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Key of the run.
    pub key: String,
    /// Design.
    pub design: String,
    /// Kernel.
    pub kernel: String,
    /// Why.
    pub message: String,
    /// Exit code of `heddle sim` or `heddle cosim` for such a run; 101 for a panic.
    pub exit_code: u8,
}

/// Seconds that a run took; kept apart from its result, which they are no part of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Took {
    pub seconds: f64,
}

/// The results of one experiment.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The results of experiment `id` below the folder `results`.
    #[must_use]
    pub fn new(results: &Path, id: &str) -> Self {
        Self { folder: Self::all(results).join(id) }
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

    /// The right to write results here, for this process alone; files that a killed sweep left half-written go away.
    ///
    /// # Errors
    /// [`ExperimentError::Busy`], [`ExperimentError::Write`]; [`ExperimentError::Occupied`] where results are there
    /// and `resume` does not say that they are wanted.
    pub(crate) fn claim(&self, resume: bool) -> Result<Claim, ExperimentError> {
        let fail = |path: &Path, source| ExperimentError::Write { path: path.to_owned(), source };
        let claim = Claim::new(&self.folder, "sweep").map_err(|e| fail(&self.folder, e))?;
        if claim.name() != "sweep" {
            return Err(ExperimentError::Busy { path: self.folder.clone() });
        }
        for name in ["runs", "failed", "times"] {
            let folder = self.folder.join(name);
            fs::create_dir_all(&folder).map_err(|e| fail(&folder, e))?;
            for entry in fs::read_dir(&folder).map_err(|e| fail(&folder, e))? {
                let path = entry.map_err(|e| fail(&folder, e))?.path();
                if path.extension().is_some_and(|extension| extension == "json") {
                    if !resume {
                        return Err(ExperimentError::Occupied { path: self.folder.clone() });
                    }
                } else {
                    fs::remove_file(&path).map_err(|e| fail(&path, e))?;
                }
            }
        }
        Ok(claim)
    }

    fn file(&self, kind: &str, key: &str) -> PathBuf {
        self.folder.join(kind).join(format!("{key}.json"))
    }

    /// The result of a run, where it is there.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], [`ExperimentError::Damaged`].
    pub fn finished(&self, key: &str) -> Result<Option<Finished>, ExperimentError> {
        let found: Option<Finished> = read(&self.file("runs", key))?;
        if let Some(other) = found.as_ref().filter(|found| found.key != key) {
            let message = format!("it is the result of run {}; remove it and run again", other.key);
            return Err(ExperimentError::Damaged { path: self.file("runs", key), message });
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
    pub(crate) fn keep(&self, run: &Finished, took: Took) -> Result<(), ExperimentError> {
        let path = self.file("runs", &run.key);
        let bytes = json(&path, run)?;
        heddle_files::publish_new(&path, &bytes)
            .map_err(|source| ExperimentError::Write { path: path.clone(), source })?;
        self.publish("times", &run.key, &took)?;
        let failed = self.file("failed", &run.key);
        match fs::remove_file(&failed) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
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

fn json(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, ExperimentError> {
    let fail = |e: serde_json::Error| ExperimentError::Write { path: path.to_owned(), source: e.into() };
    let mut bytes = serde_json::to_vec(value).map_err(fail)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(crate) fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>, ExperimentError> {
    if !path.exists() {
        return Ok(None);
    }
    let read = serde_json::from_slice(&RUN_FILE.bytes(path)?);
    read.map(Some).map_err(|e| ExperimentError::damaged(path, &e))
}
