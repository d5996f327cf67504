//! What becomes of the lines of global memory that an L1 holds.

/// Bytes of a line, one bit each; bit n is byte n.
pub type LineBytes = u128;

/// Bytes of a line that an L1 takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenLine {
    /// Number of the line, byte address / 128.
    pub line: u32,
    /// Its bytes.
    pub bytes: LineBytes,
    /// They are fetched. Otherwise the store that is performed now writes them.
    pub fetched: bool,
}

/// What a clock edge did to the lines of global memory that an L1 holds or has asked for. What is read between is what the lines
/// were when they were taken, with what the own SM has stored since.
///
/// A line is a number, byte address / 128. Lines leave before others are taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineEvents {
    /// All of them left.
    pub emptied: bool,
    /// Lines that left; nothing of them that is on its way is kept. A line stays listed as held while that is not so. Of a design
    /// with its own L1 lines of other spaces may be among them.
    pub left: Vec<u32>,
    /// What the request that is performed now, or will be with what it fetches, makes the L1 hold.
    pub taken: Option<TakenLine>,
    /// What the store that is performed now writes stays in its line, and L2 has it when the line leaves.
    pub kept: bool,
}

impl LineEvents {
    /// Nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.emptied && self.left.is_empty() && self.taken.is_none() && !self.kept
    }

    /// A new clock edge.
    #[inline]
    pub fn begin(&mut self) {
        self.emptied = false;
        self.left.clear();
        self.taken = None;
        self.kept = false;
    }
}
