//! The instruction cache of one SM: its misses go to L2 on the networks of the data, in cycles in which these offer nothing.
//!
//! Nothing but which lines are there is modelled: what an instruction says comes from the program.

use heddle_config::InstructionCache as Keys;
use heddle_port::{DesignError, LINE_BYTES, LOWER_ID_BITS, LowerKind, MemLowerRequest, MemLowerResponse};
use serde::Serialize;
use std::collections::VecDeque;

use crate::mshr::{Allocation, Answered, Mshrs};
use crate::sectors::Sectors;
use crate::tags::{Found, TagArray};

/// Ids of instruction reads lie above those of the memory port.
const ID_FLAG: u16 = 1 << LOWER_ID_BITS;

/// Counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct InstructionStatistics {
    /// Fetches of instructions whose line was there.
    pub hits: u64,
    /// Fetches whose line was asked of L2.
    pub misses: u64,
    /// Fetches whose line was on its way already.
    pub merged: u64,
    /// Bytes that L2 was asked for.
    pub bytes: u64,
}

/// What becomes of a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetched {
    /// The line is there.
    Hit,
    /// The slot waits for the line.
    Waits,
    /// No register for the miss is free: the fetch has to be tried again.
    Refused,
}

/// An instruction cache with lines of 128 bytes, least recently used ones giving way.
#[derive(Debug, Clone)]
pub struct InstructionCache {
    tags: TagArray,
    mshrs: Mshrs<u8>,
    queue: VecDeque<MemLowerRequest>,
    statistics: InstructionStatistics,
}

impl InstructionCache {
    /// The empty cache that `keys` describe; `None` where every fetch hits.
    #[must_use]
    pub fn new(keys: &Keys) -> Option<Self> {
        let line = LINE_BYTES as u32;
        (!keys.is_perfect()).then(|| Self {
            tags: TagArray::new(keys.bytes / line / keys.ways.max(1), keys.ways),
            mshrs: Mshrs::new(keys.mshrs, u32::from(ID_FLAG), 64),
            queue: VecDeque::new(),
            statistics: InstructionStatistics::default(),
        })
    }

    /// Warp slot `slot` fetches from the line that holds byte `address`.
    pub fn fetch(&mut self, slot: u8, address: u32) -> Fetched {
        let line = address / LINE_BYTES as u32;
        if self.tags.access(line, Sectors::ALL) == Found::Hit {
            self.statistics.hits += 1;
            return Fetched::Hit;
        }
        match self.mshrs.allocate((line, Sectors::ALL), true, |_| slot) {
            Allocation::New(id) => {
                self.statistics.misses += 1;
                self.statistics.bytes += LINE_BYTES as u64;
                self.queue.push_back(MemLowerRequest {
                    valid: true,
                    kind: LowerKind::Fill as u8,
                    id: ID_FLAG | id,
                    line: line * LINE_BYTES as u32,
                    byte_mask: [u32::MAX; 4],
                });
                Fetched::Waits
            }
            Allocation::Merged => {
                self.statistics.merged += 1;
                Fetched::Waits
            }
            Allocation::Full => Fetched::Refused,
        }
    }

    /// Whether an answer of L2 is for the instruction cache.
    #[must_use]
    pub fn owns(response: &MemLowerResponse) -> bool {
        response.valid && response.id & ID_FLAG != 0
    }

    /// Takes a line from L2; the slots that waited for it.
    pub fn answer(&mut self, response: &MemLowerResponse) -> u64 {
        let mut slots = 0;
        let came = self.mshrs.finish(response.id & !ID_FLAG, |slot| slots |= 1 << slot);
        if let Some(Answered::Kept(line, sectors)) = came {
            self.tags.fill(line, sectors, Sectors::NONE);
        }
        slots
    }

    /// The next read for L2, which takes it.
    pub fn take_request(&mut self) -> Option<MemLowerRequest> {
        self.queue.pop_front()
    }

    /// Nothing is on its way.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.mshrs.is_empty()
    }

    /// Counters up to now.
    #[must_use]
    pub fn statistics(&self) -> InstructionStatistics {
        self.statistics
    }

    /// What the auditor of the tags found wrong.
    ///
    /// # Errors
    /// [`DesignError::Model`]: a hit of a line that was not filled, or more lines than there is room for.
    pub fn audit(&self, cycle: u64) -> Result<(), DesignError> {
        self.tags.broken().map_or(Ok(()), |what| {
            Err(DesignError::Model { cycle, what: format!("instruction cache: {what}") })
        })
    }
}

#[cfg(test)]
mod tests {
    use heddle_config::InstructionCache as Keys;
    use heddle_port::MemLowerResponse;

    use super::{Fetched, InstructionCache};

    fn cache(lines: u32) -> InstructionCache {
        let shipped = heddle_config::load("fermi").expect("ships").instruction_cache;
        let keys = Keys { bytes: lines * 128, ways: lines, mshrs: 2, ..shipped };
        InstructionCache::new(&keys).expect("it is not perfect")
    }

    /// Runs through `lines` lines `times` times, each miss answered at once.
    fn run(cache: &mut InstructionCache, lines: u32, times: u32) -> (u64, u64) {
        for address in (0..times).flat_map(|_| (0..lines).map(|line| line * 128)) {
            if cache.fetch(3, address) == Fetched::Waits {
                let asked = cache.take_request().expect("a miss asks L2");
                let response = MemLowerResponse { valid: true, id: asked.id, line: asked.line };
                assert!(InstructionCache::owns(&response));
                assert_eq!(cache.answer(&response), 1 << 3);
                assert_eq!(cache.fetch(3, address), Fetched::Hit);
            }
        }
        assert!(cache.is_idle());
        assert_eq!(cache.audit(0), Ok(()));
        (cache.statistics().misses, cache.statistics().bytes)
    }

    #[test]
    fn a_loop_that_fits_misses_once_and_a_larger_one_each_time() {
        assert_eq!(run(&mut cache(4), 4, 10), (4, 512));
        assert_eq!(
            run(&mut cache(4), 5, 10),
            (50, 6400),
            "least recently used: each line leaves before its turn"
        );
    }

    #[test]
    fn misses_of_one_line_merge_and_full_registers_refuse() {
        let mut cache = cache(4);
        assert_eq!(cache.fetch(0, 0), Fetched::Waits);
        assert_eq!(cache.fetch(5, 64), Fetched::Waits);
        assert_eq!(cache.fetch(6, 128), Fetched::Waits);
        assert_eq!(cache.fetch(7, 256), Fetched::Refused);
        assert_eq!((cache.statistics().misses, cache.statistics().merged), (2, 1));
        let asked = cache.take_request().expect("a miss asks L2");
        assert_eq!(cache.answer(&MemLowerResponse { valid: true, id: asked.id, line: 0 }), 0b10_0001);
    }
}
