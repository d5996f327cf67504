//! A resource that moves bytes at a rate that is a fraction.

/// Cycles a byte as a fraction. What a transfer takes beyond a whole cycle is carried over to the next one, so that the
/// rate over many transfers is exact.
#[derive(Debug, Clone, Copy)]
pub struct Paced {
    cycles: u64,
    bytes: u64,
    /// From when it is free: a cycle, and a part of one in `bytes`ths.
    free: u64,
    part: u64,
}

impl Paced {
    /// Moves `bytes` bytes in `cycles` cycles; at least 1 each.
    pub fn new(cycles: u64, bytes: u64) -> Self {
        let (cycles, bytes) = (cycles.max(1), bytes.max(1));
        let common = greatest_common_divisor(cycles, bytes);
        Self { cycles: cycles / common, bytes: bytes / common, free: 0, part: 0 }
    }

    /// Whether a transfer can begin in this cycle.
    pub fn is_free(&self, cycle: u64) -> bool {
        self.free <= cycle
    }

    /// The cycle in which the next transfer can begin.
    pub fn next(&self) -> u64 {
        self.free
    }

    /// Is used for `cycles` cycles from cycle `from` on without moving anything.
    pub fn hold(&mut self, from: u64, cycles: u64) {
        (self.free, self.part) = (self.free.max(from) + cycles, 0);
    }

    /// Is not free before `cycle`.
    pub fn hold_until(&mut self, cycle: u64) {
        if self.free < cycle {
            (self.free, self.part) = (cycle, 0);
        }
    }

    /// Moves `bytes` bytes from cycle `from` on, or from when it is free; returns the cycle by which they have passed.
    pub fn take(&mut self, from: u64, bytes: u64) -> u64 {
        if self.free < from {
            (self.free, self.part) = (from, 0);
        }
        let parts = self.part + bytes * self.cycles;
        self.free += parts / self.bytes;
        self.part = parts % self.bytes;
        self.free + u64::from(self.part > 0)
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Paced;

    #[test]
    fn parts_of_cycles_are_carried_over() {
        // 32 bytes take 3 1/3 cycles.
        let mut bus = Paced::new(10, 96);
        let ends: Vec<u64> = (0..6).map(|_| bus.take(5, 32)).collect();
        assert_eq!(ends, [9, 12, 15, 19, 22, 25]);
        assert_eq!((bus.next(), bus.is_free(24), bus.is_free(25)), (25, false, true));
        assert_eq!(bus.take(30, 32), 34, "a pause begins with a whole cycle");
    }

    #[test]
    fn transfers_that_begin_when_free_keep_the_rate() {
        let mut port = Paced::new(5, 128);
        let mut moved = 0;
        for cycle in 0..1000 {
            if port.is_free(cycle) {
                port.take(cycle, 32);
                moved += 32;
            }
        }
        assert_eq!(moved, 1000 * 128 / 5);
    }
}
