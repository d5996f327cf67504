//! The dictionary of results: every key that `--format json` prints, with its meaning, and the JSON schema that
//! follows from it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;

/// The keys by command.
const KEYS: &str = include_str!("keys.toml");

/// A key of the rows of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The commands that print it.
    pub of: String,
    /// Name, with the table or list that holds it before it; `*` for any name.
    pub name: String,
    /// Type of JSON, with `?` where it can be null.
    pub kind: String,
    /// Unit, or nothing.
    pub unit: String,
    /// Who counts, measures or says it.
    pub source: String,
    /// What it says.
    pub meaning: String,
}

#[derive(Deserialize)]
struct Section {
    #[serde(rename = "for")]
    commands: String,
    keys: toml::Table,
}

/// All keys in the order of the list, each on its own.
///
/// # Errors
/// The list is not as it should be.
pub fn keys() -> Result<Vec<Key>, Failure> {
    let bad = |what: String| Failure::failed(format!("keys.toml: {what}"));
    let sections: toml::Table = toml::from_str(KEYS).map_err(|e| bad(e.to_string()))?;
    let mut keys = Vec::new();
    for (name, section) in sections {
        let section: Section = section.try_into().map_err(|e| bad(format!("{name}: {e}")))?;
        for (key, entry) in section.keys {
            let entry: [String; 4] = entry.try_into().map_err(|e| bad(format!("{name}.{key}: {e}")))?;
            let [kind, unit, source, meaning] = entry;
            let each = |name| Key {
                of: section.commands.clone(),
                name,
                kind: kind.clone(),
                unit: unit.clone(),
                source: source.clone(),
                meaning: meaning.clone(),
            };
            keys.extend(expanded(&key).into_iter().map(each));
        }
    }
    Ok(keys)
}

/// A name with `{a,b}` as several names.
fn expanded(name: &str) -> Vec<String> {
    let Some((head, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
    let Some((choices, tail)) = rest.split_once('}') else { return vec![name.to_owned()] };
    let tails = expanded(tail);
    choices.split(',').flat_map(|choice| tails.iter().map(move |t| format!("{head}{choice}{t}"))).collect()
}

/// The JSON schema (draft 2020-12) of a row of whatever command.
///
/// # Errors
/// As [`keys`].
pub fn schema() -> Result<Value, Failure> {
    let mut rows: Vec<(String, Vec<Key>)> = Vec::new();
    for key in keys()? {
        match rows.last_mut().filter(|(of, _)| *of == key.of) {
            Some((_, keys)) => keys.push(key),
            None => rows.push((key.of.clone(), vec![key])),
        }
    }
    let each: Vec<Value> = rows.into_iter().map(|(of, keys)| of_row(&of, &keys)).collect();
    Ok(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A row of results of heddle",
        "oneOf": each,
    }))
}

fn of_row(of: &str, keys: &[Key]) -> Value {
    let mut row = Table::default();
    for key in keys {
        match key.name.split_once('.') {
            None => row.own.push(key),
            Some((table, _)) => row.inner.entry(table).or_default().push(key),
        }
    }
    let mut properties = Map::new();
    for key in &row.own {
        properties.insert(key.name.clone(), of_value(key));
    }
    for (table, keys) in row.inner {
        let (name, is_list) = table.strip_suffix("[]").map_or((table, false), |name| (name, true));
        let inner = of_table(&keys);
        let nullable = properties.get(name).is_some_and(|v| v["type"][1] == "null");
        let value = match (is_list, nullable) {
            (true, _) => json!({ "type": "array", "items": inner }),
            (false, true) => json!({ "oneOf": [inner, { "type": "null" }] }),
            (false, false) => inner,
        };
        properties.insert(name.to_owned(), value);
    }
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "title": of,
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Keys of a row: those that stand in it, and those of its tables.
#[derive(Default)]
struct Table<'a> {
    own: Vec<&'a Key>,
    inner: BTreeMap<&'a str, Vec<&'a Key>>,
}

fn of_table(keys: &[&Key]) -> Value {
    let name = |key: &Key| key.name.split_once('.').map_or_else(String::new, |(_, name)| name.to_owned());
    if let [any] = keys
        && name(any) == "*"
    {
        return json!({ "type": "object", "additionalProperties": of_value(any) });
    }
    let properties: Map<String, Value> = keys.iter().map(|key| (name(key), of_value(key))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn of_value(key: &Key) -> Value {
    let unit = if key.unit.is_empty() { String::new() } else { format!(" ({})", key.unit) };
    let description = format!("{}{unit}; source: {}", key.meaning, key.source);
    match key.kind.strip_suffix('?') {
        Some(kind) => json!({ "type": [kind, "null"], "description": description }),
        None if key.kind == "any" => json!({ "description": description }),
        None => json!({ "type": key.kind, "description": description }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_names_of_their_own() {
        assert_eq!(expanded("a.{b,c}.x{1,2}"), ["a.b.x1", "a.b.x2", "a.c.x1", "a.c.x2"]);
        assert_eq!(expanded("plain"), ["plain"]);
    }

    #[test]
    fn every_key_is_there_once_and_says_all() {
        let keys = keys().unwrap_or_else(|f| panic!("{}", f.message));
        for (index, key) in keys.iter().enumerate() {
            assert!(!key.meaning.is_empty() && !key.source.is_empty(), "{key:?}");
            let twice = keys[..index].iter().any(|k| (&k.of, &k.name) == (&key.of, &key.name));
            assert!(!twice, "{key:?} is there twice");
            let kind = key.kind.trim_end_matches('?');
            assert!(
                ["integer", "number", "string", "boolean", "array", "object", "any"].contains(&kind),
                "{key:?}"
            );
        }
    }
}
