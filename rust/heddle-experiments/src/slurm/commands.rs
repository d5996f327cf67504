//! The commands of Slurm.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use super::error::SlurmError;

/// The commands that are needed.
const PROGRAMS: [&str; 3] = ["sbatch", "squeue", "scancel"];
/// State and reason of a task.
const FORMAT: &str = "%T|%r";

/// Slurm's commands, which are there.
#[derive(Debug)]
pub struct Slurm(());

/// What is in the queue of a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Queue {
    /// Tasks that run, or whose node is being left.
    pub running: usize,
    /// Tasks that wait.
    pub waiting: Vec<Waiting>,
}

/// A task that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Why, as Slurm says it, such as `Resources`.
    pub reason: String,
}

impl Waiting {
    /// Whether it will not run before somebody lets it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        let reason = self.reason.to_ascii_lowercase();
        reason.starts_with("jobheld") || reason.contains("held")
    }
}

impl Queue {
    /// Whether nothing is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.running == 0 && self.waiting.is_empty()
    }

    /// What squeue printed, a line a task.
    fn read(text: &str) -> Result<Self, SlurmError> {
        let mut queue = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let Some((state, reason)) = line.split_once('|') else {
                let expected = "STATE|REASON";
                return Err(SlurmError::Answer { program: "squeue", line: line.to_owned(), expected });
            };
            match state {
                "PENDING" | "SUSPENDED" | "SPECIAL_EXIT" | "REQUEUED" | "REQUEUE_HOLD" => {
                    queue.waiting.push(Waiting { reason: reason.to_owned() });
                }
                _ => queue.running += 1,
            }
        }
        Ok(queue)
    }
}

impl Slurm {
    /// The commands in PATH.
    ///
    /// # Errors
    /// [`SlurmError::NotThere`], or one that does not run.
    pub fn find() -> Result<Self, SlurmError> {
        PROGRAMS
            .into_iter()
            .try_for_each(|program| ask(program, Command::new(program).arg("--version")).map(drop))?;
        Ok(Self(()))
    }

    /// Submits a script from its folder. The number of the job.
    ///
    /// # Errors
    /// [`SlurmError`]: Slurm refuses it or cannot be reached.
    pub fn submit(&self, script: &Path) -> Result<u64, SlurmError> {
        let mut command = Command::new("sbatch");
        command.arg("--parsable").arg(script.file_name().unwrap_or_default());
        if let Some(folder) = script.parent() {
            command.current_dir(folder);
        }
        let line = ask("sbatch", &mut command)?;
        // Of several clusters: JOB;CLUSTER.
        let number = line.trim().split(';').next().and_then(|number| number.parse().ok());
        number.ok_or(SlurmError::Answer { program: "sbatch", line, expected: "the number of a job" })
    }

    /// What is in the queue of jobs called `name`.
    ///
    /// # Errors
    /// [`SlurmError`]: Slurm cannot be reached.
    pub fn queue(&self, name: &str) -> Result<Queue, SlurmError> {
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--array", "--format", FORMAT, "--name", name]);
        Queue::read(&ask("squeue", &mut command)?)
    }

    /// Takes all jobs called `name` out of the queue and ends what runs of them; none is fine.
    ///
    /// # Errors
    /// [`SlurmError`]: Slurm cannot be reached.
    pub fn cancel(&self, name: &str) -> Result<(), SlurmError> {
        ask("scancel", Command::new("scancel").args(["--quiet", "--name", name])).map(drop)
    }
}

/// What a command prints.
fn ask(program: &'static str, command: &mut Command) -> Result<String, SlurmError> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        // Ctrl-C is for this process, which has questions then.
        command.process_group(0);
    }
    let output = command.stdin(Stdio::null()).output().map_err(|source| match source.kind() {
        ErrorKind::NotFound => SlurmError::NotThere { program },
        _ => SlurmError::Start { program, source },
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = told.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let message = if lines.is_empty() { output.status.to_string() } else { lines.join("; ") };
    Err(SlurmError::Failed { program, message })
}

#[cfg(test)]
mod tests {
    use super::{Queue, SlurmError};

    #[test]
    fn a_line_of_squeue_is_a_task() {
        let queue = Queue::read("PENDING|Resources\nRUNNING|None\n\nCOMPLETING|None\nPENDING|JobHeldAdmin\n");
        let queue = queue.expect("four tasks");
        assert_eq!(queue.running, 2);
        assert_eq!(queue.waiting.iter().map(super::Waiting::is_held).collect::<Vec<_>>(), [false, true]);
        assert!(!queue.is_empty() && Queue::read("").expect("no task").is_empty());
        assert!(matches!(Queue::read("squeue?"), Err(SlurmError::Answer { program: "squeue", .. })));
    }
}
