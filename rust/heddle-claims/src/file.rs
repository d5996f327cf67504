//! The TOML of a paper's claims, with the place of everything that can be wrong.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::claim::Shown;
use crate::error::ClaimError;
use crate::source::{Mean, Of};

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperFile {
    pub id: Spanned<String>,
    pub title: String,
    pub source: String,
    pub claim: Vec<ClaimFile>,
}

/// A claim.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimFile {
    pub id: Spanned<String>,
    #[serde(rename = "where")]
    pub place: String,
    pub quantity: String,
    #[serde(default)]
    pub needs: Vec<Spanned<String>>,
    #[serde(default)]
    pub statement: Vec<StatementFile>,
    #[serde(default)]
    pub condition: Vec<ConditionFile>,
    pub isolated_by: Option<Spanned<IsolationFile>>,
    pub value: Spanned<Vec<Spanned<ValueFile>>>,
}

/// A number of the paper beside another one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementFile {
    #[serde(rename = "where")]
    pub place: String,
    pub value: f64,
    pub unit: Option<String>,
}

/// A value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueFile {
    pub name: Option<Spanned<String>>,
    pub paper: Option<f64>,
    pub band: Option<Spanned<f64>>,
    pub within: Option<Spanned<f64>>,
    pub exact: Option<f64>,
    pub at_least: Option<f64>,
    pub at_most: Option<f64>,
    pub range: Option<Spanned<[f64; 2]>>,
    pub ascending: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default, rename = "as")]
    pub shown: Shown,
    #[serde(default)]
    pub unit: String,
    #[serde(default)]
    pub needs: Vec<Spanned<String>>,
    pub computed: Option<Spanned<String>>,
    pub experiment: Option<Spanned<String>>,
    pub point: Option<Spanned<String>>,
    pub against: Option<Spanned<String>>,
    pub tolerated: Option<Spanned<ToleratedFile>>,
    pub part: Option<Spanned<PartFile>>,
    pub reached: Option<Spanned<ReachedFile>>,
    pub extreme: Option<Spanned<ExtremeFile>>,
    pub measure: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub by: Vec<Spanned<String>>,
    pub technology: Option<Spanned<String>>,
    pub none: Option<Spanned<f64>>,
    pub kernels: Option<Spanned<Vec<Spanned<String>>>>,
    pub selected: Option<SelectionFile>,
    #[serde(default)]
    pub of: Of,
    #[serde(default)]
    pub mean: Mean,
    #[serde(default)]
    pub condition: Vec<ConditionFile>,
    pub size: Option<Spanned<String>>,
    pub limit: Option<Spanned<String>>,
    pub isolated_by: Option<Spanned<IsolationFile>>,
}

impl ValueFile {
    /// A key that says what is looked at in results, where there is one.
    pub fn of_results(&self) -> Option<(&'static str, Range<usize>)> {
        let keys = [
            ("point", self.point.as_ref().map(Spanned::span)),
            ("against", self.against.as_ref().map(Spanned::span)),
            ("tolerated", self.tolerated.as_ref().map(Spanned::span)),
            ("part", self.part.as_ref().map(Spanned::span)),
            ("reached", self.reached.as_ref().map(Spanned::span)),
            ("extreme", self.extreme.as_ref().map(Spanned::span)),
            ("measure", self.measure.as_ref().map(Spanned::span)),
            ("by", self.by.first().map(Spanned::span)),
            ("technology", self.technology.as_ref().map(Spanned::span)),
            ("none", self.none.as_ref().map(Spanned::span)),
            ("kernels", self.kernels.as_ref().map(Spanned::span)),
            ("isolated_by", self.isolated_by.as_ref().map(Spanned::span)),
        ];
        keys.into_iter().find_map(|(key, span)| Some((key, span?)))
    }
}

/// How far a series sweeps a key before too much is lost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToleratedFile {
    pub series: Spanned<String>,
    pub sweep: Spanned<String>,
    pub loss: Spanned<f64>,
}

/// A step of several that a whole change is made of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartFile {
    pub from: Spanned<String>,
    pub of: [Spanned<String>; 2],
}

/// A point, or a ratio, that a series reaches while it sweeps a key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachedFile {
    pub series: Spanned<String>,
    pub sweep: Spanned<String>,
    pub point: Option<Spanned<String>>,
    pub at_most: Option<Spanned<f64>>,
    pub by: Option<Spanned<f64>>,
}

/// Kernels with the least, or with the most.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtremeFile {
    pub least: Option<Spanned<Vec<Spanned<String>>>>,
    pub most: Option<Spanned<Vec<Spanned<String>>>>,
}

/// What explains a value that is off.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IsolationFile {
    pub experiment: Spanned<String>,
    pub shows: Spanned<String>,
}

/// Kernels chosen by a measurement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionFile {
    pub experiment: Spanned<String>,
    pub point: Spanned<String>,
    pub at_least: f64,
}

/// What workloads must show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionFile {
    pub property: Spanned<String>,
    #[serde(default)]
    pub unit: String,
    #[serde(default, rename = "as")]
    pub shown: Shown,
    pub computed: Option<Spanned<String>>,
    pub experiment: Option<Spanned<String>>,
    pub point: Option<Spanned<String>>,
    pub measure: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub by: Vec<Spanned<String>>,
    pub paper: Option<f64>,
    pub at_least: Option<f64>,
    pub range: Option<Spanned<[f64; 2]>>,
}

/// A text and where it is from.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Text<'_> {
    /// What is wrong at a place.
    pub fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> ClaimError {
        let (line, column) = heddle_files::line_and_column(self.text, span.start);
        ClaimError::At { path: self.path.to_owned(), line, column, message: message.into() }
    }

    /// The file; a key that is none is refused.
    ///
    /// # Errors
    /// [`ClaimError::At`].
    pub fn parse(&self) -> Result<PaperFile, ClaimError> {
        toml::from_str(self.text)
            .map_err(|e| self.wrong(e.span().unwrap_or_default(), e.message().trim_end().to_owned()))
    }
}
