//! Results merged into one file, for notebooks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::experiment::Experiment;
use crate::results::{ResultRow, ResultSet};

/// Columns that stand first.
const FIRST: [&str; 4] = ["experiment", "series", "kernel", "entry"];

/// A swept value: the number or truth value that its text is, else the text.
fn typed(value: &str) -> Value {
    let read: Option<Value> = serde_json::from_str(value).ok();
    read.filter(|value| value.is_number() || value.is_boolean()).unwrap_or_else(|| json!(value))
}

/// A row with its coordinates: `experiment`, `series`, `entry` (null of a whole kernel), and `sweep` with the keys that
/// the series sweeps.
fn whole(experiment: &Experiment, row: &ResultRow) -> Map<String, Value> {
    let mut all = row.row.clone();
    let swept = row.point.swept.iter().map(|(key, value)| (key.clone(), typed(value))).collect();
    all.insert("experiment".to_owned(), json!(experiment.id));
    all.insert("series".to_owned(), json!(row.point.series));
    all.insert("entry".to_owned(), json!(row.kernel.entry));
    all.insert("sweep".to_owned(), Value::Object(swept));
    all
}

/// A line of JSON for each result.
#[must_use]
pub fn json_lines(experiment: &Experiment, results: &ResultSet) -> String {
    results.rows.iter().map(|row| Value::Object(whole(experiment, row)).to_string() + "\n").collect()
}

/// The results as a table: a column for each key of any result, those of tables as `events.NAME`, and a row a result.
#[derive(Debug)]
pub(crate) struct Columns {
    /// Names of the columns.
    pub keys: Vec<String>,
    /// What each row has; null is left out.
    pub rows: Vec<BTreeMap<String, Value>>,
}

impl Columns {
    /// Of the results of an experiment.
    pub fn new(experiment: &Experiment, results: &ResultSet) -> Self {
        let row = |row: &ResultRow| {
            let mut cells = BTreeMap::new();
            flatten("", Value::Object(whole(experiment, row)), &mut cells);
            cells
        };
        let rows: Vec<BTreeMap<String, Value>> = results.rows.iter().map(row).collect();
        let all: BTreeSet<&str> = rows.iter().flat_map(BTreeMap::keys).map(String::as_str).collect();
        let others = all.into_iter().filter(|key| !FIRST.contains(key));
        let keys = FIRST.into_iter().chain(others).map(str::to_owned).collect();
        Self { keys, rows }
    }
}

/// CSV with the columns of [`Columns`].
///
/// # Errors
/// The writer's.
pub fn csv_text(experiment: &Experiment, results: &ResultSet) -> Result<Vec<u8>, csv::Error> {
    let Columns { keys, rows } = Columns::new(experiment, results);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&keys)?;
    for row in &rows {
        writer.write_record(keys.iter().map(|key| row.get(key).map_or_else(String::new, text)))?;
    }
    writer.into_inner().map_err(|e| csv::Error::from(e.into_error()))
}

/// A value as a cell of text.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The values of a JSON object by their paths, without those that are null.
fn flatten(path: &str, value: Value, cells: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                flatten(&path, value, cells);
            }
        }
        Value::Null => {}
        other => {
            cells.insert(path.to_owned(), other);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::typed;

    #[test]
    fn swept_values_have_the_type_of_their_text() {
        let texts = ["8192", "-1", "0.5", "true", "gto", "null", "[1]", "1e", ""];
        let expected: [Value; 9] = [
            json!(8192),
            json!(-1),
            json!(0.5),
            json!(true),
            json!("gto"),
            json!("null"),
            json!("[1]"),
            json!("1e"),
            json!(""),
        ];
        assert_eq!(texts.map(typed), expected);
    }
}
