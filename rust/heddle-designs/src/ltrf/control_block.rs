//! The warp control blocks, as in `warp_control_block.sv`.

use super::vector::RegVector;
use heddle_port::{Issue, NUM_REGS, NUM_WARPS, members};

/// Address tables, warp offsets and working sets of all warps.
#[derive(Debug, Clone)]
pub struct ControlBlocks {
    bank: Vec<u8>,
    valid: [RegVector; NUM_WARPS],
    offset: [u8; NUM_WARPS],
    set: [RegVector; NUM_WARPS],
    /// Live registers, in LTRF+.
    live: Option<[RegVector; NUM_WARPS]>,
}

impl ControlBlocks {
    /// Empty tables; with liveness vectors for LTRF+.
    #[must_use]
    pub fn new(liveness: bool) -> Self {
        Self {
            bank: vec![0; NUM_WARPS * NUM_REGS],
            valid: [RegVector::default(); NUM_WARPS],
            offset: [0; NUM_WARPS],
            set: [RegVector::default(); NUM_WARPS],
            live: liveness.then(|| [RegVector::default(); NUM_WARPS]),
        }
    }

    /// Live registers of the warp: all, without liveness vectors.
    #[inline]
    #[must_use]
    pub fn live(&self, warp: u8) -> RegVector {
        self.live.as_ref().map_or(RegVector::ALL, |live| live[usize::from(warp)])
    }

    /// The warp starts: all its registers are dead.
    pub fn begin(&mut self, warp: u8) {
        if let Some(live) = &mut self.live {
            live[usize::from(warp)] = RegVector::default();
        }
    }

    /// An instruction is issued: operands that it says are dead die, what it writes becomes live.
    #[inline]
    pub fn issue(&mut self, issue: &Issue) {
        let Some(live) = &mut self.live else { return };
        let live = &mut live[usize::from(issue.warp)];
        for source in members(issue.source_valid & issue.dead) {
            live.remove(issue.source[source]);
        }
        for destination in members(issue.destination_valid) {
            live.insert(issue.destination[destination]);
        }
    }

    /// Dead registers of the warp leave the cache, but for those of `keep`.
    pub fn drop_dead(&mut self, warp: u8, keep: &RegVector) {
        let leaving = self.valid(warp).without(&self.live(warp)).without(keep);
        let valid = &mut self.valid[usize::from(warp)];
        *valid = valid.without(&leaving);
    }
    /// Whether the register is in the cache.
    #[inline]
    #[must_use]
    pub fn is_valid(&self, warp: u8, register: u8) -> bool {
        self.valid[usize::from(warp)].contains(register)
    }

    /// Cache bank of a register that has one.
    #[inline]
    #[must_use]
    pub fn bank(&self, warp: u8, register: u8) -> u8 {
        self.bank[usize::from(warp) * NUM_REGS + usize::from(register)]
    }

    /// Warp offset of an active warp.
    #[inline]
    #[must_use]
    pub fn offset(&self, warp: u8) -> u8 {
        self.offset[usize::from(warp)]
    }

    /// Registers of the warp that are in the cache.
    #[inline]
    #[must_use]
    pub fn valid(&self, warp: u8) -> RegVector {
        self.valid[usize::from(warp)]
    }

    /// Working set of the resident register-interval.
    #[inline]
    #[must_use]
    pub fn set(&self, warp: u8) -> RegVector {
        self.set[usize::from(warp)]
    }

    /// The register gets a cache bank.
    #[inline]
    pub fn allocate(&mut self, warp: u8, register: u8, bank: u8) {
        self.bank[usize::from(warp) * NUM_REGS + usize::from(register)] = bank;
    }

    /// The register has come into the cache.
    #[inline]
    pub fn fill(&mut self, warp: u8, register: u8) {
        self.valid[usize::from(warp)].insert(register);
    }

    /// The register leaves the cache.
    #[inline]
    pub fn clear(&mut self, warp: u8, register: u8) {
        self.valid[usize::from(warp)].remove(register);
    }

    /// No register of the warp is in the cache.
    pub fn clear_all(&mut self, warp: u8) {
        self.valid[usize::from(warp)] = RegVector::default();
    }

    /// Writes the working set.
    pub fn write_set(&mut self, warp: u8, set: RegVector) {
        self.set[usize::from(warp)] = set;
    }

    /// Writes the warp offset.
    pub fn write_offset(&mut self, warp: u8, offset: u8) {
        self.offset[usize::from(warp)] = offset;
    }
}
