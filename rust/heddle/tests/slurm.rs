//! `heddle sweep --engine slurm`: with commands of Slurm that are made up, and with a real Slurm on this
//! machine.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{heddle, text};

/// Nothing that is waited for here takes longer.
const MOST: Duration = Duration::from_secs(300);

/// An experiment of `runs` runs of each kernel, in a file of its own; `more` is more of the file.
fn experiment(folder: &Path, runs: u32, kernels: &str, more: &str) -> PathBuf {
    let values: Vec<String> = (1..=runs).map(|value| value.to_string()).collect();
    let file = folder.join("short.toml");
    let text = format!(
        "id = \"short\"\ntitle = \"Latency of the L2\"\nsource = \"none\"\n\
         scales.smoke = {{ size = \"smoke\" }}\nscales.claims = {{ size = \"small\" }}\n\
         scales.paper = {{ size = \"paper\" }}\nkernels = [{kernels}]\nmeasure = \"cycles\"\n{more}\n\
         [[series]]\nname = \"baseline\"\ndesign = \"baseline\"\n[series.sweep]\n\"l2.latency\" = [{}]\n",
        values.join(", ")
    );
    fs::write(&file, text).expect("writable");
    file
}

/// Names and contents of what there is of one kind.
fn kept(results: &Path, kind: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(results.join("sweep/short").join(kind)).into_iter().flatten();
    let named = entries.map(|entry| entry.expect("readable"));
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let whole = named.filter(|entry| name(entry).ends_with(".json"));
    whole.map(|entry| (name(&entry), fs::read(entry.path()).expect("readable"))).collect()
}

/// A sweep with Slurm's commands from the folder `slurm`, before those of PATH.
fn sweep(slurm: &Path, file: &Path, results: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(slurm.to_owned()).chain(std::env::split_paths(&path)));
    command.env("PATH", path.expect("a PATH"));
    command.args(["sweep", text(file), "--results", text(results), "--engine", "slurm"]).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Asserts how a sweep ended, and that it said each of `parts`.
fn ended(output: &Output, code: i32, parts: &[&str]) -> String {
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{told}");
    for part in parts {
        assert!(told.contains(part), "no '{part}' in:\n{told}");
    }
    told
}

/// Commands of Slurm that write what they are asked into `asked`: `sbatch` does all tasks but `without` at
/// once, one after the other, and `squeue` prints `queue`.
fn made_up(folder: &Path, without: &str, queue: &str) -> PathBuf {
    let bin = folder.join("bin");
    fs::create_dir(&bin).expect("writable");
    let asked = bin.join("asked");
    let sbatch = format!(
        "[ \"$1\" = --parsable ] || exit 0\n\
         last=$(sed -n 's/^#SBATCH --array=0-\\([0-9]*\\).*/\\1/p' \"$2\")\n\
         for task in $(seq 0 \"$last\"); do\n\
         [ \"$task\" = '{without}' ] || SLURM_ARRAY_TASK_ID=$task sh \"$2\" >\"task-$task.log\" 2>&1\ndone\necho 17"
    );
    let squeue = format!("[ \"$1\" = --version ] || printf '%s' '{queue}'");
    for (name, body) in [("sbatch", sbatch.as_str()), ("squeue", squeue.as_str()), ("scancel", "")] {
        let file = bin.join(name);
        fs::write(&file, format!("#!/bin/sh\necho {name} \"$@\" >>'{}'\n{body}\n", asked.display()))
            .expect("writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("writable");
    }
    bin
}

#[test]
fn without_slurm_it_is_said_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 1, "\"vectoradd\"", "");
    let results = folder.path().join("results");
    let output =
        sweep(folder.path(), &file, &results, &[]).env("PATH", folder.path()).output().expect("runs");
    ended(&output, 2, &["sbatch is not there; --engine slurm needs sbatch, squeue and scancel in PATH"]);
    assert!(!results.exists());
    let line = ["sweep", text(&file), "--results", text(&results)];
    heddle(&[&line[..], &["--sbatch=--mem=1G"]].concat()).fails(2, &["are for --engine slurm"]);
    heddle(&[&line[..], &["--runs", "x", "--engine", "slurm"]].concat()).fails(2, &["on this machine"]);
    let unknown = folder.path().join("task-0.runs");
    fs::write(&unknown, "0123\n").expect("writable");
    heddle(&[&line[..], &["--runs", text(&unknown)]].concat())
        .fails(2, &[":1:1: experiment 'short' has no run 0123"]);
}

