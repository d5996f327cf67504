//! What the fuzz targets in `fuzz/` call: every reader of files that come from outside, on any bytes.
//!
//! An entry passes when it returns. A panic, more memory or more time than the fuzzer allows is a fault of
//! the reader. The corpus in `fuzz/corpus` runs through the same entries in this crate's tests.

use std::path::{Component, Path};
use std::sync::{Arc, OnceLock};

use heddle_isa::{DeviceMemory, Program};
use heddle_kernel::{AllocOptions, allocate, check_order, lower, parse, with_early_loads};
use heddle_trace::{AddressMap, Source, TracedKernel, read_list};
use heddle_workloads::Instance;
use heddle_workloads::input::InputFile;
use heddle_workloads::launch_file::{LaunchFile, launch_template, npy};

/// A fuzz target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: of the binary, of the folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Reads one input.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 8] = [
    Target { name: "ptx", run: ptx },
    Target { name: "launch_file", run: launch_file },
    Target { name: "npy", run: npy_array },
    Target { name: "input", run: input },
    Target { name: "trace", run: trace },
    Target { name: "trace_xz", run: trace_xz },
    Target { name: "trace_list", run: trace_list },
    Target { name: "dot", run: dot },
];

/// Kernels and data files for launch files.
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/data");
/// Its kernels, once lowered.
static KERNELS: OnceLock<Vec<Program>> = OnceLock::new();
/// Shared memory of an SM.
const SHARED_BYTES: u32 = 96 << 10;
/// Bytes of all buffers with which a launch file is set up; a launch file may ask for 2 GiB.
const MOST_BYTES: u64 = 16 << 20;
/// Launches that are made of a launch file.
const LAUNCHES: usize = 8;
/// CTAs of a trace that are replayed.
const REPLAYED_CTAS: u64 = 4;

/// A control-flow graph of machine code.
pub fn dot(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = heddle_sass::read("fuzz.dot", text, None);
    }
}

/// PTX text: parsed, lowered, allocated with few and with many registers, put in order with loads early, a launch
/// template written.
pub fn ptx(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(module) = parse("fuzz.ptx", text) else { return };
    let Ok(programs) = lower(&module) else { return };
    for program in programs {
        let _ = launch_template(&program);
        for max_registers in [16, 255] {
            // What is too large is refused there.
            if allocate(&program, AllocOptions { max_registers }).is_ok() {
                let ordered = with_early_loads(&program, max_registers);
                check_order(&program, &ordered).unwrap_or_else(|fault| panic!("{fault}"));
            }
        }
    }
}

/// A launch file, for the kernels in `fuzz/data`: checked against them and set up. One that names files
/// outside that folder is only parsed; none is written.
pub fn launch_file(data: &[u8]) {
    let _ = launches(data);
}

/// How many launches [`launch_file`] makes of an input.
#[must_use]
pub fn launches(data: &[u8]) -> usize {
    let Ok(text) = std::str::from_utf8(data) else { return 0 };
    let folder = Path::new(DATA);
    let Ok(file) = LaunchFile::parse("fuzz.toml", text, folder) else { return 0 };
    if file.files().any(|path| !is_inside(path, folder)) {
        return 0;
    }
    // One entry alone needs no name.
    let kernels = KERNELS.get_or_init(kernels);
    [&kernels[..1], kernels].into_iter().map(|known| launch(&file, known)).sum()
}

/// Checks a launch file against kernels and makes its first launches; returns how many.
fn launch(file: &LaunchFile, kernels: &[Program]) -> usize {
    let names: Vec<&str> = kernels.iter().map(|k| k.name.as_str()).collect();
    let Ok(mut wanted) = file.entries(&names) else { return 0 };
    wanted.sort_unstable();
    wanted.dedup();
    let programs: Vec<&Program> = wanted.iter().map(|&index| &kernels[index]).collect();
    let _ = file.check_shared_memory(&programs, SHARED_BYTES);
    let Ok(mut run) = file.instance(&programs, 1) else { return 0 };
    let mut memory = DeviceMemory::new();
    let globals_fit = kernels.iter().all(|kernel| kernel.load_globals(&mut memory).is_ok());
    if run.bytes() > MOST_BYTES || !globals_fit || run.set_up(&mut memory).is_err() {
        return 0;
    }
    let mut made = 0;
    while made < LAUNCHES && matches!(run.next_launch(&mut memory), Ok(Some(_))) {
        made += 1;
    }
    let _ = run.check(&memory);
    made
}

fn kernels() -> Vec<Program> {
    let text = include_str!("../../../fuzz/data/kernels.ptx");
    let module = parse("kernels.ptx", text).expect("the kernels parse");
    lower(&module).expect("the kernels lower")
}

/// Whether a path stays in `folder`, by its names alone.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let names = path.strip_prefix(folder).ok();
    names.is_some_and(|names| names.components().all(|part| matches!(part, Component::Normal(_))))
}

/// An array in NumPy's format.
pub fn npy_array(data: &[u8]) {
    let _ = npy::read(data);
}

/// An input file, text and raw: every kernel that takes files makes a run of it, and its buffers.
pub fn input(data: &[u8]) {
    for name in ["fuzz.txt", "fuzz.bin"] {
        for workload in heddle_workloads::all() {
            let files = vec![InputFile::new(name, data); workload.input_files().len()];
            if let Ok(mut instance) = workload.instance_of(&files) {
                let _ = instance.set_up(&mut DeviceMemory::new());
            }
        }
    }
}

/// A kernel's trace, plain text: read, and the first CTAs replayed.
pub fn trace(data: &[u8]) {
    replay(data, "fuzz.traceg");
}

/// A kernel's trace, compressed: as [`trace`].
pub fn trace_xz(data: &[u8]) {
    replay(data, "fuzz.traceg.xz");
}

/// A list of kernels and copies (`kernelslist.g`).
pub fn trace_list(data: &[u8]) {
    let _ = read_list(source(data, "kernelslist.g"));
}

fn source(data: &[u8], name: &str) -> Source {
    Source::Bytes { name: name.into(), bytes: data.into() }
}

fn replay(data: &[u8], name: &str) {
    let mut addresses = Arc::new(AddressMap::default());
    let kernel = TracedKernel::read(source(data, name), &mut addresses, &mut || true);
    let Ok(mut replay) = kernel.and_then(|kernel| kernel.replay()) else { return };
    for cta in 0..REPLAYED_CTAS {
        if replay.cta(cta).is_err() {
            return;
        }
    }
}
