//! A set-associative tag array with LRU replacement; each line is there sector by sector.

use heddle_config::SetIndex;

use crate::audit::Lines;
use crate::sectors::Sectors;

/// A line that a fill pushed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evicted {
    /// Line number (byte address / 128).
    pub line: u32,
    /// Sectors written since their fill.
    pub dirty: Sectors,
}

/// What a look-up finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The line with all sectors asked for.
    Hit,
    /// The line, without these sectors.
    Lacks(Sectors),
    /// No such line.
    Absent,
}

#[derive(Debug, Clone, Copy, Default)]
struct Way {
    line: u32,
    valid: bool,
    sectors: Sectors,
    dirty: Sectors,
    used: u64,
    /// Fetches under way for which the place was taken.
    coming: u16,
}

/// Tags of a cache. The number of sets need not be a power of two (a share of a larger cache). A line may take its place before
/// it comes; until then the place is not given to another.
#[derive(Debug, Clone)]
pub struct TagArray {
    index: SetIndex,
    sets: u32,
    ways: usize,
    entries: Vec<Way>,
    clock: u64,
    valid: u32,
    audit: Lines,
}

impl TagArray {
    /// Tags of `sets` sets (at least 1) of `ways` ways (at least 1); the set of a line is its number modulo the sets.
    #[must_use]
    pub fn new(sets: u32, ways: u32) -> Self {
        Self::with_index(SetIndex::Linear, sets, ways)
    }

    /// The same with another choice of the set.
    #[must_use]
    pub fn with_index(index: SetIndex, sets: u32, ways: u32) -> Self {
        let (sets, ways) = (sets.max(1), ways.max(1) as usize);
        let entries = vec![Way::default(); sets as usize * ways];
        Self { index, sets, ways, entries, clock: 0, valid: 0, audit: Lines::new(index, sets, ways) }
    }

    /// Lines held, and those whose place is taken.
    #[must_use]
    pub fn valid(&self) -> u32 {
        self.valid
    }