#[test]
fn tasks_do_the_runs_and_those_that_fail_or_never_end_are_recorded() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let line = ["sim", "-q", "-k", "vectoradd", "--format", "json"];
    let cycles = heddle(&line).passes().json()[0]["cycles"].as_u64().expect("a number");
    // The latencies of the L2 are shorter than the preset's: vectoradd ends in time, matrixmul does not.
    let file =
        experiment(folder.path(), 3, "\"matrixmul\", \"vectoradd\"", &format!("max_cycles = {cycles}"));
    // Of six runs in three tasks the last task does not take place: one of each kernel.
    let bin = made_up(folder.path(), "2", "");
    let results = folder.path().join("results");
    let options = ["--runs-per-task", "2", "--jobs", "4", "--sbatch=--partition=short"];
    let output = sweep(&bin, &file, &results, &options).output().expect("runs");
    let told = ended(
        &output,
        1,
        &[
            "short: job 17 of Slurm",
            "6 runs in 3 tasks",
            "baseline l2.latency=1 matrixmul: matrixmul did not end within",
            "baseline l2.latency=3 vectoradd: task 2 of Slurm ended without a result of it; its log is",
            "6 runs: 0 were there, 2 passed, 4 failed",
        ],
    );
    assert_eq!((kept(&results, "runs").len(), kept(&results, "failed").len()), (2, 4), "{told}");
    let script = fs::read_to_string(results.join("sweep/short/slurm/1/sweep.sh")).expect("there");
    assert!(script.contains("#SBATCH --array=0-2%4\n#SBATCH"), "{script}");
    assert!(script.contains("#SBATCH --partition=short\n"), "{script}");
    let name = script.lines().find_map(|line| line.strip_prefix("#SBATCH --job-name=")).expect("a name");
    let asked = fs::read_to_string(bin.join("asked")).expect("there");
    assert!(asked.contains(&format!("scancel --quiet --name {name}\n")), "{asked}");
    assert!(asked.contains(&format!("--name {name}\n")), "{asked}");
    // Locally the same runs give the same results, byte for byte.
    let local = folder.path().join("local");
    heddle(&["sweep", text(&file), "--results", text(&local), "-q"]).fails(1, &["3 passed, 3 failed"]);
    let expected = kept(&local, "runs");
    assert!(kept(&results, "runs").iter().all(|(name, result)| expected.get(name) == Some(result)));
    // Only what is missing or failed is submitted again.
    let output = sweep(&bin, &file, &results, &["--resume"]).output().expect("runs");
    ended(&output, 1, &["4 runs in 1 tasks", "6 runs: 2 were there, 1 passed, 3 failed"]);
    assert!(kept(&results, "runs") == expected);
}

#[test]
fn ctrl_c_cancels_the_jobs() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 1, "\"vectoradd\"", "");
    let bin = made_up(folder.path(), "0", "RUNNING|None");
    let results = folder.path().join("results");
    let child = sweep(&bin, &file, &results, &[]).spawn().expect("runs");
    let asked = || fs::read_to_string(bin.join("asked")).unwrap_or_default();
    until("squeue is asked", || asked().contains("squeue --noheader"));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("runs");
    assert!(killed.success());
    ended(&child.wait_with_output().expect("a child"), 130, &["interrupted; short: 1 runs: 0 were there"]);
    assert!(
        asked().lines().last().is_some_and(|line| line.starts_with("scancel --quiet --name heddle-short-"))
    );
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < MOST, "{what}: not within {MOST:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A Slurm on this machine, until the value goes.
struct Loopback(PathBuf);

