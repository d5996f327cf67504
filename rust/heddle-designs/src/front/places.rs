//! A bounded row of entries.

use std::ops::Deref;

use heddle_port::MAX_PORT_WIDTH;

/// Entries that there are at most, two a port.
const MOST: usize = 2 * MAX_PORT_WIDTH;

/// Entries, oldest first, of which there are at most as many as there are places.
#[derive(Debug, Clone)]
pub struct Places<T> {
    places: usize,
    entries: [T; MOST],
    len: usize,
}

impl<T: Copy + Default> Places<T> {
    /// No entries, and `places` places, at most two for each of the port's slots.
    #[must_use]
    pub fn new(places: usize) -> Self {
        Self { places, entries: [T::default(); MOST], len: 0 }
    }

    /// Places that are free.
    #[inline]
    #[must_use]
    pub fn free(&self) -> usize {
        self.places - self.len
    }

    /// An entry comes in behind the others; the caller keeps to the number of places.
    #[inline]
    pub fn push(&mut self, entry: T) {
        self.entries[self.len] = entry;
        self.len += 1;
    }

    /// Entries for which `stays` says no leave; it is asked from the oldest on.
    #[inline]
    pub fn retain(&mut self, mut stays: impl FnMut(T) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let entry = self.entries[i];
            if stays(entry) {
                self.entries[kept] = entry;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The oldest entry leaves, if there is one.
    #[inline]
    pub fn pop(&mut self) {
        self.entries.copy_within(1.., 0);
        self.len = self.len.saturating_sub(1);
    }
}

impl<T: Copy + Default> Default for Places<T> {
    fn default() -> Self {
        Self::new(0)
    }
}

impl<T> Deref for Places<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.entries[..self.len]
    }
}
