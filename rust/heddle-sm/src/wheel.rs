//! A timing wheel: tags by the cycle in which they complete.

/// Buckets; a power of two above every latency.
const BUCKETS: usize = 2048;

/// Tags that complete in a later cycle.
#[derive(Debug, Clone)]
pub struct Wheel {
    buckets: Vec<Vec<u16>>,
    count: usize,
    /// Tags of the bucket of this cycle that were taken.
    taken: usize,
}

impl Wheel {
    pub fn new() -> Self {
        Self { buckets: (0..BUCKETS).map(|_| Vec::with_capacity(4)).collect(), count: 0, taken: 0 }
    }

    /// `tag` completes `latency` (1 to 2047) cycles after `cycle`.
    #[inline]
    pub fn schedule(&mut self, cycle: u64, latency: u32, tag: u16) {
        let latency = u64::from(latency).clamp(1, BUCKETS as u64 - 1);
        self.buckets[(cycle + latency) as usize % BUCKETS].push(tag);
        self.count += 1;
    }

    /// The next tag that completes in `cycle`, in the order in which they were scheduled; to be asked in
    /// every cycle until there is none.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Option<u16> {
        if self.count == 0 && self.taken == 0 {
            return None;
        }
        let bucket = &mut self.buckets[cycle as usize % BUCKETS];
        let tag = bucket.get(self.taken).copied();
        if tag.is_some() {
            self.taken += 1;
            self.count -= 1;
        } else {
            bucket.clear();
            self.taken = 0;
        }
        tag
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Wheel;

    #[test]
    fn tags_come_back_in_their_cycle_and_order() {
        let mut wheel = Wheel::new();
        wheel.schedule(10, 4, 1);
        wheel.schedule(12, 2, 2);
        wheel.schedule(12, 2000, 3);
        let mut all = |cycle| std::iter::from_fn(|| wheel.take(cycle)).collect::<Vec<_>>();
        assert_eq!(all(13), [0; 0]);
        assert_eq!(all(14), [1, 2]);
        assert_eq!(all(14 + 2048), [0; 0]);
        assert_eq!(all(2012), [3]);
        assert!(wheel.is_empty());
    }

    #[test]
    fn what_is_scheduled_while_tags_are_taken_comes_later() {
        let mut wheel = Wheel::new();
        wheel.schedule(0, 1, 1);
        wheel.schedule(0, 1, 2);
        assert_eq!(wheel.take(1), Some(1));
        wheel.schedule(1, 1, 3);
        assert_eq!(
            [wheel.take(1), wheel.take(1), wheel.take(2), wheel.take(2)],
            [Some(2), None, Some(3), None]
        );
        assert!(wheel.is_empty());
    }
}
