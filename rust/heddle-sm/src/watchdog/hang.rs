//! Whether anything moves at all.

/// Cycles without any movement after which a run is given up, unless set otherwise.
const LIMIT: u64 = 20_000;

/// When the machine last moved, and how long it may stand still.
#[derive(Debug, Clone)]
pub struct Hang {
    last: u64,
    limit: u64,
}

impl Default for Hang {
    fn default() -> Self {
        Self { last: 0, limit: LIMIT }
    }
}

impl Hang {
    /// Sets the cycles without movement after which it hangs, at least 1.
    pub fn set_limit(&mut self, cycles: u64) {
        self.limit = cycles.max(1);
    }

    /// The machine moved.
    #[inline]
    pub fn moves(&mut self, cycle: u64) {
        self.last = cycle;
    }

    /// Cycles without movement, if they are too many.
    #[inline]
    pub fn hangs(&self, cycle: u64) -> Option<u64> {
        let idle = cycle - self.last;
        (idle > self.limit).then_some(idle)
    }
}
