//! A set-associative tag array with LRU replacement.

/// A line that a fill pushed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evicted {
    /// Line number (byte address / 128).
    pub line: u32,
    /// It was written since its fill.
    pub dirty: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Way {
    line: u32,
    valid: bool,
    dirty: bool,
    used: u64,
}

/// Tags of a cache; the set of a line is its number modulo the number of sets, which need not be a
/// power of two (a share of a larger cache).
#[derive(Debug, Clone)]
pub struct TagArray {
    sets: u32,
    ways: usize,
    entries: Vec<Way>,
    clock: u64,
    valid: u32,
}

impl TagArray {
    /// Tags of `sets` sets (at least 1) of `ways` ways (at least 1).
    #[must_use]
    pub fn new(sets: u32, ways: u32) -> Self {
        let (sets, ways) = (sets.max(1), ways.max(1) as usize);
        Self { sets, ways, entries: vec![Way::default(); sets as usize * ways], clock: 0, valid: 0 }
    }

    /// Lines held.
    #[must_use]
    pub fn valid(&self) -> u32 {
        self.valid
    }

    fn range(&self, line: u32) -> std::ops::Range<usize> {
        let first = (line % self.sets) as usize * self.ways;
        first..first + self.ways
    }

    /// Whether `line` is there; makes it the most recently used and, with `write`, dirty.
    pub fn access(&mut self, line: u32, write: bool) -> bool {
        self.clock += 1;
        let (clock, range) = (self.clock, self.range(line));
        for way in &mut self.entries[range] {
            if way.valid && way.line == line {
                way.used = clock;
                way.dirty |= write;
                return true;
            }
        }
        false
    }

    /// Puts `line` in place of the least recently used one of its set. A line that is already there
    /// stays, and only gets dirty.
    pub fn fill(&mut self, line: u32, dirty: bool) -> Option<Evicted> {
        if self.access(line, dirty) {
            return None;
        }
        let (clock, range) = (self.clock, self.range(line));
        let victim = self.entries[range].iter_mut().min_by_key(|w| if w.valid { w.used } else { 0 })?;
        let evicted = victim.valid.then_some(Evicted { line: victim.line, dirty: victim.dirty });
        self.valid += u32::from(!victim.valid);
        *victim = Way { line, valid: true, dirty, used: clock };
        evicted
    }

    /// Drops `line`; returns whether it was there.
    pub fn invalidate(&mut self, line: u32) -> bool {
        let range = self.range(line);
        for way in &mut self.entries[range] {
            if way.valid && way.line == line {
                way.valid = false;
                self.valid -= 1;
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Evicted, TagArray};

    #[test]
    fn the_least_recently_used_line_leaves() {
        let mut tags = TagArray::new(2, 2);
        assert_eq!(tags.fill(0, false), None);
        assert_eq!(tags.fill(2, true), None);
        assert_eq!(tags.fill(1, false), None);
        assert!(tags.access(0, false));
        assert_eq!(tags.fill(4, false), Some(Evicted { line: 2, dirty: true }));
        assert!(tags.access(0, false) && tags.access(4, false) && tags.access(1, false));
        assert!(!tags.access(2, false));
    }

    #[test]
    fn an_invalidated_line_is_replaced_first() {
        let mut tags = TagArray::new(1, 2);
        tags.fill(7, false);
        tags.fill(8, true);
        assert_eq!(tags.valid(), 2);
        assert!(tags.invalidate(8));
        assert!(!tags.invalidate(8));
        assert_eq!(tags.valid(), 1);
        assert_eq!(tags.fill(9, false), None);
        assert_eq!(tags.valid(), 2);
        assert!(tags.fill(10, false).is_some());
        assert_eq!(tags.valid(), 2, "one for another");
        assert!(tags.invalidate(7) || tags.invalidate(9));
        tags.fill(7, false);
        assert!(tags.access(7, false));
    }

    #[test]
    fn sets_need_not_be_a_power_of_two() {
        let mut tags = TagArray::new(3, 1);
        for line in 0..3 {
            assert_eq!(tags.fill(line, false), None);
        }
        assert_eq!(tags.fill(5, false).map(|e| e.line), Some(2));
    }
}
