//! What a cache may hold.

use heddle_config::SetIndex;
use rustc_hash::FxHashMap;

use crate::sectors::Sectors;
use crate::tags::{Evicted, Found};

/// The lines that were put into a cache and have not left it, with their sectors.
///
/// A look-up finds exactly what was put in; a line leaves once, only to make room in its set, and not while it is on its way to
/// its place; a set has no more lines than ways.
#[derive(Debug, Clone)]
pub struct Lines {
    held: FxHashMap<u32, (Sectors, Sectors)>,
    /// Fetches under way for which a line has taken its place.
    coming: FxHashMap<u32, u16>,
    index: SetIndex,
    in_set: Vec<u16>,
    ways: usize,
    broken: Option<String>,
}

impl Lines {
    /// An empty cache of `sets` sets of `ways` ways.
    pub fn new(index: SetIndex, sets: u32, ways: usize) -> Self {
        let (held, coming) = (FxHashMap::default(), FxHashMap::default());
        Self { held, coming, index, in_set: vec![0; sets as usize], ways, broken: None }
    }

    fn set_of(&self, line: u32) -> usize {
        self.index.of(line, self.in_set.len() as u32) as usize
    }

    /// The first event that broke a rule.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    #[cold]
    fn breaks(&mut self, what: String) {
        self.broken.get_or_insert(what);
    }

    /// A look-up of `sectors` of `line` found `found`.
    pub fn looked_up(&mut self, line: u32, sectors: Sectors, found: Found) {
        let expected = match self.held.get(&line) {
            None => Found::Absent,
            Some((held, _)) if held.contain(sectors) && !held.is_empty() => Found::Hit,
            Some((held, _)) => Found::Lacks(sectors.without(*held)),
        };
        if found != expected {
            let held = self.held.get(&line).map_or(Sectors::NONE, |(held, _)| *held);
            self.breaks(format!(
                "a look-up of {sectors:?} of line {line:#x} finds {found:?}; filled and not evicted are {held:?}, so it \
                 must find {expected:?}"
            ));
        }
    }

    /// `sectors` of `line` were put in, of which `dirty` were written, and `evicted` left.
    pub fn filled(&mut self, line: u32, sectors: Sectors, dirty: Sectors, evicted: Option<Evicted>) {
        let set = self.set_of(line);
        if let Some(Evicted { line: victim, dirty: lost }) = evicted {
            let of_set = self.set_of(victim) == set;
            if self.coming.contains_key(&victim) {
                self.breaks(format!("line {victim:#x} leaves for {line:#x} while it is on its way"));
            }
            match self.held.remove(&victim) {
                Some((_, written)) if of_set && victim != line && written == lost => self.in_set[set] -= 1,
                found => self.breaks(format!(
                    "line {victim:#x} leaves with {lost:?} written to make room for {line:#x}; held of it was {found:?}"
                )),
            }
        }
        let before = self.held.get(&line).copied();
        let (held, written) = before.unwrap_or((Sectors::NONE, Sectors::NONE));
        self.held.insert(line, (held.with(sectors), written.with(dirty)));
        self.in_set[set] += u16::from(before.is_none());
        if usize::from(self.in_set[set]) > self.ways {
            self.breaks(format!("line {line:#x} is one more than the {} ways of set {set}", self.ways));
        }
    }

    /// `line` took its place for a fetch, and `evicted` left.
    pub fn reserved(&mut self, line: u32, evicted: Option<Evicted>) {
        self.filled(line, Sectors::NONE, Sectors::NONE, evicted);
        *self.coming.entry(line).or_default() += 1;
    }

    /// `sectors` of `line` came to its place.
    pub fn arrived(&mut self, line: u32, sectors: Sectors) {
        match self.coming.remove(&line) {
            None => self.breaks(format!("line {line:#x} comes, which has no place")),
            Some(1) => {}
            Some(fetches) => {
                self.coming.insert(line, fetches - 1);
            }
        }
        self.filled(line, sectors, Sectors::NONE, None);
        if !self.coming.contains_key(&line) && self.held.get(&line).is_some_and(|(held, _)| held.is_empty()) {
            self.held.remove(&line);
            let set = self.set_of(line);
            self.in_set[set] -= 1;
        }
    }

