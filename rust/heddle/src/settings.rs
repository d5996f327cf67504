//! Presets and parameters of results: whether runs had the same SM.

use std::collections::BTreeSet;

use heddle_cosim::RunReport;
use serde_json::{Map, Value};

/// A line that names the preset of each design, where the runs had several; else nothing.
pub fn several(reports: &[RunReport]) -> String {
    let presets: BTreeSet<&str> = reports.iter().map(|r| r.preset.as_str()).collect();
    if presets.len() < 2 {
        return String::new();
    }
    let pairs: BTreeSet<String> = reports.iter().map(|r| format!("{} {}", r.design, r.preset)).collect();
    let pairs: Vec<String> = pairs.into_iter().collect();
    format!("different SMs, by preset: {}\n", pairs.join(", "))
}

/// The keys of a preset in which two runs differ, `preset` first, each with both values. Results that do not
/// state a key do not differ in it.
pub fn differences(a: &Map<String, Value>, b: &Map<String, Value>) -> Vec<(String, Value, Value)> {
    let mut found: Vec<(String, Value, Value)> = Vec::new();
    let mut hold = |key: &str, a: Option<&Value>, b: Option<&Value>| {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            found.push((key.to_owned(), a.clone(), b.clone()));
        }
    };
    hold("preset", a.get("preset"), b.get("preset"));
    let all = |run: &Map<String, Value>| run.get("parameters").and_then(Value::as_object).cloned();
    let (a, b) = (all(a).unwrap_or_default(), all(b).unwrap_or_default());
    // Keys of presets have a point; RTL parameters follow from them and from the design.
    for (key, value) in a.iter().filter(|(key, _)| key.contains('.')) {
        hold(key, Some(value), b.get(key));
    }
    found
}

/// Differences as one line.
pub fn line(differences: &[(String, Value, Value)]) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let each = |(key, a, b): &(String, Value, Value)| format!("{key} {} and {}", plain(a), plain(b));
    differences.iter().map(each).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_of_presets_are_compared_and_rtl_parameters_are_not() {
        let run = |preset: &str, registers: u32, rows: u32| {
            let run = json!({
                "preset": preset,
                "parameters": { "RowsPerBank": rows, "sm.registers": registers, "sm.warps": 64 },
            });
            run.as_object().cloned().unwrap_or_default()
        };
        assert!(differences(&run("maxwell", 1, 1), &run("maxwell", 1, 2)).is_empty());
        let found = differences(&run("maxwell", 1, 1), &run("fermi", 2, 2));
        assert_eq!(line(&found), "preset maxwell and fermi, sm.registers 1 and 2");
        // Results that state nothing.
        assert!(differences(&run("maxwell", 1, 1), &Map::new()).is_empty());
    }
}
