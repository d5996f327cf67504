//! Reader of Verilator's coverage data.
//!
//! A line of text is `C '` KEYS `' ` COUNT, where each of KEYS is the character 1, a name, the character 2 and a value
//! (`verilated_cov_key.h` of Verilator names them): `f` file, `l` line, `n` column, `t` kind, `o` what it is, `S` lines
//! executed with it; others are not read.

use heddle_files::Input;

use crate::point::{Counts, Kind, Point};

/// A file of coverage data.
pub const INPUT: Input = Input { expected: "coverage data of Verilator", most: 1 << 30 };

/// First line of the data.
const HEAD: &str = "# SystemC::Coverage-3";

/// Most lines of one block.
const MOST_LINES: u32 = 100_000;

/// What is wrong with coverage data, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct DataError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub what: String,
}

/// The points of coverage data: of `cover` statements wherever they stand, else those of sources below `rtl/`.
///
/// # Errors
/// [`DataError`]: the text is no coverage data, or has no point of the RTL.
pub fn read(text: &str) -> Result<Counts, DataError> {
    let wrong = |line, what: &str| DataError { line, what: what.to_owned() };
    let mut lines = text.lines().zip(1..);
    if lines.next().map(|(head, _)| head) != Some(HEAD) {
        return Err(wrong(1, &format!("expected '{HEAD}'")));
    }
    let mut counts = Counts::default();
    let mut last = 1;
    for (text, line) in lines {
        let (point, count) = point(text).map_err(|what| DataError { line, what })?;
        if point.kind == Kind::Cover || point.file.starts_with("rtl/") {
            counts.add(point, count);
        }
        last = line;
    }
    if counts.is_empty() {
        return Err(wrong(last, "expected points of sources below rtl/, found none"));
    }
    Ok(counts)
}

fn point(text: &str) -> Result<(Point, u64), String> {
    let quoted = text.strip_prefix("C '").and_then(|rest| rest.rsplit_once("' "));
    let (keys, count) = quoted.ok_or("expected C 'KEYS' COUNT")?;
    let count = count.parse().map_err(|_| format!("count '{count}', expected a number"))?;
    let value = |name: &str| {
        let parts = keys.split('\u{1}').filter_map(|part| part.split_once('\u{2}'));
        parts.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    };
    let needed = |name: &str| value(name).ok_or_else(|| format!("expected key '{name}'"));
    let number = |name: &str| {
        let text = needed(name)?;
        text.parse::<u32>().map_err(|_| format!("key '{name}' is '{text}', expected a number"))
    };
    let kind = match needed("t")? {
        "line" => Kind::Line,
        "branch" => Kind::Branch,
        "toggle" => Kind::Toggle,
        "user" => Kind::Cover,
        other => return Err(format!("kind '{other}', expected line, branch, toggle or user")),
    };
    let point = Point {
        file: needed("f")?.to_owned(),
        line: number("l")?,
        column: number("n")?,
        kind,
        what: needed("o")?.to_owned(),
        lines: ranges(value("S").unwrap_or_default())?,
    };
    Ok((point, count))
}

/// Lines in the form `3,7-9`.
fn ranges(text: &str) -> Result<Vec<u32>, String> {
    let mut lines = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number =
            |text: &str| text.parse::<u32>().map_err(|_| format!("lines '{part}', expected N or N-N"));
        let (first, last) = (number(first)?, number(last)?);
        let room = MOST_LINES.saturating_sub(lines.len() as u32);
        if last.checked_sub(first).is_none_or(|more| more >= room) {
            return Err(format!("lines '{part}', expected at most {MOST_LINES} in all, that rise"));
        }
        lines.extend(first..=last);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, ranges};

    #[test]
    fn lines_of_a_block_are_bounded_together() {
        assert_eq!(ranges("3,7-9"), Ok(vec![3, 7, 8, 9]));
        assert_eq!(ranges(&format!("1-{MOST_LINES}")).map(|lines| lines.len()), Ok(MOST_LINES as usize));
        let half = MOST_LINES / 2;
        let more = ranges(&format!("1-{half},1-{half},1"));
        assert!(more.is_err_and(|e| e.contains("lines '1', expected at most")));
        assert!(ranges("9-7").is_err());
    }
}
