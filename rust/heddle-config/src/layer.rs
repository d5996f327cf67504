//! A preset that stands on another one: it says what differs.

use toml::{Table, Value};

use crate::error::ConfigError;
use crate::keys::{check_keys, join};
use crate::times::{forget_time, split_cycles};

/// The key that names the preset below.
pub(crate) const BASE: &str = "base";

/// The preset on which one stands, if it stands on one; the key is taken out.
///
/// # Errors
/// [`ConfigError::WrongType`]: it is no text. [`ConfigError::MissingKey`]: the preset has no name of its own.
pub(crate) fn take_base(origin: &str, table: &mut Table) -> Result<Option<String>, ConfigError> {
    let base = match table.remove(BASE) {
        None => return Ok(None),
        Some(Value::String(base)) => base,
        Some(other) => {
            return Err(ConfigError::WrongType {
                origin: origin.to_owned(),
                key: BASE.to_owned(),
                expected: "the name of a preset".to_owned(),
                found: crate::keys::kind(&other),
            });
        }
    };
    if !table.contains_key("name") {
        return Err(ConfigError::MissingKey { origin: origin.to_owned(), key: "name".to_owned() });
    }
    Ok(Some(base))
}

/// Puts what `layer` says in place of what stands in the whole preset `root`.
///
/// # Errors
/// A key that there is not, a value of the wrong kind, or cycles and their time both.
pub(crate) fn lay(
    origin: &str,
    root: &mut Table,
    mut layer: Table,
    reference: &Table,
) -> Result<(), ConfigError> {
    split_cycles(origin, &mut layer)?;
    check_keys(origin, "", &layer, reference)?;
    crate::times::check_one_of_each(origin, &layer)?;
    put(root, "", layer);
    Ok(())
}

fn put(root: &mut Table, path: &str, layer: Table) {
    for (key, value) in layer {
        let whole = join(path, &key);
        match value {
            Value::Table(inner) => put(root, &whole, inner),
            value => {
                if let Some(slot) = slot(root, &whole) {
                    *slot = value;
                }
                forget_time(root, &whole);
            }
        }
    }
}

/// The value of a key in a table that has it.
pub(crate) fn slot<'a>(root: &'a mut Table, whole: &str) -> Option<&'a mut Value> {
    let (first, rest) = whole.split_once('.').map_or((whole, None), |(first, rest)| (first, Some(rest)));
    let value = root.get_mut(first)?;
    match rest {
        None => Some(value),
        Some(rest) => value.as_table_mut().and_then(|inner| slot(inner, rest)),
    }
}
