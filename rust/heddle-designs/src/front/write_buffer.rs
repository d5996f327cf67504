//! Accepted results on their way to the banks.

use heddle_port::MAX_PORT_WIDTH;

/// Places a result port has in the buffer.
pub const PLACES_PER_PORT: usize = 2;

/// The queued results, oldest first, each with its bank and what else the design wants to know of it.
///
/// Every cycle each free bank takes its oldest result, so results for one bank are written in the
/// order of their handshakes and never wait for those of another bank.
#[derive(Debug, Clone)]
pub struct WriteBuffer<T = ()> {
    places: usize,
    entries: [(u8, T); PLACES_PER_PORT * MAX_PORT_WIDTH],
    len: usize,
}

/// What happens at the write buffer's side of the banks in one cycle, as sets of banks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteGrants {
    /// Banks that have a result queued, the granted ones included.
    pub queued: u32,
    /// Banks that take one.
    pub granted: u32,
}

impl<T: Copy + Default> WriteBuffer<T> {
    /// An empty buffer for `ports` result ports.
    #[must_use]
    pub fn new(ports: usize) -> Self {
        Self {
            places: PLACES_PER_PORT * ports,
            entries: [(0, T::default()); PLACES_PER_PORT * MAX_PORT_WIDTH],
            len: 0,
        }
    }

    /// Places that are free.
    #[inline]
    #[must_use]
    pub fn free(&self) -> usize {
        self.places - self.len
    }

    /// Results queued.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Banks that have a result queued.
    #[inline]
    #[must_use]
    pub fn queued(&self) -> u32 {
        self.entries[..self.len].iter().fold(0, |set, (bank, _)| set | 1 << bank)
    }

    /// Whether no result is queued.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The oldest result of each of the first `N` banks.
    #[inline]
    #[must_use]
    pub fn oldest<const N: usize>(&self) -> [Option<T>; N] {
        let mut oldest = [None; N];
        for &(bank, result) in self.entries[..self.len].iter().rev() {
            oldest[usize::from(bank)] = Some(result);
        }
        oldest
    }

    /// Hands each bank outside `occupied` its oldest result: calls `take` with the bank and the result.
    #[inline]
    pub fn grant(&mut self, occupied: u32, mut take: impl FnMut(usize, T)) -> WriteGrants {
        let mut grants = WriteGrants::default();
        let mut kept = 0;
        for i in 0..self.len {
            let (bank, result) = self.entries[i];
            let bit = 1 << bank;
            if (grants.queued | occupied) & bit == 0 {
                grants.granted |= bit;
                take(usize::from(bank), result);
            } else {
                self.entries[kept] = (bank, result);
                kept += 1;
            }
            grants.queued |= bit;
        }
        self.len = kept;
        grants
    }

    /// Queues a result for `bank`; the caller keeps to the number of places.
    #[inline]
    pub fn push(&mut self, bank: usize, result: T) {
        self.entries[self.len] = (bank as u8, result);
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::WriteBuffer;

    fn with(banks: &[usize]) -> WriteBuffer {
        let mut buffer = WriteBuffer::new(2);
        banks.iter().for_each(|&bank| buffer.push(bank, ()));
        buffer
    }

    #[test]
    fn one_result_a_bank_and_cycle_in_order() {
        let mut buffer = with(&[3, 3, 5]);
        let first = buffer.grant(0, |_, ()| {});
        assert_eq!((first.queued, first.granted), (0b10_1000, 0b10_1000));
        assert_eq!(buffer.len(), 1);
        let second = buffer.grant(0, |_, ()| {});
        assert_eq!((second.queued, second.granted), (0b1000, 0b1000));
        assert!(buffer.is_empty());
    }

    #[test]
    fn an_occupied_bank_holds_back_only_its_own_results() {
        let mut buffer = with(&[3, 5, 3]);
        let grants = buffer.grant(1 << 3, |_, ()| {});
        assert_eq!((grants.queued, grants.granted), (0b10_1000, 0b10_0000));
        assert_eq!(buffer.len(), 2);
    }
}
