//! `heddle compare`: two sets of results side by side.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::args::{CompareArgs, Format};
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// Design, kernel, size.
type Key = (String, String, String);

/// Prints cycles and IPC of both sets and their ratio; a run that is in one set only is named.
pub fn compare(args: &CompareArgs) -> Outcome {
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let mut rows = Rows::new(&[
        "design",
        "kernel",
        "size",
        "cycles_a",
        "cycles_b",
        "cycles_b_to_a",
        "ipc_a",
        "ipc_b",
        "ipc_b_to_a",
    ]);
    let mut keys: Vec<&Key> = a.keys().chain(b.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        let value = |set: &BTreeMap<Key, Map<String, Value>>, name: &str| {
            set.get(key).and_then(|row| row.get(name)).cloned().unwrap_or(Value::Null)
        };
        let ratio = |name: &str| match (value(&a, name).as_f64(), value(&b, name).as_f64()) {
            (Some(x), Some(y)) if x != 0.0 => json!(y / x),
            _ => Value::Null,
        };
        let row = json!({
            "design": key.0, "kernel": key.1, "size": key.2,
            "cycles_a": value(&a, "cycles"), "cycles_b": value(&b, "cycles"), "cycles_b_to_a": ratio("cycles"),
            "ipc_a": value(&a, "ipc"), "ipc_b": value(&b, "ipc"), "ipc_b_to_a": ratio("ipc"),
        });
        if let Value::Object(row) = row {
            rows.push(row);
        }
    }
    print(&rows.text(Format::Table));
    Ok(())
}

fn read(path: &Path) -> Result<BTreeMap<Key, Map<String, Value>>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))?;
    let mut rows = BTreeMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let place = format!("{}:{}", path.display(), index + 1);
        let value: Value =
            serde_json::from_str(line).map_err(|e| Failure::usage(format!("{place}: not JSON: {e}")))?;
        let Value::Object(row) = value else {
            return Err(Failure::usage(format!("{place}: expected a JSON object")));
        };
        let text = |name: &str| {
            row.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| {
                Failure::usage(format!(
                    "{place}: the object has no '{name}'; expected a line of --format json"
                ))
            })
        };
        let key = (text("design")?, text("kernel")?, text("size")?);
        if rows.insert(key.clone(), row).is_some() {
            return Err(Failure::usage(format!("{place}: {} {} {} is there twice", key.0, key.1, key.2)));
        }
    }
    Ok(rows)
}
