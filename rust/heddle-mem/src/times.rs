//! When accesses passed the places on their way.

/// When the latest access passed the places on its way, in cycles of the memory side; what it did not pass has the
/// time of an access before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathTimes {
    /// The port took the request.
    pub request: u64,
    /// It was performed.
    pub performed: u64,
    /// The network took the request of the first level.
    pub lower_request: u64,
    /// The way behind it.
    pub lower: LowerTimes,
    /// The answer reached the first level.
    pub lower_response: u64,
    /// The response left the port.
    pub response: u64,
}

/// When the last read passed the places behind the SM, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LowerTimes {
    /// It left the network of requests.
    pub arrived: u64,
    /// DRAM took it.
    pub dram_request: u64,
    /// Its address was translated.
    pub translated: u64,
    /// Its data came from DRAM.
    pub dram_answer: u64,
    /// Its reply entered the network of replies.
    pub replied: u64,
}

impl LowerTimes {
    /// Counted from a cycle on.
    pub(crate) fn since(self, began: u64) -> Self {
        let [arrived, dram_request, translated, dram_answer, replied] =
            [self.arrived, self.dram_request, self.translated, self.dram_answer, self.replied]
                .map(|cycle| cycle.saturating_sub(began));
        Self { arrived, dram_request, translated, dram_answer, replied }
    }
}
