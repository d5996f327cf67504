//! Greedy, then oldest: a scheduler stays with its warp until it stalls, then takes the oldest one.

use super::partition;

#[derive(Debug, Clone)]
pub struct Gto {
    pools: Vec<u64>,
    last: Vec<Option<usize>>,
    /// Resident slots, oldest first.
    by_age: Vec<u8>,
}

impl Gto {
    pub fn new(schedulers: usize) -> Self {
        Self {
            pools: (0..schedulers).map(|i| partition(i, schedulers)).collect(),
            last: vec![None; schedulers],
            by_age: Vec::with_capacity(64),
        }
    }

    pub fn pool(&self, scheduler: usize) -> u64 {
        self.pools[scheduler]
    }

    pub fn pick(&self, scheduler: usize, candidates: u64) -> Option<usize> {
        if let Some(last) = self.last[scheduler]
            && candidates >> last & 1 != 0
        {
            return Some(last);
        }
        if candidates == 0 {
            return None;
        }
        self.by_age.iter().map(|&slot| usize::from(slot)).find(|&slot| candidates >> slot & 1 != 0)
    }

    pub fn issued(&mut self, scheduler: usize, warp: usize) {
        self.last[scheduler] = Some(warp);
    }

    pub fn started(&mut self, warp: usize) {
        self.by_age.push(warp as u8);
    }

    pub fn ended(&mut self, warp: usize) {
        self.by_age.retain(|&slot| usize::from(slot) != warp);
        for last in &mut self.last {
            if *last == Some(warp) {
                *last = None;
            }
        }
    }
}
