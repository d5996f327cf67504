//! Miss-status holding registers, found by a hash of the line.

use crate::sectors::Sectors;

/// No register.
const NONE: u16 = u16::MAX;

#[derive(Debug, Clone)]
struct Entry<W> {
    valid: bool,
    mergeable: bool,
    line: u32,
    sectors: Sectors,
    /// The next register of the line's chain.
    next: u16,
    waiting: Vec<W>,
}

/// What became of a request to allocate or merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// New entry with this number: fetch the line.
    New(u16),
    /// The line is on its way already.
    Merged,
    /// No entry, or no room in the line's entry.
    Full,
}

/// The MSHRs of a cache with what waits for their lines; the number of an entry is the id of its lower request.
#[derive(Debug, Clone)]
pub struct Mshrs<W> {
    entries: Vec<Entry<W>>,
    merges: usize,
    free: Vec<u16>,
    /// First register of each chain; a power of two.
    chains: Vec<u16>,
}

impl<W> Mshrs<W> {
    /// `entries` (1 to `most`) registers that take `merges` requests each.
    pub fn new(entries: u32, most: u32, merges: u32) -> Self {
        let merges = merges.max(1) as usize;
        let entries = entries.clamp(1, most.clamp(1, u32::from(NONE)));
        let empty = || Entry {
            valid: false,
            mergeable: false,
            line: 0,
            sectors: Sectors::NONE,
            next: NONE,
            waiting: Vec::with_capacity(merges),
        };
        Self {
            entries: (0..entries).map(|_| empty()).collect(),
            merges,
            free: (0..entries as u16).rev().collect(),
            chains: vec![NONE; entries.next_power_of_two() as usize],
        }
    }

    /// Nothing is outstanding.
    pub fn is_empty(&self) -> bool {
        self.free.len() == self.entries.len()
    }

    /// The chain of a line.
    fn chain(&self, line: u32) -> usize {
        // Multiplicative hashing: the upper half of the product depends on all bits of the line.
        let product = u64::from(line).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (product >> 32) as usize & (self.chains.len() - 1)
    }

    /// Finds a place for a read of `sectors` of `line`; a `mergeable` read joins an entry that brings them all. `waiting`
    /// makes what is kept for it, of a read that merges or not.
    pub fn allocate(
        &mut self,
        (line, sectors): (u32, Sectors),
        mergeable: bool,
        waiting: impl FnOnce(bool) -> W,
    ) -> Allocation {
        let chain = self.chain(line);
        let mut at = if mergeable { self.chains[chain] } else { NONE };
        while at != NONE {
            let entry = &mut self.entries[usize::from(at)];
            if entry.mergeable && entry.line == line && entry.sectors.contain(sectors) {
                if entry.waiting.len() == self.merges {
                    return Allocation::Full;
                }
                entry.waiting.push(waiting(true));
                return Allocation::Merged;
            }
            at = entry.next;
        }
        let Some(id) = self.free.pop() else {
            return Allocation::Full;
        };
        let entry = &mut self.entries[usize::from(id)];
        (entry.valid, entry.mergeable, entry.line, entry.sectors) = (true, mergeable, line, sectors);
        entry.next = std::mem::replace(&mut self.chains[chain], id);
        entry.waiting.push(waiting(false));
        Allocation::New(id)
    }

    /// How many requests wait for entry `id`.
    pub fn waiting(&self, id: u16) -> usize {
        self.entries.get(usize::from(id)).map_or(0, |e| e.waiting.len())
    }

    /// The answer for entry `id` came: hands its requests to `each` in order of arrival and returns
    /// the line number and the sectors if they are to be kept.
    pub fn finish(&mut self, id: u16, each: impl FnMut(W)) -> Option<(u32, Sectors)> {
        let entry = self.entries.get(usize::from(id)).filter(|e| e.valid)?;
        let (line, next) = (entry.line, entry.next);
        let chain = self.chain(line);
        let mut before = self.chains[chain];
        if before == id {
            self.chains[chain] = next;
        } else {
            while let Some(entry) = self.entries.get_mut(usize::from(before)) {
                before = entry.next;
                if before == id {
                    entry.next = next;
                }
            }
        }
        self.free.push(id);
        let entry = &mut self.entries[usize::from(id)];
        entry.valid = false;
        entry.waiting.drain(..).for_each(each);
        entry.mergeable.then_some((line, entry.sectors))
    }
}

