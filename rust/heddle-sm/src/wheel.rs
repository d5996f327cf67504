//! A timing wheel: tags by the cycle in which they complete.

use heddle_port::TAG_BITS;

/// Buckets; a power of two above every latency.
const BUCKETS: usize = 2048;
/// In the place of a tag: there is none.
const NONE: u16 = u16::MAX;

/// The first and the last tag of a bucket.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    first: u16,
    last: u16,
}

/// Tags that complete in a later cycle, each in one bucket at most.
#[derive(Debug, Clone)]
pub struct Wheel {
    buckets: Vec<Bucket>,
    /// By tag: the next one of its bucket.
    next: Vec<u16>,
    count: usize,
}

impl Wheel {
    pub fn new() -> Self {
        let empty = Bucket { first: NONE, last: NONE };
        Self { buckets: vec![empty; BUCKETS], next: vec![NONE; 1 << TAG_BITS], count: 0 }
    }

    /// `tag`, which is in no bucket, completes `latency` (1 to 2047) cycles after `cycle`.
    #[inline]
    pub fn schedule(&mut self, cycle: u64, latency: u32, tag: u16) {
        let latency = u64::from(latency).clamp(1, BUCKETS as u64 - 1);
        let bucket = &mut self.buckets[(cycle + latency) as usize % BUCKETS];
        match bucket.first {
            NONE => bucket.first = tag,
            _ => self.next[usize::from(bucket.last)] = tag,
        }
        bucket.last = tag;
        self.next[usize::from(tag)] = NONE;
        self.count += 1;
    }

    /// The next tag that completes in `cycle`, in the order in which they were scheduled; to be asked in
    /// every cycle until there is none.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Option<u16> {
        if self.count == 0 {
            return None;
        }
        let bucket = &mut self.buckets[cycle as usize % BUCKETS];
        let tag = Some(bucket.first).filter(|tag| *tag != NONE)?;
        bucket.first = self.next[usize::from(tag)];
        self.count -= 1;
        Some(tag)
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

    #[test]
    fn a_tag_can_be_scheduled_again_and_a_bucket_keeps_its_order() {
        let mut wheel = Wheel::new();
        for tag in [7, 1023, 3] {
            wheel.schedule(0, 5, tag);
        }
        assert_eq!(wheel.take(5), Some(7));
        // The tag that was taken goes into another bucket while its own is not empty yet.
        wheel.schedule(5, 2047, 7);
        assert_eq!([5, 5, 5].map(|cycle| wheel.take(cycle)), [Some(1023), Some(3), None]);
        // It stands alone there, whatever came behind it before.
        wheel.schedule(2051, 2, 3);
        assert_eq!([2052, 2052, 2053, 2053].map(|cycle| wheel.take(cycle)), [Some(7), None, Some(3), None]);
        assert!(wheel.is_empty());
    }
}