    /// What the auditor found wrong.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.audit.broken()
    }

    fn range(&self, line: u32) -> std::ops::Range<usize> {
        let first = self.index.of(line, self.sets) as usize * self.ways;
        first..first + self.ways
    }

    /// Whether `sectors` of `line` are there, of none whether anything is, and not only its place; makes the line the most
    /// recently used.
    pub fn access(&mut self, line: u32, sectors: Sectors) -> Found {
        let found = self.look_up(line, sectors);
        self.audit.looked_up(line, sectors, found);
        found
    }

    fn look_up(&mut self, line: u32, sectors: Sectors) -> Found {
        self.clock += 1;
        let (clock, range) = (self.clock, self.range(line));
        for way in &mut self.entries[range] {
            if way.valid && way.line == line {
                way.used = clock;
                let missing = sectors.without(way.sectors);
                let hit = missing.is_empty() && !way.sectors.is_empty();
                return if hit { Found::Hit } else { Found::Lacks(missing) };
            }
        }
        Found::Absent
    }

    /// Puts `sectors` of `line` beside those that are there, or the line in place of the least recently used one of
    /// its set; `dirty` ones have been written.
    pub fn fill(&mut self, line: u32, sectors: Sectors, dirty: Sectors) -> Option<Evicted> {
        let evicted = self.put(line, sectors, dirty);
        self.audit.filled(line, sectors, dirty, evicted);
        evicted
    }

    fn put(&mut self, line: u32, sectors: Sectors, dirty: Sectors) -> Option<Evicted> {
        self.clock += 1;
        let (clock, range) = (self.clock, self.range(line));
        let ways = &mut self.entries[range];
        if let Some(way) = ways.iter_mut().find(|w| w.valid && w.line == line) {
            way.used = clock;
            way.sectors = way.sectors.with(sectors);
            way.dirty = way.dirty.with(dirty);
            return None;
        }
        let free = ways.iter_mut().filter(|w| w.coming == 0);
        let victim = free.min_by_key(|w| if w.valid { w.used } else { 0 })?;
        let evicted = victim.valid.then_some(Evicted { line: victim.line, dirty: victim.dirty });
        self.valid += u32::from(!victim.valid);
        *victim = Way { line, valid: true, sectors, dirty, used: clock, coming: 0 };
        evicted
    }

    /// Whether `line` is there or a place of its set can be given to it.
    #[must_use]
    pub fn has_room(&self, line: u32) -> bool {
        self.entries[self.range(line)].iter().any(|w| w.coming == 0 || (w.valid && w.line == line))
    }

    /// `line` takes its place, in which it stays until [`TagArray::arrive`], and asks for it once more if it has it already; only
    /// where it has room.
    pub fn reserve(&mut self, line: u32) -> Option<Evicted> {
        let evicted = self.put(line, Sectors::NONE, Sectors::NONE);
        let range = self.range(line);
        if let Some(way) = self.entries[range].iter_mut().find(|w| w.valid && w.line == line) {
            way.coming += 1;
        }
        self.audit.reserved(line, evicted);
        evicted
    }

    /// `sectors` of `line`, which has its place, come. Where it has none of any, the place is free.
    pub fn arrive(&mut self, line: u32, sectors: Sectors) {
        let range = self.range(line);
        if let Some(way) = self.entries[range].iter_mut().find(|w| w.valid && w.line == line) {
            way.sectors = way.sectors.with(sectors);
            way.coming = way.coming.saturating_sub(1);
            if way.coming == 0 && way.sectors.is_empty() {
                way.valid = false;
                self.valid -= 1;
            }
        }
        self.audit.arrived(line, sectors);
    }

    /// Drops what is there of `line`, whose place it keeps while it is on its way; returns whether the line had a place.
    pub fn invalidate(&mut self, line: u32) -> bool {
        let was = self.drop_line(line);
        self.audit.dropped(line, was);
        was
    }

    /// Drops what is there of all lines that `which` names, as [`TagArray::invalidate`]. Nothing of them may be dirty.
    pub fn invalidate_all(&mut self, which: impl Fn(u32) -> bool) {
        for at in 0..self.entries.len() {
            let Way { line, valid, .. } = self.entries[at];
            if valid && which(line) {
                self.invalidate(line);
            }
        }
    }

    fn drop_line(&mut self, line: u32) -> bool {
        let range = self.range(line);
        for way in &mut self.entries[range] {
            if way.valid && way.line == line {
                (way.sectors, way.dirty) = (Sectors::NONE, Sectors::NONE);
                if way.coming == 0 {
                    way.valid = false;
                    self.valid -= 1;
                }
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Evicted, Found, Sectors, TagArray};

    const CLEAN: Sectors = Sectors::NONE;
    const DIRTY: Sectors = Sectors::ALL;

    fn fill(tags: &mut TagArray, line: u32, dirty: Sectors) -> Option<Evicted> {
        tags.fill(line, Sectors::ALL, dirty)
    }

    fn hits(tags: &mut TagArray, line: u32) -> bool {
        tags.access(line, Sectors::ALL) == Found::Hit
    }

    #[test]
    fn the_least_recently_used_line_leaves() {
        let mut tags = TagArray::new(2, 2);
        assert_eq!(fill(&mut tags, 0, CLEAN), None);
        assert_eq!(fill(&mut tags, 2, DIRTY), None);
        assert_eq!(fill(&mut tags, 1, CLEAN), None);
        assert!(hits(&mut tags, 0));
        assert_eq!(fill(&mut tags, 4, CLEAN), Some(Evicted { line: 2, dirty: DIRTY }));
        assert!(hits(&mut tags, 0) && hits(&mut tags, 4) && hits(&mut tags, 1));
        assert!(!hits(&mut tags, 2));
    }

    #[test]
    fn an_invalidated_line_is_replaced_first() {
        let mut tags = TagArray::new(1, 2);
        fill(&mut tags, 7, CLEAN);
        fill(&mut tags, 8, DIRTY);
        assert_eq!(tags.valid(), 2);
        assert!(tags.invalidate(8));
        assert!(!tags.invalidate(8));
        assert_eq!(tags.valid(), 1);
        assert_eq!(fill(&mut tags, 9, CLEAN), None);
        assert_eq!(tags.valid(), 2);
        assert!(fill(&mut tags, 10, CLEAN).is_some());
        assert_eq!(tags.valid(), 2, "one for another");
        assert!(tags.invalidate(7) || tags.invalidate(9));
        fill(&mut tags, 7, CLEAN);
        assert!(hits(&mut tags, 7));
    }

    #[test]
    fn a_place_that_is_taken_stays_until_its_line_comes() {
        let mut tags = TagArray::new(1, 2);
        fill(&mut tags, 1, DIRTY);
        fill(&mut tags, 2, CLEAN);
        assert_eq!(tags.reserve(3), Some(Evicted { line: 1, dirty: DIRTY }), "with the miss");
        assert_eq!(tags.access(3, DIRTY), Found::Lacks(DIRTY), "not there before it comes");
        assert_eq!(tags.reserve(4).map(|e| e.line), Some(2));
        assert!(!tags.has_room(5) && tags.has_room(3) && tags.valid() == 2);
        assert_eq!(tags.reserve(3), None, "a second fetch of the same line");
        tags.arrive(3, Sectors::ALL);
        assert!(hits(&mut tags, 3) && !tags.has_room(5));
        tags.arrive(3, Sectors::ALL);
        assert!(tags.has_room(5) && tags.invalidate(4) && tags.valid() == 2, "it keeps its place");
        assert_eq!(tags.reserve(5).map(|e| e.line), Some(3));
        tags.arrive(4, Sectors::ALL);
        assert!(hits(&mut tags, 4) && tags.broken().is_none());
    }

    #[test]
    fn sets_need_not_be_a_power_of_two() {
        let mut tags = TagArray::new(3, 1);
        for line in 0..3 {
            assert_eq!(fill(&mut tags, line, CLEAN), None);
        }
        assert_eq!(fill(&mut tags, 5, CLEAN).map(|e| e.line), Some(2));
    }

    #[test]
    fn sectors_of_a_line_come_one_by_one_and_leave_together() {
        let mut tags = TagArray::new(1, 1);
        let (first, last) = (Sectors::of_bytes(&[1, 0, 0, 0], 32), Sectors::of_bytes(&[0, 0, 0, 1], 32));
        assert_eq!(tags.access(5, first), Found::Absent);
        assert_eq!(tags.fill(5, first, CLEAN), None);
        assert_eq!(tags.access(5, first), Found::Hit);
        assert_eq!(tags.access(5, first.with(last)), Found::Lacks(last));
        assert_eq!(tags.fill(5, last, last), None);
        assert_eq!(tags.access(5, first.with(last)), Found::Hit);
        assert_eq!(tags.valid(), 1);
        assert_eq!(tags.fill(6, first, CLEAN), Some(Evicted { line: 5, dirty: last }));
    }
}
