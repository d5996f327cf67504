//! Accepted results on their way to the tag banks.

use heddle_port::MAX_PORT_WIDTH;

use super::NUM_TAG_BANKS;

/// Places a result port has in the buffer.
pub const PLACES_PER_PORT: usize = 2;

/// The queued results, oldest first: of each its warp register and whether it writes all lanes.
#[derive(Debug, Clone, Default)]
pub struct WriteBuffer {
    results: [(u16, bool); PLACES_PER_PORT * MAX_PORT_WIDTH],
    len: usize,
}

impl WriteBuffer {
    /// Results queued.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no result is queued.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The oldest result of each tag bank.
    #[inline]
    #[must_use]
    pub fn oldest(&self) -> [Option<(u16, bool)>; NUM_TAG_BANKS] {
        let mut oldest = [None; NUM_TAG_BANKS];
        for &result in self.results[..self.len].iter().rev() {
            oldest[usize::from(result.0) % NUM_TAG_BANKS] = Some(result);
        }
        oldest
    }

    /// Takes out the oldest result of each bank of the set `banks`.
    #[inline]
    pub fn written(&mut self, banks: u32) {
        let mut left = banks;
        let mut kept = 0;
        for i in 0..self.len {
            let result = self.results[i];
            let bit = 1 << (usize::from(result.0) % NUM_TAG_BANKS);
            if left & bit != 0 {
                left &= !bit;
            } else {
                self.results[kept] = result;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Queues a result, `full` if it writes all lanes; the caller keeps to the number of places.
    #[inline]
    pub fn push(&mut self, register: u16, full: bool) {
        self.results[self.len] = (register, full);
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::WriteBuffer;

    #[test]
    fn each_bank_is_offered_its_oldest_result() {
        let mut buffer = WriteBuffer::default();
        for register in [3, 7, 5] {
            buffer.push(register, register == 5);
        }
        assert_eq!(buffer.oldest(), [None, Some((5, true)), None, Some((3, false))]);
        buffer.written(1 << 3);
        assert_eq!((buffer.len(), buffer.oldest()), (2, [None, Some((5, true)), None, Some((7, false))]));
        buffer.written(1 << 3 | 1 << 1);
        assert!(buffer.is_empty());
    }
}
