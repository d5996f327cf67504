//! Miss-status holding registers, found by a hash of the line.

use crate::sectors::Sectors;

/// Sectors of a line.
const SECTORS: usize = 4;
/// No register.
const NONE: u16 = u16::MAX;

/// What a read of a line is to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Others join it, and its line is kept.
    Shared,
    /// It was shared until the line was dropped on its way.
    Closed,
    /// It goes past the cache.
    Alone,
}

/// What becomes of the line that an answer brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// These sectors of the line are kept.
    Kept(u32, Sectors),
    /// The line was dropped on its way.
    Dropped(u32),
    /// It went past the cache.
    Past,
}

#[derive(Debug, Clone)]
struct Entry<W> {
    valid: bool,
    role: Role,
    line: u32,
    sectors: Sectors,
    /// By 32-byte sector: requests that wait for it.
    wait_for: [u16; SECTORS],
    /// The next register of the line's chain.
    next: u16,
    waiting: Vec<W>,
}

impl<W> Entry<W> {
    /// One more waits for `sectors`, if each of them has room for one.
    fn joins(&mut self, sectors: Sectors, merges: u16) -> bool {
        let wanted = (0..SECTORS).filter(|&sector| sectors.has(sector));
        if wanted.clone().any(|sector| self.wait_for[sector] >= merges) {
            return false;
        }
        wanted.for_each(|sector| self.wait_for[sector] += 1);
        true
    }

    /// Reads of `sectors` of `line` may join it.
    fn brings(&self, line: u32, sectors: Sectors) -> bool {
        self.role == Role::Shared && self.line == line && self.sectors.contain(sectors)
    }
}

/// What became of a request to allocate or merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// New entry with this number: fetch the line.
    New(u16),
    /// The line is on its way already.
    Merged,
    /// No entry, or no room for a sector in the line's entry.
    Full,
}

/// The MSHRs of a cache with what waits for their lines; the number of an entry is the id of its lower request.
#[derive(Debug, Clone)]
pub struct Mshrs<W> {
    entries: Vec<Entry<W>>,
    /// Requests that can wait for each sector.
    merges: u16,
    free: Vec<u16>,
    /// First register of each chain; a power of two.
    chains: Vec<u16>,
}

