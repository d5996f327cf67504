//! What waits at a bank: read requests and buffered results.

use super::mapping::Place;
use crate::front::SourceRef;

/// Read requests that a bank holds.
pub const QUEUE_DEPTH: usize = 4;
/// Results that a bank's write buffer holds.
pub const BUFFER_ENTRIES: usize = 2;

/// A read request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Read {
    /// Where the register lies.
    pub place: Place,
    /// Who asked for it.
    pub target: SourceRef,
}

/// A buffered result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Write {
    /// Where the register lies.
    pub place: Place,
    /// Lanes written.
    pub mask: u32,
}

/// A first-in, first-out queue of at most `N` items.
#[derive(Debug, Clone, Copy)]
pub struct Fifo<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy + Default, const N: usize> Default for Fifo<T, N> {
    fn default() -> Self {
        Self { items: [T::default(); N], len: 0 }
    }
}

impl<T: Copy, const N: usize> Fifo<T, N> {
    /// Whether it takes no more.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len == N
    }

    /// The items, oldest first.
    #[inline]
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items[..self.len]
    }

    /// Drops the oldest item.
    #[inline]
    pub fn pop(&mut self) {
        self.items.copy_within(1..self.len, 0);
        self.len -= 1;
    }

    /// Adds an item; the caller keeps to `N`.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }
}

/// Whether the buffered results of `place` cover all lanes, so that a read needs no access.
#[inline]
#[must_use]
pub fn covered(writes: &[Write], place: Place) -> bool {
    writes.iter().filter(|w| w.place == place).fold(0, |lanes, w| lanes | w.mask) == u32::MAX
}
