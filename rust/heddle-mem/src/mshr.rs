//! Miss-status holding registers.

use heddle_port::memory::MemResponse;

use crate::sectors::Sectors;

#[derive(Debug, Clone, Default)]
struct Entry {
    valid: bool,
    mergeable: bool,
    line: u32,
    sectors: Sectors,
    waiting: Vec<MemResponse>,
}

/// What became of a request to allocate or merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// New entry with this number: fetch the line.
    New(u8),
    /// The line is on its way already.
    Merged,
    /// No entry, or no room in the line's entry.
    Full,
}

/// The MSHRs of a cache; the number of an entry is the id of its lower request.
#[derive(Debug, Clone)]
pub struct Mshrs {
    entries: Vec<Entry>,
    merges: usize,
    used: usize,
}

impl Mshrs {
    /// `entries` (1 to 256) registers that take `merges` requests each.
    pub fn new(entries: u32, merges: u32) -> Self {
        let merges = merges.max(1) as usize;
        let empty = || Entry { waiting: Vec::with_capacity(merges), ..Entry::default() };
        Self { entries: (0..entries.clamp(1, 256)).map(|_| empty()).collect(), merges, used: 0 }
    }

    /// Nothing is outstanding.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Finds a place for a read of `sectors` of `line`; a `mergeable` read joins an entry that brings them all.
    pub fn allocate(
        &mut self,
        (line, sectors): (u32, Sectors),
        mergeable: bool,
        mut response: MemResponse,
        outcome_new: u8,
        outcome_merged: u8,
    ) -> Allocation {
        if mergeable && self.used > 0 {
            let found = self
                .entries
                .iter_mut()
                .find(|e| e.valid && e.mergeable && e.line == line && e.sectors.contain(sectors));
            if let Some(entry) = found {
                if entry.waiting.len() == self.merges {
                    return Allocation::Full;
                }
                response.outcome = outcome_merged;
                entry.waiting.push(response);
                return Allocation::Merged;
            }
        }
        let Some(index) = self.entries.iter().position(|e| !e.valid) else {
            return Allocation::Full;
        };
        let entry = &mut self.entries[index];
        entry.valid = true;
        entry.mergeable = mergeable;
        entry.line = line;
        entry.sectors = sectors;
        response.outcome = outcome_new;
        entry.waiting.push(response);
        self.used += 1;
        #[allow(clippy::cast_possible_truncation)]
        Allocation::New(index as u8)
    }

    /// The answer for entry `id` came: hands its requests to `each` in order of arrival and returns
    /// the line number and the sectors if they are to be kept.
    pub fn finish(&mut self, id: u8, mut each: impl FnMut(MemResponse)) -> Option<(u32, Sectors)> {
        let entry = self.entries.get_mut(usize::from(id)).filter(|e| e.valid)?;
        entry.valid = false;
        self.used -= 1;
        entry.waiting.drain(..).for_each(&mut each);
        entry.mergeable.then_some((entry.line, entry.sectors))
    }
}

#[cfg(test)]
mod tests {
    use super::{Allocation, Mshrs, Sectors};
    use heddle_port::memory::MemResponse;

    const ALL: Sectors = Sectors::ALL;

    fn response(tag: u16) -> MemResponse {
        MemResponse { valid: true, tag, mask: 1, ..MemResponse::default() }
    }

    #[test]
    fn requests_of_one_line_merge_until_the_entry_is_full() {
        let mut mshrs = Mshrs::new(2, 3);
        assert_eq!(mshrs.allocate((5, ALL), true, response(1), 1, 2), Allocation::New(0));
        assert_eq!(mshrs.allocate((5, ALL), true, response(2), 1, 2), Allocation::Merged);
        assert_eq!(mshrs.allocate((5, ALL), true, response(3), 1, 2), Allocation::Merged);
        assert_eq!(mshrs.allocate((5, ALL), true, response(4), 1, 2), Allocation::Full);
        assert_eq!(mshrs.allocate((6, ALL), true, response(5), 1, 2), Allocation::New(1));
        assert_eq!(mshrs.allocate((7, ALL), true, response(6), 1, 2), Allocation::Full);
        let mut seen = Vec::new();
        assert_eq!(mshrs.finish(0, |r| seen.push((r.tag, r.outcome))), Some((5, ALL)));
        assert_eq!(seen, [(1, 1), (2, 2), (3, 2)]);
        assert!(!mshrs.is_empty());
        assert_eq!(mshrs.allocate((7, ALL), true, response(6), 1, 2), Allocation::New(0));
    }

    #[test]
    fn bypassing_reads_share_nothing_and_keep_no_line() {
        let mut mshrs = Mshrs::new(4, 3);
        assert_eq!(mshrs.allocate((5, ALL), false, response(1), 3, 3), Allocation::New(0));
        assert_eq!(mshrs.allocate((5, ALL), true, response(2), 1, 2), Allocation::New(1));
        assert_eq!(mshrs.finish(0, |_| {}), None);
        assert_eq!(mshrs.finish(0, |_| {}), None);
    }

    #[test]
    fn a_read_joins_only_what_brings_its_sectors() {
        let mut mshrs = Mshrs::new(4, 3);
        let (first, last) = (Sectors::of_bytes(&[1, 0, 0, 0], 32), Sectors::of_bytes(&[0, 0, 0, 1], 32));
        assert_eq!(mshrs.allocate((5, first), true, response(1), 1, 2), Allocation::New(0));
        assert_eq!(mshrs.allocate((5, last), true, response(2), 1, 2), Allocation::New(1));
        assert_eq!(mshrs.allocate((5, first), true, response(3), 1, 2), Allocation::Merged);
        assert_eq!(mshrs.finish(1, |_| {}), Some((5, last)));
    }
}