impl Loopback {
    /// Starts it, all in `folder`; says why where Slurm cannot be had.
    fn start(folder: &Path) -> Result<Self, String> {
        let slurm = Self(folder.join("slurm"));
        for command in ["install", "start"] {
            let output = slurm.command(command, &[]).output().expect("a script of the repository");
            let told = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => {}
                Some(3) => return Err(told.trim().to_owned()),
                _ => panic!("{command}: {told}"),
            }
        }
        Ok(slurm)
    }

    fn command(&self, command: &str, more: &[&str]) -> Command {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/slurm-loopback.sh");
        let mut line = Command::new(script);
        line.arg(command).arg(&self.0).args(more);
        line
    }

    fn told(&self, command: &str, more: &[&str]) {
        let status = self.command(command, more).status().expect("a script of the repository");
        assert!(status.success(), "{command} {more:?}");
    }

    fn sweep(&self, file: &Path, results: &Path, more: &[&str]) -> Child {
        let mut command = sweep(&self.0, file, results, more);
        command.env("SLURM_CONF", self.0.join("slurm.conf")).spawn().expect("the program runs")
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        let _ = self.command("stop", &[]).status();
    }
}

/// Runs of the sweep that is disturbed.
const RUNS: u32 = 200;

#[test]
#[ignore = "minutes, and Slurm is installed where it is not there; `make test-all`"]
fn a_node_that_is_killed_twice_loses_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let slurm = match Loopback::start(folder.path()) {
        Ok(slurm) => slurm,
        Err(why) => {
            // Past the test runner, which keeps what tests print.
            let _ = writeln!(std::io::stderr(), "skipped: no sweep with a real Slurm: {why}");
            return;
        }
    };
    let file = experiment(folder.path(), RUNS, "\"bfs\"", "");
    let (calm, stormy) = (folder.path().join("calm"), folder.path().join("stormy"));
    heddle(&["sweep", text(&file), "--results", text(&calm), "-q"]).passes();
    let there = || kept(&stormy, "runs").len();
    let in_the_middle = |least: usize| {
        until("runs end", || there() >= least);
        assert!(there() < RUNS as usize, "all had ended before anything was killed");
    };

    // A daemon dies, then the other one together with the sweep that follows.
    let mut first = slurm.sweep(&file, &stormy, &["--runs-per-task", "40"]);
    in_the_middle(20);
    slurm.told("kill-node", &["1"]);
    std::thread::sleep(Duration::from_secs(2));
    slurm.told("start-node", &["1"]);
    in_the_middle(there() + 20);
    slurm.told("kill-node", &["2"]);
    first.kill().expect("a child");
    first.wait().expect("a child");
    slurm.told("start-node", &["2"]);
    let after_kills = there();

    // It goes on, while the controller is started anew.
    let second = slurm.sweep(&file, &stormy, &["--runs-per-task", "20", "--resume"]);
    if there() < RUNS as usize - 20 {
        in_the_middle(after_kills + 10);
    }
    slurm.told("restart", &[]);
    let output = second.wait_with_output().expect("a child");
    let told = ended(&output, 0, &[&format!("short: {RUNS} runs: "), ", 0 failed"]);

    let (expected, found) = (kept(&calm, "runs"), kept(&stormy, "runs"));
    assert_eq!(expected.len(), RUNS as usize);
    assert!(found == expected, "{} of {} results are there or differ", found.len(), expected.len());
    assert_eq!(kept(&stormy, "failed").len(), 0);
    for merged in ["results.csv", "results.parquet", "results.jsonl"] {
        let of = |results: &Path| fs::read(results.join("sweep/short").join(merged)).expect("there");
        assert!(of(&calm) == of(&stormy), "{merged}");
    }
    let left = fs::read_dir(stormy.join("sweep/short/runs")).expect("there").count();
    assert_eq!(left, RUNS as usize, "half-written files are left");
    let _ = writeln!(
        std::io::stderr(),
        "two daemons and the sweep were killed at {after_kills} of {RUNS} results; then\n{told}"
    );
}
