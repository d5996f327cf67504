//! The unused queue of an address allocation unit, as in `address_allocation_unit.sv`.

/// Addresses at most.
const SIZE: u8 = super::NUM_SLOTS as u8;

/// Free addresses, the one that is free longest first.
#[derive(Debug, Clone)]
pub struct UnusedQueue {
    ring: [u8; SIZE as usize],
    head: u8,
    count: u8,
}

impl UnusedQueue {
    /// Addresses 0 to `size` - 1 are free.
    #[must_use]
    pub fn new(size: u8) -> Self {
        Self { ring: std::array::from_fn(|i| i as u8), head: 0, count: size }
    }

    /// The address that is allocated next, if one is free.
    #[inline]
    #[must_use]
    pub fn next(&self) -> Option<u8> {
        (self.count != 0).then(|| self.ring[usize::from(self.head)])
    }

    /// Takes the next address out.
    #[inline]
    pub fn allocate(&mut self) {
        debug_assert_ne!(self.count, 0, "allocation from an empty queue");
        self.head = (self.head + 1) % SIZE;
        self.count -= 1;
    }

    /// Puts `address` back.
    #[inline]
    pub fn release(&mut self, address: u8) {
        debug_assert_ne!(self.count, SIZE, "release into a full queue");
        self.ring[usize::from((self.head + self.count) % SIZE)] = address;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::UnusedQueue;

    #[test]
    fn addresses_come_in_the_order_of_their_release() {
        let mut queue = UnusedQueue::new(3);
        for expected in 0..3 {
            assert_eq!(queue.next(), Some(expected));
            queue.allocate();
        }
        assert_eq!(queue.next(), None);
        queue.release(2);
        queue.release(0);
        assert_eq!(queue.next(), Some(2));
        queue.allocate();
        assert_eq!(queue.next(), Some(0));
    }
}
