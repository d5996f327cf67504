//! `sim --timeline`: every cycle of every warp is on its track once, and the sums are the run's own.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::common::{cases, heddle, text};

/// A slice: process, track, name, first cycle, cycles.
type Slice = (u64, u64, String, u64, u64);

fn slices(path: &Path) -> Vec<Slice> {
    let text = std::fs::read_to_string(path).expect("written");
    let whole: Value = serde_json::from_str(&text).expect("JSON");
    let number = |event: &Value, key: &str| event[key].as_u64().expect("a number");
    let slice = |e: &Value| {
        let name = e["name"].as_str().expect("a name").to_owned();
        (number(e, "pid"), number(e, "tid"), name, number(e, "ts"), number(e, "dur"))
    };
    let events = whole["traceEvents"].as_array().expect("events");
    events.iter().filter(|e| e["ph"] == "X").map(slice).collect()
}

/// Cycles of a process by the names of its slices.
fn sums(slices: &[Slice], process: u64) -> BTreeMap<&str, u64> {
    let mut sums = BTreeMap::new();
    for (_, _, name, _, cycles) in slices.iter().filter(|slice| slice.0 == process) {
        *sums.entry(name.as_str()).or_default() += cycles;
    }
    sums
}

#[test]
fn the_tracks_of_a_run_are_its_counters() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("new/bfs.json");
    let run = ["sim", "-q", "-d", "ltrf", "-k", "bfs", "--format", "json"];
    let timeline = ["--timeline", text(&path), "--timeline-cycles", "1000000"];
    let row = heddle(&[&run[..], &timeline].concat()).passes().json().remove(0);
    let mut found = slices(&path);
    let by_name = sums(&found, 2);
    let of = |names: &[&str]| names.iter().filter_map(|name| by_name.get(name)).sum::<u64>();
    let counted = |counter: &str| row["statistics"][format!("warps.{counter}")].as_u64();
    for (counter, names) in [
        ("begins", &["begins"][..]),
        ("inactive_waits", &["inactive_waits"]),
        ("inactive_ready", &["inactive_ready"]),
        ("transit", &["transit"]),
        ("prefetch", &["prefetch"]),
        ("active_waits", &["active_result", "active_memory", "active_barrier"]),
        ("active_ready", &["active_ready"]),
        ("ends", &["ends"]),
    ] {
        assert_eq!(counted(counter), Some(of(names)), "{counter}");
    }
    assert!(of(&["active_result"]) > 0 && of(&["active_memory"]) > 0, "{by_name:?}");
    // Launches follow each other, and fill the run.
    assert_eq!(sums(&found, 1).values().sum::<u64>(), row["cycles"].as_u64().expect("cycles"));
    let commands = found.iter().filter(|slice| slice.0 == 3);
    let prefetches = commands.filter(|slice| slice.2 == "prefetch").count() as u64;
    assert_eq!(Some(prefetches), row["statistics"]["prefetches"].as_u64());
    assert!(found.iter().any(|slice| slice.0 == 4), "no bank is ever busy");
    found.sort_by_key(|slice| (slice.0, slice.1, slice.3));
    for pair in found.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
        assert!(pair[0].3 + pair[0].4 <= pair[1].3, "{pair:?}");
    }
}

#[test]
fn a_window_cuts_slices() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("window.json");
    let window = ["--timeline-from", "300", "--timeline-cycles", "200"];
    let line = ["sim", "-q", "-k", "vectoradd", "--timeline", text(&path)];
    let printed = heddle(&[&line[..], &window].concat()).passes().stdout;
    assert!(printed.contains("up to cycle 500 of "), "{printed}");
    let found = slices(&path);
    assert!(found.iter().any(|slice| slice.0 == 2), "{found:?}");
    assert!(found.iter().all(|slice| 300 <= slice.3 && slice.3 + slice.4 <= 500), "{found:?}");
}

#[test]
fn a_window_behind_the_end_is_empty_and_said_to_be() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("empty.json");
    let line = ["sim", "-q", "-k", "vectoradd", "--timeline", text(&path), "--timeline-from", "1000000"];
    let told = "from --timeline-from 1000000 on there is none, and the timeline is empty";
    heddle(&line).warns(&["baseline vectoradd: the run ended after ", told]);
    assert!(slices(&path).is_empty());
    let written = std::fs::read_to_string(&path).expect("written");
    let whole: Value = serde_json::from_str(&written).expect("JSON");
    let about = &whole["otherData"];
    for key in ["from", "to"] {
        assert_eq!(about[key], 1_000_000, "{key}");
    }
    assert!(about["cycles_of_the_run"].as_u64().is_some_and(|cycles| cycles < 1_000_000), "{about}");
}

#[test]
fn what_has_no_timeline_is_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("timeline.json");
    let refused = |more: &[&str], says: &str| {
        let line = [&["--timeline", text(&path)], more].concat();
        let ended = heddle(&[&more[..1], &["-q"], &more[1..], &line[..2]].concat());
        ended.fails(2, &[says]);
        assert!(!path.exists());
    };
    refused(&["cosim", "-k", "vectoradd"], "use `heddle sim`");
    refused(&["sim", "-k", "vectoradd,bfs"], "these are 2");
    refused(&["sim", "-k", "vectoradd", "--sms", "2"], "is for one SM");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let below = file.join("timeline.json");
    let ended = heddle(&["sim", "-q", "-k", "vectoradd", "--timeline", text(&below)]);
    assert_ne!(ended.code, 0, "{}", ended.stderr);
}

#[test]
fn a_timeline_is_never_written_over_a_file_of_the_run() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let here = folder.path();
    std::fs::copy(cases().join("uninitialised.ptx"), here.join("k.ptx")).expect("a copy");
    std::fs::copy(cases().join("../../../../presets/maxwell.toml"), here.join("p.toml")).expect("a copy");
    let buffer = |more: &str| format!("[[args]]\ntype = 'u32'\nelements = 64\n{more}\n");
    let first = buffer("fill = 'file'\nfile = 'in.bin'");
    let second = buffer("output = 'out.bin'\nexpect = 'want.bin'");
    std::fs::write(here.join("l.toml"), format!("grid = [1]\nblock = [64]\n{first}{second}"))
        .expect("written");
    for name in ["in.bin", "want.bin"] {
        std::fs::write(here.join(name), [7; 256]).expect("written");
    }
    std::os::unix::fs::symlink("p.toml", here.join("to-p.toml")).expect("a link");
    let (ptx, launch, preset) = (here.join("k.ptx"), here.join("l.toml"), here.join("p.toml"));
    for (name, what) in [
        ("k.ptx", "the PTX "),
        ("l.toml", "the launch file "),
        ("p.toml", "the preset "),
        ("to-p.toml", "the preset "),
        ("in.bin", "a file of the launch file, "),
        ("want.bin", "a file of the launch file, "),
        ("out.bin", "a file of the launch file, "),
    ] {
        let path = here.join(name);
        let before = std::fs::read(&path).ok();
        let line = ["sim", "-q", text(&ptx), "--launch", text(&launch), "-p", text(&preset)];
        let says = format!("{name} would be written over {what}");
        heddle(&[&line[..], &["--timeline", text(&path)]].concat()).fails(2, &["--timeline", &says]);
        assert_eq!(std::fs::read(&path).ok(), before, "{name}");
    }
}
