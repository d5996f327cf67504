//! What a technology names and does not have itself.

use std::ops::Range;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::error::EnergyError;
use crate::evaluate::find;
use crate::file::{ComponentFile, DesignFile, Text};

/// Something that the designs of a technology name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// A design.
    Design(String),
    /// A number of a row, by its dotted name.
    Number(String),
}

impl Named {
    /// Whether a row is of that design, or has that number.
    #[must_use]
    pub fn is_in(&self, row: &Map<String, Value>) -> bool {
        match self {
            Self::Design(name) => row.get("design").and_then(Value::as_str) == Some(name.as_str()),
            Self::Number(key) => find(row, key).is_some(),
        }
    }
}

/// All that the designs of a file name, with the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Names {
    path: PathBuf,
    text: String,
    all: Vec<(Named, Range<usize>)>,
}

impl Names {
    /// Those of the designs in a file.
    pub fn new(text: Text<'_>, designs: &[DesignFile]) -> Self {
        let mut all = Vec::new();
        for design in designs {
            let names = design.names.get_ref().iter();
            all.extend(names.map(|name| (Named::Design(name.get_ref().clone()), name.span())));
            let of = design.of.keys().map(|key| (format!("parameters.{}", key.get_ref()), key.span()));
            let counts = design.component.iter().flat_map(ComponentFile::counts);
            let counts = counts.map(|count| (count.get_ref().clone(), count.span()));
            all.extend(of.chain(counts).map(|(key, span)| (Named::Number(key), span)));
        }
        Self { path: text.path.to_owned(), text: text.text.to_owned(), all }
    }

    /// Refuses the first name that `check` refuses, at its place.
    ///
    /// # Errors
    /// [`EnergyError::At`].
    pub fn check(&self, check: impl Fn(&Named) -> Result<(), String>) -> Result<(), EnergyError> {
        let text = Text { path: &self.path, text: &self.text };
        self.all
            .iter()
            .try_for_each(|(named, span)| check(named).map_err(|message| text.wrong(span.clone(), message)))
    }
}
