//! Mutants woven into the texts of a design's sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_manifest::Manifest;

use super::{MOST_MUTANTS, Mutant, PACKAGE};
use crate::error::RtlError;

/// The texts of the sources that mutants are in, and where in them the mutants are.
pub(super) struct Woven {
    texts: BTreeMap<PathBuf, String>,
    spans: Vec<Span>,
}

/// Where a mutant is in the text with all of them.
struct Span {
    /// Its place in the list.
    mutant: usize,
    /// Its file, from the root of the repository.
    file: PathBuf,
    /// Bytes of the text.
    from: usize,
    to: usize,
}

/// The mutants of one file, as they are woven in.
struct Weaver<'a> {
    text: &'a str,
    /// Place in the list and mutant, by start, the longer first.
    mutants: &'a [(usize, &'a Mutant)],
    woven: String,
    spans: Vec<Span>,
}

/// Weaves mutants, with their places in the list, into the sources that they are in.
pub(super) fn weave(
    root: &Path,
    manifest: &Manifest,
    mutants: &[(usize, &Mutant)],
) -> Result<Woven, RtlError> {
    let mut by_file: BTreeMap<PathBuf, Vec<(usize, &Mutant)>> = BTreeMap::new();
    for &(place, mutant) in mutants {
        if place >= MOST_MUTANTS {
            return Err(wrong(mutant, format!("it is number {place}, at most {MOST_MUTANTS} are possible")));
        }
        let file = root.join(&mutant.file);
        if !manifest.sources.contains(&file) {
            return Err(wrong(mutant, format!("the file is no source of design '{}'", manifest.name)));
        }
        by_file.entry(file).or_default().push((place, mutant));
    }
    let mut woven = Woven { texts: BTreeMap::new(), spans: Vec::new() };
    for (file, mut mutants) in by_file {
        let text =
            fs::read_to_string(&file).map_err(|source| RtlError::Read { path: file.clone(), source })?;
        mutants.sort_by_key(|(place, mutant)| (mutant.start, std::cmp::Reverse(mutant.end), *place));
        check(&text, &mutants)?;
        let mut weaver = Weaver { text: &text, mutants: &mutants, woven: String::new(), spans: Vec::new() };
        weaver.piece(0, text.len(), 0..mutants.len());
        woven.spans.extend(weaver.spans);
        woven.texts.insert(file, weaver.woven);
    }
    Ok(woven)
}

fn wrong(mutant: &Mutant, what: String) -> RtlError {
    RtlError::Mutant { file: mutant.file.clone(), start: mutant.start, what }
}

/// Whether each mutant is an expression of the text, and none begins in one and ends behind it.
fn check(text: &str, mutants: &[(usize, &Mutant)]) -> Result<(), RtlError> {
    let mut open: Vec<&Mutant> = Vec::new();
    for (_, mutant) in mutants {
        if mutant.start >= mutant.end || text.get(mutant.start..mutant.end).is_none() {
            return Err(wrong(mutant, format!("bytes {} to {} are not in it", mutant.start, mutant.end)));
        }
        open.retain(|other| other.end > mutant.start);
        if let Some(other) = open.iter().find(|other| other.end < mutant.end) {
            let what =
                format!("its expression overlaps with the one of bytes {} to {}", other.start, other.end);
            return Err(wrong(mutant, what));
        }
        open.push(mutant);
    }
    Ok(())
}

impl Weaver<'_> {
    /// Bytes `from` to `to` of the text, with those mutants, which lie in them, woven in.
    fn piece(&mut self, from: usize, to: usize, mutants: std::ops::Range<usize>) {
        let (all, text) = (self.mutants, self.text);
        let mut at = from;
        let mut next = mutants.start;
        while next < mutants.end {
            let (start, end) = (all[next].1.start, all[next].1.end);
            let same = all[next..mutants.end].iter().take_while(|(_, m)| m.start == start && m.end == end);
            let inner = next + same.count();
            let behind = inner + all[inner..mutants.end].iter().take_while(|(_, m)| m.start < end).count();
            self.woven.push_str(&text[at..start]);
            let (first, begin) = (self.spans.len(), self.woven.len());
            for (place, mutant) in &all[next..inner] {
                let original = on_one_line(&text[start..end]);
                let changed = on_one_line(&mutant.replacement);
                // What an operator carries out of its own width counts as a difference: the width that its
                // surroundings give it is at least its own.
                let differs = format!("(64'd0 + ({original})) !== (64'd0 + ({changed}))");
                let number = place + 1;
                self.woven.push_str(&format!(
                    "({PACKAGE}::heddle_mutant_pick(16'sd{number}, ({differs})) ? ({changed}) : "
                ));
                let span = Span { mutant: *place, file: mutant.file.clone(), from: begin, to: begin };
                self.spans.push(span);
            }
            self.woven.push('(');
            self.piece(start, end, inner..behind);
            self.woven.push_str(&")".repeat(1 + inner - next));
            for span in &mut self.spans[first..first + (inner - next)] {
                span.to = self.woven.len();
            }
            at = end;
            next = behind;
        }
        self.woven.push_str(&text[at..to]);
    }
}

/// Code without comments and line breaks, so that the lines behind it keep their numbers.
fn on_one_line(code: &str) -> String {
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    lines.collect::<Vec<_>>().join(" ")
}

impl Woven {
    /// The text of a source that has mutants.
    pub(super) fn text(&self, source: &Path) -> Option<String> {
        self.texts.get(source).cloned()
    }

    /// The mutants that the errors of `message` are about, with what is said: of those that an error's place lies in,
    /// the innermost; else all on its line.
    pub(super) fn refused(&self, message: &str) -> Vec<(usize, String)> {
        let mut refused: Vec<(usize, String)> = Vec::new();
        for (file, line, column, said) in message.lines().filter_map(error) {
            let Some((_, text)) = self.texts.iter().find(|(path, _)| path.ends_with(file)) else { continue };
            let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            let length = text[before..].find('\n').unwrap_or(text.len() - before);
            let on_line = |span: &&Span| {
                span.file == Path::new(file) && span.from < before + length && span.to > before
            };
            let at = before + column - 1;
            let around = self.spans.iter().filter(on_line).filter(|span| (span.from..span.to).contains(&at));
            let shortest = around.clone().map(|span| span.to - span.from).min();
            let innermost = around.filter(|span| Some(span.to - span.from) == shortest);
            let mut found: Vec<usize> = innermost.map(|span| span.mutant).collect();
            if found.is_empty() {
                found = self.spans.iter().filter(on_line).map(|span| span.mutant).collect();
            }
            refused.extend(found.into_iter().map(|mutant| (mutant, said.to_owned())));
        }
        refused.sort();
        refused.dedup_by_key(|(mutant, _)| *mutant);
        refused
    }
}

/// File, line, column and text of a line `%Error[-NAME]: file:line:column: text`; both count from 1.
fn error(line: &str) -> Option<(&str, usize, usize, &str)> {
    let (_, rest) = line.strip_prefix("%Error")?.split_once(": ")?;
    let mut parts = rest.splitn(4, ':');
    let file = parts.next()?;
    let line = parts.next()?.parse().ok().filter(|&line| line > 0)?;
    let column = parts.next()?.parse().ok().filter(|&column| column > 0)?;
    Some((file, line, column, parts.next()?.trim()))
}

#[cfg(test)]
mod tests;
