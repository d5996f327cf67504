//! What can be wrong with a trace.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A place in a trace file; line and column count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// File as the user named it.
    pub file: Arc<str>,
    /// Line, after decompression.
    pub line: u64,
    /// Column, in bytes.
    pub column: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A trace that cannot be read or replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// A file that cannot be opened, read, decompressed or written.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: Arc<str>,
        /// What the system or the decompressor says.
        reason: String,
    },
    /// Reading ended in the middle.
    #[error("{at}: cannot read on: {reason}")]
    Read {
        /// Last line that was read.
        at: Spot,
        /// What the system or the decompressor says.
        reason: String,
    },
    /// The file ends in the middle of a line.
    #[error(
        "{at}: the file is truncated in the middle of this line; expected its end, and `{last}` as the last line"
    )]
    Truncated {
        /// Where it ends.
        at: Spot,
        /// The line with which a whole file ends.
        last: &'static str,
    },
    /// A file whose lines end with CR alone.
    #[error("{at}: the lines of this file end with CR alone; expected LF, or CR and LF, at the end of each")]
    LineEnds {
        /// The first line.
        at: Spot,
    },
    /// Something else stands where the format wants something.
    #[error("{at}: expected {expected}, found {found}")]
    Expected {
        /// Where.
        at: Spot,
        /// What the format wants.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A header line that must be there is not.
    #[error("{at}: the header ends without `{line}`")]
    MissingHeader {
        /// End of the header.
        at: Spot,
        /// The line, without its value.
        line: &'static str,
    },
    /// An opcode that the tables do not have for the architecture.
    #[error(
        "{at}: opcode {opcode} is not known for sm_{architecture}: its operand widths cannot be restored"
    )]
    UnknownOpcode {
        /// Where.
        at: Spot,
        /// The opcode with its modifiers.
        opcode: String,
        /// Binary version of the trace.
        architecture: u32,
    },
    /// Register operands that the opcode does not have.
    #[error("{at}: {opcode}: {reason}")]
    Operands {
        /// Where.
        at: Spot,
        /// The opcode with its modifiers.
        opcode: String,
        /// What does not fit.
        reason: String,
    },
    /// A count that does not hold.
    #[error("{at}: {what}: {declared} declared, {found} found")]
    Count {
        /// Where it was seen.
        at: Spot,
        /// What is counted.
        what: String,
        /// What the trace says.
        declared: u64,
        /// What is there.
        found: u64,
    },
    /// A warp of which the trace has nothing.
    #[error(
        "{at}: warp {warp} has no instructions, but every warp executes at least one `EXIT`: the tracer lost them \
         or recorded only a part of the kernel; record the whole kernel again"
    )]
    EmptyWarp {
        /// Where.
        at: Spot,
        /// Warp of the CTA.
        warp: u32,
    },
    /// Lanes that the warp does not have.
    #[error("{at}: mask {mask:08x} has lanes that the block does not have; warp {warp} has {lanes:08x}")]
    Lanes {
        /// Where.
        at: Spot,
        /// The mask.
        mask: u32,
        /// Warp of the CTA.
        warp: u32,
        /// Its lanes.
        lanes: u32,
    },
    /// An address that has no place in the model.
    #[error("{at}: address {address:#x}: {reason}")]
    Address {
        /// Where.
        at: Spot,
        /// The address.
        address: u64,
        /// Why.
        reason: String,
    },
    /// More than is supported.
    #[error("{at}: more than {limit} {what}")]
    Limit {
        /// Where.
        at: Spot,
        /// Of what.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The reader was asked to stop.
    #[error("stopped while reading {file}")]
    Stopped {
        /// The file.
        file: Arc<str>,
    },
}

impl TraceError {
    pub(crate) fn file(path: &Path, reason: impl fmt::Display) -> Self {
        Self::File { file: path.to_string_lossy().into(), reason: reason.to_string() }
    }
}
