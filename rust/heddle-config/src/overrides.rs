//! Values that stand in for those of a preset.

use toml::{Table, Value};

use crate::error::ConfigError;
use crate::keys::{join, key_hint, kind};
use crate::range::out_of_range;

/// One `path.to.key=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// Path of the key.
    pub key: String,
    /// Value as written.
    pub value: String,
}

impl std::str::FromStr for Override {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let form = || ConfigError::OverrideForm { text: text.to_owned() };
        let (key, value) = text.split_once('=').ok_or_else(form)?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || value.is_empty() {
            return Err(form());
        }
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}

/// An override as it stands on the command line.
pub(crate) fn set_option(change: &Override) -> String {
    format!("--set {}={}", change.key, change.value)
}

/// Puts the value of `change` in place of the one that stands in the table.
///
/// # Errors
/// The key is not there, or takes another kind of value.
pub(crate) fn apply(root: &mut Table, change: &Override) -> Result<(), ConfigError> {
    let origin = set_option(change);
    let reference = root.clone();
    let mut table = root;
    let mut path = String::new();
    let mut parts = change.key.split('.').peekable();
    while let Some(part) = parts.next() {
        let whole = join(&path, part);
        let unknown = |table: &Table| ConfigError::UnknownKey {
            origin: origin.clone(),
            key: change.key.clone(),
            hint: key_hint(part, &change.key, table, &reference),
        };
        if !table.contains_key(part) {
            return Err(unknown(table));
        }
        let Some(slot) = table.get_mut(part) else { unreachable!("the key was found") };
        let last = parts.peek().is_none();
        match (last, slot) {
            (false, Value::Table(inner)) => table = inner,
            (true, slot) if !matches!(slot, Value::Table(_)) => {
                *slot = typed(&origin, &change.key, &change.value, slot)?;
                return Ok(());
            }
            _ => {
                let (expected, found) =
                    if last { ("a key inside it", "a value") } else { ("a value", "a key inside it") };
                return Err(ConfigError::WrongType {
                    origin,
                    key: whole,
                    expected: expected.to_owned(),
                    found: found.to_owned(),
                });
            }
        }
        path = whole;
    }
    Err(ConfigError::OverrideForm { text: change.key.clone() })
}

fn typed(origin: &str, key: &str, text: &str, like: &Value) -> Result<Value, ConfigError> {
    let wrong = || ConfigError::WrongType {
        origin: origin.to_owned(),
        key: key.to_owned(),
        expected: kind(like),
        found: format!("'{text}'"),
    };
    match like {
        Value::Integer(_) => text
            .parse::<u32>()
            .map(|v| Value::Integer(i64::from(v)))
            .map_err(|_| if is_integer(text) { out_of_range(key, text) } else { wrong() }),
        Value::String(_) => Ok(Value::String(text.trim_matches('"').to_owned())),
        Value::Boolean(_) => text.parse().map(Value::Boolean).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

/// Whether a text is an integer of any size, with or without a sign.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}
