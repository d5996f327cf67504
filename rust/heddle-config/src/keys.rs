//! The keys of a table held against those that there are.

use heddle_suggest::hint as suggest;
use toml::{Table, Value};

use crate::error::ConfigError;

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Whole paths of all values of a table.
pub(crate) fn leaves(path: &str, table: &Table, out: &mut Vec<String>) {
    for (key, value) in table {
        match value {
            Value::Table(inner) => leaves(&join(path, key), inner, out),
            _ => out.push(join(path, key)),
        }
    }
}

/// The nearest key by name, wherever it stands, or the keys of the table.
pub(crate) fn key_hint(key: &str, whole: &str, here: &Table, reference: &Table) -> String {
    let near = suggest(key, here.keys().map(String::as_str));
    if !near.is_empty() {
        return near;
    }
    let mut all = Vec::new();
    leaves("", reference, &mut all);
    let near = suggest(whole, all.iter().map(String::as_str));
    if !near.is_empty() {
        return near;
    }
    format!("; keys here: {}", here.keys().cloned().collect::<Vec<_>>().join(", "))
}

pub(crate) fn kind(value: &Value) -> String {
    match value {
        Value::Table(_) => "a table".to_owned(),
        Value::Integer(_) => "an integer".to_owned(),
        Value::String(_) => "a string".to_owned(),
        other => format!("a {}", other.type_str()),
    }
}

pub(crate) fn check_keys(
    origin: &str,
    path: &str,
    table: &Table,
    reference: &Table,
) -> Result<(), ConfigError> {
    for (key, value) in table {
        let whole = join(path, key);
        let Some(expected) = reference.get(key) else {
            let hint = key_hint(key, &whole, reference, reference);
            return Err(ConfigError::UnknownKey { origin: origin.to_owned(), key: whole, hint });
        };
        match (value, expected) {
            (Value::Table(inner), Value::Table(known)) => check_keys(origin, &whole, inner, known)?,
            _ if value.same_type(expected) => {}
            _ => {
                return Err(ConfigError::WrongType {
                    origin: origin.to_owned(),
                    key: whole,
                    expected: kind(expected),
                    found: kind(value),
                });
            }
        }
    }
    Ok(())
}

pub(crate) fn check_missing(
    origin: &str,
    path: &str,
    table: &Table,
    reference: &Table,
) -> Result<(), ConfigError> {
    for (key, expected) in reference {
        let whole = join(path, key);
        match (table.get(key), expected) {
            (None, _) => {
                return Err(ConfigError::MissingKey { origin: origin.to_owned(), key: whole });
            }
            (Some(Value::Table(inner)), Value::Table(known)) => check_missing(origin, &whole, inner, known)?,
            _ => {}
        }
    }
    Ok(())
}
