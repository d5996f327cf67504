//! Write-back: results on their way to the design.

use std::collections::VecDeque;

use heddle_port::NUM_WARPS;

/// Results that may wait for a result slot before no instruction with a pipeline issues.
const RESULT_QUEUE: usize = 32;

/// Results on their way to the slots, a queue for each sub-core: instruction and number of its destination.
#[derive(Debug, Clone)]
pub struct WriteBack {
    queues: Vec<VecDeque<(u16, u8)>>,
    waiting: usize,
    /// Places of a sub-core.
    share: usize,
    /// By warp slot: its sub-core.
    of_warp: [u8; NUM_WARPS],
    /// By result slot of the design: its sub-core.
    of_slot: Vec<u8>,
}

impl WriteBack {
    /// Empty queues for `sub_cores` sub-cores, at least one, and the result slots of the design.
    pub fn new(sub_cores: usize, slots: usize) -> Self {
        let count = sub_cores.max(1);
        Self {
            queues: vec![VecDeque::with_capacity(1024); count],
            waiting: 0,
            share: RESULT_QUEUE / count,
            of_warp: std::array::from_fn(|warp| (warp % count) as u8),
            of_slot: (0..slots).map(|slot| (slot * count / slots) as u8).collect(),
        }
    }

    /// Result slots of the design.
    #[inline]
    pub fn slots(&self) -> usize {
        self.of_slot.len()
    }

    /// No result waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    #[inline]
    fn sub_core(&self, warp: usize) -> usize {
        usize::from(self.of_warp[warp])
    }

    /// The sub-core of the warp in slot `warp` takes another instruction: fewer results wait than its share.
    #[inline]
    pub fn has_room(&self, warp: usize) -> bool {
        self.queues[self.sub_core(warp)].len() < self.share
    }

    /// The results of an instruction of the warp in slot `warp`, for as many destinations, wait behind the
    /// others of their sub-core.
    #[inline]
    pub fn push(&mut self, warp: usize, tag: u16, destinations: u8) {
        let sub_core = self.sub_core(warp);
        (0..destinations).for_each(|destination| self.queues[sub_core].push_back((tag, destination)));
        self.waiting += usize::from(destinations);
    }

    /// The oldest result that may leave in result slot `slot`, a slot of its warp's sub-core; each sub-core
    /// has as many, one behind the other.
    #[inline]
    pub fn pop(&mut self, slot: usize) -> Option<(u16, u8)> {
        let sub_core = usize::from(self.of_slot[slot]);
        let result = self.queues[sub_core].pop_front()?;
        self.waiting -= 1;
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::{RESULT_QUEUE, WriteBack};

    #[test]
    fn results_leave_oldest_first_in_the_slots_of_their_sub_core() {
        let mut results = WriteBack::new(2, 4);
        results.push(0, 7, 2);
        results.push(2, 8, 1);
        results.push(3, 9, 1);
        assert_eq!(
            [0, 1, 1, 0].map(|slot| results.pop(slot)),
            [Some((7, 0)), Some((7, 1)), Some((8, 0)), None]
        );
        assert!(!results.is_empty());
        assert_eq!([2, 3].map(|slot| results.pop(slot)), [Some((9, 0)), None]);
        assert!(results.is_empty());
    }

    #[test]
    fn a_sub_core_has_its_share_of_the_places() {
        let mut results = WriteBack::new(2, 2);
        for tag in 0..RESULT_QUEUE as u16 / 2 {
            assert!(results.has_room(1));
            results.push(1, tag, 1);
        }
        assert!(!results.has_room(1) && !results.has_room(3) && results.has_room(0));
        results.pop(1);
        assert!(results.has_room(3));
    }
}
