//! What is elaborated, and what of it is in use.

use super::{NAME, WAYS};
use heddle_port::DesignError;

/// What the RTL is elaborated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheShape {
    /// Sets of 64 ways: 1, 2, 4, 8 or 16, which is 8 to 128 KB.
    pub sets: usize,
    /// A read counter beside each lock bit, for thresholds above one.
    pub read_counter: bool,
    /// A lock bit a word instead of one a line.
    pub word_lock: bool,
    /// Holds lines of global and local memory too (UCM, section 4).
    pub unified: bool,
}

impl Default for CacheShape {
    /// 8 KB, one lock bit a line (OSM, section 3).
    fn default() -> Self {
        Self { sets: 1, read_counter: false, word_lock: false, unified: false }
    }
}

impl CacheShape {
    /// The unified cache of the paper: 128 KB in 16 sets.
    pub const UNIFIED: Self = Self { sets: 16, read_counter: false, word_lock: false, unified: true };
}

/// The configuration inputs, read when reset is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OsmConfig {
    /// log2 of the KB in use, 0 (1 KB) to 7 (128 KB). Below 8 KB the one set has fewer ways.
    pub size_log2: u8,
    /// Whether writes lock lines; without it the cache is OSM-no-lock.
    pub lock: bool,
    /// Reads that unlock a line after a write, 1 to 15; above 1 only with a read counter.
    pub reads_to_unlock: u8,
    /// Cycles from the handshake of a request that hits at once to its response, 4 to 63.
    pub hit_latency: u8,
    /// A fetch is of the sectors that lanes need, else of the line.
    pub sectors: bool,
}

impl Default for OsmConfig {
    /// 8 KB, locked, unlocked by the first read, 28 cycles (OSM, section 3 and table 1).
    fn default() -> Self {
        Self { size_log2: 3, lock: true, reads_to_unlock: 1, hit_latency: 28, sectors: true }
    }
}

impl OsmConfig {
    /// Sets in use.
    #[must_use]
    pub fn sets(&self) -> usize {
        1 << self.size_log2.saturating_sub(3)
    }

    /// The ways of a set that are in use, one bit a way.
    #[must_use]
    pub fn ways(&self) -> u64 {
        let ways = 8usize << self.size_log2;
        if ways >= WAYS { u64::MAX } else { (1 << ways) - 1 }
    }

    /// Whether a cache of `shape` can take this.
    ///
    /// # Errors
    /// [`DesignError::Config`] with the value and what is allowed.
    pub fn check(&self, shape: &CacheShape) -> Result<(), DesignError> {
        let refuse =
            |key, value: u64, reason: String| Err(DesignError::Config { design: NAME, key, value, reason });
        if ![1, 2, 4, 8, 16].contains(&shape.sets) {
            return refuse("sets", shape.sets as u64, "a cache has 1, 2, 4, 8 or 16 sets".to_owned());
        }
        if self.size_log2 > 7 || self.sets() > shape.sets {
            let most = 3 + shape.sets.ilog2();
            let bytes = 1 << (10 + u32::from(self.size_log2.min(53)));
            let reason = format!("1024 to {} bytes fit {} sets", 1024 << most, shape.sets);
            return refuse("shared_memory.cache_bytes", bytes, reason);
        }
        let most = if shape.read_counter && !shape.word_lock { 15 } else { 1 };
        if !(1..=most).contains(&self.reads_to_unlock) {
            let reason = format!("1 to {most} are possible");
            return refuse("shared_memory.reads_to_unlock", self.reads_to_unlock.into(), reason);
        }
        if !(4..=63).contains(&self.hit_latency) {
            // The key counts from the look-up.
            let latency = u64::from(self.hit_latency).saturating_sub(1);
            return refuse("shared_memory.latency", latency, "3 to 62 are possible".to_owned());
        }
        Ok(())
    }
}
