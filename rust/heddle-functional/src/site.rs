//! Places of execution, and what is done there.

use std::fmt;

use heddle_isa::Pc;

/// A place of execution: whose instruction, and where it stands in the PTX text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// CTA number in the grid.
    pub cta: u64,
    /// Warp number in the CTA.
    pub warp: u32,
    /// Lane, where one is meant.
    pub lane: Option<u32>,
    /// Coordinates of the lane's thread in its CTA.
    pub thread: [u32; 3],
    /// Instruction.
    pub pc: Pc,
    /// File name.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column.
    pub column: u32,
    /// Text of the line.
    pub text: String,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CTA {}, warp {}", self.cta, self.warp)?;
        if let Some(lane) = self.lane {
            let [x, y, z] = self.thread;
            write!(f, ", thread ({x},{y},{z}) in lane {lane}")?;
        }
        write!(f, ", PC {}, {}:{}:{} `{}`", self.pc, self.file, self.line, self.column, self.text)
    }
}

/// What an access does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AccessKind {
    /// The instruction accesses no memory.
    #[default]
    None,
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes indivisibly.
    Atomic,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "no access",
            Self::Load => "read",
            Self::Store => "write",
            Self::Atomic => "atomic",
        })
    }
}
