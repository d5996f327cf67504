//! What was not reached.

use std::collections::{BTreeMap, BTreeSet};

use crate::point::{Counts, Kind};

/// A place that was not reached, or a signal of which some edges were not seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Kind.
    pub kind: Kind,
    /// Source, from the root of the repository.
    pub file: String,
    /// Line in it.
    pub line: u32,
    /// Module and signal or label; of a branch its side.
    pub what: String,
    /// The line as it stands in the source, without the blanks around it.
    pub text: String,
    /// Points that were not reached: edges of all bits of a signal, else 1.
    pub missing: usize,
    /// Points in all.
    pub of: usize,
    /// Why it stays a hole, where a rule says so.
    pub reason: Option<String>,
}

/// Reads a source by its path from the root of the repository; its lines.
pub type Source<'a> = &'a mut dyn FnMut(&str) -> Vec<String>;

/// Lines of the sources that are executed as a whole, and whether a run executed them.
pub(crate) fn lines(counts: &Counts) -> BTreeMap<(&str, u32), bool> {
    let mut lines = BTreeMap::new();
    for (point, count) in counts.iter().filter(|(p, _)| matches!(p.kind, Kind::Line | Kind::Branch)) {
        for &line in &point.lines {
            *lines.entry((point.file.as_str(), line)).or_default() |= count > 0;
        }
    }
    lines
}

/// All holes of `counts`, by kind and place.
#[must_use]
pub fn holes(counts: &Counts, source: Source) -> Vec<Hole> {
    // By kind, file, line and name: points that were not reached, and all.
    let mut places: BTreeMap<(Kind, &str, u32, String), (usize, usize)> = BTreeMap::new();
    for ((file, line), reached) in lines(counts) {
        places.insert((Kind::Line, file, line, String::new()), (usize::from(!reached), 1));
    }
    for (point, count) in counts.iter().filter(|(point, _)| point.kind != Kind::Line) {
        let what = if point.kind == Kind::Branch { point.what.clone() } else { point.signal() };
        let (missing, of) = places.entry((point.kind, &point.file, point.line, what)).or_default();
        *missing += usize::from(count == 0);
        *of += 1;
    }
    places.retain(|_, (missing, _)| *missing > 0);
    let files: BTreeSet<&str> = places.keys().map(|(_, file, ..)| *file).collect();
    let texts: BTreeMap<&str, Vec<String>> = files.into_iter().map(|file| (file, source(file))).collect();
    let hole = |((kind, file, line, what), (missing, of)): ((Kind, &str, u32, String), (usize, usize))| {
        let place = usize::try_from(line).unwrap_or_default().wrapping_sub(1);
        let text = texts.get(file).and_then(|lines| lines.get(place)).map_or("", |text| text.trim());
        Hole { kind, file: file.to_owned(), line, what, text: text.to_owned(), missing, of, reason: None }
    };
    places.into_iter().map(hole).collect()
}