impl<W> Mshrs<W> {
    /// `entries` (1 to `most`) registers that take `merges` requests for each sector.
    pub fn new(entries: u32, most: u32, merges: u32) -> Self {
        let merges = merges.clamp(1, u32::from(u16::MAX)) as u16;
        let entries = entries.clamp(1, most.clamp(1, u32::from(NONE)));
        let empty = || Entry {
            valid: false,
            role: Role::Alone,
            line: 0,
            sectors: Sectors::NONE,
            wait_for: [0; SECTORS],
            next: NONE,
            waiting: Vec::with_capacity(usize::from(merges)),
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

    /// Whether an entry that others may join brings `sectors` of `line`.
    pub fn has(&self, line: u32, sectors: Sectors) -> bool {
        let mut at = self.chains[self.chain(line)];
        while at != NONE {
            let entry = &self.entries[usize::from(at)];
            if entry.brings(line, sectors) {
                return true;
            }
            at = entry.next;
        }
        false
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
            if entry.brings(line, sectors) {
                if !entry.joins(sectors, self.merges) {
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
        let role = if mergeable { Role::Shared } else { Role::Alone };
        (entry.valid, entry.role, entry.line, entry.sectors) = (true, role, line, sectors);
        entry.wait_for = std::array::from_fn(|sector| u16::from(sectors.has(sector)));
        entry.next = std::mem::replace(&mut self.chains[chain], id);
        entry.waiting.push(waiting(false));
        Allocation::New(id)
    }

    /// How many requests wait for entry `id`.
    pub fn waiting(&self, id: u16) -> usize {
        self.entries.get(usize::from(id)).map_or(0, |e| e.waiting.len())
    }

    /// Whether a read that others can join brings something of `line`.
    pub fn brings(&self, line: u32) -> bool {
        let mut at = self.chains[self.chain(line)];
        while let Some(entry) = self.entries.get(usize::from(at)) {
            if entry.role == Role::Shared && entry.line == line {
                return true;
            }
            at = entry.next;
        }
        false
    }

    /// What is to come of `line` is not kept, and nobody joins it any more.
    pub fn close(&mut self, line: u32) {
        let mut at = self.chains[self.chain(line)];
        while let Some(entry) = self.entries.get_mut(usize::from(at)) {
            if entry.role == Role::Shared && entry.line == line {
                entry.role = Role::Closed;
            }
            at = entry.next;
        }
    }

    /// The same of all lines that `which` names.
    pub fn close_all(&mut self, which: impl Fn(u32) -> bool) {
        for entry in self.entries.iter_mut().filter(|e| e.valid && e.role == Role::Shared) {
            if which(entry.line) {
                entry.role = Role::Closed;
            }
        }
    }

    /// The answer for entry `id` came: hands its requests to `each` in order of arrival and says what becomes of the line.
    /// None of an entry that awaits no answer.
    pub fn finish(&mut self, id: u16, each: impl FnMut(W)) -> Option<Answered> {
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
        Some(match entry.role {
            Role::Shared => Answered::Kept(line, entry.sectors),
            Role::Closed => Answered::Dropped(line),
            Role::Alone => Answered::Past,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Allocation, Answered, Mshrs, Sectors};

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
        assert_eq!(mshrs.finish(0, |r| seen.push(r)), Some(Answered::Kept(5, ALL)));
        assert_eq!(seen, [(1, false), (2, true), (3, true)]);
        assert!(!mshrs.is_empty());
        assert_eq!(ask(&mut mshrs, 7, ALL, 6), Allocation::New(0));
    }

    #[test]
    fn each_sector_of_a_line_has_room_of_its_own() {
        let mut mshrs = Mshrs::new(2, 256, 2);
        let of = |sectors: [u32; 4]| Sectors::of_bytes(&sectors, 32);
        assert_eq!(ask(&mut mshrs, 5, ALL, 1), Allocation::New(0));
        assert_eq!(ask(&mut mshrs, 5, of([1, 0, 0, 0]), 2), Allocation::Merged);
        assert_eq!(ask(&mut mshrs, 5, of([1, 1, 0, 0]), 3), Allocation::Full, "two wait for the first");
        assert_eq!(ask(&mut mshrs, 5, of([0, 1, 1, 0]), 3), Allocation::Merged);
        assert_eq!(mshrs.waiting(0), 3);
    }

    #[test]
    fn bypassing_reads_share_nothing_and_keep_no_line() {
        let mut mshrs = Mshrs::new(4, 256, 3);
        assert_eq!(mshrs.allocate((5, ALL), false, |_| ()), Allocation::New(0));
        assert_eq!(mshrs.allocate((5, ALL), true, |_| ()), Allocation::New(1));
        assert!(mshrs.brings(5));
        assert_eq!(mshrs.finish(1, |()| {}), Some(Answered::Kept(5, ALL)));
        assert!(!mshrs.brings(5), "what goes past the cache brings it nothing");
        assert_eq!(mshrs.finish(0, |()| {}), Some(Answered::Past));
        assert_eq!(mshrs.finish(0, |()| {}), None);
    }

    #[test]
    fn nobody_joins_a_line_that_was_dropped_on_its_way() {
        let mut mshrs = Mshrs::new(4, 256, 3);
        assert_eq!(ask(&mut mshrs, 5, ALL, 1), Allocation::New(0));
        assert_eq!(ask(&mut mshrs, 6, ALL, 2), Allocation::New(1));
        mshrs.close(5);
        assert_eq!((mshrs.brings(5), mshrs.brings(6)), (false, true));
        assert_eq!(ask(&mut mshrs, 5, ALL, 3), Allocation::New(2));
        assert_eq!(ask(&mut mshrs, 6, ALL, 4), Allocation::Merged);
        let mut seen = Vec::new();
        assert_eq!(mshrs.finish(0, |r| seen.push(r)), Some(Answered::Dropped(5)));
        assert_eq!(seen, [(1, false)], "who waited is answered");
        assert_eq!(mshrs.finish(2, |_| {}), Some(Answered::Kept(5, ALL)));
        assert_eq!(ask(&mut mshrs, 5, ALL, 5), Allocation::New(2));
        mshrs.close_all(|line| line > 5);
        assert_eq!(mshrs.finish(1, |_| {}), Some(Answered::Dropped(6)));
        assert_eq!(mshrs.finish(2, |_| {}), Some(Answered::Kept(5, ALL)));
    }

    #[test]
    fn a_read_joins_only_what_brings_its_sectors() {
        let mut mshrs = Mshrs::new(4, 256, 3);
        let (first, last) = (Sectors::of_bytes(&[1, 0, 0, 0], 32), Sectors::of_bytes(&[0, 0, 0, 1], 32));
        assert_eq!(ask(&mut mshrs, 5, first, 1), Allocation::New(0));
        assert_eq!(ask(&mut mshrs, 5, last, 2), Allocation::New(1));
        assert_eq!(ask(&mut mshrs, 5, first, 3), Allocation::Merged);
        assert_eq!(mshrs.finish(1, |_| {}), Some(Answered::Kept(5, last)));
    }

    #[test]
    fn lines_of_one_chain_are_found_and_leave_in_any_order() {
        let mut mshrs = Mshrs::new(16, 256, 4);
        let lines: Vec<u32> = (0..4096).filter(|line| mshrs.chain(*line) == 3).take(5).collect();
        for (id, line) in (0..).zip(&lines) {
            assert_eq!(ask(&mut mshrs, *line, ALL, 0), Allocation::New(id));
        }
        for (at, id) in [(2usize, 2u16), (0, 0), (4, 4)] {
            assert_eq!(mshrs.finish(id, |_| {}), Some(Answered::Kept(lines[at], ALL)));
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
