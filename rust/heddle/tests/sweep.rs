//! `heddle sweep`: experiments run whole, whatever happens on the way.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{heddle, text};

/// An experiment of `runs` short runs, in a file of its own.
fn experiment(folder: &Path, runs: u32) -> PathBuf {
    let values: Vec<String> = (1..=runs).map(|value| value.to_string()).collect();
    let file = folder.join("short.toml");
    let text = format!(
        "id = \"short\"\ntitle = \"Latency of the L2\"\nsource = \"none\"\n\
         scales.smoke = {{ size = \"smoke\" }}\nscales.claims = {{ size = \"small\" }}\n\
         scales.paper = {{ size = \"paper\" }}\nkernels = [\"vectoradd\"]\nmeasure = \"cycles\"\n[[series]]\nname = \"baseline\"\n\
         design = \"baseline\"\n[series.sweep]\n\"l2.latency\" = [{}]\n",
        values.join(", ")
    );
    fs::write(&file, text).expect("writable");
    file
}

/// Names and contents of the results.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("sweep/short/runs")).into_iter().flatten();
    let named = entries.map(|entry| entry.expect("readable"));
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let whole = named.filter(|entry| name(entry).ends_with(".json"));
    whole.map(|entry| (name(&entry), fs::read(entry.path()).expect("readable"))).collect()
}

fn begun(file: &Path, folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.args(["sweep", text(file), "--results", text(folder), "--resume", "-q"]);
    command.stdout(Stdio::null()).spawn().expect("the program runs")
}

/// Kills a sweep so many times, ends it, and holds its results against those of an undisturbed one.
fn killed(runs: u32, kills: u32) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), runs);
    let (calm, stormy) = (folder.path().join("calm"), folder.path().join("stormy"));
    heddle(&["sweep", text(&file), "--results", text(&calm), "-q"]).passes();
    let mut in_the_middle = 0;
    for kill in 1..=kills {
        let mut child = begun(&file, &stormy);
        let wanted = (runs * kill / (kills + 1)) as usize;
        while results(&stormy).len() < wanted && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("a child");
        in_the_middle += u32::from(!child.wait().expect("a child").success());
    }
    assert!(in_the_middle > 0, "every sweep ended before it was killed");
    let last = heddle(&["sweep", text(&file), "--results", text(&stormy), "--resume"]);
    let last = last.fails(0, &[&format!("{runs} runs: "), ", 0 failed"]);
    assert!(!last.stderr.contains(" 0 were there"), "{}", last.stderr);
    let (expected, found) = (results(&calm), results(&stormy));
    assert_eq!(expected.len(), runs as usize);
    assert!(found == expected, "{} of {} results are there or differ", found.len(), expected.len());
    for merged in ["results.csv", "results.parquet", "results.jsonl"] {
        let of = |folder: &Path| fs::read(folder.join("sweep/short").join(merged)).expect("there");
        assert!(of(&calm) == of(&stormy), "{merged}");
    }
}

#[test]
fn a_killed_sweep_goes_on_and_loses_and_repeats_nothing() {
    killed(200, 10);
}

#[test]
fn a_row_is_the_one_that_sim_prints() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 1);
    heddle(&["sweep", text(&file), "--results", text(folder.path()), "-q"]).passes();
    let (_, bytes) = results(folder.path()).pop_first().expect("a result");
    let stored: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let line = ["sim", "-q", "-k", "vectoradd", "--set", "l2.latency=1", "--format", "json"];
    let printed = heddle(&line).passes().json();
    assert_eq!(stored["row"], printed[0]);
    // What is there is not mixed with another sweep, and is not run again.
    let again = ["sweep", text(&file), "--results", text(folder.path())];
    heddle(&again).fails(2, &["holds results of an earlier sweep; --resume goes on with it"]);
    heddle(&[&again[..], &["--resume"]].concat())
        .fails(0, &["short: 1 runs: 1 were there, 0 passed, 0 failed"]);
}

#[test]
fn a_run_that_fails_is_recorded_and_stops_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 2);
    let written = fs::read_to_string(&file).expect("there");
    let both = written.replace("[\"vectoradd\"]", "[\"vectoradd\", \"matrixmul\"]");
    let line = ["sim", "-q", "-k", "vectoradd", "--format", "json"];
    let cycles = heddle(&line).passes().json()[0]["cycles"].as_u64().expect("a number");
    // The latencies of the L2 are shorter than the preset's: vectoradd ends in time, matrixmul does not.
    let limited = both.replace("measure", &format!("max_cycles = {cycles}\nmeasure"));
    fs::write(&file, limited).expect("writable");
    let ran = heddle(&["sweep", text(&file), "--results", text(folder.path()), "--format", "json"]);
    let ran = ran.fails(
        1,
        &[
            "baseline l2.latency=1 matrixmul: matrixmul did not end",
            "baseline l2.latency=2 matrixmul: ",
            "2 passed, 2 failed",
        ],
    );
    assert_eq!(ran.json().iter().map(|row| row["without"].as_u64()).collect::<Vec<_>>(), [Some(1); 2]);
    assert_eq!(results(folder.path()).len(), 2);
    assert_eq!(fs::read_dir(folder.path().join("sweep/short/failed")).expect("there").count(), 2);
}

#[test]
fn a_full_disk_is_told_and_loses_no_result() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 3);
    let line = ["sweep", text(&file), "--results", text(folder.path())];
    let merged = folder.path().join("sweep/short/results.csv");
    fs::create_dir_all(merged.parent().expect("a folder")).expect("writable");
    std::os::unix::fs::symlink("/dev/full", &merged).expect("a link");
    heddle(&line).fails(1, &["cannot write", "results.csv: No space left on device"]);
    fs::remove_file(&merged).expect("a link");
    heddle(&[&line[..], &["--resume"]].concat()).fails(0, &["3 runs: 3 were there, 0 passed, 0 failed"]);
    assert_eq!(fs::read_to_string(&merged).expect("there").lines().count(), 4);
}

