//! What a file is that was given as a kernel.

use std::io::Read as _;
use std::path::Path;

use crate::Failure;

/// Refuses a file that by its name or its first line is no PTX, and says what to do with it.
///
/// # Errors
/// A [`Failure::usage`] that names the file.
pub fn expect_ptx(file: &Path) -> Result<(), Failure> {
    match advice(file).or_else(|| begins_as_trace(file).then_some(TRACE_BY_ANOTHER_NAME)) {
        None => Ok(()),
        Some(advice) => Err(Failure::usage(format!("{} is {advice}", file.display()))),
    }
}

/// What a trace is told to be that the name of its file does not say.
const TRACE_BY_ANOTHER_NAME: &str = "a trace by its first line: give it a name that ends in .traceg, and to \
     `heddle cosim` or `heddle sim`, without --launch (see docs/traces.md)";

/// Whether a file has the first line of a trace. A pipe is not looked into: what was read of it would be lost.
fn begins_as_trace(file: &Path) -> bool {
    const BEGIN: &[u8] = b"-kernel name =";
    let mut read = [0; BEGIN.len()];
    file.is_file()
        && std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut read)).is_ok()
        && read == BEGIN
}

fn advice(file: &Path) -> Option<&'static str> {
    if heddle_trace::is_trace(file) {
        return Some(
            "a trace, which has its launches in it and no PTX: give it to `heddle cosim` or `heddle sim`, without \
             --launch (see docs/traces.md)",
        );
    }
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    Some(match ending.as_str() {
        "trace" => {
            "a trace as the tracer writes it: run its post-traces-processing first (see docs/traces.md)"
        }
        "cu" | "cuh" | "cpp" | "cc" | "c" | "h" => {
            "source text: compile it to PTX first, as with `nvcc --ptx` (see docs/your-kernel.md)"
        }
        "cubin" | "fatbin" | "o" | "so" | "a" => {
            "machine code: give PTX, as `nvcc --ptx` writes it (see docs/your-kernel.md)"
        }
        "toml" => "a launch file by its name: give the PTX, and the launch file with --launch",
        "npy" => {
            "an array of NumPy: name it in a launch file, as the contents of a buffer (see docs/launch-files.md)"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_told_by_its_first_line() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = folder.path().join("x.ptx");
        for (text, refused) in
            [("-kernel name = k\n", true), ("-kernel", false), ("", false), (".version 8.0", false)]
        {
            std::fs::write(&file, text).expect("writable");
            let failure = expect_ptx(&file).err();
            assert_eq!(
                failure.as_ref().is_some_and(|f| f.message.contains("a trace by its first line")),
                refused,
                "{text}"
            );
        }
    }

    #[test]
    fn files_that_are_no_ptx_are_told_by_their_names() {
        for (name, part) in [
            ("a/kernelslist.g", "a trace, which"),
            ("kernel-1.traceg", "a trace, which"),
            ("kernel-1.traceg.xz", "a trace, which"),
            ("kernel-1.trace", "post-traces-processing"),
            ("saxpy.CU", "nvcc --ptx"),
            ("saxpy.cubin", "machine code"),
            ("saxpy.toml", "--launch"),
            ("x.npy", "NumPy"),
        ] {
            let failure = expect_ptx(Path::new(name)).err().unwrap_or_else(|| panic!("{name} is taken"));
            assert!(failure.code == 2 && failure.message.starts_with(name), "{}", failure.message);
            assert!(failure.message.contains(part), "{}", failure.message);
        }
        for name in ["saxpy.ptx", "saxpy", "saxpy.s", "."] {
            assert!(expect_ptx(Path::new(name)).is_ok(), "{name}");
        }
    }
}
