//! How far a trace may be from its references.

use serde::Deserialize;

use crate::error::FidelityError;

const FILE: &str = "limits.toml";
const TEXT: &str = include_str!("../data/limits.toml");

/// The name under which the mean over all traces has a row in [`Limits::beyond`].
pub const MEAN: &str = "mean";

/// Limits of distances.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Of every trace.
    pub within: f64,
    /// Of the mean over all traces.
    pub mean_within: f64,
    /// What is known to be further away.
    #[serde(default)]
    pub beyond: Vec<Beyond>,
}

/// A trace that is further from its references than the others.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// The trace, or [`MEAN`].
    pub trace: String,
    /// Its limit.
    pub limit: f64,
    /// The mechanism that makes the distance, as measured.
    pub mechanism: String,
}

impl Limits {
    /// The limits of the repository.
    ///
    /// # Errors
    /// [`FidelityError::Data`].
    pub fn load() -> Result<Self, FidelityError> {
        Self::parse(TEXT)
    }

    /// Limits from text.
    ///
    /// # Errors
    /// [`FidelityError::Data`] for text that is no table of limits, for a row that names its trace again, one without
    /// mechanism, and one whose limit is not above the one that holds without it.
    pub fn parse(text: &str) -> Result<Self, FidelityError> {
        let wrong = |what| FidelityError::Data { file: FILE, what };
        let limits: Self = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        for (number, row) in limits.beyond.iter().enumerate() {
            let base = limits.without_row(&row.trace);
            if row.limit.is_nan() || row.limit <= base {
                return Err(wrong(format!(
                    "{}: expected a limit above {base}, not {}",
                    row.trace, row.limit
                )));
            }
            if row.mechanism.trim().is_empty() {
                return Err(wrong(format!("{}: expected the mechanism of the distance", row.trace)));
            }
            if limits.beyond[..number].iter().any(|other| other.trace == row.trace) {
                return Err(wrong(format!("{}: expected one row", row.trace)));
            }
        }
        Ok(limits)
    }

    /// The limit of a trace, or of the mean, where no row says otherwise.
    #[must_use]
    pub fn without_row(&self, trace: &str) -> f64 {
        if trace == MEAN { self.mean_within } else { self.within }
    }

    /// The row of a trace.
    #[must_use]
    pub fn row(&self, trace: &str) -> Option<&Beyond> {
        self.beyond.iter().find(|row| row.trace == trace)
    }
}
