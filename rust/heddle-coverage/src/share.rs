//! How much of each module was reached.

use std::collections::BTreeMap;

use crate::hole;
use crate::point::{Counts, Kind};

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// What was reached.
    pub reached: usize,
    /// What there is.
    pub of: usize,
}

impl Share {
    fn add(&mut self, reached: bool) {
        self.reached += usize::from(reached);
        self.of += 1;
    }

    /// In percent; none of nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far fewer points than 2^52")]
    pub fn percent(self) -> Option<f64> {
        (self.of > 0).then(|| 100.0 * self.reached as f64 / self.of as f64)
    }
}

/// Shares by kind: lines of the source, sides of conditions, edges, `cover` statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shares([Share; Kind::ALL.len()]);

impl Shares {
    /// The share of a kind.
    #[must_use]
    pub fn of(&self, kind: Kind) -> Share {
        self.0[kind as usize]
    }

    fn add(&mut self, kind: Kind, reached: bool) {
        self.0[kind as usize].add(reached);
    }
}

/// Shares of each module by name, and of all together. The `cover` statements of a module stand in `<module>_covers`.
#[must_use]
pub fn shares(counts: &Counts) -> (BTreeMap<String, Shares>, Shares) {
    let mut modules: BTreeMap<String, Shares> = BTreeMap::new();
    let mut all = Shares::default();
    let mut add = |module: &str, kind, reached| {
        let module = module.strip_suffix("_covers").unwrap_or(module);
        modules.entry(module.to_owned()).or_default().add(kind, reached);
        all.add(kind, reached);
    };
    for ((file, _), reached) in hole::lines(counts) {
        add(crate::point::module(file), Kind::Line, reached);
    }
    for (point, count) in counts.iter().filter(|(point, _)| point.kind != Kind::Line) {
        add(point.module(), point.kind, count > 0);
    }
    (modules, all)
}
