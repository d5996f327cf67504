//! The committed corpus: no input makes a reader panic, and every target has inputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heddle_fuzz::TARGETS;

/// Time that one input may take; the fuzzer allows less, on a machine that does nothing else.
const LIMIT: Duration = Duration::from_secs(30);

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_target_has_a_folder_and_a_binary() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|t| t.name.to_owned()).collect();
    assert_eq!(names(&corpus()), targets);
    let binaries = names(&corpus().join("../fuzz_targets"));
    assert_eq!(binaries, targets.iter().map(|t| format!("{t}.rs")).collect());
}

/// The kernels in `fuzz/data` are launched by inputs of the corpus; files elsewhere are not touched.
#[test]
fn launch_files_of_the_corpus_launch() {
    let made = |input: &str| {
        heddle_fuzz::launches(&fs::read(corpus().join("launch_file").join(input)).expect("an input"))
    };
    let inputs = ["copy_files", "scale_aggregate", "look_texture", "copy_random", "copy_outside_files"];
    assert_eq!(inputs.map(made), [2, 4, 1, 2, 0]);
}

#[test]
fn the_corpus_passes() {
    for target in TARGETS {
        let folder = corpus().join(target.name);
        let inputs = names(&folder);
        assert!(inputs.len() >= 5, "{} has {} inputs", target.name, inputs.len());
        for input in inputs {
            let data = fs::read(folder.join(&input)).expect("an input");
            let started = Instant::now();
            let result = std::panic::catch_unwind(|| (target.run)(&data));
            assert!(result.is_ok(), "{}/{input} panics", target.name);
            assert!(started.elapsed() < LIMIT, "{}/{input} takes {:?}", target.name, started.elapsed());
        }
    }
}
