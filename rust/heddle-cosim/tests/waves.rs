//! Waveform windows of runs, read back with other readers than those that wrote them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use heddle_cosim::{Fault, Mismatch, RunError, RunReport, Session, WaveFormat, WaveWindow};
use heddle_workloads::Size;
use vcd::{Command, IdCode, Parser, ScopeItem, TimescaleUnit, Value};

use crate::common;

/// Picoseconds of a clock cycle: cycle `n` begins at `n` nanoseconds.
const CYCLE: u64 = 1000;

/// What a VCD file holds.
struct Waves {
    /// Identifier of each signal, by path with its range.
    signals: BTreeMap<String, IdCode>,
    /// Declarations, more than signals when one name is declared twice.
    declarations: usize,
    /// First and last time.
    times: (u64, u64),
    /// Times at which each one-bit signal rises, the initial values aside.
    rises: BTreeMap<IdCode, Vec<u64>>,
}

fn declared(prefix: &str, items: &[ScopeItem], out: &mut Vec<(String, IdCode)>) {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => declared(&format!("{prefix}{}.", scope.identifier), &scope.items, out),
            ScopeItem::Var(var) => {
                let range = var.index.map_or(String::new(), |i| i.to_string());
                out.push((format!("{prefix}{}{range}", var.reference), var.code));
            }
            _ => {}
        }
    }
}

fn read(path: &Path) -> Waves {
    let mut parser = Parser::new(BufReader::new(File::open(path).expect("the waveform is there")));
    let header = parser.parse_header().expect("VCD");
    assert_eq!(header.timescale, Some((1, TimescaleUnit::PS)));
    let mut list = Vec::new();
    declared("", &header.items, &mut list);
    let (mut now, mut first) = (0, None);
    let mut values: BTreeMap<IdCode, Value> = BTreeMap::new();
    let mut rises: BTreeMap<IdCode, Vec<u64>> = BTreeMap::new();
    for command in parser {
        match command.expect("VCD") {
            Command::Timestamp(time) => {
                assert!(first.is_none() || time > now, "time goes back at {time}");
                first.get_or_insert(time);
                now = time;
            }
            Command::ChangeScalar(id, value) => {
                if value == Value::V1 && values.insert(id, value) == Some(Value::V0) {
                    rises.entry(id).or_default().push(now);
                }
                values.insert(id, value);
            }
            _ => {}
        }
    }
    let declarations = list.iter().filter(|(name, _)| !name.starts_with("view.")).count();
    Waves { signals: list.into_iter().collect(), declarations, times: (first.expect("times"), now), rises }
}

impl Waves {
    fn rises(&self, path: &str) -> &[u64] {
        let id = self.signals.get(path).unwrap_or_else(|| panic!("no signal {path}"));
        self.rises.get(id).map_or(&[], Vec::as_slice)
    }
}

fn run(design: &str, window: WaveWindow, folder: &tempfile::TempDir) -> Result<RunReport, RunError> {
    let mut spec = common::cosim(design, "vectoradd", Size::Smoke, folder);
    spec.waves = Some(window);
    Session::new(spec)?.run(&mut ())
}

