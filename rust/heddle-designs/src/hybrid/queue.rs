//! Accepted results that are not yet written.

use std::ops::{Deref, DerefMut};

use crate::front::Places;
use heddle_port::NUM_SOURCES;

/// Places that the queue has for a number of result ports: two a port, rounded up to a power of two.
#[must_use]
fn places(width: usize) -> usize {
    (2 * width).next_power_of_two()
}

/// A result on its way to a write buffer or to the STT-RAM.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Staged {
    /// Warp slot.
    pub warp: u8,
    /// Register number.
    pub number: u8,
}

/// The results, oldest first; one leaves at a time.
#[derive(Debug, Clone, Default)]
pub struct ResultQueue {
    results: Places<Staged>,
}

impl ResultQueue {
    /// An empty queue for `ports` result ports.
    #[must_use]
    pub fn new(ports: usize) -> Self {
        Self { results: Places::new(places(ports)) }
    }

    /// The sources, one bit each, whose register of `warp` has a result here.
    #[inline]
    #[must_use]
    pub fn pending(&self, warp: u8, numbers: &[u8; NUM_SOURCES]) -> u8 {
        let mut pending = 0;
        for entry in self.results.iter().filter(|e| e.warp == warp) {
            for (source, &number) in numbers.iter().enumerate() {
                pending |= u8::from(entry.number == number) << source;
            }
        }
        pending
    }

    /// Whether a result of `warp` is here.
    #[inline]
    #[must_use]
    pub fn holds(&self, warp: u8) -> bool {
        self.results.iter().any(|e| e.warp == warp)
    }
}

impl Deref for ResultQueue {
    type Target = Places<Staged>;

    fn deref(&self) -> &Places<Staged> {
        &self.results
    }
}

impl DerefMut for ResultQueue {
    fn deref_mut(&mut self) -> &mut Places<Staged> {
        &mut self.results
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultQueue, Staged, places};

    #[test]
    fn results_leave_in_their_order_and_are_seen_until_then() {
        let mut queue = ResultQueue::new(2);
        for (warp, number) in [(2, 5), (3, 5), (2, 7)] {
            queue.push(Staged { warp, number });
        }
        assert_eq!(queue.pending(2, &[5, 6, 7, 0, 0, 5]), 0b10_0101);
        assert_eq!(queue.pending(4, &[5; 6]), 0);
        queue.pop();
        assert_eq!(queue.pending(2, &[5, 6, 7, 0, 0, 5]), 0b100);
        assert_eq!(queue.first(), Some(&Staged { warp: 3, number: 5 }));
        assert!(queue.holds(3) && !queue.holds(4));
        queue.pop();
        queue.pop();
        assert!(queue.is_empty() && !queue.holds(2));
    }

    #[test]
    fn two_places_a_port() {
        assert_eq!([1, 2, 3, 4].map(places), [2, 4, 8, 8]);
    }
}
