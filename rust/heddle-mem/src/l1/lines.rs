//! What becomes of the lines of global memory that the L1 holds.

use heddle_port::{LINE_BYTES, LineEvents, TakenLine};

use super::L1;
use crate::sectors::Sectors;
use crate::space;
use crate::windows::space_of;

/// Whether a line is one of global memory.
fn is_global(line: u32) -> bool {
    space_of(line.wrapping_mul(LINE_BYTES as u32)) == space::GLOBAL
}

impl L1 {
    /// What the last clock edge did to lines of global memory.
    #[must_use]
    pub fn line_events(&self) -> &LineEvents {
        &self.lines
    }

    /// At the next clock edge everything of global memory leaves, and what is on its way is not kept: a fence that makes
    /// what other SMs have stored seen.
    pub fn invalidate(&mut self) {
        self.invalidates = true;
    }

    /// Carries out [`L1::invalidate`].
    pub(super) fn drop_global_lines(&mut self) {
        self.invalidates = false;
        self.arrays.invalidations += 1;
        self.tags.invalidate_all(is_global);
        self.mshrs.close_all(is_global);
        self.lines.emptied = true;
    }

    /// The request takes sectors, which are `fetched` or which it writes.
    pub(super) fn takes(&mut self, line: u32, sectors: Sectors, fetched: bool) {
        if !sectors.is_empty() && self.input.space == space::GLOBAL {
            self.lines.taken = Some(TakenLine { line, bytes: sectors.line_bytes(), fetched });
        }
    }

    /// A line left; what a read that others join brings of it stays.
    pub(super) fn leaves(&mut self, line: u32) {
        if is_global(line) && !self.mshrs.brings(line) {
            self.lines.left.push(line);
        }
    }
}
