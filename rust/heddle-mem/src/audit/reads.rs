//! Reads under way.

use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Reads by a key: each is answered once, with what it asked for, and not sooner than its way takes.
#[derive(Debug, Clone)]
pub struct Reads<K, V> {
    name: &'static str,
    /// What each read asked for, and the cycle before which its answer cannot be there.
    under_way: FxHashMap<K, (V, u64)>,
    broken: Option<String>,
}

impl<K: Debug + Copy + Eq + Hash, V: Debug + Copy + Eq> Reads<K, V> {
    /// None is under way; `name` says which reads, in messages.
    pub fn new(name: &'static str) -> Self {
        Self { name, under_way: FxHashMap::default(), broken: None }
    }

    /// The first event that broke a rule.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    #[cold]
    fn breaks(&mut self, what: String) {
        let name = self.name;
        self.broken.get_or_insert_with(|| format!("{name}: {what}"));
    }

    /// A read begins whose answer cannot be there before cycle `soonest`.
    pub fn begins(&mut self, key: K, wants: V, soonest: u64) {
        if let Some((before, _)) = self.under_way.insert(key, (wants, soonest)) {
            self.breaks(format!("{key:?} begins for {wants:?} while it is under way for {before:?}"));
        }
    }

    /// An answer is there.
    pub fn ends(&mut self, key: K, gives: V, cycle: u64) {
        match self.under_way.remove(&key) {
            None => self.breaks(format!("{key:?} is answered with {gives:?}, and no such read is under way")),
            Some((wants, _)) if wants != gives => {
                self.breaks(format!("{key:?} asked for {wants:?} and is answered with {gives:?}"));
            }
            Some((_, soonest)) if cycle < soonest => self.breaks(format!(
                "{key:?} is answered in cycle {cycle}, and its way takes until cycle {soonest} at least"
            )),
            Some(_) => {}
        }
    }

    /// The model says that nothing is under way.
    pub fn at_rest(&mut self) {
        if let Some((key, (wants, _))) = self.under_way.iter().next() {
            let what =
                format!("{key:?} asked for {wants:?} and was never answered, and nothing is under way");
            self.breaks(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reads;

    /// What is broken, and by which events.
    type Case<'a> = (&'a str, &'a dyn Fn(&mut Reads<u8, u32>));

    fn broken(events: impl Fn(&mut Reads<u8, u32>)) -> Option<String> {
        let mut reads = Reads::new("reads");
        events(&mut reads);
        reads.broken().map(str::to_owned)
    }

    #[test]
    fn each_rule_is_seen_to_break() {
        let fine = broken(|r| {
            for key in [1, 2] {
                r.begins(key, 7, 50);
            }
            r.ends(2, 7, 50);
            r.ends(1, 7, 60);
            r.begins(1, 9, 0);
            r.ends(1, 9, 61);
            r.at_rest();
        });
        assert_eq!(fine, None);
        let cases: [Case<'_>; 5] = [
            ("while it is under way for 7", &|r| (7..9).for_each(|wants| r.begins(1, wants, 0))),
            ("no such read is under way", &|r| r.ends(1, 7, 3)),
            ("asked for 7 and is answered with 8", &|r| {
                r.begins(1, 7, 0);
                r.ends(1, 8, 5);
            }),
            ("in cycle 49, and its way takes until cycle 50", &|r| {
                r.begins(1, 7, 50);
                r.ends(1, 7, 49);
            }),
            ("was never answered", &|r| {
                r.begins(1, 7, 0);
                r.at_rest();
            }),
        ];
        for (what, events) in cases {
            let found = broken(events).unwrap_or_else(|| panic!("nothing breaks: {what}"));
            assert!(found.contains(what) && found.starts_with("reads: "), "{what}: {found}");
        }
    }
}
