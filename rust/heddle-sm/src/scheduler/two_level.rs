//! Two-level scheduling (Gebhart et al. 2011; LTRF, section 3.2): a loose round robin over the few
//! active warps. Which warps are active is decided by the residency part of the SM.

use super::rotating_pick;

#[derive(Debug, Clone, Default)]
pub struct TwoLevel {
    pointer: u32,
}

impl TwoLevel {
    pub fn pick(&self, candidates: u64) -> Option<usize> {
        rotating_pick(candidates, self.pointer)
    }

    pub fn issued(&mut self, warp: usize) {
        self.pointer = warp as u32 + 1;
    }
}
