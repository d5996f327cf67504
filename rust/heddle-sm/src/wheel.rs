//! A timing wheel: tags by the cycle in which they complete.

/// Buckets; a power of two above every latency.
const BUCKETS: usize = 2048;

/// Tags that complete in a later cycle.
#[derive(Debug, Clone)]
pub struct Wheel {
    buckets: Vec<Vec<u16>>,
    count: usize,
}

impl Wheel {
    pub fn new() -> Self {
        Self { buckets: (0..BUCKETS).map(|_| Vec::with_capacity(4)).collect(), count: 0 }
    }

    /// `tag` completes `latency` (1 to 2047) cycles after `cycle`.
    #[inline]
    pub fn schedule(&mut self, cycle: u64, latency: u32, tag: u16) {
        let latency = u64::from(latency).clamp(1, BUCKETS as u64 - 1);
        self.buckets[(cycle + latency) as usize % BUCKETS].push(tag);
        self.count += 1;
    }

    /// Moves what completes in `cycle` to `out`, in the order in which it was scheduled.
    #[inline]
    pub fn take(&mut self, cycle: u64, out: &mut Vec<u16>) {
        if self.count == 0 {
            return;
        }
        let bucket = &mut self.buckets[cycle as usize % BUCKETS];
        self.count -= bucket.len();
        out.append(bucket);
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
        let mut out = Vec::new();
        wheel.take(13, &mut out);
        assert!(out.is_empty());
        wheel.take(14, &mut out);
        assert_eq!(out, [1, 2]);
        assert!(!wheel.is_empty());
        out.clear();
        wheel.take(2012, &mut out);
        assert_eq!(out, [3]);
        assert!(wheel.is_empty());
    }
}
