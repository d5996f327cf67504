//! What the format has no place for: predicates, and registers that are no operand of an opcode. They stand in header
//! lines of Heddle's own; other readers pass over header lines that they do not know.
//!
//! `-heddle operands = 00c0:w0 00e0:g0 0100:d12d9s0s1r1`: by program counter the guard (`g`), predicates that are read
//! besides (`r`) and written (`w`), and, where they are not those that the line names, all registers that are
//! written (`d`) and read (`s`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heddle_port::{NUM_DESTINATIONS, NUM_SOURCES};

use crate::instruction::ZERO_REGISTER;
use crate::numbers::{decimal, hex};

/// The header's key.
pub(crate) const KEY: &str = "-heddle operands";
/// Instructions on one line of the header.
const ON_A_LINE: usize = 500;
/// Predicates of a thread at most: those of the scoreboard.
const MOST: u64 = 256;
/// Predicates at most that an instruction reads besides its guard, and that it writes.
const MOST_READ: usize = 4;
const MOST_WRITTEN: usize = 2;

/// What a line of a trace does not say of its instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Note {
    /// The predicate that is its guard.
    pub guard: Option<u16>,
    /// Predicates that are read besides.
    pub reads: Vec<u16>,
    /// Predicates that are written.
    pub writes: Vec<u16>,
    /// Registers that are written, where this or `sources` is not empty; else the line's.
    pub destinations: Vec<u8>,
    /// Registers that are read, likewise.
    pub sources: Vec<u8>,
}

impl Note {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it has all registers of the instruction.
    #[must_use]
    pub fn has_registers(&self) -> bool {
        !self.destinations.is_empty() || !self.sources.is_empty()
    }

    /// All predicates.
    pub fn predicates(&self) -> impl Iterator<Item = u16> + '_ {
        self.guard.iter().chain(&self.reads).chain(&self.writes).copied()
    }

    /// `g0r1w2`.
    fn parse(text: &str) -> Option<Self> {
        let mut note = Self::default();
        let mut rest = text;
        while let Some(what) = rest.chars().next() {
            let digits = &rest[what.len_utf8()..];
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let number = decimal(&digits[..end]).filter(|n| *n < MOST)? as u16;
            let register = u8::try_from(number).ok().filter(|&r| r != ZERO_REGISTER);
            match what {
                'g' if note.guard.is_none() => note.guard = Some(number),
                'r' if note.reads.len() < MOST_READ => note.reads.push(number),
                'w' if note.writes.len() < MOST_WRITTEN => note.writes.push(number),
                'd' if note.destinations.len() < NUM_DESTINATIONS => note.destinations.push(register?),
                's' if note.sources.len() < NUM_SOURCES => note.sources.push(register?),
                _ => return None,
            }
            rest = &digits[end..];
        }
        Some(note)
    }

    fn text(&self) -> String {
        let predicates = |letter: char, numbers: &[u16]| {
            numbers.iter().map(|number| format!("{letter}{number}")).collect::<String>()
        };
        let registers = |letter: char, numbers: &[u8]| {
            numbers.iter().map(|number| format!("{letter}{number}")).collect::<String>()
        };
        let guard: Vec<u16> = self.guard.into_iter().collect();
        predicates('g', &guard)
            + &predicates('r', &self.reads)
            + &predicates('w', &self.writes)
            + &registers('d', &self.destinations)
            + &registers('s', &self.sources)
    }
}

/// Adds the instructions of a header line to those before; the first field that is wrong.
pub(crate) fn take<'a>(text: &'a str, into: &mut BTreeMap<u32, Note>) -> Result<(), &'a str> {
    for field in text.split_ascii_whitespace() {
        let parsed = field
            .split_once(':')
            .and_then(|(pc, note)| Some((u32::try_from(hex(pc)?).ok()?, Note::parse(note)?)));
        let (pc, note) = parsed.ok_or(field)?;
        into.insert(pc, note);
    }
    Ok(())
}

/// The header lines of these instructions.
pub(crate) fn text(all: &BTreeMap<u32, Note>) -> String {
    let fields: Vec<String> = all.iter().map(|(pc, note)| format!("{pc:04x}:{}", note.text())).collect();
    let mut text = String::new();
    for fields in fields.chunks(ON_A_LINE) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{KEY} = {}", fields.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let all: BTreeMap<u32, Note> = (0..2 * ON_A_LINE as u32 + 1)
            .map(|n| {
                let note = Note {
                    guard: n.is_multiple_of(2).then_some((n % 256) as u16),
                    reads: vec![3, 255],
                    writes: vec![(n % 7) as u16, 9],
                    destinations: (0..(n % 5) as u8).collect(),
                    sources: (0..(n % 7) as u8).map(|r| 254 - r).collect(),
                };
                (16 * n, note)
            })
            .collect();
        let text = text(&all);
        assert_eq!(text.lines().count(), 3);
        let mut read = BTreeMap::new();
        for line in text.lines() {
            let (_, fields) = line.split_once('=').expect("a key");
            take(fields, &mut read).expect("well formed");
        }
        assert_eq!(read, all);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong =
            ["00c0", "00c0:x1", "00c0:w256", "00c0:w", "00c0:g1g2", "zz:w1", "00c0:w1w2w3", "00c0:ä1"];
        for wrong in wrong.into_iter().chain(["00c0:d255", "00c0:d1d2d3d4d5", "00c0:s1s2s3s4s5s6s7"]) {
            assert_eq!(take(&format!("0010:w1 {wrong}"), &mut BTreeMap::new()), Err(wrong));
        }
    }
}
