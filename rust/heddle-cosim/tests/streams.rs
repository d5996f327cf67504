//! Runs that record the functional stream of a kernel or replay it are equal to runs without.

use std::path::{Path, PathBuf};

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Functional, Kernel, RunSpec, Session, Streams};
use heddle_workloads::Size;

fn spec(design: &str, kernel: &str, settings: &[(&str, &str)]) -> RunSpec {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kernel = Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(root, design, kernel, Engine::Sim);
    spec.ctas = Ctas::Share;
    let setting = |&(key, value): &(&str, &str)| Override { key: key.to_owned(), value: value.to_owned() };
    spec.overrides.extend([("gpu.sms", "4")].iter().chain(settings).map(setting));
    spec
}

/// The report of a run without a stream, in JSON.
fn plain(spec: &RunSpec) -> String {
    let mut session = Session::new(spec.clone()).expect("a good run");
    let report = session.run(&mut ()).expect("it passes");
    assert_eq!(session.functional(), &Functional::Plain);
    serde_json::to_string(&report).expect("a report")
}

/// That of a run with streams in `folder`, and what it did with them.
fn streamed(spec: &RunSpec, folder: &Path) -> (String, Functional) {
    let streams = Some(Streams { folder: folder.to_owned(), made_by: "this test".to_owned() });
    let mut session = Session::new(RunSpec { streams, ..spec.clone() }).expect("a good run");
    let report = session.run(&mut ()).expect("it passes");
    (serde_json::to_string(&report).expect("a report"), session.functional().clone())
}

/// The streams in `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

/// Runs `kernel` on all `points` with streams in one folder and without; what they did with the stream.
fn run_all(kernel: &str, points: &[(&str, &[(&str, &str)])], folder: &Path) -> Vec<Functional> {
    let run = |&(design, settings): &(&str, &[(&str, &str)])| {
        let spec = spec(design, kernel, settings);
        let (report, functional) = streamed(&spec, folder);
        assert_eq!(report, plain(&spec), "{kernel} {design} {settings:?} {functional:?}");
        functional
    };
    points.iter().map(run).collect()
}

/// Designs whose passes leave the program as it is, and one that renumbers registers.
const POINTS: [(&str, &[(&str, &str)]); 6] = [
    ("baseline", &[]),
    ("baseline", &[("l2.latency", "400"), ("sm.ctas", "2")]),
    ("osm", &[]),
    ("racetrack", &[]),
    ("cerf", &[]),
    ("ltrf", &[]),
];

#[test]
fn replayed_runs_of_several_sms_are_equal_to_full_ones() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = |kernel, sms, threads| {
        let spec = RunSpec { sms, threads, ..spec("baseline", kernel, &[]) };
        let (report, functional) = streamed(&spec, folder.path());
        assert_eq!(report, plain(&spec), "{kernel} on {sms} SMs {functional:?}");
        functional
    };
    for kernel in ["matrixmul", "bfs", "histogram"] {
        let of_two = [run(kernel, 2, 1), run(kernel, 2, 2)];
        assert_eq!(of_two, [Functional::Recorded, Functional::Replayed], "{kernel}");
        assert_eq!(run(kernel, 3, 2), Functional::Recorded, "{kernel}: three leave others than two");
        assert_eq!(run(kernel, 4, 2), Functional::Plain, "{kernel}: all leave none");
    }
}

/// Designs that hold the L1 or a cache of shared memory, on two SMs each.
#[test]
fn replayed_runs_of_several_sms_are_equal_on_designs_with_caches() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = |design| {
        let spec = RunSpec { sms: 2, threads: 2, ..spec(design, "matrixmul", &[]) };
        let (report, functional) = streamed(&spec, folder.path());
        assert_eq!(report, plain(&spec), "{design} {functional:?}");
        functional
    };
    let [first, rest @ ..] = ["cerf", "ucm", "osm"].map(run);
    assert_eq!(first, Functional::Recorded);
    assert_eq!(rest, [Functional::Replayed, Functional::Replayed]);
}

#[test]
fn replayed_runs_are_equal_to_full_ones() {
    for kernel in ["matrixmul", "bfs", "histogram", "lud"] {
        let folder = tempfile::tempdir().expect("temporary folder");
        let functional = run_all(kernel, &POINTS, folder.path());
        let count = |wanted: &Functional| functional.iter().filter(|f| *f == wanted).count();
        let recorded = count(&Functional::Recorded);
        assert_eq!(recorded, files(folder.path()).len(), "{kernel}: a stream for each program");
        assert_eq!(recorded + count(&Functional::Replayed), POINTS.len(), "{kernel}: {functional:?}");
        assert!(recorded <= 2, "{kernel}: {functional:?}");
    }
}

/// As above, for every kernel; which of them depend on timing is printed.
#[test]
#[ignore = "takes minutes; `make test-all` runs it"]
fn runs_of_all_kernels_are_equal_to_full_ones() {
    for workload in heddle_workloads::all() {
        let kernel = workload.name();
        let folder = tempfile::tempdir().expect("temporary folder");
        let functional = run_all(kernel, &POINTS, folder.path());
        println!("{kernel}: {functional:?}");
        assert!(!functional.contains(&Functional::Plain), "{kernel}");
    }
}
