//! TOML tables with the positions of their keys and values.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

/// The text of a launch file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    /// First byte of each line.
    pub(super) lines: &'a [usize],
}

/// First byte of each line of a text.
pub(super) fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect()
}

impl Text<'_> {
    pub(super) fn position(self, offset: usize) -> Position {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        Position { line, column: before.chars().count() + 1 }
    }

    pub(super) fn error(self, at: Position, kind: Kind) -> LaunchFileError {
        LaunchFileError::at(self.name, at, kind)
    }
}

/// A table without unknown keys, whose values are taken one by one.
pub(super) struct Table<'a> {
    pub(super) text: Text<'a>,
    /// Where the table begins.
    pub(super) at: Position,
    entries: DeTable<'a>,
}

/// A value with its key and position.
pub(super) struct Value<'a> {
    text: Text<'a>,
    pub(super) key: String,
    offset: usize,
    value: DeValue<'a>,
}

impl<'a> Table<'a> {
    /// A table whose keys are all in `known`.
    pub(super) fn new(
        text: Text<'a>,
        at: Position,
        entries: DeTable<'a>,
        known: &[&'static str],
    ) -> Result<Self, LaunchFileError> {
        let unknown = entries.keys().filter(|k| !known.contains(&k.as_ref().as_ref()));
        match unknown.min_by_key(|k| k.span().start) {
            None => Ok(Self { text, at, entries }),
            Some(key) => {
                let at = text.position(key.span().start);
                let help = heddle_suggest::hint_or_list(key.as_ref(), known.iter().copied());
                let key = key.as_ref().to_string();
                Err(text.error(at, Kind::UnknownKey { key, help }))
            }
        }
    }

    /// The value of `key`, when it is there.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Value<'a>> {
        let (_, value) = self.entries.remove_entry(key)?;
        Some(Value::new(self.text, key.into(), value))
    }

    /// Whether `key` is there and not taken.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Whether the value of `key` is the string `word`.
    pub(super) fn says(&self, key: &str, word: &str) -> bool {
        matches!(self.entries.get(key).map(Spanned::get_ref), Some(DeValue::String(s)) if s == word)
    }

    /// The value of `key`.
    pub(super) fn need(
        &mut self,
        key: &'static str,
        purpose: &'static str,
    ) -> Result<Value<'a>, LaunchFileError> {
        let (text, at) = (self.text, self.at);
        self.take(key).ok_or_else(|| text.error(at, Kind::MissingKey { key, purpose }))
    }

    /// Refuses `keys`, which other keys of the table leave without a meaning.
    pub(super) fn refuse(&mut self, keys: &[&'static str], reason: &str) -> Result<(), LaunchFileError> {
        for &key in keys {
            if let Some(value) = self.take(key) {
                return Err(value.misplaced(key, reason));
            }
        }
        Ok(())
    }
}

impl<'a> Value<'a> {
    fn new(text: Text<'a>, key: String, value: Spanned<DeValue<'a>>) -> Self {
        Self { text, key, offset: value.span().start, value: value.into_inner() }
    }

    /// Where it is.
    pub(super) fn at(&self) -> Position {
        self.text.position(self.offset)
    }

    pub(super) fn error(&self, kind: Kind) -> LaunchFileError {
        self.text.error(self.at(), kind)
    }

    pub(super) fn misplaced(&self, key: &'static str, reason: &str) -> LaunchFileError {
        self.error(Kind::Misplaced { key, reason: reason.into() })
    }

    fn wrong_type(&self, expected: &'static str) -> LaunchFileError {
        let kind = Kind::WrongType {
            key: self.key.clone(),
            expected,
            found: match self.value {
                DeValue::String(_) => "a string",
                DeValue::Integer(_) => "an integer",
                DeValue::Float(_) => "a float",
                DeValue::Boolean(_) => "a boolean",
                DeValue::Datetime(_) => "a date",
                DeValue::Array(_) => "an array",
                DeValue::Table(_) => "a table",
            },
        };
        self.error(kind)
    }

    /// An error that the number here is not what is `expected`.
    pub(super) fn out_of_range(&self, value: String, expected: String) -> LaunchFileError {
        let key = self.key.clone();
        let kind = Kind::OutOfRange { key, value, expected };
        self.error(kind)
    }

    pub(super) fn string(&self) -> Result<&str, LaunchFileError> {
        match &self.value {
            DeValue::String(s) => Ok(s),
            _ => Err(self.wrong_type("a string")),
        }
    }

    /// The path of a file; what is relative is so to `folder`.
    pub(super) fn path(&self, folder: &Path) -> Result<PathBuf, LaunchFileError> {
        match self.string()? {
            "" => Err(self.out_of_range("''".into(), "the name of a file".into())),
            name => Ok(folder.join(name)),
        }
    }

    pub(super) fn integer(&self) -> Result<i128, LaunchFileError> {
        let DeValue::Integer(i) = &self.value else {
            return Err(self.wrong_type("an integer"));
        };
        i128::from_str_radix(i.as_str(), i.radix())
            .map_err(|_| self.out_of_range(i.to_string(), "an integer of at most 64 bits".into()))
    }

    /// An integer in `low ..= high`.
    pub(super) fn integer_in(&self, low: u64, high: u64) -> Result<u64, LaunchFileError> {
        let i = self.integer()?;
        u64::try_from(i)
            .ok()
            .filter(|v| (low..=high).contains(v))
            .ok_or_else(|| self.out_of_range(i.to_string(), format!("{low} to {high}")))
    }

    /// True or false.
    pub(super) fn boolean(&self) -> Result<bool, LaunchFileError> {
        match &self.value {
            DeValue::Boolean(b) => Ok(*b),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    /// A float; integers are floats too.
    pub(super) fn float(&self) -> Result<f64, LaunchFileError> {
        let text = match &self.value {
            DeValue::Float(f) => f.as_str().to_owned(),
            DeValue::Integer(_) => self.integer()?.to_string(),
            _ => return Err(self.wrong_type("a number")),
        };
        text.parse().map_err(|_| self.out_of_range(text, "a number".into()))
    }

    /// One of `words`.
    pub(super) fn word<T: Copy>(
        &self,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<T, LaunchFileError> {
        let value = self.string()?;
        let found = words.iter().find(|(w, _)| *w == value);
        found.map(|(_, t)| *t).ok_or_else(|| {
            let help = heddle_suggest::hint_or_list(value, words.iter().map(|(w, _)| *w));
            let value = value.to_owned();
            self.error(Kind::UnknownWord { key, value, help })
        })
    }

    /// The elements of an array.
    pub(super) fn elements(self, expected: &'static str) -> Result<Vec<Value<'a>>, LaunchFileError> {
        match self.value {
            DeValue::Array(array) => {
                Ok(array.into_iter().map(|v| Value::new(self.text, self.key.clone(), v)).collect())
            }
            _ => Err(self.wrong_type(expected)),
        }
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// A table whose keys are all in `known`.
    pub(super) fn table(
        self,
        expected: &'static str,
        known: &[&'static str],
    ) -> Result<Table<'a>, LaunchFileError> {
        let at = self.at();
        match self.value {
            DeValue::Table(table) => Table::new(self.text, at, table, known),
            _ => Err(self.wrong_type(expected)),
        }
    }
}
