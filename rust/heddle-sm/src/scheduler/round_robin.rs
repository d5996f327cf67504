//! Loose round robin: the warp after the last one that issued comes first.

use super::{partition, rotating_pick};

#[derive(Debug, Clone)]
pub struct RoundRobin {
    pools: Vec<u64>,
    pointers: Vec<u32>,
}

impl RoundRobin {
    pub fn new(schedulers: usize) -> Self {
        Self {
            pools: (0..schedulers).map(|i| partition(i, schedulers)).collect(),
            pointers: vec![0; schedulers],
        }
    }

    pub fn pool(&self, scheduler: usize) -> u64 {
        self.pools[scheduler]
    }

    pub fn pick(&self, scheduler: usize, candidates: u64) -> Option<usize> {
        rotating_pick(candidates, self.pointers[scheduler])
    }

    pub fn issued(&mut self, scheduler: usize, warp: usize) {
        self.pointers[scheduler] = warp as u32 + 1;
    }

    pub fn started(&mut self, _: usize) {}

    pub fn ended(&mut self, _: usize) {}
}
