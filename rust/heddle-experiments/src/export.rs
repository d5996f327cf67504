//! Results merged into one file, for notebooks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::experiment::Experiment;
use crate::results::{ResultRow, ResultSet};

/// Columns that stand first.
const FIRST: [&str; 4] = ["experiment", "series", "kernel", "entry"];

/// A row with its coordinates: `experiment`, `series`, `entry` (null of a whole kernel), and `sweep` with the keys that
/// the series sweeps.
fn whole(experiment: &Experiment, row: &ResultRow) -> Map<String, Value> {
    let mut all = row.row.clone();
    let swept = row.point.swept.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
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

/// CSV with a column for each key of any result, those of tables as `events.NAME`.
///
/// # Errors
/// The writer's.
pub fn csv_text(experiment: &Experiment, results: &ResultSet) -> Result<Vec<u8>, csv::Error> {
    let rows: Vec<BTreeMap<String, String>> = results
        .rows
        .iter()
        .map(|row| {
            let mut cells = BTreeMap::new();
            flatten("", &Value::Object(whole(experiment, row)), &mut cells);
            cells
        })
        .collect();
    let mut keys: Vec<&str> = FIRST.to_vec();
    let all: BTreeSet<&str> = rows.iter().flat_map(BTreeMap::keys).map(String::as_str).collect();
    keys.extend(all.into_iter().filter(|key| !FIRST.contains(key)));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&keys)?;
    for row in &rows {
        writer.write_record(keys.iter().map(|key| row.get(*key).map_or("", String::as_str)))?;
    }
    writer.into_inner().map_err(|e| csv::Error::from(e.into_error()))
}

/// The values of a JSON object by their paths; null is an empty cell.
fn flatten(path: &str, value: &Value, cells: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, cells);
            }
        }
        Value::Null => {}
        Value::String(text) => {
            cells.insert(path.to_owned(), text.clone());
        }
        other => {
            cells.insert(path.to_owned(), other.to_string());
        }
    }
}
