//! What the fuzz targets in `fuzz/` call: every reader of files that come from outside, on any bytes.
//!
//! An entry passes when it returns. A panic, more memory or more time than the fuzzer allows is a fault of
//! the reader. The corpus in `fuzz/corpus` runs through the same entries in this crate's tests.

use std::path::Path;
use std::sync::Arc;

use heddle_kernel::{AllocOptions, allocate, lower, parse};
use heddle_trace::{AddressMap, Source, TracedKernel, read_list};
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
pub const TARGETS: [Target; 6] = [
    Target { name: "ptx", run: ptx },
    Target { name: "launch_file", run: launch_file },
    Target { name: "npy", run: npy_array },
    Target { name: "trace", run: trace },
    Target { name: "trace_xz", run: trace_xz },
    Target { name: "trace_list", run: trace_list },
];

/// CTAs of a trace that are replayed.
const REPLAYED_CTAS: u64 = 4;

/// PTX text: parsed, lowered, allocated with few and with many registers, a launch template written.
pub fn ptx(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(module) = parse("fuzz.ptx", text) else { return };
    let Ok(programs) = lower(&module) else { return };
    for program in programs {
        let _ = launch_template(&program);
        for max_registers in [16, 255] {
            let _ = allocate(&program, AllocOptions { max_registers });
        }
    }
}

/// A launch file by itself; the files that it names are not touched.
pub fn launch_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = LaunchFile::parse("fuzz.toml", text, Path::new(""));
}

/// An array in NumPy's format.
pub fn npy_array(data: &[u8]) {
    let _ = npy::read(data);
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