/// The signals that the saved views name; those of GTKWave carry their range.
fn view_signals(folder: &Path, stem: &str, waves: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let text = |extension: &str| {
        let path = folder.join(format!("{stem}.{extension}"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let (gtkw, sucl) = (text("gtkw"), text("sucl"));
    assert!(gtkw.contains(&format!("[dumpfile] \"{waves}\"")), "{gtkw}");
    assert!(sucl.starts_with(&format!("load_file {waves}\n")), "{sucl}");
    assert!(gtkw.matches("@800200\n-").count() >= 3, "groups: {gtkw}");
    assert_eq!(
        gtkw.matches("@800200\n-").count(),
        gtkw.matches("@1000200\n-").count(),
        "open and closed groups"
    );
    let last = |line: &str| line.rsplit(' ').next().map(str::to_owned);
    let by_gtkwave = gtkw.lines().filter(|l| l.starts_with("+{")).filter_map(last).collect();
    let by_surfer = sucl.lines().filter(|l| l.starts_with("variable_add ")).filter_map(last);
    (by_gtkwave, by_surfer.collect())
}

#[test]
fn a_window_has_its_cycles_and_views_that_name_what_is_there() {
    for design in common::designs() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let window = WaveWindow { format: WaveFormat::Vcd, from: 100, cycles: 150 };
        let report = run(&design, window, &folder).expect("the run passes");
        let stem = format!("{design}-vectoradd-smoke");
        let expected = ["vcd", "gtkw", "sucl"].map(|e| folder.path().join(format!("{stem}.{e}")));
        assert_eq!(report.waves.iter().map(PathBuf::from).collect::<Vec<_>>(), expected);

        let waves = read(&expected[0]);
        assert_eq!(waves.times, (100 * CYCLE, 250 * CYCLE), "{design}");
        let edges = waves.rises("TOP.clk_i");
        assert_eq!(edges.len(), 150, "{design}");
        assert!(edges.windows(2).all(|w| w[1] - w[0] == CYCLE), "{edges:?}");
        assert!(!waves.rises("TOP.issue_i[0].valid").is_empty(), "{design}: nothing is issued in the window");
        assert_eq!(waves.rises("TOP.rst_ni"), [0; 0], "{design}: no reset in the window");

        let (by_gtkwave, by_surfer) = view_signals(folder.path(), &stem, &format!("{stem}.vcd"));
        assert!(by_gtkwave.len() > 20, "{design}: {} signals", by_gtkwave.len());
        for name in &by_gtkwave {
            assert!(waves.signals.contains_key(name), "{design}: {name} is not in the waveform");
        }
        // Surfer reads waveforms with wellen.
        let known: BTreeSet<String> =
            names(wellen::simple::read(&expected[0]).expect("VCD").hierarchy()).into_iter().collect();
        assert!(by_surfer.len() > 20, "{design}: {} signals", by_surfer.len());
        let missing: Vec<&String> = by_surfer.iter().filter(|name| !known.contains(*name)).collect();
        assert!(missing.is_empty(), "{design}: not in the waveform as Surfer reads it: {missing:?}");
    }
}

fn names(hierarchy: &wellen::Hierarchy) -> Vec<String> {
    hierarchy.all_vars().map(|v| hierarchy[v].full_name(hierarchy)).collect()
}

#[test]
fn fst_holds_what_vcd_holds() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let window = |format| WaveWindow { format, from: 40, cycles: 60 };
    run("ltrf", window(WaveFormat::Vcd), &folder).expect("the run passes");
    let vcd = folder.path().join("ltrf-vectoradd-smoke.vcd");
    let waves = read(&vcd);
    let kept = folder.path().join("kept.vcd");
    std::fs::rename(&vcd, &kept).expect("one folder");
    run("ltrf", window(WaveFormat::Fst), &folder).expect("the run passes");
    assert!(!vcd.exists(), "the VCD of a run with FST is left over");

    let fst = folder.path().join("ltrf-vectoradd-smoke.fst");
    let small = std::fs::metadata(&fst).expect("written").len();
    assert!(small < std::fs::metadata(&kept).expect("kept").len(), "{small} bytes");
    let mut wave = wellen::simple::read(&fst).expect("FST");
    let hierarchy = wave.hierarchy();
    let variables: Vec<_> = hierarchy.all_vars().collect();
    // The reader makes one variable of the elements of an array of bits, in both formats alike.
    // Texts of the view are in VCD alone.
    let of_vcd = names(wellen::simple::read(&kept).expect("VCD").hierarchy());
    let of_design: Vec<String> = of_vcd.iter().filter(|name| !name.starts_with("view.")).cloned().collect();
    assert!(of_design.len() + 10 < of_vcd.len(), "texts are missing");
    assert_eq!(names(hierarchy), of_design);
    assert!(variables.len() * 100 > waves.declarations * 99, "{} of {}", variables.len(), waves.declarations);
    let clock = variables
        .iter()
        .find(|v| hierarchy[**v].full_name(hierarchy) == "TOP.clk_i")
        .map(|v| hierarchy[*v].signal_ref())
        .expect("the clock");
    wave.load_signals(&[clock]);
    let times = wave.time_table().to_vec();
    assert_eq!(times.last(), Some(&(100 * CYCLE)));
    let signal = wave.get_signal(clock).expect("loaded");
    let rises: Vec<u64> = signal
        .iter_changes()
        .map(|(t, v)| (times[t as usize], v.to_bit_string()))
        .filter(|(time, v)| *time > waves.times.0 && v.as_deref() == Some("1"))
        .map(|(time, _)| time)
        .collect();
    assert_eq!(rises, waves.rises("TOP.clk_i"));
    let (by_gtkwave, _) = view_signals(folder.path(), "ltrf-vectoradd-smoke", "ltrf-vectoradd-smoke.fst");
    assert!(by_gtkwave.iter().all(|n| waves.signals.contains_key(n)));
}

#[test]
fn a_window_behind_the_end_is_wrong_use() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let window = WaveWindow { format: WaveFormat::Vcd, from: 10_000_000, cycles: 10 };
    let error = run("baseline", window, &folder).expect_err("the run has fewer cycles");
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("cycle 10000000, after the end"), "{error}");
}

fn mismatch(design: &str, fault: &str, folder: &tempfile::TempDir) -> Mismatch {
    let mut spec = common::cosim(design, "hotspot", Size::Smoke, folder);
    spec.fault = Some(Fault::new(fault));
    match Session::new(spec).and_then(|mut session| session.run(&mut ())) {
        Err(RunError::Mismatch(mismatch)) => *mismatch,
        other => panic!("{design} {fault}: {other:?}"),
    }
}

#[test]
fn the_window_of_a_mismatch_holds_the_failing_cycle() {
    for (design, fault) in [
        ("baseline", "lane-dropped"),
        ("ltrf", "fill-wrong-lane"),
        ("racetrack", "wrong-shift-direction"),
        ("hybrid", "buffer-not-read"),
        ("sttram", "wrong-row-read"),
        ("cerf", "lane-3-not-written"),
        ("cerf-fair", "lane-3-not-written"),
        ("osm", "slots-share-lines"),
    ] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let found = mismatch(design, fault, &folder);
        assert_eq!(found.place.launch, 0, "{found}");
        let stem = folder.path().join(format!("{design}-hotspot-smoke-{fault}"));
        let waves = read(&stem.with_extension("vcd"));
        let at = found.place.cycle * CYCLE;
        let (first, last) = waves.times;
        assert!(first <= at && at <= last, "cycle {} is not in {first}..{last} ps", found.place.cycle);
        assert_eq!(first, found.place.cycle.saturating_sub(200) * CYCLE, "{found}");
        for extension in ["gtkw", "sucl"] {
            assert!(stem.with_extension(extension).is_file(), "{extension}");
        }

        let path = stem.with_extension("mismatch.json");
        let text = std::fs::read_to_string(&path).expect("the report");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["place"]["cycle"], found.place.cycle);
        assert_eq!(report["what"], found.what);
        assert_eq!(report["check"], serde_json::to_value(found.check).expect("a word"));
        let notes = found.notes.join("\n");
        for file in [stem.with_extension("vcd"), path] {
            assert!(notes.contains(&file.display().to_string()), "{notes}");
        }
    }
}
