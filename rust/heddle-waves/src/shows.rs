//! What a text of a waveform shows, made of the signals' values.

use std::collections::BTreeMap;

/// What is shown where there is nothing to show.
pub const NOTHING: &str = "-";

/// A signal that is made of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Its name in the scope.
    pub name: String,
    /// What it shows.
    pub shows: Shows,
}

/// What a text is made of; signals by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shows {
    /// The name of the signal's value, or the number where it has none.
    Names {
        /// The signal.
        signal: String,
        /// Names by value.
        names: BTreeMap<u64, String>,
        /// What says when it means something, where there is such a thing.
        valid: Option<Valid>,
    },
    /// The numbers of the bits that are 1: `0-5,9`.
    Members {
        /// The signal.
        signal: String,
        /// Stands before each number.
        letter: &'static str,
        /// What says when it means something, where there is such a thing.
        valid: Option<Valid>,
    },
    /// The signal's value, and nothing while `valid` is 0.
    Payload {
        /// The signal.
        signal: String,
        /// What says when it means something.
        valid: Valid,
        /// In hexadecimal, else decimal.
        hex: bool,
    },
    /// A text from each time on, ascending.
    Track {
        /// Times and texts.
        changes: Vec<(u64, String)>,
    },
}

/// A bit that says when another signal means something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valid {
    /// Path of the signal.
    pub signal: String,
    /// Which of its bits, 0 for the lowest.
    pub bit: usize,
}

impl Valid {
    /// Whether the bit of `bits`, the highest first, is 1. VCD leaves out leading zeros.
    fn is_set(&self, bits: &str) -> bool {
        bits.bytes().rev().nth(self.bit) == Some(b'1')
    }
}

impl Shows {
    pub(crate) fn signals(&self) -> Vec<&str> {
        match self {
            Self::Members { signal, valid: None, .. } | Self::Names { signal, valid: None, .. } => {
                vec![signal]
            }
            Self::Members { signal, valid: Some(valid), .. }
            | Self::Names { signal, valid: Some(valid), .. }
            | Self::Payload { signal, valid, .. } => vec![signal, &valid.signal],
            Self::Track { .. } => Vec::new(),
        }
    }

    /// The text of the signals' bits, the highest first.
    pub(crate) fn of(&self, bits: impl Fn(&str) -> String) -> String {
        match self {
            Self::Members { valid: Some(valid), .. }
            | Self::Names { valid: Some(valid), .. }
            | Self::Payload { valid, .. }
                if !valid.is_set(&bits(&valid.signal)) =>
            {
                NOTHING.to_owned()
            }
            Self::Names { signal, names, .. } => {
                let bits = bits(signal);
                let value = u64::from_str_radix(&bits, 2).ok();
                let name = value.and_then(|value| names.get(&value).cloned());
                name.unwrap_or_else(|| value.map_or(bits, |value| value.to_string()))
            }
            Self::Members { signal, letter, .. } => members(&bits(signal), letter),
            Self::Payload { signal, hex, .. } => number(&bits(signal), *hex),
            Self::Track { .. } => String::new(),
        }
    }
}

/// The numbers of the bits that are 1, in runs, each after `letter`.
fn members(bits: &str, letter: &str) -> String {
    let ones: Vec<usize> =
        bits.bytes().rev().enumerate().filter(|(_, b)| *b == b'1').map(|(n, _)| n).collect();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for n in ones {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => runs.push((n, n)),
        }
    }
    let text = |(first, last): &(usize, usize)| match first == last {
        true => format!("{letter}{first}"),
        false => format!("{letter}{first}-{letter}{last}"),
    };
    if runs.is_empty() { NOTHING.to_owned() } else { runs.iter().map(text).collect::<Vec<_>>().join(",") }
}

/// Bits as a number, or as they are where they are unknown or too many.
fn number(bits: &str, hex: bool) -> String {
    match u128::from_str_radix(bits, 2) {
        Ok(value) if hex => format!("{value:x}"),
        Ok(value) => value.to_string(),
        Err(_) => bits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_runs() {
        assert_eq!(members("0", "R"), "-");
        assert_eq!(members("1000000111", "R"), "R0-R2,R9");
        assert_eq!(members("1000000111", ""), "0-2,9");
        assert_eq!(members(&format!("1{}", "0".repeat(255)), "R"), "R255");
    }

    #[test]
    fn a_payload_follows_the_bit_that_says_when_it_means_something() {
        let valid = Valid { signal: "in_use".into(), bit: 2 };
        let payload = Shows::Payload { signal: "tag".into(), valid: valid.clone(), hex: true };
        let set = Shows::Members { signal: "tag".into(), letter: "", valid: Some(valid.clone()) };
        let names =
            Shows::Names { signal: "tag".into(), names: [(31, "full".into())].into(), valid: Some(valid) };
        let of = |shows: &Shows, in_use: &str| {
            shows.of(|signal| if signal == "tag" { "11111" } else { in_use }.to_owned())
        };
        let shown = ["1", "011", "100", "1101", "x"]
            .map(|in_use| [&payload, &names, &set].map(|shows| of(shows, in_use)));
        let (off, on) = (["-"; 3], ["1f", "full", "0-4"]);
        assert_eq!(shown.each_ref().map(|s| s.each_ref().map(String::as_str)), [off, off, on, on, off]);
    }
}
