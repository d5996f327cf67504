//! What becomes of the lines of global memory that the L1 holds.

use heddle_port::LINE_BYTES;

use super::L1;
use crate::sectors::Sectors;
use crate::space;
use crate::windows::space_of;

/// What a clock edge did to the lines of global memory that an L1 holds or has asked for. What is read between is what the lines
/// were when they were taken, with what the own SM has stored since.
///
/// A line is a number, byte address / 128. Lines leave before others are taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineEvents {
    /// All of them left.
    pub emptied: bool,
    /// Lines that left; nothing of them that is on its way is kept. A line stays listed as held while that is not so.
    pub left: Vec<u32>,
    /// The sectors of its line that the request that is performed now makes the L1 hold: fetched, or wholly written by a store.
    pub taken: Option<(u32, Sectors)>,
}

impl LineEvents {
    /// Nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.emptied && self.left.is_empty() && self.taken.is_none()
    }

    /// A new clock edge.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.emptied = false;
        self.left.clear();
        self.taken = None;
    }
}

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

    /// The request takes sectors.
    pub(super) fn takes(&mut self, line: u32, sectors: Sectors) {
        if !sectors.is_empty() && self.input.space == space::GLOBAL {
            self.lines.taken = Some((line, sectors));
        }
    }

    /// A line left; what a read that others join brings of it stays.
    pub(super) fn leaves(&mut self, line: u32) {
        if is_global(line) && !self.mshrs.brings(line) {
            self.lines.left.push(line);
        }
    }
}