#[test]
fn several_values_of_a_key_are_several_runs() {
    let line = ["sim", "-q", "-k", "vectoradd", "--set", "l2.latency=1,100", "--format"];
    let both = heddle(&[&line[..], &["json"]].concat()).passes().json();
    let latencies: Vec<_> = both.iter().map(|row| row["parameters"]["l2.latency"].as_u64()).collect();
    assert_eq!(latencies, [Some(1), Some(100)]);
    let table = heddle(&[&line[..], &["table"]].concat()).passes().stdout;
    assert!(table.contains("l2.latency=100"), "{table}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 1);
    let taken = folder.path().join("taken");
    fs::write(&taken, "").expect("writable");
    let taken_is = "taken is no folder; expected the folder of results";
    heddle(&["sweep", text(&file), "--results", text(&taken)]).fails(2, &[taken_is]);
    let nowhere = "/proc/nowhere";
    heddle(&["sweep", text(&file), "--results", nowhere]).fails(1, &["cannot write", nowhere]);
}

#[test]
fn what_is_missing_is_estimated_before_it_runs() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = experiment(folder.path(), 2);
    let line = ["sweep", text(&file), "--results", text(folder.path())];
    let estimate = |more: &[&str]| {
        let line = [&line[..], &["--estimate", "-q", "--format", "json"], more].concat();
        let ran = heddle(&line).fails(0, &["runs are missing"]);
        let of = |row: &serde_json::Value| {
            (row["missing"].as_u64(), row["unknown"].as_u64(), row["from"].as_str().map(str::to_owned))
        };
        (ran.json().iter().map(of).collect::<Vec<_>>(), ran.stderr)
    };
    let (rows, told) = estimate(&[]);
    assert_eq!(rows, vec![(Some(1), Some(0), Some("stated".to_owned())); 2]);
    assert!(told.contains("2 of 2 runs are missing: 0 s"), "{told}");
    assert!(!folder.path().join("sweep").exists(), "nothing ran");
    // The file's scale claims is of size small, of which nothing is stated.
    let (rows, told) = estimate(&["--scale", "claims"]);
    assert_eq!(rows, vec![(Some(1), Some(1), None); 2]);
    assert!(told.contains("and 2 runs of which nothing is known"), "{told}");
    heddle(&[&line[..], &["-q"]].concat()).passes();
    assert_eq!(estimate(&[]).0, vec![(Some(0), Some(0), None); 2]);
    // Runs of another seed are others; these were measured.
    let written = fs::read_to_string(&file).expect("there");
    fs::write(&file, written.replace("measure", "seed = 2\nmeasure")).expect("writable");
    let measured = vec![(Some(1), Some(0), Some("measured".to_owned())); 2];
    assert_eq!(estimate(&[]).0, measured);
    // What another program left there, or what is no result, says nothing of this one.
    for (name, bytes) in results(folder.path()) {
        let file = folder.path().join("sweep/short/runs").join(name);
        let mut left: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        left["identity"]["made_by"]["sources"] = "of another program".into();
        fs::write(&file, left.to_string()).expect("writable");
    }
    fs::write(folder.path().join("sweep/short/times/old.json"), "seconds: 1").expect("writable");
    assert_eq!(estimate(&[]).0, vec![(Some(1), Some(0), Some("stated".to_owned())); 2]);
}

#[test]
fn several_files_are_swept_where_all_can_be() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let short = experiment(folder.path(), 1);
    let other = folder.path().join("other.toml");
    fs::write(&other, fs::read_to_string(&short).expect("there").replace("\"short\"", "\"other\""))
        .expect("writable");
    let results = folder.path().join("results");
    let sweep = |files: &[&Path], more: &[&str], code: i32, said: &[&str]| {
        let mut line = vec!["sweep", "--results", text(&results)];
        line.extend(files.iter().map(|file| text(file)));
        heddle(&[&line[..], more].concat()).fails(code, said);
    };
    sweep(&[&short, &short], &[], 2, &["experiment 'short' is that of ", "expected it once"]);
    assert!(!results.exists(), "nothing ran");
    sweep(&[&other], &[], 0, &["other: 1 runs: 0 were there, 1 passed"]);
    sweep(&[&short, &other], &[], 2, &["other holds results of an earlier sweep"]);
    assert!(!results.join("sweep/short").exists(), "nothing ran");
    sweep(
        &[&short, &other],
        &["--resume"],
        0,
        &["short: 1 runs: 1 were there", "other: 1 runs: 1 were there"],
    );
}

#[test]
fn a_report_needs_a_folder_of_results_and_a_paper_that_is_there() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (nowhere, page) = (folder.path().join("nowhere"), folder.path().join("page.html"));
    let expected = "nowhere is not there; expected the folder of results that `heddle sweep` wrote";
    heddle(&["report", "--results", text(&nowhere), "--out", text(&page)]).fails(2, &[expected]);
    assert!(!nowhere.exists() && !page.exists());
    let only = |paper: &str, said: &str| {
        heddle(&["report", "--results", text(folder.path()), "--only", paper]).fails(2, &[said]);
        heddle(&["claims", "--results", text(folder.path()), "--only", paper]).fails(2, &[said]);
    };
    only("ucm", "is called 'ucm'; claims that begin with 'ucm-' are of paper 'osm'");
    only("ltrff", "is called 'ltrff'; did you mean 'ltrf'?");
}
