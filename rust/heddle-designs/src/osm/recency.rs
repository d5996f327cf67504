//! The order in which the lines of a set were used.

use super::WAYS;
use heddle_port::members;

/// A total order of the ways of a set, as one set of older ways for each way.
///
/// Ways used in the same cycle keep their order among each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recency {
    older: [u64; WAYS],
}

impl Default for Recency {
    /// A lower way is older.
    fn default() -> Self {
        Self { older: std::array::from_fn(|way| (1 << way) - 1) }
    }
}

impl Recency {
    /// Makes the ways of `used` younger than all others.
    #[inline]
    pub fn touch(&mut self, used: u64) {
        for (way, older) in self.older.iter_mut().enumerate() {
            *older = if used >> way & 1 != 0 { *older | !used } else { *older & !used };
        }
    }

    /// The least recently used way of `candidates`; `None` if that is empty.
    #[inline]
    #[must_use]
    pub fn oldest(&self, candidates: u64) -> Option<usize> {
        members(candidates).find(|way| self.older[*way] & candidates == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::Recency;

    #[test]
    fn ways_leave_in_the_order_of_their_last_use() {
        let mut order = Recency::default();
        assert_eq!(order.oldest(u64::MAX), Some(0));
        order.touch(1 << 0);
        order.touch(1 << 63);
        assert_eq!(order.oldest(u64::MAX), Some(1));
        assert_eq!(order.oldest(1 << 0 | 1 << 63), Some(0));
        assert_eq!(order.oldest(0), None);
    }

    #[test]
    fn ways_used_together_keep_their_order() {
        let mut order = Recency::default();
        order.touch(1 << 5);
        order.touch(1 << 2);
        order.touch(1 << 5 | 1 << 2);
        assert_eq!(order.oldest(1 << 5 | 1 << 2), Some(5));
        assert_eq!(order.oldest(1 << 5 | 1 << 9), Some(9));
    }

    #[test]
    fn the_order_is_that_of_a_list() {
        let mut order = Recency::default();
        let mut list: Vec<usize> = (0..64).collect();
        let mut state = 1u64;
        for _ in 0..2000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let used = 1 << (state >> 58) | 1 << (state >> 40 & 63);
            order.touch(used);
            let (kept, moved): (Vec<usize>, Vec<usize>) = list.iter().partition(|&&w| used >> w & 1 == 0);
            list = kept.into_iter().chain(moved).collect();
            let candidates = state | 1 << (state >> 20 & 63);
            let first = list.iter().copied().find(|&w| candidates >> w & 1 != 0);
            assert_eq!(order.oldest(candidates), first);
        }
    }
}
