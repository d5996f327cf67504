//! The TOML of an experiment, with the place of everything that can be wrong.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};

use crate::error::ExperimentError;
use crate::scale::Scale;

/// Keys of a file, of which those of a series are in its tables.
const KEYS: &[&str] = &[
    "id",
    "title",
    "source",
    "scales",
    "seed",
    "engine",
    "max_cycles",
    "sms",
    "kernels",
    "measure",
    "normalise_to",
    "series",
];
/// Keys of a file that are integers of 64 bits without a sign, each with the least; those of all others have a sign.
const UNSIGNED_KEYS: [(&str, u64); 2] = [("seed", 0), ("max_cycles", 1)];
/// Keys of a series.
const SERIES_KEYS: &[&str] = &["name", "design", "preset", "set", "sweep", "tlp"];
/// Keys of a scale.
const SCALE_KEYS: &[&str] = &["size", "without"];

/// A file as it is written.
#[derive(Debug, Deserialize)]
pub struct ExperimentFile {
    pub id: Spanned<String>,
    pub title: String,
    pub source: String,
    pub scales: ScalesFile,
    pub seed: Option<u64>,
    pub engine: Option<Spanned<String>>,
    pub max_cycles: Option<NonZeroU64>,
    pub sms: Option<Spanned<i64>>,
    pub kernels: Spanned<Value>,
    pub measure: Spanned<String>,
    pub normalise_to: Option<Spanned<String>>,
    pub series: Spanned<Vec<SeriesFile>>,
}

/// What runs at each scale.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a table with smoke, claims and paper")]
pub struct ScalesFile {
    pub smoke: ScaleFile,
    pub claims: ScaleFile,
    pub paper: ScaleFile,
}

impl ScalesFile {
    /// That of one scale.
    pub fn at(&self, scale: Scale) -> &ScaleFile {
        match scale {
            Scale::Smoke => &self.smoke,
            Scale::Claims => &self.claims,
            Scale::Paper => &self.paper,
        }
    }
}

/// A scale as it is written.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a table with size")]
pub struct ScaleFile {
    pub size: Spanned<String>,
    #[serde(default)]
    pub without: Vec<Spanned<String>>,
}

/// A series as it is written.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a table, [[series]]")]
pub struct SeriesFile {
    pub name: Spanned<String>,
    pub design: Spanned<String>,
    pub preset: Option<Spanned<String>>,
    pub tlp: Option<Spanned<String>>,
    #[serde(default)]
    pub set: BTreeMap<String, Spanned<Value>>,
    #[serde(default)]
    pub sweep: BTreeMap<String, Spanned<Value>>,
}

/// A text and where it is from.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Text<'_> {
    /// What is wrong at a place.
    pub fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> ExperimentError {
        let (line, column) = heddle_files::line_and_column(self.text, span.start);
        ExperimentError::At { path: self.path.to_owned(), line, column, message: message.into() }
    }

    /// The file, each of its keys a known one.
    ///
    /// # Errors
    /// [`ExperimentError::At`].
    pub fn parse(&self) -> Result<ExperimentFile, ExperimentError> {
        let broken =
            |e: &toml::de::Error| self.wrong(e.span().unwrap_or_default(), e.message().trim_end().to_owned());
        let table = DeTable::parse(self.text).map_err(|e| broken(&e))?;
        self.check_keys(table.get_ref(), KEYS)?;
        for (key, value) in table.get_ref() {
            match UNSIGNED_KEYS.iter().find(|(name, _)| *name == key.get_ref()) {
                Some((name, least)) => self.check_unsigned(name, *least, value)?,
                None => self.check_integers(value)?,
            }
        }
        if let Some(DeValue::Array(series)) = table.get_ref().get("series").map(Spanned::get_ref) {
            for one in series.iter() {
                if let DeValue::Table(keys) = one.get_ref() {
                    self.check_keys(keys, SERIES_KEYS)?;
                }
            }
        }
        if let Some(written) = table.get_ref().get("scales")
            && let DeValue::Table(scales) = written.get_ref()
        {
            self.check_keys(scales, &Scale::ALL.map(Scale::name))?;
            let missing = Scale::ALL.map(Scale::name).into_iter().find(|name| scales.get(*name).is_none());
            if let Some(name) = missing {
                return Err(self.wrong(written.span(), format!("key 'scales.{name}' is missing")));
            }
            for scale in scales.iter().filter_map(|(_, scale)| scale.get_ref().as_table()) {
                self.check_keys(scale, SCALE_KEYS)?;
            }
        }
        toml::from_str(self.text).map_err(|e| broken(&e))
    }

    /// Whether all integers of a value have 64 bits at most.
    fn check_integers(&self, value: &Spanned<DeValue<'_>>) -> Result<(), ExperimentError> {
        match value.get_ref() {
            DeValue::Integer(number) if i64::from_str_radix(number.as_str(), number.radix()).is_err() => {
                let what = format!("{number} is out of range: {} to {}", i64::MIN, i64::MAX);
                Err(self.wrong(value.span(), what))
            }
            DeValue::Array(values) => values.iter().try_for_each(|value| self.check_integers(value)),
            DeValue::Table(table) => table.iter().try_for_each(|(_, value)| self.check_integers(value)),
            _ => Ok(()),
        }
    }

    /// Whether a value is an integer of 64 bits without a sign, from `least` on.
    fn check_unsigned(
        &self,
        key: &str,
        least: u64,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), ExperimentError> {
        let number = value.get_ref().as_integer();
        let read = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        if read.is_some_and(|read| read >= least) {
            return Ok(());
        }
        let written = self.text.get(value.span()).unwrap_or_default();
        let what = format!("{key} is {written}; expected a whole number from {least} to {}", u64::MAX);
        Err(self.wrong(value.span(), what))
    }

    fn check_keys(&self, table: &DeTable<'_>, known: &[&str]) -> Result<(), ExperimentError> {
        let unknown = table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        unknown.map_or(Ok(()), |(key, _)| {
            let name: &str = key.get_ref().as_ref();
            let hint = heddle_suggest::hint_or_list(name, known.iter().copied());
            Err(self.wrong(key.span(), format!("unknown key '{name}'{hint}")))
        })
    }
}

/// A value of a preset's key as `--set` takes it; `None` for a list or a table.
pub fn setting(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}
