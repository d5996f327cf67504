//! Parameters of a design, which its manifest knows and a preset only hands on.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::error::ConfigError;
use crate::keys::{kind, leaves};
use crate::overrides::Override;
use crate::preset::Preset;

/// The table of a preset that holds parameters of the design.
const TABLE: &str = "design";

/// A value of a preset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "an integer, true, false or a text is expected")]
pub enum Setting {
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        let flag = text.parse().map(Self::Flag);
        let text = text.trim_matches('"');
        flag.or_else(|_| text.parse().map(Self::Number)).unwrap_or_else(|_| Self::Text(text.to_owned()))
    }
}

/// Takes the design's parameters out of a preset.
///
/// # Errors
/// [`ConfigError::WrongType`]: `design` is no table.
pub(crate) fn take(origin: &str, root: &mut Table) -> Result<Table, ConfigError> {
    match root.remove(TABLE) {
        None => Ok(Table::new()),
        Some(Value::Table(table)) => Ok(table),
        Some(other) => Err(ConfigError::WrongType {
            origin: origin.to_owned(),
            key: TABLE.to_owned(),
            expected: "a table".to_owned(),
            found: kind(&other),
        }),
    }
}

/// Puts the design's parameters back.
pub(crate) fn put(root: &mut Table, design: Table) {
    root.insert(TABLE.to_owned(), Value::Table(design));
}

/// Sets a parameter of the design, where that is what the change is for.
pub(crate) fn apply(design: &mut Table, change: &Override) -> bool {
    let Some(name) = change.key.strip_prefix(TABLE).and_then(|rest| rest.strip_prefix('.')) else {
        return false;
    };
    let value = match Setting::from(change.value.as_str()) {
        Setting::Flag(flag) => Value::Boolean(flag),
        Setting::Number(number) => Value::Integer(number),
        Setting::Text(text) => Value::String(text),
    };
    design.insert(name.to_owned(), value);
    true
}

impl Preset {
    /// All values by the whole paths of their keys.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, Setting> {
        let Ok(whole) = Table::try_from(self) else { return BTreeMap::new() };
        let mut keys = Vec::new();
        leaves("", &whole, &mut keys);
        let value = |key: &str| {
            let mut parts = key.split('.');
            let first = whole.get(parts.next()?)?;
            let value = parts.try_fold(first, |value, part| value.get(part))?;
            value.clone().try_into::<Setting>().ok()
        };
        let shown = keys.into_iter().filter_map(|key| Some((value(&key)?, key)));
        let mut all: BTreeMap<String, Setting> = shown.map(|(value, key)| (key, value)).collect();
        // Results do not show it where it is 0; parameters of designs follow from it all the same.
        let eighths = Setting::Number(self.register_file.bank_eighths.into());
        all.insert("register_file.bank_eighths".to_owned(), eighths);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load_with;

    fn set(text: &str) -> Override {
        text.parse().expect("an override")
    }

    #[test]
    fn parameters_of_a_design_are_handed_on() {
        let preset = load_with("fermi", &[set("design.entries=8"), set("design.lazy=true")]).expect("fermi");
        assert_eq!(preset.design["entries"], Setting::Number(8));
        assert_eq!(preset.design["lazy"], Setting::Flag(true));
        let settings = preset.settings();
        assert_eq!(settings["design.entries"], Setting::Number(8));
        assert_eq!(settings["sm.warps"], Setting::Number(48));
        assert_eq!(settings["register_file.bank_eighths"], Setting::Number(0));
        assert_eq!(settings["register_file.replacement"], Setting::Text("prioritized".to_owned()));
        let error = load_with("fermi", &[set("designs.entries=8")]).expect_err("there is no such table");
        assert!(error.to_string().contains("unknown key 'designs.entries'"), "{error}");
    }
}
