//! `kernelslist.g`: the kernels of an application and the copies between them.

use std::path::{Path, PathBuf};

use crate::error::TraceError;
use crate::lines::Lines;
use crate::numbers::{decimal, hex};
use crate::source::Source;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A copy between host and device.
    Copy {
        /// Its name: `MemcpyHtoD` or `MemcpyDtoH`.
        name: String,
        /// First byte on the device.
        address: u64,
        /// Bytes.
        bytes: u64,
    },
    /// A kernel: its trace.
    Kernel(PathBuf),
}

/// Whether a file is a trace or a list of them, by its name: `.g`, `.traceg` or `.traceg.xz`.
#[must_use]
pub fn is_trace(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    name.ends_with(".g") || is_kernel(&name)
}

fn is_kernel(name: &str) -> bool {
    name.ends_with(".traceg") || name.ends_with(".traceg.xz")
}

/// Reads a list; a single trace is a list of one kernel.
///
/// # Errors
/// [`TraceError::File`], and [`TraceError::Expected`] for a line that is neither copy nor kernel.
pub fn read_list(source: impl Into<Source>) -> Result<Vec<Command>, TraceError> {
    let source = source.into();
    let path = source.name();
    if is_kernel(&path.to_string_lossy()) {
        return Ok(vec![Command::Kernel(path.to_owned())]);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut lines = Lines::open(&source)?;
    let mut commands = Vec::new();
    while let Some(line) = lines.next_line()? {
        let text = line.text.trim();
        if text.starts_with("Memcpy") {
            let mut parts = text.split(',').map(str::trim);
            let mut copy = || {
                let name = parts.next()?.to_owned();
                let (address, bytes) = (hex(parts.next()?)?, decimal(parts.next()?)?);
                parts.next().is_none().then_some(Command::Copy { name, address, bytes })
            };
            commands.push(copy().ok_or_else(|| line.expected(1, "`MemcpyHtoD,0xADDRESS,BYTES`", text))?);
        } else if is_kernel(text) {
            commands.push(Command::Kernel(folder.join(text)));
        } else {
            return Err(line.expected(1, "a `Memcpy` line or the name of a `.traceg` file", text));
        }
    }
    if !commands.iter().any(|c| matches!(c, Command::Kernel(_))) {
        let (expected, found) = ("the name of a trace".to_owned(), "the end of the file".to_owned());
        return Err(TraceError::Expected { at: lines.spot(), expected, found });
    }
    Ok(commands)
}
