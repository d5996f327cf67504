//! The files of a job: the script for sbatch, and for each task the keys of its runs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::SlurmOptions;
use super::error::SlurmError;
use crate::error::ExperimentError;
use crate::identity::hex;
use crate::plan::{Plan, PlannedRun};
use crate::store::Store;

/// Tasks that an array has at most; Slurm's own bound is 1,001 where a cluster says nothing else.
const MOST_TASKS: usize = 1000;
/// Digits of a hash that tell the jobs of one folder of results from those of others.
const DIGITS: usize = 12;

/// A job as it is written.
#[derive(Debug)]
pub struct Job {
    /// The script.
    pub script: PathBuf,
    /// The keys of the runs of each task.
    pub tasks: Vec<Vec<String>>,
}

/// The name of all jobs that write into the folder of `store`, and of no others.
pub fn name(store: &Store, id: &str) -> Result<String, ExperimentError> {
    let folder = store.folder();
    let whole = folder
        .canonicalize()
        .map_err(|source| ExperimentError::Folder { path: folder.to_owned(), source })?;
    let hash = hex(&Sha256::digest(whole.as_os_str().as_encoded_bytes()));
    let id: String =
        id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
    Ok(format!("heddle-{id}-{}", &hash[..DIGITS]))
}

impl Job {
    /// Writes the files of a job for the runs `missing` into a new folder `slurm/N` of `store`.
    pub fn write(
        plan: &Plan,
        store: &Store,
        missing: &[&PlannedRun],
        options: &SlurmOptions,
        name: &str,
    ) -> Result<Self, ExperimentError> {
        let each = options.runs_per_task.get().max(missing.len().div_ceil(MOST_TASKS));
        let keys = |runs: &[&PlannedRun]| runs.iter().map(|run| run.key.clone()).collect();
        let tasks: Vec<Vec<String>> = missing.chunks(each).map(keys).collect();
        let text = script(plan, options, name, tasks.len())?;
        let folder = new_folder(&store.folder().join("slurm"))?;
        for (number, keys) in tasks.iter().enumerate() {
            store.write(&folder.join(format!("task-{number}.runs")), (keys.join("\n") + "\n").as_bytes())?;
        }
        let path = folder.join("sweep.sh");
        store.write(&path, &[text, last_line(plan, options, &folder)?].concat())?;
        Ok(Self { script: path, tasks })
    }

    /// The log of a task.
    pub fn log(&self, task: usize) -> PathBuf {
        self.script.with_file_name(format!("task-{task}.log"))
    }

    /// The task of each run, by key.
    pub fn tasks_by_key(&self) -> BTreeMap<&str, usize> {
        let tasks = self.tasks.iter().enumerate();
        tasks.flat_map(|(task, keys)| keys.iter().map(move |key| (key.as_str(), task))).collect()
    }
}

/// A folder with the next free number.
fn new_folder(all: &Path) -> Result<PathBuf, ExperimentError> {
    let fail = |path: &Path, source| ExperimentError::Write { path: path.to_owned(), source };
    fs::create_dir_all(all).map_err(|e| fail(all, e))?;
    for number in 1_u32.. {
        let folder = all.join(number.to_string());
        match fs::create_dir(&folder) {
            // Whole: the script names it, and runs elsewhere.
            Ok(()) => return folder.canonicalize().map_err(|e| fail(&folder, e)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(fail(&folder, error)),
        }
    }
    Err(fail(all, ErrorKind::StorageFull.into()))
}

/// The script up to the program.
fn script(plan: &Plan, options: &SlurmOptions, name: &str, tasks: usize) -> Result<Vec<u8>, ExperimentError> {
    let at_a_time = options.tasks_at_a_time.map_or_else(String::new, |most| format!("%{most}"));
    let mut text = format!(
        "#!/bin/sh\n\
         # Runs of experiment {} that had no result; what is there when a task begins is not run again.\n\
         # `sbatch sweep.sh` in this folder submits them once more.\n\
         #SBATCH --job-name={name}\n\
         #SBATCH --array=0-{}{at_a_time}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output=task-%a.log\n",
        plan.experiment.id,
        tasks - 1
    );
    for option in &options.sbatch {
        if !option.starts_with('-') || option.chars().any(char::is_control) {
            return Err(SlurmError::Option { option: option.clone() }.into());
        }
        text.push_str(&format!("#SBATCH {option}\n"));
    }
    Ok(text.into_bytes())
}

/// Where the script goes, and the program with its arguments. Presets may be files that the folder of this
/// process has.
fn last_line(plan: &Plan, options: &SlurmOptions, folder: &Path) -> Result<Vec<u8>, ExperimentError> {
    let whole = |path: &Path| {
        std::path::absolute(path).map_err(|source| ExperimentError::Folder { path: path.to_owned(), source })
    };
    let here = whole(Path::new("."))?;
    let (root, file, results) = (whole(&options.root)?, whole(&options.file)?, whole(&options.results)?);
    let mut text = Vec::new();
    let mut word = |before: &str, word: &Path| {
        text.extend(before.as_bytes());
        quote(word.as_os_str(), &mut text);
    };
    word("export HEDDLE_ROOT=", &root);
    word("\ncd ", &here);
    word(" || exit 1\nexec ", &options.program);
    word(" sweep ", &file);
    word(" --results ", &results);
    word(&format!(" --scale {} --runs ", plan.experiment.scale), &folder.join("task-"));
    text.extend(b"\"$SLURM_ARRAY_TASK_ID\".runs\n");
    Ok(text)
}

/// A word for the shell.
fn quote(word: &OsStr, text: &mut Vec<u8>) {
    text.push(b'\'');
    for &byte in word.as_encoded_bytes() {
        match byte {
            b'\'' => text.extend(b"'\\''"),
            _ => text.push(byte),
        }
    }
    text.push(b'\'');
}
