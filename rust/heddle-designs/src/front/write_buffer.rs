//! Accepted results on their way to the banks.

use std::ops::Deref;

use super::places::Places;
use crate::common::BankSet;

/// Places a result port has in the buffer.
pub const PLACES_PER_PORT: usize = 2;

/// The queued results, oldest first, each with its bank and what else the design wants to know of it.
///
/// Every cycle each free bank takes its oldest result, so results for one bank are written in the
/// order of their handshakes and never wait for those of another bank.
#[derive(Debug, Clone)]
pub struct WriteBuffer<T = ()> {
    results: Places<(u8, T)>,
}

/// What happens at the write buffer's side of the banks in one cycle, as sets of banks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteGrants {
    /// Banks that have a result queued, the granted ones included.
    pub queued: BankSet,
    /// Banks that take one.
    pub granted: BankSet,
}

impl<T: Copy + Default> WriteBuffer<T> {
    /// An empty buffer for `ports` result ports.
    #[must_use]
    pub fn new(ports: usize) -> Self {
        Self { results: Places::new(PLACES_PER_PORT * ports) }
    }

    /// Places that are free.
    #[inline]
    #[must_use]
    pub fn free(&self) -> usize {
        self.results.free()
    }

    /// Banks that have a result queued.
    #[inline]
    #[must_use]
    pub fn queued(&self) -> BankSet {
        self.iter().fold(0, |set, (bank, _)| set | 1 << bank)
    }

    /// The oldest result of each of the first `N` banks.
    #[inline]
    #[must_use]
    pub fn oldest<const N: usize>(&self) -> [Option<T>; N] {
        let mut oldest = [None; N];
        for &(bank, result) in self.iter().rev() {
            oldest[usize::from(bank)] = Some(result);
        }
        oldest
    }

    /// Hands each bank outside `occupied` its oldest result: calls `take` with the bank and the result.
    #[inline]
    pub fn grant(&mut self, occupied: BankSet, mut take: impl FnMut(usize, T)) -> WriteGrants {
        let mut grants = WriteGrants::default();
        self.results.retain(|(bank, result)| {
            let bit = 1 << bank;
            let first = (grants.queued | occupied) & bit == 0;
            grants.queued |= bit;
            if first {
                grants.granted |= bit;
                take(usize::from(bank), result);
            }
            !first
        });
        grants
    }

    /// Queues a result for `bank`; the caller keeps to the number of places.
    #[inline]
    pub fn push(&mut self, bank: usize, result: T) {
        self.results.push((bank as u8, result));
    }
}

/// The results with their banks, oldest first.
impl<T> Deref for WriteBuffer<T> {
    type Target = [(u8, T)];

    fn deref(&self) -> &[(u8, T)] {
        &self.results
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
