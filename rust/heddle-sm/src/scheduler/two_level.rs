//! Two-level scheduling (Gebhart et al. 2011; LTRF, section 3.2): a loose round robin over the few
//! active warps. Which warps are active is decided by the residency part of the SM.

use super::rotating_pick;

#[derive(Debug, Clone)]
pub struct TwoLevel {
    pointer: u32,
}

impl TwoLevel {
    pub fn new(_: usize) -> Self {
        Self { pointer: 0 }
    }

    pub fn pool(&self, _: usize) -> u64 {
        u64::MAX
    }

    pub fn pick(&self, _: usize, candidates: u64) -> Option<usize> {
        rotating_pick(candidates, self.pointer)
    }

    pub fn issued(&mut self, _: usize, warp: usize) {
        self.pointer = warp as u32 + 1;
    }

    pub fn started(&mut self, _: usize) {}

    pub fn ended(&mut self, _: usize) {}
}
