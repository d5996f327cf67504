use std::path::Path;
use std::sync::Arc;

use heddle_isa::{ConstantBank, DeviceMemory, Executable, KernelLaunch, Program, SourceFile};
use heddle_port::LaneMask;

use super::{Functional, OthersWatch, Stream, Streams};
use crate::lockstep::LaunchObserver as _;

const KEY: &str = "key";
/// CTAs resident at once when the streams of these tests are recorded.
const RESIDENCY: u32 = 4;

/// A launch in which the SM leaves `mine` in the first word of memory; the others are to leave 9 in the second.
fn launch(folder: &Path, mine: u64) -> (Stream, DeviceMemory, [u64; 32]) {
    let mut memory = DeviceMemory::new();
    let start = u64::from(memory.allocate("a", 8).expect("room"));
    let streams = Streams { folder: folder.to_owned(), made_by: String::new() };
    let mut stream = Stream::new(&streams, KEY);
    let executable = Executable {
        program: program(),
        intervals: None,
        prefetches: Vec::new(),
        dead_sources: Vec::new(),
        levels: None,
    };
    stream.launched(&executable, &KernelLaunch { grid: [8, 1, 1], ..KernelLaunch::default() });
    memory.store(start, 4, mine).expect("inside");
    let addresses = [start; 32];
    stream.written.mark(LaneMask(1), &addresses, 4);
    (stream, memory, [start + 4; 32])
}

fn program() -> Arc<Program> {
    Arc::new(Program {
        name: "k".to_owned(),
        source: Arc::new(SourceFile::new("k.ptx", "")),
        instrs: Vec::new(),
        blocks: Vec::new(),
        num_regs: 0,
        num_preds: 0,
        allocated: true,
        params: Vec::new(),
        param_bytes: 0,
        shared_bytes: 0,
        local_bytes: 0,
        constants: ConstantBank::default(),
        globals: Vec::new(),
        declared: heddle_isa::Declared::default(),
    })
}

/// Records a stream; the others took turns where `turns` says so.
fn record(folder: &Path, turns: bool) {
    let (mut stream, mut memory, others) = launch(folder, 5);
    assert!(!stream.replay(&mut memory, RESIDENCY), "there is nothing to replay");
    let mut watch = stream.watch(&program()).expect("it is recorded");
    watch.beside = turns;
    memory.store(others[0], 4, 9).expect("inside");
    watch.written.mark(LaneMask(1), &others, 4);
    stream.record(&memory, RESIDENCY, &watch);
    assert_eq!(stream.passed(2), Functional::Recorded);
}

fn why(stream: Stream) -> String {
    match stream.passed(2) {
        Functional::InFull { launch: 0, why } => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_others_left_is_put_in_place_where_the_sm_left_the_same() {
    let folder = tempfile::tempdir().expect("temporary folder");
    record(folder.path(), false);
    let (mut stream, mut memory, others) = launch(folder.path(), 5);
    assert!(stream.replay(&mut memory, RESIDENCY + 1), "how many are resident does not matter");
    assert_eq!(memory.load_checked(others[0], 4), Ok((9, true)));
    assert_eq!(stream.compared(), Some(2));
    assert_eq!(stream.passed(2), Functional::Replayed);
    let (mut stream, mut memory, others) = launch(folder.path(), 6);
    let before = memory.clone();
    assert!(!stream.replay(&mut memory, RESIDENCY));
    assert_eq!(memory, before);
    assert_eq!((stream.watch(&program()).is_none(), stream.compared()), (true, None));
    assert_eq!(memory.load_checked(others[0], 4), Ok((0, false)));
    assert_eq!(why(stream), "what the CTAs that are simulated leave depends on timing");
}

#[test]
fn ctas_that_took_turns_are_replayed_with_as_many_resident() {
    let folder = tempfile::tempdir().expect("temporary folder");
    record(folder.path(), true);
    let (mut stream, mut memory, _) = launch(folder.path(), 5);
    assert!(stream.replay(&mut memory, RESIDENCY));
    let (mut stream, mut memory, _) = launch(folder.path(), 5);
    assert!(!stream.replay(&mut memory, RESIDENCY + 1));
    assert_eq!(why(stream), "the other CTAs took turns with 4 resident at once, and here there are 5");
    // With one resident at once it is not seen whether the others would have waited.
    let mut watch = OthersWatch::new(program());
    assert!(!watch.took_turns(1), "none ran");
    for _ in 0..2 {
        heddle_functional::Watch::started(&mut watch, 0).expect("goes on");
        heddle_functional::Watch::ended(&mut watch, 0).expect("goes on");
    }
    assert_eq!((watch.took_turns(1), watch.took_turns(2)), (true, false));
}

#[test]
fn a_damaged_stream_is_executed_in_full_and_recorded_anew() {
    let folder = tempfile::tempdir().expect("temporary folder");
    record(folder.path(), false);
    let file = folder.path().join("key.stream");
    let whole = std::fs::read(&file).expect("there");
    std::fs::write(&file, &whole[..whole.len() - 60]).expect("writable");
    let (mut stream, mut memory, _) = launch(folder.path(), 5);
    assert!(!stream.replay(&mut memory, RESIDENCY));
    let why = why(stream);
    assert!(why.contains("key.stream: launch 0: ") && !file.exists(), "{why}");
    record(folder.path(), false);
    assert_eq!(std::fs::read(&file).expect("there"), whole);
    // What is not a stream at all is written over at once.
    std::fs::write(&file, "something else").expect("writable");
    record(folder.path(), false);
    assert_eq!(std::fs::read(&file).expect("there"), whole);
}

#[test]
fn a_folder_that_cannot_be_written_costs_the_stream_and_not_the_run() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("writable");
    let (mut stream, mut memory, _) = launch(&file, 5);
    assert!(!stream.replay(&mut memory, RESIDENCY));
    assert!(why(stream).starts_with(&format!("cannot write {}", file.join("key.stream").display())));
}
