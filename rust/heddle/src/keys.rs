//! `heddle list keys`: the dictionary of results, with the events of every design.

use heddle_manifest::Manifest;
use serde_json::json;

use crate::Failure;
use crate::column::Column;
use crate::dictionary::keys;
use crate::root::root;
use crate::table::Rows;

const COLUMNS: &[Column] = &[
    Column::kept("key"),
    Column::ranked("design", 4),
    Column::kept("meaning").text(),
    Column::ranked("unit", 1),
    Column::ranked("source", 2),
    Column::ranked("type", 5),
    Column::ranked("of", 3).text(),
];

/// What stands for the counted events of a design.
const EVENTS: &str = "events.*";

/// A row for each key that has `wanted` in its name. Events are named by the manifests of the designs.
pub fn rows(wanted: Option<&str>) -> Result<Rows, Failure> {
    let manifests = Manifest::load_all(&root()?).map_err(Failure::usage)?;
    let mut rows = Rows::new(COLUMNS);
    let mut push = |name: &str, design: Option<&str>, meaning: &str, key: &crate::dictionary::Key| {
        if wanted.is_none_or(|wanted| name.contains(wanted)) {
            let row = json!({
                "key": name, "design": design, "meaning": meaning, "unit": key.unit, "source": key.source,
                "type": key.kind, "of": key.of,
            });
            rows.push(row.as_object().cloned().unwrap_or_default());
        }
    };
    for key in keys()? {
        push(&key.name, None, &key.meaning, &key);
        if key.name != EVENTS || key.of.contains("--per") {
            continue;
        }
        // Variants have the events of their design.
        for manifest in manifests.iter().filter(|m| m.called() == m.name) {
            for event in manifest.events.iter().filter(|e| e.counted) {
                push(&format!("events.{}", event.name), Some(&manifest.name), &event.doc, &key);
            }
        }
    }
    let Some(wanted) = wanted.filter(|_| rows.is_empty()) else { return Ok(rows) };
    Err(Failure::usage(format!("no key of results has '{wanted}' in its name")))
}