#[cfg(test)]
mod tests {
    use super::{Allocation, Mshrs, Sectors};

    const ALL: Sectors = Sectors::ALL;

    fn ask(mshrs: &mut Mshrs<(u16, bool)>, line: u32, sectors: Sectors, tag: u16) -> Allocation {
        mshrs.allocate((line, sectors), true, |merged| (tag, merged))
    }

    #[test]
    fn requests_of_one_line_merge_until_the_entry_is_full() {
        let mut mshrs = Mshrs::new(2, 256, 3);
        assert_eq!(ask(&mut mshrs, 5, ALL, 1), Allocation::New(0));
        assert_eq!(ask(&mut mshrs, 5, ALL, 2), Allocation::Merged);
        assert_eq!(ask(&mut mshrs, 5, ALL, 3), Allocation::Merged);
        assert_eq!(ask(&mut mshrs, 5, ALL, 4), Allocation::Full);
        assert_eq!(ask(&mut mshrs, 6, ALL, 5), Allocation::New(1));
        assert_eq!(ask(&mut mshrs, 7, ALL, 6), Allocation::Full);
        let mut seen = Vec::new();
        assert_eq!(mshrs.waiting(0), 3);
        assert_eq!(mshrs.finish(0, |r| seen.push(r)), Some((5, ALL)));
        assert_eq!(seen, [(1, false), (2, true), (3, true)]);
        assert!(!mshrs.is_empty());
        assert_eq!(ask(&mut mshrs, 7, ALL, 6), Allocation::New(0));
    }

    #[test]
    fn bypassing_reads_share_nothing_and_keep_no_line() {
        let mut mshrs = Mshrs::new(4, 256, 3);
        assert_eq!(mshrs.allocate((5, ALL), false, |_| ()), Allocation::New(0));
        assert_eq!(mshrs.allocate((5, ALL), true, |_| ()), Allocation::New(1));
        assert_eq!(mshrs.finish(0, |()| {}), None);
        assert_eq!(mshrs.finish(0, |()| {}), None);
    }

    #[test]
    fn a_read_joins_only_what_brings_its_sectors() {
        let mut mshrs = Mshrs::new(4, 256, 3);
        let (first, last) = (Sectors::of_bytes(&[1, 0, 0, 0], 32), Sectors::of_bytes(&[0, 0, 0, 1], 32));
        assert_eq!(ask(&mut mshrs, 5, first, 1), Allocation::New(0));
        assert_eq!(ask(&mut mshrs, 5, last, 2), Allocation::New(1));
        assert_eq!(ask(&mut mshrs, 5, first, 3), Allocation::Merged);
        assert_eq!(mshrs.finish(1, |_| {}), Some((5, last)));
    }

    #[test]
    fn lines_of_one_chain_are_found_and_leave_in_any_order() {
        let mut mshrs = Mshrs::new(16, 256, 4);
        let lines: Vec<u32> = (0..4096).filter(|line| mshrs.chain(*line) == 3).take(5).collect();
        for (id, line) in (0..).zip(&lines) {
            assert_eq!(ask(&mut mshrs, *line, ALL, 0), Allocation::New(id));
        }
        for (at, id) in [(2usize, 2u16), (0, 0), (4, 4)] {
            assert_eq!(mshrs.finish(id, |_| {}), Some((lines[at], ALL)));
        }
        assert_eq!(ask(&mut mshrs, lines[1], ALL, 1), Allocation::Merged);
        assert_eq!(ask(&mut mshrs, lines[3], ALL, 1), Allocation::Merged);
        assert_eq!(ask(&mut mshrs, lines[0], ALL, 1), Allocation::New(4));
        for id in [1, 3, 4] {
            assert!(mshrs.finish(id, |_| {}).is_some());
        }
        assert!(mshrs.is_empty());
    }
}