    /// What is there of `line` was dropped, if it `was` there; on its way it keeps its place.
    pub fn dropped(&mut self, line: u32, was: bool) {
        let held = if self.coming.contains_key(&line) {
            self.held.insert(line, (Sectors::NONE, Sectors::NONE)).is_some()
        } else {
            self.held.remove(&line).is_some_and(|_| {
                let set = self.set_of(line);
                self.in_set[set] -= 1;
                true
            })
        };
        if held != was {
            self.breaks(format!("line {line:#x} is dropped as there: {was}; it was there: {held}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Evicted, Found, Lines, Sectors, SetIndex};

    const ALL: Sectors = Sectors::ALL;
    const NONE: Sectors = Sectors::NONE;

    fn first() -> Sectors {
        Sectors::of_bytes(&[1, 0, 0, 0], 32)
    }

    /// What is broken, and by which events.
    type Case<'a> = (&'a str, &'a dyn Fn(&mut Lines));

    /// What `events` break, on a cache of one set of two ways.
    fn broken(events: impl Fn(&mut Lines)) -> Option<String> {
        let mut lines = Lines::new(SetIndex::Linear, 1, 2);
        events(&mut lines);
        lines.broken().map(str::to_owned)
    }

    #[test]
    fn what_a_cache_does_breaks_nothing() {
        let fine = broken(|lines| {
            lines.looked_up(5, ALL, Found::Absent);
            lines.filled(5, first(), NONE, None);
            lines.looked_up(5, ALL, Found::Lacks(ALL.without(first())));
            lines.filled(5, ALL, first(), None);
            lines.looked_up(5, ALL, Found::Hit);
            lines.filled(6, ALL, NONE, None);
            lines.filled(7, ALL, NONE, Some(Evicted { line: 5, dirty: first() }));
            lines.dropped(5, false);
            lines.dropped(6, true);
            lines.filled(5, ALL, NONE, None);
            lines.reserved(8, Some(Evicted { line: 5, dirty: NONE }));
            lines.dropped(8, true);
            lines.looked_up(8, ALL, Found::Lacks(ALL));
            lines.arrived(8, ALL);
            lines.looked_up(8, ALL, Found::Hit);
            lines.filled(9, ALL, NONE, Some(Evicted { line: 8, dirty: NONE }));
        });
        assert_eq!(fine, None);
    }

    #[test]
    fn each_rule_is_seen_to_break() {
        let evict = |line, dirty| Some(Evicted { line, dirty });
        let cases: [Case<'_>; 10] = [
            ("finds Hit", &|l| l.looked_up(5, first(), Found::Hit)),
            ("must find Lacks", &|l| {
                l.filled(5, first(), NONE, None);
                l.looked_up(5, ALL, Found::Hit);
            }),
            ("must find Absent", &|l| {
                l.filled(5, ALL, NONE, None);
                l.filled(6, ALL, NONE, None);
                l.filled(7, ALL, NONE, evict(5, NONE));
                l.looked_up(5, ALL, Found::Hit);
            }),
            ("must find Hit", &|l| {
                l.filled(5, ALL, NONE, None);
                l.looked_up(5, first(), Found::Absent);
            }),
            ("one more than the 2 ways", &|l| (0..3).for_each(|line| l.filled(line, ALL, NONE, None))),
            ("held of it was None", &|l| l.filled(5, ALL, NONE, evict(9, NONE))),
            ("leaves with", &|l| {
                l.filled(5, ALL, first(), None);
                l.filled(6, ALL, NONE, evict(5, NONE));
            }),
            ("is dropped as there: true", &|l| l.dropped(5, true)),
            ("while it is on its way", &|l| {
                l.reserved(5, None);
                l.filled(6, ALL, NONE, evict(5, NONE));
            }),
            ("comes, which has no place", &|l| {
                l.reserved(5, None);
                (0..2).for_each(|_| l.arrived(5, ALL));
            }),
        ];
        for (what, events) in cases {
            let found = broken(events).unwrap_or_else(|| panic!("nothing breaks: {what}"));
            assert!(found.contains(what), "{what}: {found}");
        }
    }
}
