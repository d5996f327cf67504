//! The TOML of a technology, with the place of everything that can be wrong.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::error::EnergyError;

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TechnologyFile {
    pub title: String,
    pub source: String,
    pub base: Option<Spanned<String>>,
    /// None where the file has no such table.
    pub constants: Option<BTreeMap<String, Spanned<ConstantFile>>>,
    #[serde(default)]
    pub design: Vec<DesignFile>,
}

/// A constant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantFile {
    pub value: Spanned<Number>,
    pub unit: Spanned<String>,
    pub source: Spanned<String>,
}

/// A number, or a fraction of two.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a fraction [above, below] of two")]
pub enum Number {
    Whole(f64),
    Fraction([f64; 2]),
}

/// What some designs take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignFile {
    pub names: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    pub of: BTreeMap<Spanned<String>, f64>,
    pub component: Vec<ComponentFile>,
}

/// What a component takes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentFile {
    pub name: String,
    pub dynamic: Vec<DynamicFile>,
    pub leakage: Vec<LeakageFile>,
    #[serde(default)]
    pub area: Vec<Spanned<Vec<Spanned<String>>>>,
}

/// Energy of each event that is counted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DynamicFile {
    pub count: Spanned<String>,
    pub energy: Spanned<Vec<Spanned<String>>>,
}

/// Power, in all cycles or in those that are counted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeakageFile {
    pub power: Spanned<Vec<Spanned<String>>>,
    pub during: Option<Spanned<String>>,
}

impl ComponentFile {
    /// The numbers of a row that it counts.
    pub fn counts(&self) -> impl Iterator<Item = &Spanned<String>> {
        let during = self.leakage.iter().filter_map(|term| term.during.as_ref());
        self.dynamic.iter().map(|term| &term.count).chain(during)
    }
}

/// A text and where it is from.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Text<'_> {
    /// What is wrong at a place.
    pub fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> EnergyError {
        let (line, column) = heddle_files::line_and_column(self.text, span.start);
        EnergyError::At { path: self.path.to_owned(), line, column, message: message.into() }
    }

    /// The file; a key that is none is refused.
    ///
    /// # Errors
    /// [`EnergyError::At`].
    pub fn parse(&self) -> Result<TechnologyFile, EnergyError> {
        toml::from_str(self.text)
            .map_err(|e| self.wrong(e.span().unwrap_or_default(), e.message().trim_end().to_owned()))
    }
}
