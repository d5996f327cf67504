//! Traces written by hand, with the opcodes that compilers write for three architectures.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_trace::{AddressMap, TraceError, TracedKernel};

/// Version 3, Volta: no immediates; strides; a divergent branch; shared memory and a barrier.
pub const VOLTA: &str = include_str!("../samples/kernel-1.traceg");

/// Version 5, Ampere: immediates; generic, local and atomic accesses; source lines.
pub const AMPERE: &str = include_str!("../samples/kernel-2.traceg");

/// The samples, and beside the two above one that the xz program compressed.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

/// Writes a trace into a folder of its own.
pub fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("kernel-1.traceg");
    std::fs::write(&path, text).expect("writable");
    (folder, path)
}

/// Reads a trace and replays it to the end.
pub fn read(text: &str) -> Result<TracedKernel, TraceError> {
    let (_folder, path) = file(text);
    let kernel = TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true)?;
    let mut replay = kernel.replay()?;
    let instrs = &kernel.program.instrs;
    // Parts of one instruction have the same line of the listing.
    let begins = |pc: usize| pc == 0 || instrs[pc].loc != instrs[pc - 1].loc;
    let mut steps = 0;
    for cta in 0..kernel.header.ctas() {
        for warp in &replay.cta(cta)?.warps {
            steps += warp.steps.iter().filter(|step| begins(step.pc.index())).count() as u64;
        }
    }
    assert_eq!(steps, kernel.instructions);
    Ok(kernel)
}
