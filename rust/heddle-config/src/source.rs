//! A preset as it is written, with the places of its keys.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use heddle_files::Input;
use toml::Table;
use toml::de::{DeTable, DeValue};

use crate::error::ConfigError;
use crate::keys::join;
use crate::layer::BASE;
use crate::load::{PRESETS, preset_names};
use crate::overrides::Override;
use crate::range::allowed;

/// A file with a preset: those that ship have two kilobytes.
const PRESET_FILE: Input = Input { expected: "a preset in TOML", most: 1 << 20 };

/// What an integer of a parameter of the design can be.
const INTEGERS: &str = "-9223372036854775808 to 9223372036854775807";

/// A preset that ships with Heddle, or a file.
#[derive(Debug)]
pub(crate) struct Source {
    name: String,
    text: Cow<'static, str>,
    is_file: bool,
}

impl Source {
    /// A preset by name, or from a TOML file (a name that ends in `.toml`).
    pub(crate) fn of(name: &str) -> Result<Self, ConfigError> {
        let source = |text, is_file| Self { name: name.to_owned(), text, is_file };
        if let Some(&(_, text)) = PRESETS.iter().find(|(n, _)| *n == name) {
            return Ok(source(Cow::Borrowed(text), false));
        }
        if !name.ends_with(".toml") {
            return Err(ConfigError::UnknownPreset {
                name: name.to_owned(),
                hint: heddle_suggest::hint_and_list(name, preset_names(), "presets"),
            });
        }
        let text = PRESET_FILE
            .text(Path::new(name))
            .map_err(|e| ConfigError::Unreadable { path: name.to_owned(), reason: e.fault.to_string() })?;
        Ok(source(Cow::Owned(text), true))
    }

    /// Its table, as it is written.
    pub(crate) fn table(&self) -> Result<Table, ConfigError> {
        self.text.parse::<Table>().map_err(|e| {
            self.too_large().unwrap_or_else(|| ConfigError::Syntax {
                origin: self.at(&e.span().unwrap_or_default()),
                message: e.message().trim_end().to_owned(),
            })
        })
    }

    /// That an integer of a file has more than 64 bits, where one has.
    fn too_large(&self) -> Option<ConfigError> {
        let root = DeTable::parse(&self.text).ok().filter(|_| self.is_file)?;
        let (key, value, span) = large("", root.get_ref())?;
        let allowed = allowed(&key).unwrap_or(INTEGERS);
        Some(ConfigError::Range { origin: Some(self.at(&span)), key, value, allowed })
    }

    /// The error with its place, where it is one of this file: `changes` are what is set beside it.
    pub(crate) fn placed(&self, mut error: ConfigError, changes: &[Override]) -> ConfigError {
        if !self.is_file {
            return error;
        }
        let (origin, place) = match &mut error {
            ConfigError::UnknownKey { origin, key, .. } => (origin, self.key(key)),
            ConfigError::WrongType { origin, key, .. } | ConfigError::Choice { origin, key, .. } => {
                (origin, self.value(key))
            }
            ConfigError::MissingKey { origin, key } => (origin, Some(self.table_of(key))),
            ConfigError::Base { origin, .. } => (origin, self.value(BASE)),
            ConfigError::TimeAndCycles { origin, time, .. } => (origin, self.key(time)),
            ConfigError::Range { origin, key, .. } => {
                let is_set = changes.iter().any(|change| change.key == *key);
                let file = || changes.is_empty().then(|| self.name.clone());
                *origin = self.value(key).filter(|_| !is_set).or_else(file);
                return error;
            }
            _ => return error,
        };
        if let Some(place) = place.filter(|_| *origin == self.name) {
            *origin = place;
        }
        error
    }

    /// A place in the file.
    fn at(&self, span: &Range<usize>) -> String {
        let (line, column) = heddle_files::line_and_column(&self.text, span.start);
        format!("{}:{line}:{column}", self.name)
    }

    /// Where a key stands, and where its value.
    fn places(&self, key: &str) -> Option<[String; 2]> {
        let root = DeTable::parse(&self.text).ok()?;
        Some(find(root.get_ref(), key)?.map(|span| self.at(&span)))
    }

    fn key(&self, key: &str) -> Option<String> {
        self.places(key).map(|[place, _]| place)
    }

    fn value(&self, key: &str) -> Option<String> {
        self.places(key).map(|[_, place]| place)
    }

    /// Where the table is that a key belongs into, or the nearest one around it.
    fn table_of(&self, key: &str) -> String {
        let mut path = key;
        while let Some((around, _)) = path.rsplit_once('.') {
            if let Some(place) = self.value(around) {
                return place;
            }
            path = around;
        }
        self.at(&Range::default())
    }
}

/// Where the key with a whole path stands, and where its value.
fn find(table: &DeTable<'_>, path: &str) -> Option<[Range<usize>; 2]> {
    table.iter().find_map(|(key, value)| {
        let name: &str = key.get_ref().as_ref();
        let rest = path.strip_prefix(name)?;
        if rest.is_empty() {
            return Some([key.span(), value.span()]);
        }
        find(value.get_ref().as_table()?, rest.strip_prefix('.')?)
    })
}

/// The whole path of an integer of more than 64 bits with a sign, the integer and where it stands.
fn large(path: &str, table: &DeTable<'_>) -> Option<(String, String, Range<usize>)> {
    table.iter().find_map(|(key, value)| {
        let whole = join(path, key.get_ref().as_ref());
        match value.get_ref() {
            DeValue::Table(inner) => large(&whole, inner),
            DeValue::Integer(number) if i64::from_str_radix(number.as_str(), number.radix()).is_err() => {
                Some((whole, number.to_string(), value.span()))
            }
            _ => None,
        }
    })
}
