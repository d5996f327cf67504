//! Where the CTAs of an SM come from.

/// The CTAs that are still to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Those of the grid from `next` on, each `every`-th.
    Own { next: u64, every: u64, grid: u64 },
    /// Those that the SM is given, one at a time.
    Given { next: Option<u64>, more: bool },
}

impl Source {
    /// The CTA that starts next, if one is there.
    pub fn next(self) -> Option<u64> {
        match self {
            Self::Own { next, grid, .. } => (next < grid).then_some(next),
            Self::Given { next, .. } => next,
        }
    }

    /// The CTA that starts next starts.
    pub fn take(&mut self) {
        match self {
            Self::Own { next, every, .. } => *next += *every,
            Self::Given { next, .. } => *next = None,
        }
    }

    /// No CTA is left to start, now or later.
    pub fn is_over(self) -> bool {
        match self {
            Self::Own { next, grid, .. } => next >= grid,
            Self::Given { next, more } => next.is_none() && !more,
        }
    }
}
